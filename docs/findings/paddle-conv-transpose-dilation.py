"""PaddlePaddle: conv2d_transpose takes a dilation of 0.  Needs PaddlePaddle only; status 1 while the bug is
there."""
import sys

import paddle
from paddle.nn import functional as F

try:
    y = F.conv2d_transpose(paddle.ones([1, 2, 4, 4]), paddle.ones([2, 3, 2, 2]), dilation=0)
    print(paddle.__version__, 'dilation 0 gives', y.shape)
    sys.exit(1)
except (ValueError, RuntimeError) as why:
    print(paddle.__version__, type(why).__name__)
