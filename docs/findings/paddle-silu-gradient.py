"""PaddlePaddle: the gradients of silu and celu are NaN for large negative numbers.
Needs PaddlePaddle only; status 1 while the bug is there."""
import sys

import paddle
from paddle.nn import functional as F

x = paddle.to_tensor([-1e3, -1e30])
x.stop_gradient = False
F.silu(x).sum().backward()
got = x.grad.numpy()
print(paddle.__version__, 'expected [0, 0], got', got)
sys.exit(bool((got != got).any()))
