"""Programs for OneFlow, eager and as graphs."""
import gc

import numpy as np
import oneflow as flow


def whole(v):
    return v.to(flow.int32).to(v.dtype)


def scalar(i, v):
    return float(i)


def join(one, other):
    return flow.cat([one, other])


def slope(function, v):
    u = v.clone().requires_grad_()
    return flow.autograd.grad(function(u), u, create_graph=True)[0]


def full(v, value):
    return flow.zeros_like(v) + value


def tensor(values):
    return flow.tensor(values)


def array(result):
    return result.detach().numpy()


class Program(flow.nn.Module):
    def __init__(self, n, dtype):
        super().__init__()
        self.weight = flow.nn.Parameter(flow.tensor((np.arange(n) % 4 * 0.5 + 0.5).astype(dtype)))
        self.register_buffer('state', flow.tensor(np.zeros(n, dtype)))

    def part(self, v):
        return v * self.weight

    def forward(self, x, z):
        a, b, c, d = x + 0.0, z + 0.0, x - z, flow.zeros_like(x)
        e, v = x[0], flow.zeros_like(x)
        s = x[1:] * 1.0
        i, j = 0, 2
        items, table = [x * 1.0, z * 1.0], {'k0': x * 1.0, 'k1': z * 1.0}
        # Statements.
        return flow.stack([a, b, c, d])


def make(n, dtype):
    return Program(n, dtype).eval()


class Graph(flow.nn.Graph):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def build(self, x, z):
        return self.module(x, z)


# Modes
from . import SEVERAL  # noqa: E402


def convert(module, example):
    return module


def convert_graph(module, example):
    """A graph of an earlier program that is collected while this one is built would take its parameters."""
    gc.collect()
    return Graph(module)


MODES = {'': convert, 'graph': convert_graph}
AUTOCAST = ((r'xp\.autocast', 'its kernels of the CPU have no bfloat16 products'),)
DECLINES = {'': AUTOCAST, 'graph': (
    *AUTOCAST,
    (r'xp\.(slope|tape)', 'graphs derive losses for an optimizer only (documented)'),
    (SEVERAL, 'graphs are built for the extents of their first call (documented)'),
    (r'(if|while) .*xp\.sum', 'graphs have no branches on data (documented)'),
    (r'print|seen|raise|xp\.scalar|self\.state =', 'what Python does happens once (documented)'))}
VERIFY, COMPILATIONS, TRANSFORMED = {}, {}, {}
NAMES = {name: f'flow.{name}' for name in ('sum', 'maximum', 'abs', 'stack')}
NAMES.update(clip='flow.clamp', tape='slope')
REWRITES = ()
# Gradients of gradients that OneFlow has not.
REFUSALS, REFUSING = (), ('The gradient function for op',)
RAISES = ()
# Medians of campaigns on one core.
SAMPLES = {'graph': 8}
