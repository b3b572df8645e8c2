"""Programs for PyTorch, eager and through its compilers."""
HEAD = '''import io

import torch


def whole(v):
    return v.to(torch.int32).to(v.dtype)


def scalar(i: int, v):
    return float(i)


def join(one, other):
    return torch.cat([one, other])


def helper(v, scale: float = 2.0):
    return v * scale


def descend(v, depth: int):
    if depth <= 0:
        return v * 1.0
    return descend(v + 1.0, depth - 1)


def tensor(values):
    return torch.from_numpy(values.copy())


def array(result):
    return result.detach().numpy()


def gradient(program, x, z):
    x = x.clone().requires_grad_()
    found, = torch.autograd.grad(program(x, z).sum(), x, allow_unused=True)
    return torch.zeros_like(x) if found is None else found


def make(n, dtype):
    return Program(n, getattr(torch, str(dtype))).eval()
'''
NAMES = {name: f'torch.{name}' for name in ('sum', 'clip', 'maximum', 'abs', 'stack')}
NAMES['full'] = 'torch.full_like'
REWRITES = ()
CLASS = '''class Part(torch.nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.weight = torch.nn.Parameter(weight)

    def forward(self, v):
        return v * self.weight


class Program(torch.nn.Module):
    def __init__(self, n: int, dtype: torch.dtype):
        super().__init__()
        weight = (torch.arange(n) % 4 * 0.5 + 0.5).to(dtype)
        self.weight = torch.nn.Parameter(weight)
        self.register_buffer('state', torch.zeros(n, dtype=dtype))
        self.part = Part(weight)

    def forward(self, x, z):
        a, b, c, d = x + 0.0, z + 0.0, x - z, torch.zeros_like(x)
        e, v = x[0], torch.zeros_like(x)
        i, j = 0, 2
        items, table = [x * 1.0, z * 1.0], {{'k0': x * 1.0, 'k1': z * 1.0}}
{body}
        return torch.stack([a, b, c, d])
'''
DYNAMO = '''    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    torch._dynamo.config.recompile_limit = torch._dynamo.config.accumulated_recompile_limit = 64
    return torch.compile(module, backend='{}'{})'''
MODES = {
    '': '    return module',
    'script': '    return torch.jit.script(module)',
    'trace': '    return torch.jit.trace(module, example, check_trace=False)',
    'dynamo': DYNAMO.format('eager', ''),
    'fullgraph': DYNAMO.format('eager', ', fullgraph=True'),
    'aot': DYNAMO.format('aot_eager', ''),
    'inductor': DYNAMO.format('inductor', ''),
    'export': '    torch._dynamo.reset()\n    return torch.export.export(module, example).module()',
}
MODES['script-saved'] = '''    file = io.BytesIO()
    torch.jit.save(torch.jit.script(module), file)
    file.seek(0)
    return torch.jit.load(file)'''
MODES['export-saved'] = '''    torch._dynamo.reset()
    file = io.BytesIO()
    torch.export.save(torch.export.export(module, example), file)
    file.seek(0)
    return torch.export.load(file).module()'''
DECLINES = {
    'trace': ((r'(if|while) [^\n]*xp\.sum', 'tracing keeps one branch of what depends on data (documented)'),
              (r'xp\.scalar', 'tracing keeps numbers of Python (documented)'),
              (r'print|seen', 'tracing runs Python once (documented)'),
              (r'self\.state =', 'tracing records operators, not assignments to attributes')),
    'export': ((r'seen', 'effects outside of the module are not exported (documented)'),
               (r'print', 'effects outside of the module are not exported (documented)')),
}
DECLINES['export-saved'] = DECLINES['export']
TRANSFORMED = {mode: '    return program.code' for mode in ('script', 'trace', 'export', 'script-saved', 'export-saved')}
GRAPHS = '''    torch._dynamo.reset()
    one = tensor(np.ones(EXTENT[0], EXTENT[1]))
    found = torch._dynamo.explain(make(*EXTENT))(one, one)
    return '\\n'.join(graph.print_readable(print_output=False) for graph in found.graphs)'''
TRANSFORMED.update({mode: GRAPHS for mode in ('dynamo', 'fullgraph', 'aot', 'inductor')})
COMPILED = '''    if not torch._dynamo.utils.counters['frames']['ok']:
        raise Refused('nothing was compiled')'''
VERIFY = {mode: COMPILED for mode in ('dynamo', 'fullgraph', 'aot', 'inductor')}
REFUSALS = ('NotSupportedError', 'UnsupportedNodeError', 'FrontendError', 'FrontendTypeError', 'Unsupported',
            'UserError', 'UncapturedHigherOrderOpError', 'GuardOnDataDependentSymNode', 'TracingCheckError')
# What torch.jit.script says in errors of no type of their own.
REFUSING = ('is called recursively', 'is not defined on python value of type')
