"""program f32 paddle:onnx STATUS (refuses legal arguments: gives float32[#], not [#, #])

program/1 dtype=f32 n=1 code=pass | x=ones z=ones y1=ones y2=ones y3=ones log=ones

PaddlePaddle, eager 3.3.1.  Needs that and NumPy; status 1 while the bug is there, 0 when it is gone,
2 where this cannot tell."""
import os
import signal
import sys

import numpy as np

FINITE, PLUS_INFINITY, MINUS_INFINITY, NOT_A_NUMBER = 1, 2, 4, 8
UNKNOWN = 2
# The argument that must be refused, if any, and by which exceptions.
ILLEGAL = ''
DOCUMENTED = ('ValueError', 'TypeError', 'IndexError', 'RuntimeError', 'NotImplementedError',
              'InvalidArgumentError')
inf, nan = float('inf'), float('nan')

INPUTS = {
    'x': np.array([1.0], np.float32).reshape((1,)),
    'z': np.array([1.0], np.float32).reshape((1,)),
}
EXPECTED = {
    'y1': ('f32', 'float32', (4, 1), [
        (0, 1.0, 0.0, 0.0, 1),
        (1, 1.0, 0.0, 0.0, 1),
        (2, 0.0, 0.0, 0.0, 1),
        (3, 0.0, 0.0, 0.0, 1),
    ]),
    'y2': ('f32', 'float32', (4, 1), [
        (0, 1.0, 0.0, 0.0, 1),
        (1, 1.0, 0.0, 0.0, 1),
        (2, 0.0, 0.0, 0.0, 1),
        (3, 0.0, 0.0, 0.0, 1),
    ]),
    'y3': ('f32', 'float32', (4, 1), [
        (0, 1.0, 0.0, 0.0, 1),
        (1, 1.0, 0.0, 0.0, 1),
        (2, 0.0, 0.0, 0.0, 1),
        (3, 0.0, 0.0, 0.0, 1),
    ]),
    'log': ('i64', 'int64', (32,), [
        (0, 0.0, 0.0, 0.0, 1),
        (1, 0.0, 0.0, 0.0, 1),
        (2, 0.0, 0.0, 0.0, 1),
        (3, 0.0, 0.0, 0.0, 1),
        (4, 0.0, 0.0, 0.0, 1),
        (5, 0.0, 0.0, 0.0, 1),
        (6, 0.0, 0.0, 0.0, 1),
        (7, 0.0, 0.0, 0.0, 1),
        (8, 0.0, 0.0, 0.0, 1),
        (9, 0.0, 0.0, 0.0, 1),
        (10, 0.0, 0.0, 0.0, 1),
        (11, 0.0, 0.0, 0.0, 1),
        (12, 0.0, 0.0, 0.0, 1),
        (13, 0.0, 0.0, 0.0, 1),
        (14, 0.0, 0.0, 0.0, 1),
        (15, 0.0, 0.0, 0.0, 1),
        (16, 0.0, 0.0, 0.0, 1),
        (17, 0.0, 0.0, 0.0, 1),
        (18, 0.0, 0.0, 0.0, 1),
        (19, 0.0, 0.0, 0.0, 1),
        (20, 0.0, 0.0, 0.0, 1),
        (21, 0.0, 0.0, 0.0, 1),
        (22, 0.0, 0.0, 0.0, 1),
        (23, 0.0, 0.0, 0.0, 1),
        (24, 0.0, 0.0, 0.0, 1),
        (25, 0.0, 0.0, 0.0, 1),
        (26, 0.0, 0.0, 0.0, 1),
        (27, 0.0, 0.0, 0.0, 1),
        (28, 0.0, 0.0, 0.0, 1),
        (29, 0.0, 0.0, 0.0, 1),
        (30, 0.0, 0.0, 0.0, 1),
        (31, 0.0, 0.0, 0.0, 1),
    ]),
}
GIVEN = {}

import contextlib
import ctypes
import gc
import os
import re
import sys
import tempfile
import types

import numpy as np

LOG = 32
ROUNDS = 9
TOLERANCE = 1e-4
RAISED = -999.0
seen = []


class Refused(Exception):
    """The framework does not take the program."""


def helper(v, scale: float = 2.0):
    """What programs call, as descend is."""
    return v * scale


def descend(v, depth: int):
    if depth <= 0:
        return v * 1.0
    return descend(v + 1.0, depth - 1)


@contextlib.contextmanager
def captured(lines):
    """What is printed on the descriptor, from Python or from a library."""
    sys.stdout.flush()
    kept = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            yield
        finally:
            sys.stdout.flush()
            ctypes.CDLL(None).fflush(None)
            os.dup2(kept, 1)
            os.close(kept)
            file.seek(0)
            lines.extend(re.findall(r'opconform (-?\d+)', file.read().decode('utf-8', 'replace')))


@contextlib.contextmanager
def loaded(name, text):
    """A module from text, with a file that compilers find its source in, and that outlives nothing."""
    with os.fdopen(os.memfd_create(name), 'w+', encoding='utf-8') as file:
        file.write(text)
        file.flush()
        module = types.ModuleType(name)
        module.__file__ = f'/proc/self/fd/{file.fileno()}'
        sys.modules[name] = module
        try:
            exec(compile(text, module.__file__, 'exec'), module.__dict__)
            yield module
        finally:
            del sys.modules[name]


def called(p, program, one, other):
    """The result of a call, or numbers that stand for the exception that the program itself raises."""
    try:
        return p.array(program(one, other))
    except Exception as why:
        if 'opconform raises' in str(why) and type(why).__name__ in ('ValueError', *p.RAISES):
            one = p.array(one)
            return np.full((4, len(one)), RAISED, one.dtype)
        raise


def call_onnx(model, tensor, array):
    """What calls ONNX Runtime on a model whose inputs are x and z, or one of them, or none."""
    import onnxruntime
    session = onnxruntime.InferenceSession(model, providers=['CPUExecutionProvider'])
    names = [each.name for each in session.get_inputs()]

    def call(x, z):
        given = {'x': array(x), 'z': array(z)}
        return tensor(session.run(None, {name: given[name] for name in names})[0])

    return call


def check_close(expected, got, what):
    if not np.allclose(expected, got, TOLERANCE, TOLERANCE, equal_nan=True):
        raise RuntimeError(f'{what} is {got.tolist()}, not {expected.tolist()}')


def check_nothing(p, extent, first, second):
    """The three calls are enough."""


def check_sequence(p, extent, first, second):
    """Functions of one name with other bodies come and go, and old and new ones are called in turn."""
    kept = []
    with open(p.__file__, encoding='utf-8') as file:
        text = file.read()
    text = text[:text.rindex('# What runs it')]
    for number in range(ROUNDS):
        changed = text.replace('x + 0.0, z + 0.0', f'x + {number % 3}.0, z + 0.0')
        with loaded(f'variant_{number}', changed) as variant, captured([]):
            static = variant.convert(variant.make(*extent), (first, second))
            kept.append((number, variant.make(*extent), static))
            for which, eager, static in kept:
                check_close(called(p, eager, first, second), called(p, static, first, second),
                            f'what function {which} of a sequence gives')
        del kept[:len(kept) - 3]
        gc.collect()


def check_gradient(p, extent, first, second):
    """What the framework's differentiation gives of the compiled program, and of the program itself."""
    with captured([]):
        try:
            expected = p.array(p.gradient(p.make(*extent), first, second))
        except Exception as why:
            raise Refused(f'not differentiable: {why}') from why
        program = p.convert(p.make(*extent), (first, second))
        check_close(expected, p.array(p.gradient(program, first, second)), 'the gradient')
    seen.clear()


def refuses(p, why):
    """Whether an exception, or one that led to it, says that the compiler does not take the program."""
    refusing = (*p.REFUSING, 'opconform raises')  # while it is converted
    while why is not None:
        if type(why).__name__ in p.REFUSALS or any(text in str(why) for text in refusing):
            return True
        why = why.__cause__
    return False


def begin(p, extent, first, second, check):
    """The converted program and the result of its first call; what p keeps needs no conversion."""
    try:
        if hasattr(p, 'program'):
            return p.program, called(p, p.program, first, second)
        check(p, extent, first, second)
        program = p.convert(p.make(*extent), (first, second))
        return program, called(p, program, first, second)
    except Exception as why:
        if refuses(p, why):
            raise Refused(f'{type(why).__name__}: {why}') from why
        raise


def run_program(p, x, z, check):
    """One converted program in three calls; the third has the values of the first, so that nothing is
    compiled for it if the program keeps nothing."""
    seen.clear()
    extent, first, second, printed = (len(x), x.dtype), p.tensor(x), p.tensor(z), []
    with captured(printed):
        program, y1 = begin(p, extent, first, second, check)
        results = {'y1': y1, 'y2': called(p, program, second, first)}
        compilations = p.compilations(program)
        results['y3'] = called(p, program, first, second)
    if not p.KEEPS and p.compilations(program) != compilations:
        raise RuntimeError('a call with the values of an earlier one was compiled again')
    p.verify(program)
    p.program = program
    if '--transformed' in sys.argv:
        print(p.transformed(program, extent), file=sys.stderr)
    log = [int(number) for number in printed] + [int(number) for number in seen]
    log = log[:LOG - 1]
    results['log'] = np.array([len(log), *log, *[0] * (LOG - 1 - len(log))], np.int64)
    return results


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


def save(module, example, path):
    paddle.jit.save(paddle.jit.to_static(module, full_graph=True, input_spec=[
        paddle.static.InputSpec(list(each.shape), each.dtype, name)
        for each, name in zip(example, ('x', 'z'))]), path)


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
        i, j = 0, 2
        items, table = [x * 1.0, z * 1.0], {'k0': x * 1.0, 'k1': z * 1.0}
        return paddle.stack([a, b, c, d])


def make(n, dtype):
    module = Program(n, dtype)
    module.eval()
    return module


REFUSALS = ('Dygraph2StaticException',)
REFUSING = ('should be of type Parameter or None, but got', 'should return the same arity', 'list indices must be integers or slices', 'is not involved in the target')
RAISES = ()
KEEPS = False


def convert(module, example):
    import paddle2onnx
    with tempfile.TemporaryDirectory() as folder:
        path = folder + '/program'
        save(module, example, path)
        model = paddle2onnx.export(path + '.json', path + '.pdiparams', opset_version=17)
    return call_onnx(model, tensor, array)


def verify(program):
    """Nothing can be told."""


def compilations(program):
    """Not counted."""


def transformed(program, extent):
    """Nothing can be shown."""


# What runs it
def run(x, z):
    return run_program(sys.modules[__name__], x, z, check_nothing)


def number(value, dtype):
    """Formats that NumPy lacks are kept as their bits."""
    if dtype == 'bf16':
        return float(np.array(int(value) << 16, np.uint32).view(np.float32))
    if dtype == 'e5m2':
        return float(np.array(int(value) << 8, np.uint16).view(np.float16))
    if dtype == 'e4m3':
        exponent, fraction = int(value) >> 3 & 15, int(value) & 7
        size = fraction / 512 if exponent == 0 else (8 + fraction) * 2.0 ** (exponent - 10)
        size = nan if int(value) & 127 == 127 else size
        return -size if int(value) & 128 else size
    return float(value)


def admitted(got, high, low, bound, classes):
    if np.isnan(got):
        return classes & NOT_A_NUMBER
    if np.isinf(got):
        return classes & (PLUS_INFINITY if got > 0 else MINUS_INFINITY)
    return classes & FINITE and abs((got - high) - low) <= bound


def check():
    """The number of things that are wrong, None where nothing is known."""
    if ILLEGAL:
        print('accepted, although an argument is illegal:', ILLEGAL, run(**INPUTS))
        return 1
    bad, before = 0, {name: value.copy() for name, value in INPUTS.items()}
    results = [run(**INPUTS) for _ in range(1)]
    if results[0] is None:
        print('the call did not return when this was written; here it does')
        return None
    for name, (dtype, storage, shape, rows) in EXPECTED.items():
        if name not in results[0] and 0 in shape:
            continue
        got = np.asarray(results[0][name])
        if got.itemsize == np.dtype(storage).itemsize:
            got = np.ascontiguousarray(got).view(storage).reshape(got.shape)
        if got.dtype != storage or got.shape != shape:
            print(f'{name}: got {got.dtype}{list(got.shape)}, expected {dtype}{list(shape)}')
            bad += 1
            continue
        for index, high, low, bound, classes in rows:
            value = number(got.reshape(-1)[index], dtype)
            if not admitted(value, high, low, bound, classes):
                bad += 1
                if bad <= 8:
                    print(f'{name}[{index}]: got {value.hex()} ({value}), expected {high}, '
                          f'bound {bound}, classes {classes}')
        if got.tobytes().hex() != GIVEN.get(name, got.tobytes().hex()) and not bad:
            print(f'{name} is another one than when this was written; what it leads to is not known')
            return None
        for again in results[1:]:
            if np.asarray(again[name]).tobytes() != np.asarray(results[0][name]).tobytes():
                print(f'{name}: a repeated call gives other bits')
                bad += 1
    for name, value in INPUTS.items():
        if value.tobytes() != before[name].tobytes():
            print(f'{name} was modified')
            bad += 1
    return bad


def child():
    signal.alarm(120)
    try:
        bad = check()
    except Exception as why:
        print(f'{type(why).__name__}: {why}')
        bad = not (ILLEGAL and type(why).__name__ in DOCUMENTED)
    sys.stdout.flush()
    os._exit(UNKNOWN if bad is None else 1 if bad else 0)


def main():
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        child()
    status = os.waitpid(process, 0)[1]
    if os.WIFSIGNALED(status):
        end = os.WTERMSIG(status)
        print('the call hangs' if end == signal.SIGALRM else signal.Signals(end).name)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == UNKNOWN:
        return UNKNOWN
    print('the bug is there' if status else 'the bug is gone')
    return 1 if status else 0


sys.exit(main())
