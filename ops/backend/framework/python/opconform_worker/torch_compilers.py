"""The compilers of PyTorch for single calls."""
import contextlib
import importlib
import logging
import os
import tempfile
import time
import traceback

import numpy as np
import torch

from . import programs
from .compiled import Compiler

# Seconds after which what a compiler wrote is needed by nobody.
KEPT_SECONDS = 600


def count_graphs():
    return torch._dynamo.utils.counters['stats']['unique_graphs']


def inputs_of(node):
    """The names of the inputs that a node of a graph depends on."""
    found, waiting = set(), [node]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += node.all_input_nodes
    return ' '.join(each.name for each in found if each.op == 'placeholder')


def blamed_node(why):
    """The words of an exception, and the inputs of the node that the exporter has no function for."""
    words = [str(why)]
    while why is not None:
        nodes = [frame.f_locals.get('node') for frame, _ in traceback.walk_tb(why.__traceback__)]
        words += [inputs_of(node) for node in nodes if isinstance(node, torch.fx.Node)]
        why = why.__cause__
    return '\n'.join(words)


def by_dynamo(arguments, draws, alike, patience):
    """Calls with a view of a tensor have a graph of their own, so that the first one is given a copy."""
    whole = 'fullgraph=True, ' if 'fullgraph' not in arguments else ''
    return Compiler(f'torch.compile(function, {arguments}dynamic=True)', draws, alike, patience=patience, primed=True,
                    refusals=programs.language('torch').REFUSALS, count=count_graphs, together=8, seeds=True,
                    whole=f'torch.compile(function, {arguments}{whole}dynamic=True)', other='{}[1:].clone()')


MODULE = '''

class Function(torch.nn.Module):
    def forward(self, *inputs):
        return function(*inputs)
'''
# The model is given arrays in place of tensors.
ONNX = MODULE + '''

def exported(example):
    import io
    import onnxruntime
    model, options = io.BytesIO(), onnxruntime.SessionOptions()
    torch.onnx.export(Function(), example, verbose=False).save(model)
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.getvalue(), options, providers=['CPUExecutionProvider'])
    names = [each.name for each in session.get_inputs()]

    def call(*inputs):
        given = {f'inputs_{i}': each.numpy(force=True) for i, each in enumerate(inputs)}
        results = session.run(None, {name: given[name] for name in names})
        found = [torch.from_numpy(np.ascontiguousarray(each).reshape(each.shape)) for each in results]
        return found[0] if len(found) == 1 else tuple(found)

    return call
'''
EXPORT_REFUSALS = (*programs.language('torch').REFUSALS, 'DataDependentOutputException', 'DynamicOutputShapeException',
                   'UnsupportedFakeTensorException')
# Of quantised and of sparse tensors, for which torch.export has no kernels that compute extents.
EXPORT_REFUSING = 'could not find kernel for aten.int_repr', 'but its data is not allocated yet'
BY_SCRIPT = ('.view(torch.', 'a view by a type is not supported by TorchScript (documented)'),
COMPILERS = {
    'script': Compiler('torch.jit.script(function)', 16, 4, primed=True, typed=True, seeds=True,
                       excluded=BY_SCRIPT),
    'trace': Compiler('torch.jit.trace(function, example, check_trace=False)', 16, 16, static=True, seeds=True,
                      refusals=('TracerWarning',), excluded=BY_SCRIPT),
    'dynamo': by_dynamo("backend='eager', ", 128, 16, 10),
    'fullgraph': by_dynamo("backend='eager', fullgraph=True, ", 128, 16, 10),
    'aot': by_dynamo("backend='aot_eager', ", 256, 32, 20),
    'inductor': by_dynamo('', 384, 192, 60),
    'export': Compiler('torch.export.export(Function(), example).module()', 64, 64, before=MODULE, static=True, seeds=True,
                       refusals=EXPORT_REFUSALS, refusing=EXPORT_REFUSING),
    # DispatchError: no ONNX function for an operator of PyTorch; NotImplemented: no kernel of ONNX Runtime for a type.
    'onnx': Compiler('exported(example)', 32, 32, before=ONNX, static=True, forward=True,
                     refusals=(*EXPORT_REFUSALS, 'DispatchError', 'NotImplemented'),
                     refusing=(*EXPORT_REFUSING, 'Got unsupported ScalarType', "can't be converted to MLDataType"),
                     together=16, apart=('complex', 'bfloat16', 'float8'), blamed=blamed_node),
}
BY_DYNAMO = ('dynamo', 'fullgraph', 'aot', 'inductor', 'export', 'onnx')


def import_dynamo():
    for name in ('torch._dynamo', 'torch._inductor.compile_fx', 'torch._inductor.codegen.cpp'):
        importlib.import_module(name)


def prepare_dynamo(compiler):
    """Compiles something, since what it imports and looks up then would take seconds in each worker; not a gradient,
    after which processes that are forked have none.  Limits are raised: beyond them functions run in eager mode."""
    os.environ.setdefault('TORCHINDUCTOR_CACHE_DIR',
                          os.path.join(tempfile.gettempdir(), f'opconform_inductor_{os.getuid()}'))
    torch._dynamo.config.recompile_limit = torch._dynamo.config.accumulated_recompile_limit = 256
    # Else extents that are equal by chance are taken for one, and a function of several calls is compiled for each set of them.
    torch.fx.experimental._config.use_duck_shape = False
    # Workers come and go, and have one core: processes of its own that wait for sources would be more work.
    torch._inductor.config.compile_threads = 1
    # Which other packages are absent is said at each export.
    logging.getLogger('torch.onnx').setLevel(logging.ERROR)
    example = torch.ones(2, 3),
    with torch.no_grad():
        scope = {'torch': torch, 'np': np, 'function': torch.exp, 'example': example}
        exec(compiler.before, scope)
        eval(compiler.expression, scope)(*example)
    torch._dynamo.reset()


def forget():
    """Also of files: each function leaves some, a gigabyte in an hour.  Headers serve all."""
    torch._dynamo.reset()
    before = time.time() - KEPT_SECONDS
    for folder, _, names in os.walk(os.environ['TORCHINDUCTOR_CACHE_DIR']):
        for path in (os.path.join(folder, name) for name in names if not name.endswith(('.h', '.gch', '.lock'))):
            with contextlib.suppress(OSError):
                if os.stat(path).st_mtime < before:
                    os.remove(path)
