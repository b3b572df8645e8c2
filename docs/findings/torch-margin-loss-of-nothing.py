# pip install torch==2.15.0; python torch-margin-loss-of-nothing.py
# The loss of no rows is what the memory of the result held.

import sys

import torch

seen = []
for i in range(50):
    freed = [torch.full((), i + 1.0) for _ in range(200)]
    del freed
    y = torch.nn.functional.multi_margin_loss(torch.ones(0, 3), torch.ones(0, dtype=torch.int64), reduction='sum').item()
    if y != 0:
        seen.append(y)
if seen:
    print('got', *seen[:4], 'in place of 0')
sys.exit(bool(seen))
