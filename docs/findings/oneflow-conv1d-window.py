# pip install oneflow==0.9.0; python oneflow-conv1d-window.py
# conv1d of 2 elements with a window of 3 ends the process, where an exception is expected.

import oneflow

try:
    print(oneflow.nn.functional.conv1d(oneflow.ones(1, 1, 2), oneflow.ones(1, 1, 3)))
except oneflow._oneflow_internal.exception.Exception as error:
    print('as expected:', error)
