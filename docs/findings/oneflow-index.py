"""OneFlow: an index beyond its axis is no error: embedding, index_select and gather read something, scatter
ends the process.  Needs OneFlow only; status 1 while the bug is there."""
import os
import sys

import oneflow as flow

x = flow.arange(16).reshape(4, 4).to(flow.float32)
bad = 0
for name, call in (('embedding', lambda: flow.nn.functional.embedding(flow.tensor([4]), x)),
                   ('index_select', lambda: flow.index_select(x, 0, flow.tensor([4]))),
                   ('gather', lambda: flow.gather(x, 0, flow.tensor([[4, 0, 0, 0]])))):
    try:
        print(flow.__version__, name, 'index 4 of 4:', call().numpy().tolist())
        bad = 1
    except (IndexError, RuntimeError) as why:
        print(name, type(why).__name__)
sys.exit(bad)
