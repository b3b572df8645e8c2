"""PyTorch: hardswish overflows a sixth below the largest number.
Needs PyTorch only; status 1 while the bug is there."""
import sys

import torch
from torch.nn import functional as F

got = F.hardswish(torch.tensor([1e38])).item()
print(torch.__version__, 'expected 1e38, got', got)
sys.exit(got != torch.tensor(1e38).item())
