"""PyTorch: pixel_shuffle of an empty image has a gradient of the wrong extents.
Needs PyTorch only; status 1 while the bug is there."""
import sys

import torch
from torch.nn import functional as F

try:
    F.pixel_shuffle(torch.ones(1, 4, 2, 0, requires_grad=True), 2).sum().backward()
except RuntimeError as why:
    print(torch.__version__, 'expected a gradient, got', why)
    sys.exit(1)
