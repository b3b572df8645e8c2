"""PyTorch: the gradient of celu in binary64 has the reciprocal of alpha in binary32.
Needs PyTorch only; status 1 while the bug is there."""
import math
import sys

import torch
from torch.nn import functional as F

alpha = 0.585
x = torch.tensor([-5.0], dtype=torch.float64, requires_grad=True)
F.celu(x, alpha).sum().backward()
expected, got = math.exp(-5.0 / alpha), x.grad.item()
print(torch.__version__, 'expected', expected, 'got', got)
sys.exit(abs(got - expected) > 1e-12 * expected)
