"""PyTorch: avg_pool3d refuses a kernel that only fits with padding; avg_pool2d takes it.
Needs PyTorch only; status 1 while the bug is there."""
import sys

import torch
from torch.nn import functional as F

print(torch.__version__, F.avg_pool2d(torch.ones(1, 1, 3, 1), (5, 1), 1, (1, 0)).flatten().tolist())
try:
    F.avg_pool3d(torch.ones(1, 1, 3, 1, 1), (5, 1, 1), 1, (1, 0, 0))
except RuntimeError as why:
    print('expected the same, got', why)
    sys.exit(1)
