"""PyTorch: fmod and remainder of a vector are NaN where the quotient is large, those of one number are not.
Needs PyTorch only; status 1 while the bug is there."""
import math
import sys

import torch

a, b = 1e300, 1e-10
expected = math.fmod(a, b)
for count in (1, 8):
    x = torch.full((count,), a, dtype=torch.float64)
    y = torch.full((count,), b, dtype=torch.float64)
    print(torch.__version__, count, 'expected', expected, 'got', torch.fmod(x, y)[0].item(),
          torch.remainder(x, y)[0].item())
sys.exit(1 if torch.fmod(x, y).isnan().any() else 0)
