# pip install oneflow==0.9.0; python oneflow-graph-collected.py
# Where a graph that is in a reference cycle is collected while another is compiled, that one loses its buffers.

import gc
import sys

import oneflow as flow


class Module(flow.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('state', flow.zeros(2))

    def forward(self, x):
        return x + self.state


class Graph(flow.nn.Graph):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def build(self, x):
        return self.module(x)


x = flow.ones(2)
for number in range(300):
    gc.set_threshold(100 + number)
    holder = [Graph(Module())]
    holder.append(holder)
    try:
        holder[0](x)
    except Exception as why:
        print('got', why)
        sys.exit(1)
