# pip install paddlepaddle==3.3.1; python paddle-group-norm-gradient.py
# The gradient of group_norm without scale and bias differs from that with a scale of ones and a bias of zeros.

import sys

import numpy as np
import paddle


def gradient(**affine):
    x = paddle.to_tensor(np.arange(12.0).reshape(1, 4, 3) ** 2 % 7, stop_gradient=False)
    y = paddle.nn.functional.group_norm(x, 2, **affine)
    y.backward(paddle.to_tensor(np.arange(12.0).reshape(1, 4, 3)))
    return x.grad.numpy().ravel()


got = gradient()
expected = gradient(weight=paddle.ones([4], 'float64'), bias=paddle.zeros([4], 'float64'))
print('got     ', got[:4], '\nexpected', expected[:4])
sys.exit(not np.allclose(got, expected))
