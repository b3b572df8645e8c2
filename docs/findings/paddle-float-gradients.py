"""PaddlePaddle: norms and gradients of pooling of binary64 are computed in binary32.
Needs PaddlePaddle only; status 1 while the bug is there."""
import sys

import paddle
from paddle.nn import functional as F

x = paddle.ones([1, 1, 3], dtype='float64')
x.stop_gradient = False
F.adaptive_avg_pool1d(x, 1).sum().backward()
norm = paddle.linalg.vector_norm(paddle.to_tensor([4.0], dtype='float64'), 3.0).item()
got = x.grad.numpy().reshape(-1)[0]
print(paddle.__version__, 'expected', 1 / 3, 'and 4, got', got, 'and', norm)
sys.exit(bool(abs(got - 1 / 3) > 1e-12 or abs(norm - 4) > 1e-12))
