"""How a program is run: here, and in scripts, which quote this file.  p is the module of the program: it has
make(n, dtype), tensor(values), array(result), convert(module, example), verify(program),
compilations(program), transformed(program), REFUSALS, REFUSING, RAISES, KEEPS, whether calls depend on
earlier ones, WRITES, whether it writes to its arguments, EXTENTS and OPEN; seen is the list outside of programs."""
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
CALLS = 4
# The elements of x and z in each call, and whether compilers are told that they are not known; without any there are
# three calls with all elements.
EXTENTS, OPEN = (), False
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


class Arguments:
    """The first elements of x and z, by turns in this order and in the other; what calls write to them shows in
    those behind."""

    def __init__(self, p, x, z):
        self.p, self.arrays, self.tensors = p, (x.copy(), z.copy()), ()

    def store(self):
        for array, tensor in zip(self.arrays, self.tensors):
            array[:len(tensor)] = self.p.array(tensor)

    def of(self, call, extent):
        self.store()
        if not self.tensors or len(self.tensors[0]) != extent:
            self.tensors = [self.p.tensor(each[:extent]) for each in self.arrays]
        return self.tensors[::-1] if call % 2 else self.tensors

    def returned(self, call, given):
        """Arguments as they are behind a call, where it gives them."""
        if given:
            self.tensors = given[::-1] if call % 2 else given

    def values(self, call, extent):
        self.store()
        return call % 2, *(each[:extent].tobytes() for each in self.arrays)


def begin(p, x, z, check, arguments):
    """The converted program; what p keeps needs no conversion. Where extents differ, the example has all elements."""
    if hasattr(p, 'program'):
        return p.program
    extent = len(x), x.dtype
    check(p, extent, *copies(p, *arguments))
    return p.convert(p.make(*extent), (p.tensor(x), p.tensor(z)))


def call_all(p, x, z, check):
    """The converted program and the results of its calls; nothing is compiled for one with the values of an earlier
    one if the program keeps nothing."""
    extents, met, results, call = p.EXTENTS or (len(x),) * (CALLS - 1), set(), [], 0
    arguments = Arguments(p, x, z)
    try:
        program = begin(p, x, z, check, arguments.of(0, extents[0]))
        for call, extent in enumerate(extents):
            values = arguments.values(call, extent)
            compilations = p.compilations(program) if values in met else None
            results.append(called(p, program, *arguments.of(call, extent)))
            arguments.returned(call, getattr(program, 'given', ()) if p.WRITES else ())
            if not p.KEEPS and values in met and p.compilations(program) != compilations:
                raise RuntimeError('a call with the values of an earlier one was compiled again')
            met.add(values)
    except Exception as why:
        if extents[call] not in extents[:call] and refuses(p, why):
            raise Refused(f'{type(why).__name__}: {why}') from why
        raise
    return program, results


def run_program(p, x, z, check):
    """One converted program in all calls."""
    seen.clear()
    printed = []
    with captured(printed):
        program, found = call_all(p, x, z, check)
    results = {f'y{call + 1}': np.zeros((4, 0), x.dtype) for call in range(CALLS)}
    results.update((f'y{call + 1}', each) for call, each in enumerate(found))
    p.verify(program)
    p.program = program
    if '--transformed' in sys.argv:
        print(p.transformed(program, (len(x), x.dtype)), file=sys.stderr)
    log = [int(number) for number in printed] + [int(number) for number in seen]
    log = log[:LOG - 1]
    results['log'] = np.array([len(log), *log, *[0] * (LOG - 1 - len(log))], np.int64)
    return results
