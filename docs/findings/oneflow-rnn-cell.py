# pip install oneflow==0.9.0; python oneflow-rnn-cell.py
# RNNCell without a state raises a TypeError; with a state of zeros, which is what is documented, it does not.

import sys

import oneflow

cell = oneflow.nn.RNNCell(2, 2)
x = oneflow.ones(1, 2)
print(cell(x, oneflow.zeros(1, 2)))
try:
    print(cell(x))
except TypeError as error:
    print('got', error)
    sys.exit(1)
