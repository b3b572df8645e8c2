"""Programs for PyTorch, eager and through its compilers."""
import io

import numpy as np
import torch


def whole(v):
    return v.to(torch.int32).to(v.dtype)


def scalar(i: int, v):
    return float(i)


def join(one, other):
    return torch.cat([one, other])


def width(v):
    return v.element_size()


def slope(function, v):
    return torch.func.grad(function)(v)


def tape(function, v):
    u = v.detach().clone().requires_grad_()
    return torch.autograd.grad(function(u), u)[0]


def tensor(values):
    return torch.from_numpy(values.copy())


def array(result):
    return result.detach().numpy()


def gradient(program, x, z):
    x = x.clone().requires_grad_()
    found, = torch.autograd.grad(program(x, z).sum(), x, allow_unused=True)
    return torch.zeros_like(x) if found is None else found


def compiled(module, backend, fullgraph=False):
    """Limits are raised, since beyond them programs run in eager mode."""
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    torch._dynamo.config.recompile_limit = torch._dynamo.config.accumulated_recompile_limit = 64
    return torch.compile(module, backend=backend, fullgraph=fullgraph, **({'dynamic': True} if OPEN else {}))


def exported(module, example):
    torch._dynamo.reset()
    return torch.export.export(module, example, **any_extents())


def any_extents():
    """Options of exporters where the extents of calls differ."""
    return {'dynamic_shapes': ({0: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC})} if EXTENTS else {}


class Part(torch.nn.Module):
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
        s = x[1:] * 1.0
        i, j = 0, 2
        items, table = [x * 1.0, z * 1.0], {'k0': x * 1.0, 'k1': z * 1.0}
        # Statements.
        return torch.stack([a, b, c, d])


def make(n, dtype):
    return Program(n, getattr(torch, str(dtype))).eval()


# Modes
from . import ALIASES, SEVERAL, else_of  # noqa: E402
from .running import EXTENTS, OPEN, Refused, call_onnx  # noqa: E402


def convert(module, example):
    return module


def convert_script(module, example):
    return torch.jit.script(module)


def convert_trace(module, example):
    return torch.jit.trace(module, example, check_trace=False)


def convert_dynamo(module, example):
    return compiled(module, 'eager')


def convert_fullgraph(module, example):
    return compiled(module, 'eager', fullgraph=True)


def convert_aot(module, example):
    return compiled(module, 'aot_eager')


def convert_inductor(module, example):
    return compiled(module, 'inductor')


def convert_export(module, example):
    return exported(module, example).module()


def convert_script_saved(module, example):
    file = io.BytesIO()
    torch.jit.save(torch.jit.script(module), file)
    file.seek(0)
    return torch.jit.load(file)


def convert_export_saved(module, example):
    file = io.BytesIO()
    torch.export.save(exported(module, example), file)
    file.seek(0)
    return torch.export.load(file).module()


def convert_onnx(module, example):
    file = io.BytesIO()
    torch.onnx.export(module, example, input_names=('x', 'z'), verbose=False, **any_extents()).save(file)
    return call_onnx(file.getvalue(), tensor, array)


def convert_onnx_script(module, example):
    file = io.BytesIO()
    torch.onnx.export(torch.jit.script(module), example, file, input_names=['x', 'z'], dynamo=False,
                      **({'dynamic_axes': {'x': {0: 'n'}, 'z': {0: 'n'}}} if EXTENTS else {}))
    return call_onnx(file.getvalue(), tensor, array)


def count_graphs(program):
    return torch._dynamo.utils.counters['stats']['unique_graphs']


def verify_compiled(program):
    if not torch._dynamo.utils.counters['stats']['unique_graphs']:
        raise Refused('nothing was compiled')


def transformed_code(program, extent):
    return program.code


def transformed_graphs(program, extent):
    torch._dynamo.reset()
    one = tensor(np.ones(*extent))
    found = torch._dynamo.explain(make(*extent))(one, one)
    return '\n'.join(graph.print_readable(print_output=False) for graph in found.graphs)


MODES = {'': convert, 'script': convert_script, 'trace': convert_trace, 'dynamo': convert_dynamo,
         'fullgraph': convert_fullgraph, 'aot': convert_aot, 'inductor': convert_inductor,
         'export': convert_export, 'script-saved': convert_script_saved,
         'export-saved': convert_export_saved, 'onnx': convert_onnx, 'onnx-script': convert_onnx_script}
BY_DYNAMO = ('dynamo', 'fullgraph', 'aot', 'inductor')
VERIFY = {mode: verify_compiled for mode in BY_DYNAMO}
COMPILATIONS = {mode: count_graphs for mode in BY_DYNAMO}
TRANSFORMED = {mode: transformed_graphs if mode in BY_DYNAMO else transformed_code
               for mode in MODES if mode and 'onnx' not in mode}
OUTSIDE = ((r'print|seen', 'effects outside of the module are not exported (documented)'),)
# All programs begin with x[1:], for which export asks for three elements, and an example of one is kept as it is.
EXPORT = (*OUTSIDE, (SEVERAL + ' ([0-9]+x)*[0-2](x|$)', 'exported slices have guards on extents (documented)'),
          (r'(if|while) .*xp\.sum', 'exported programs have no branches on data (documented)'),
          (r'lambda t: ', 'export takes no views inside of nested torch.func.grad (as its message says)'))
KEPT = (*OUTSIDE, (r'raise|self\.state =|s = x', 'ONNX has neither exceptions nor state (documented)'))
# https://github.com/pytorch/pytorch/issues/95050
WITHOUT_VIEWS = 'the exporter by TorchScript does not support updates through views (upstream: 95050)'
OWN_AUTOCAST = ((r'xp\.autocast', 'TorchScript has an autocast of its own, with lists of its own (documented)'),)
SCRIPT = (*OWN_AUTOCAST, (r'lambda|def later', 'TorchScript has no functions inside of functions (documented)'),
          (r'descend', 'TorchScript has no recursion (documented)'),
          (else_of('for'), 'TorchScript has no else of for loops (as its message says)'),
          (r'seen', 'TorchScript has no lists from outside of functions (as its message says)'))
DECLINES = {
    'fullgraph': ((r'(if|while) .*xp\.sum', 'one graph has no branches on data (documented)'),
                  (r'xp\.tape', 'one graph has no torch.autograd.grad, unless trace_autograd_ops is set (as its message says)'),
                  (r'print|raise', 'one graph neither prints nor raises (documented)')),
    'script': SCRIPT, 'script-saved': SCRIPT,
    # https://github.com/pytorch/pytorch/issues/98724
    'trace': ((r'xp\.slope', 'torch.func does not run inside of torch.jit.trace (upstream: 98724)'),
              (r'raise', 'tracing does not record exceptions (documented)'),
              (r'(if|while) .*xp\.sum', 'tracing keeps one branch of what depends on data (documented)'),
              (r'xp\.scalar', 'tracing keeps numbers of Python (documented)'),
              ((SEVERAL, r'float\('), 'tracing keeps numbers of Python (documented)'),
              ((SEVERAL, 'for e'), 'tracing keeps the number of rounds (documented)'),
              # https://github.com/pytorch/pytorch/issues/38472
              ((SEVERAL, r'xp\.tape'), 'tracing keeps the extents that gradients of sums are expanded to (upstream: 38472)'),
              (r'print|seen', 'tracing runs Python once (documented)'),
              (r'self\.state =', 'tracing records operators, not assignments to attributes')),
    'export': EXPORT, 'export-saved': EXPORT, 'onnx': (*KEPT, (r'xp\.autocast', 'ONNX Runtime multiplies no bfloat16 on CPUs')),
    'onnx-script': (*KEPT, *SCRIPT, (ALIASES, WITHOUT_VIEWS)),
}
NAMES = {name: f'torch.{name}' for name in ('sum', 'clip', 'maximum', 'abs', 'stack')}
NAMES.update(full='torch.full_like', matmul='torch.matmul', exact="torch.autocast('cpu', enabled=False)",
             autocast="torch.autocast('cpu', dtype=torch.bfloat16)")
REWRITES = ()
REFUSALS = ('NotSupportedError', 'UnsupportedNodeError', 'FrontendError', 'FrontendTypeError',
            'Unsupported', 'UserError', 'UncapturedHigherOrderOpError',
            'GuardOnDataDependentSymNode', 'TracingCheckError', 'UnsupportedOperatorError')
# Parts of messages by which torch.jit.script refuses a program with a general exception, and exported programs extents
# beyond the range that export found.
REFUSING = ('is called recursively', 'is not defined on python value of type', 'Guard failed: ')
# Of TorchScript.
RAISES = ('Error',)
# Medians of campaigns on one core.
SAMPLES = {'script': 4, 'script-saved': 4, 'trace': 2, 'export': 16, 'export-saved': 20, 'dynamo': 50,
           'fullgraph': 50, 'aot': 100, 'inductor': 400,
           'onnx': 400, 'onnx-script': 20}
