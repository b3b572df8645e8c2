"""PyTorch: gelu with an out= that is not dense leaves it as it was (binary32, oneDNN on).
Needs PyTorch only; status 1 while the bug is there."""
import sys

import torch

x = torch.ones(2)
wide = torch.full((2, 2), 77.0)
torch._C._nn.gelu(x, out=wide[:, 0])
expected = torch.nn.functional.gelu(x)
print(torch.__version__, 'expected', expected.tolist(), 'got', wide[:, 0].tolist())
sys.exit(0 if torch.equal(wide[:, 0], expected) else 1)
