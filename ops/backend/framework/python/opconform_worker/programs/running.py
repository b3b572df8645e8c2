"""How a program is run: here, and in scripts, which quote this file.  p is the module of the program: it has
make(n, dtype), tensor(values), array(result), convert(module, example), verify(program),
compilations(program), transformed(program), REFUSALS, REFUSING, RAISES, and KEEPS, whether calls depend on
earlier ones; seen is the list outside of programs."""
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
# How many times the error of eager mode, which is measured, a compiled function may have.
SLACK = 64
RAISED = -999.0
seen = []


class Refused(Exception):
    """The framework does not take the program."""


def helper(v, scale: float = 2.0):
    """A function that programs call, as they do descend."""
    return v * scale


def descend(v, depth: int):
    if depth <= 0:
        return v * 1.0
    return descend(v + 1.0, depth - 1)


@contextlib.contextmanager
def captured(lines):
    """Catches what is written to descriptor 1, by Python or by a library."""
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
def loaded(name, text, known=()):
    """A module from text, with a file that compilers find its source in, and that outlives nothing; known: names and
    values that it begins with."""
    with os.fdopen(os.memfd_create(name), 'w+', encoding='utf-8') as file:
        file.write(text)
        file.flush()
        module = types.ModuleType(name)
        module.__dict__.update(known)
        module.__file__ = f'/proc/self/fd/{file.fileno()}'
        module.__name__ = name
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
    """A function that runs a model in ONNX Runtime; the model's inputs are x and z, or one of them, or none."""
    import onnxruntime
    session = onnxruntime.InferenceSession(model, providers=['CPUExecutionProvider'])
    names = [each.name for each in session.get_inputs()]

    def call(x, z):
        given = {'x': array(x), 'z': array(z)}
        return tensor(session.run(None, {name: given[name] for name in names})[0])

    return call


def measured_error(p, result, make, extent, first, second):
    """How far eager mode is off at most, measured by its distance from itself in the other of binary32 and binary64,
    in units of the format: result(program, first, second) of a new program of make."""
    formats, count = (np.dtype('float32'), np.dtype('float64')), len(seen)
    found = [result(make(extent[0], each), *(p.tensor(p.array(one).astype(each)) for one in (first, second)))
             for each in formats]
    del seen[count:]
    with np.errstate(all='ignore'):
        distance, size = np.abs(found[1] - found[0]), np.abs(found[1])
    error, size = (np.max(each, initial=0, where=np.isfinite(each)) for each in (distance, size))
    unit = np.finfo(extent[1]).eps
    return error * (unit / np.finfo(formats[0]).eps) + size * unit


def check_close(expected, got, error, what):
    """error() is how far either may be off."""
    if not np.array_equal(expected, got, equal_nan=True) and not np.allclose(expected, got, 0, SLACK * error(), equal_nan=True):
        raise RuntimeError(f'{what} is {got.tolist()}, not {expected.tolist()}')


def copies(p, *vectors):
    """Programs may write to what they are given."""
    return tuple(p.tensor(p.array(each)) for each in vectors)


def check_nothing(p, extent, first, second):
    """The three calls are enough."""


def check_sequence(p, extent, first, second):
    """Functions of one name with other bodies come and go, and old and new ones are called in turn."""
    kept = []
    with open(p.__file__, encoding='utf-8') as file:
        text = file.read()
    text = text[:text.rindex('# The run')]
    for number in range(ROUNDS):
        changed = text.replace('x + 0.0, z + 0.0', f'x + {number % 3}.0, z + 0.0')
        with loaded(f'variant_{number}', changed) as variant, captured([]):
            static = variant.convert(variant.make(*extent), copies(p, first, second))
            kept.append((number, variant, variant.make(*extent), static))
            for which, module, eager, static in kept:
                def result(program, one, other):
                    return called(p, program, *copies(p, one, other))

                check_close(result(eager, first, second), result(static, first, second),
                            lambda module=module: measured_error(p, result, module.make, extent, first, second),
                            f'what function {which} of a sequence gives')
        del kept[:len(kept) - 3]
        gc.collect()


def check_gradient(p, extent, first, second):
    """Compares the gradient of the compiled program with that of the program itself, both by the framework."""
    def result(program, one, other):
        return p.array(p.gradient(program, *copies(p, one, other)))

    with captured([]):
        try:
            expected = result(p.make(*extent), first, second)
        except Exception as why:
            raise Refused(f'not differentiable: {why}') from why
        program = p.convert(p.make(*extent), copies(p, first, second))
        check_close(expected, result(program, first, second),
                    lambda: measured_error(p, result, p.make, extent, first, second), 'the gradient')
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
        program = p.convert(p.make(*extent), copies(p, first, second))
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
