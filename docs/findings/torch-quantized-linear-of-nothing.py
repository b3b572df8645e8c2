# pip install torch==2.15.0; python torch-quantized-linear-of-nothing.py
# A quantised linear layer without inputs gives what the memory of its result held.

import sys

import torch

seen = []
for i in range(50):
    freed = [torch.full((4, 4), i + 1, dtype=torch.uint8) for _ in range(20)]
    del freed
    x = torch.quantize_per_tensor(torch.zeros(4, 0), 1.0, 0, torch.quint8)
    w = torch.quantize_per_tensor(torch.zeros(4, 0), 1.0, 0, torch.qint8)
    y = torch.ops.quantized.linear(x, torch.ops.quantized.linear_prepack(w, None), 1.0, 0).int_repr().flatten().tolist()
    if any(y):
        seen.append(y)
if seen:
    print('got', seen[0][:8], 'in place of zeros')
sys.exit(bool(seen))
