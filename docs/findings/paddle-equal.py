"""PaddlePaddle: equal takes different numbers of binary64 for equal.
Needs PaddlePaddle only; status 1 while the bug is there."""
import sys

import paddle

a = paddle.to_tensor([1e-20, 1.0], dtype='float64')
b = paddle.to_tensor([2e-20, 1.0 + 2.0 ** -52], dtype='float64')
got = paddle.equal(a, b).numpy()
print(paddle.__version__, 'expected [False, False], got', got)
sys.exit(bool(got.any()))
