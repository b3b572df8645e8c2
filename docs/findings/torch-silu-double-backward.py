"""PyTorch: the second derivative of silu's gradient with respect to what it starts from is NaN where the
gradient is 0.  Needs PyTorch only; status 1 while the bug is there."""
import sys

import torch

x = torch.tensor([-1e38], requires_grad=True)
y = torch.nn.functional.silu(x)
start = torch.zeros_like(y, requires_grad=True)
gradient, = torch.autograd.grad(y, x, start, create_graph=True)
got, = torch.autograd.grad(gradient, start, torch.tensor([100.0]))
print(torch.__version__, 'expected -0.0, got', got.item())
sys.exit(1 if got.isnan().item() else 0)
