"""PyTorch: the gradient of grid_sample with a coordinate of NaN ends the process (SIGSEGV).
Needs PyTorch only; status 1 while the bug is there."""
import os
import sys

import torch
from torch.nn import functional as F


def attempt():
    x = torch.ones(1, 1, 2, 2, requires_grad=True)
    grid = torch.full((1, 1, 1, 2), float('nan'), requires_grad=True)
    F.grid_sample(x, grid, 'bilinear', 'border', False).sum().backward()


child = os.fork()
if child == 0:
    attempt()
    os._exit(0)
status = os.waitpid(child, 0)[1]
print(torch.__version__, 'expected: any gradient or an exception; got:', f'wait status {status}')
sys.exit(1 if os.WIFSIGNALED(status) else 0)
