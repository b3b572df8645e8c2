"""PyTorch: avg_pool3d with an out= that is not dense writes to other elements of the memory.
Needs PyTorch only; status 1 while the bug is there."""
import sys

import torch

x = torch.ones(1, 2, 1, 1, 1)
wide = torch.full((1, 2, 1, 1, 1, 2), 77.0)
torch._C._nn.avg_pool3d(x, (1, 1, 1), out=wide.select(-1, 0))
print(torch.__version__, 'expected [1, 77, 1, 77], got', wide.flatten().tolist())
sys.exit(0 if wide.flatten().tolist() == [1, 77, 1, 77] else 1)
