"""PyTorch: binary_cross_entropy_with_logits loses everything for a confident and right logit.
Needs PyTorch only; status 1 while the bug is there."""
import math
import sys

import torch
from torch.nn import functional as F

bad = False
for dtype in (torch.float32, torch.float64):
    got = F.binary_cross_entropy_with_logits(torch.tensor([-30.0], dtype=dtype),
                                             torch.zeros(1, dtype=dtype)).item()
    expected = math.log1p(math.exp(-30))
    bad = bad or abs(got - expected) > 1e-3 * expected
    print(torch.__version__, dtype, 'expected', expected, 'got', got)
sys.exit(bad)
