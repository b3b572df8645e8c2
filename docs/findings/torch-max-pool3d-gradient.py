"""PyTorch: max_pool3d of a window that lies in the padding gives a place outside the image, to which the
gradient is written.  Needs PyTorch only; status 1 while the bug is there."""
import sys

import torch
from torch.nn import functional as F

x = torch.ones(1, 1, 1, 2, 1)
y, places = F.max_pool3d(x, (1, 2, 1), (1, 1, 1), (0, 1, 0), (1, 3, 1), True, return_indices=True)
print(torch.__version__, 'values', y.flatten().tolist(), 'places', places.flatten().tolist(), 'of 2 elements')
sys.exit(1 if bool((places >= x.numel()).any()) else 0)
