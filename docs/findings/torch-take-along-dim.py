"""PyTorch: take_along_dim takes an index beyond its axis, and gives another element; gather refuses it.
Needs PyTorch only; status 1 while the bug is there."""
import sys

import torch

x = torch.arange(6.0).reshape(3, 2)
index = torch.tensor([[4, 0]])
try:
    print(torch.__version__, 'index 4 of 3:', torch.take_along_dim(x, index, 0).tolist())
    sys.exit(1)
except (IndexError, RuntimeError) as why:
    print(torch.__version__, type(why).__name__)
