"""PaddlePaddle: log_softmax and softmax cut differences at -64.
Needs PaddlePaddle only; status 1 while the bug is there."""
import sys

import paddle
from paddle.nn import functional as F

x = paddle.to_tensor([0.0, -1000.0])
got = F.log_softmax(x).numpy()
print(paddle.__version__, 'expected [0, -1000], got', got, F.softmax(x).numpy())
sys.exit(bool(got[1] != -1000))
