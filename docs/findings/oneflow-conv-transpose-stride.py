"""OneFlow: transposed convolutions take strides and dilations of 0.  Needs OneFlow only; status 1 while the bug
is there."""
import sys

import oneflow as flow
from oneflow.nn import functional as F

bad = 0
for name in ('stride', 'dilation'):
    try:
        y = F.conv_transpose2d(flow.ones(1, 2, 4, 4), flow.ones(2, 3, 2, 2), **{name: 0})
        print(flow.__version__, name, '0 gives', list(y.shape))
        bad = 1
    except (ValueError, RuntimeError) as why:
        print(flow.__version__, name, type(why).__name__)
sys.exit(bad)
