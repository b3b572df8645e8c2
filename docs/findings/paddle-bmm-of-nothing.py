# pip install paddlepaddle==3.3.1; python paddle-bmm-of-nothing.py
# Products of matrices without columns are what was in memory before.

import sys

import paddle

paddle.set_device('cpu')
wrong = None
for _ in range(100):
    memory = paddle.full([1, 8, 8], 7.5)
    del memory
    y = paddle.bmm(paddle.ones([1, 8, 0]), paddle.ones([1, 0, 8])).numpy()
    if (y != 0).any():
        wrong = float(y[y != 0][0])
if wrong is not None:
    print('got', wrong, 'expected 0.0')
sys.exit(wrong is not None)
