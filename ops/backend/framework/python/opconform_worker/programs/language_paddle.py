"""Programs for PaddlePaddle, eager and as static graphs."""
import os
import signal
import sys
import tempfile

import numpy as np
import paddle


def whole(v):
    return v.astype('int32').astype(v.dtype)


def scalar(i, v):
    return i.astype(v.dtype) if isinstance(i, paddle.Tensor) else float(i)


def join(one, other):
    return paddle.concat([one, other])


def width(v):
    return 2 if 'bfloat16' in str(v.dtype) else 8 if 'float64' in str(v.dtype) else 4


def slope(function, v):
    u = v.clone()
    u.stop_gradient = False
    return paddle.grad(function(u), u, create_graph=True)[0]


def tensor(values):
    return paddle.to_tensor(values)


def array(result):
    return result.numpy()


def gradient(program, x, z):
    program.train()  # static programs have no gradients otherwise
    x = x.clone()
    x.stop_gradient = False
    found, = paddle.grad(program(x, z).sum(), x, allow_unused=True)
    return paddle.zeros_like(x) if found is None else found


def specs(example, any_extents):
    return [paddle.static.InputSpec([-1] if any_extents else list(each.shape), each.dtype, name)
            for each, name in zip(example, ('x', 'z'))]


def save(module, example, path):
    paddle.jit.save(paddle.jit.to_static(module, full_graph=True, input_spec=specs(example, bool(EXTENTS))), path)


def exported(path):
    """A model for ONNX of a saved program. paddle2onnx aborts the process where it lacks an operator, and is given one."""
    import paddle2onnx
    child = os.fork()
    if child == 0:
        try:
            paddle2onnx.export(path + '.json', path + '.pdiparams', path + '.onnx', opset_version=17)
        finally:
            os._exit(0)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGABRT:
        raise Refused('paddle2onnx aborts the process, as where it lacks an operator')
    if os.WIFSIGNALED(status):
        os.kill(os.getpid(), os.WTERMSIG(status))
    with open(path + '.onnx', 'rb') as file:
        return file.read()


def predict(module, example, option=None):
    """A call of the predictor of the saved program."""
    with tempfile.TemporaryDirectory() as folder:
        save(module, example, folder + '/program')
        config = paddle.inference.Config(folder + '/program.json', folder + '/program.pdiparams')
        config.disable_glog_info()
        if option:
            option(config)
        predictor = paddle.inference.create_predictor(config)

    def call(x, z):
        given = {'x': x, 'z': z}
        for name in predictor.get_input_names():
            predictor.get_input_handle(name).copy_from_cpu(given[name].numpy())
        predictor.run()
        result = predictor.get_output_handle(predictor.get_output_names()[0])
        return paddle.to_tensor(result.copy_to_cpu())

    return call


class Program(paddle.nn.Layer):
    def __init__(self, n, dtype):
        super().__init__()
        weight = (np.arange(n) % 4 * 0.5 + 0.5).astype(dtype)
        self.weight = paddle.create_parameter(
            [n], str(np.dtype(dtype)), default_initializer=paddle.nn.initializer.Assign(weight))
        self.register_buffer('state', paddle.to_tensor(np.zeros(n, dtype)))

    def part(self, v):
        return v * self.weight

    def forward(self, x, z):
        a, b, c, d = x + 0.0, z + 0.0, x - z, paddle.zeros_like(x)
        e, v = x[0], paddle.zeros_like(x)
        s = x[1:] * 1.0
        i, j = 0, 2
        items, table = [x * 1.0, z * 1.0], {'k0': x * 1.0, 'k1': z * 1.0}
        # Statements.
        return paddle.stack([a, b, c, d])


def make(n, dtype):
    module = Program(n, dtype)
    module.eval()
    return module


# Modes
from . import ALIASES  # noqa: E402
from .running import EXTENTS, OPEN, Refused, call_onnx  # noqa: E402


def convert(module, example):
    return module


def convert_ast(module, example):
    return paddle.jit.to_static(module, full_graph=True, input_spec=specs(example, True) if OPEN else None)


def convert_sot(module, example):
    return paddle.jit.to_static(module, full_graph=False, input_spec=specs(example, True) if OPEN else None)


def convert_off(module, example):
    paddle.jit.enable_to_static(False)
    return paddle.jit.to_static(module)


def convert_left_out(module, example):
    module.part = paddle.jit.not_to_static(module.part)
    return paddle.jit.to_static(module, full_graph=True)


def convert_ignored(module, example):
    paddle.jit.ignore_module([sys.modules[__name__]])
    return paddle.jit.to_static(module, full_graph=True)


def convert_saved(module, example):
    with tempfile.TemporaryDirectory() as folder:
        save(module, example, folder + '/program')
        loaded = paddle.jit.load(folder + '/program')
    loaded.eval()
    return loaded


def convert_predictor(module, example):
    return predict(module, example)


def convert_predictor_plain(module, example):
    return predict(module, example, lambda config: config.switch_ir_optim(False))


def convert_predictor_onednn(module, example):
    return predict(module, example, lambda config: config.enable_mkldnn())


def convert_predictor_memory(module, example):
    return predict(module, example, lambda config: config.enable_memory_optim())


def convert_predictor_threads(module, example):
    return predict(module, example, lambda config: config.set_cpu_math_library_num_threads(4))


def convert_onnx(module, example):
    with tempfile.TemporaryDirectory() as folder:
        save(module, example, folder + '/program')
        model = exported(folder + '/program')
    return call_onnx(model, tensor, array)


def count_programs(program):
    return len(program.forward.program_cache)


def count_translations(program):
    return paddle.jit.sot.opcode_translator.executor.executor_cache.OpcodeExecutorCache().translate_count


def transformed_code(program, extent):
    return program.forward.code


MODES = {'': convert, 'ast': convert_ast, 'sot': convert_sot, 'off': convert_off,
         'left-out': convert_left_out, 'ignored': convert_ignored, 'saved': convert_saved,
         'predictor': convert_predictor, 'predictor-plain': convert_predictor_plain,
         'predictor-onednn': convert_predictor_onednn,
         'predictor-memory': convert_predictor_memory,
         'predictor-threads': convert_predictor_threads, 'onnx': convert_onnx}
ONCE = ((r'print|seen|raise',
         'what Python does happens once, when a function is converted: a raise as well, taken or not'),)
KEPT = (*ONCE, (r'self\.state =', 'a saved program keeps nothing from call to call'))
VIEWS = ((ALIASES, 'static graphs have no views, which ast and sot show'),)
EAGER_AUTOCAST = ((r'xp\.autocast', 'eager mode casts nothing on CPUs, as it warns; what is not static is run by it'),)
DECLINES = {'ast': ONCE, 'ignored': (*ONCE, *VIEWS), 'left-out': (*ONCE, *VIEWS),
            **{mode: (*KEPT, *VIEWS) for mode in MODES if mode.startswith(('saved', 'predictor', 'onnx'))}}
DECLINES.update((mode, (*DECLINES.get(mode, ()), *EAGER_AUTOCAST)) for mode in ('', 'sot', 'off'))
DECLINES['onnx'] += ((r'xp\.autocast', 'ONNX Runtime multiplies no bfloat16 on CPUs'),
                     (r'xp\.(slope|tape)', 'paddle2onnx has no gradients (as its message says)'))
VERIFY, TRANSFORMED = {}, {'ast': transformed_code}
COMPILATIONS = {'ast': count_programs, 'ignored': count_programs, 'sot': count_translations}
NAMES = {name: f'paddle.{name}' for name in ('sum', 'clip', 'maximum', 'abs', 'stack')}
NAMES.update(full='paddle.full_like', tape='slope', matmul='paddle.matmul', exact='paddle.amp.auto_cast(False)',
             autocast="paddle.amp.auto_cast(level='O1', dtype='bfloat16')")
REWRITES = ()
# a += b is a = a + b.
ALIASED = ((r'\b([a-ds]) ([+*])= (.*)', r'\1[:] = \1 \2 \3'),)
REFUSALS = ('Dygraph2StaticException',)
# Parts of messages by which the conversion refuses a program that graphs cannot express.
REFUSING = ('should be of type Parameter or None, but got', 'should return the same arity',
            'list indices must be integers or slices', 'is not involved in the target',
            'is a viewed Tensor in dygraph', 'Not support zip(tensor, ...) when tensor.shape[0] == -1')
RAISES = ()
# Medians of campaigns on one core.
SAMPLES = {'ast': 20, 'ignored': 20, 'sot': 80, 'off': 2, **{mode: 20 for mode in MODES if mode.startswith(
    ('saved', 'predictor', 'onnx'))}}
