# pip install torch==2.15.0; python torch-bf16-conv-transpose.py
# processor: avx512f
# The gradient of the weights of a transposed convolution of ones is NaN where NaN lies behind the memory of dy.

import sys

import torch

x = torch.ones(5, 16, 1, dtype=torch.bfloat16)
w = torch.ones(16, 6, 1, dtype=torch.bfloat16, requires_grad=True)
y = torch.nn.functional.conv_transpose1d(x, w, stride=3)
memory = torch.full((y.numel() + 64,), float('nan'), dtype=torch.bfloat16)
dy = memory[: y.numel()].fill_(1).view(y.shape)
(got,) = torch.autograd.grad(y, w, dy)
print('got', got.unique(), 'expected 5')
sys.exit((got != 5).any().item())
