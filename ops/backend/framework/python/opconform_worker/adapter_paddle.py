"""PaddlePaddle, eager (dynamic): what paddle.bindings asks for, and gradients by paddle.grad."""
import os
import re

import numpy as np

# It keeps data sets and what it compiles below the user's home, where it may not write, whatever place it is told for
# caches; importing it makes these folders.
if 'XDG_CACHE_HOME' in os.environ:
    os.environ['HOME'] = os.environ['XDG_CACHE_HOME']

import paddle
from paddle.nn import functional as F

from . import compilers, programs
from .adapter import NUMPY, Differentiable, decline, settings_of
from .compiled import Compiler
from .draws import by_global_seed, dropping, stacked, with_seeds
from .protocol import Different
from .torch_calls import batch_norm_train, with_activation

activated = with_activation(F)
drawn = with_seeds(by_global_seed(paddle.seed), paddle.clone)
dropped = dropping(paddle.seed, paddle.ones_like)


def ordered(x, axis, descending):
    places = paddle.argsort(x, axis, descending, stable=True)
    return paddle.take_along_axis(x, places, axis), places


def spelled(word):
    return NUMPY[word].__name__


def shuffled(rows, columns, dtype):
    """So many permutations, one after the other."""
    return stacked(paddle.stack, paddle.randperm, rows)(columns, dtype)


def in_order(function, x, segments, count):
    """Segments in their order, as the function takes them; it gives nothing behind the last one that has elements."""
    places = paddle.argsort(segments, stable=True)
    y = function(paddle.index_select(x, places), paddle.index_select(segments, places))
    return paddle.concat([y, paddle.zeros([count - y.shape[0], *y.shape[1:]], y.dtype)])


def kl_div(x, target, reduction):
    decline(bool((target <= 0).any()), 'targets that are not positive')
    return F.kl_div(x, target, reduction=reduction)


# The model is given arrays, in place of tensors; paddle2onnx takes what paddle.jit.save wrote, and aborts the process where it
# lacks an operator.
ONNX = '''

def exported(example):
    if any(each.is_complex() for each in example):
        raise NotImplementedError('operators of ONNX take no complex numbers')
    import os
    import signal
    import tempfile
    import onnxruntime
    import paddle2onnx
    specifications = [paddle.static.InputSpec(each.shape, each.dtype, f'x{i}') for i, each in enumerate(example)]
    with tempfile.TemporaryDirectory() as folder:
        path = folder + '/function'
        paddle.jit.save(paddle.jit.to_static(function, full_graph=True, input_spec=specifications), path)
        child = os.fork()
        if child == 0:
            try:
                paddle2onnx.export(path + '.json', path + '.pdiparams', path + '.onnx', opset_version=17)
            finally:
                os._exit(0)
        status = os.waitpid(child, 0)[1]
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGABRT:
            raise NotImplementedError('paddle2onnx aborts the process, as where it lacks an operator')
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(path + '.onnx', options, providers=['CPUExecutionProvider'])
    names = [each.name for each in session.get_inputs()]

    def call(*inputs):
        given = {f'x{i}': each.numpy() for i, each in enumerate(inputs)}
        found = [paddle.to_tensor(each) for each in session.run(None, {name: given[name] for name in names})]
        return found[0] if len(found) == 1 else tuple(found)

    return call
'''
REFUSALS = programs.language('paddle').REFUSALS
# Static graphs hold types to those that the documentation of a function has, and variances to be positive.
UNDOCUMENTED = '], but received complex', 'Check data type error for op', 'kernel output args (0) defs should equal', 'pd_op.assert'
REFUSING = (*programs.language('paddle').REFUSING, 'in dynamic graph mode', 'in static graph mode', 'you must set its stop_gradient',
            *UNDOCUMENTED)
COMPILERS = {
    'ast': Compiler('paddle.jit.to_static(function, full_graph=True)', 32, 8, seeds=True, refusals=REFUSALS, refusing=REFUSING),
    'sot': Compiler('paddle.jit.to_static(function, full_graph=False)', 32, 8, seeds=True, refusals=REFUSALS, refusing=REFUSING),
    # NotImplemented: no kernel of ONNX Runtime for a type.
    'onnx': Compiler('exported(example)', 32, 32, before=ONNX, static=True, forward=True,
                     refusals=(*REFUSALS, 'NotImplemented', 'NotImplementedError'),
                     refusing=(*REFUSING, "can't be converted to MLDataType"),
                     together=8, apart=('complex', 'bfloat16', 'float8')),
}


class Adapter(compilers.Compiles, programs.Programs, Differentiable):
    framework = 'paddle'
    compilers = COMPILERS
    rows = 'paddle'
    missing = ('not registered', 'no kernels which are registered')
    missing_type = re.compile(r'kernel with key \(\w+, [^,]*, (\w+)\)')

    def __init__(self, mode):
        self.compiles = self.compiler_of(settings_of(mode, programs.modes('paddle')))
        paddle.disable_signal_handler()
        paddle.set_device('cpu')

    @staticmethod
    def facts():
        return {'version': paddle.__version__, 'build': 'PaddlePaddle, eager', 'core': 'x86-64',
                'path': paddle.__file__}

    def warm_up(self):
        paddle.ones([2, 2]).matmul(paddle.ones([2, 2]))

    def differentiate(self, function, values, dy):
        leaves = [value.detach() for value in values]
        for leaf in leaves:
            leaf.stop_gradient = False
        return paddle.grad(function(*leaves), leaves, dy, allow_unused=True)

    def zeros(self, operand):
        return paddle.to_tensor(np.zeros(operand.shape, NUMPY[operand.dtype]))

    def read(self, memory, operand):
        return paddle.to_tensor(np.ascontiguousarray(self.array(memory, operand)).reshape(
            operand.shape))

    def write(self, memory, operand, result):
        shape = list(result.shape)
        if shape != list(operand.shape):
            raise Different(f'gives {result.dtype}{shape}, not {list(operand.shape)}')
        self.put(memory, operand, result.detach().numpy())

    def forward_only(self):
        return paddle.no_grad()
