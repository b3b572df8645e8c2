"""Programs for NumPy, which has no compiler: what they mean, and what planted compilers make of them."""
import contextlib

import numpy as np


def whole(v):
    return np.trunc(v)


def scalar(i, v):
    return v.dtype.type(i)


def join(one, other):
    return np.concatenate((one, other))


CASTS = [False]


class Half(np.ndarray):
    """Numbers of bfloat16, which are stored in binary32; what is computed of them is of the other operands' type."""

    def __array_ufunc__(self, ufunc, method, *given, **options):
        return getattr(ufunc, method)(*(np.asarray(each) for each in given), **options)


@contextlib.contextmanager
def autocast(casts):
    CASTS.append(casts)
    try:
        yield
    finally:
        CASTS.pop()


def halved(v):
    bits = np.ascontiguousarray(v, np.float32).view(np.uint32)
    return ((bits + (bits >> 16 & 1) + 0x7fff) & 0xffff0000).astype(np.uint32).view(np.float32)


def matmul(one, other):
    if not CASTS[-1] or one.dtype != np.float32:
        return np.matmul(one, other)
    return halved(np.matmul(halved(one), halved(other))).view(Half)


def width(v):
    return 2 if isinstance(v, Half) else v.itemsize


class Traced(np.lib.mixins.NDArrayOperatorsMixin):
    """A value, which may be one as well, what it was made of, and how gradients go back to that."""
    made = 0

    def __init__(self, value, *parents):
        self.value, self.parents, self.dtype = value, parents, value.dtype
        Traced.made += 1
        self.number = Traced.made

    def __len__(self):
        return len(self.value)

    def __getitem__(self, key):
        def back(slope):
            if key == slice(None, None, -1):
                return slope[::-1]
            whole = np.zeros(len(self), self.dtype)
            whole[key] = slope
            return whole
        return Traced(self.value[key], (self, back))

    def sum(self, **options):
        return Traced(np.sum(self.value), (self, lambda slope: np.full(len(self), slope, self.dtype)))

    def __array_ufunc__(self, ufunc, method, one, other):
        values = [each.value if isinstance(each, Traced) else each for each in (one, other)]
        shares = values[::-1] if ufunc is np.multiply else (1, 1) if ufunc is np.add else shares_of_larger(*values)
        return Traced(ufunc(*values), *((each, lambda slope, share=share: slope * share)
                                        for each, share in zip((one, other), shares) if isinstance(each, Traced)))

    def slope(self, u):
        """The gradient of this number in u, from what was made last to what was made first."""
        slopes, waiting = {self.number: self.dtype.type(1)}, {self.number: self}
        while waiting:
            number = max(waiting)
            node = waiting.pop(number)
            for parent, back in node.parents:
                share = back(slopes[number])
                slopes[parent.number] = slopes[parent.number] + share if parent.number in slopes else share
                waiting[parent.number] = parent
        return slopes.get(u.number, np.zeros(len(u), u.dtype))


def shares_of_larger(one, other):
    equal = (one == other) * one.dtype.type(0.5)
    return (one > other) + equal, (one < other) + equal


def slope(function, v):
    u = Traced(v)
    return function(u).slope(u)


def tensor(values):
    return values.copy()


def array(result):
    return result


class Program:
    training = False

    def __init__(self, n, dtype):
        self.weight = (np.arange(n) % 4 * 0.5 + 0.5).astype(dtype)
        self.state = np.zeros(n, dtype)

    def part(self, v):
        return v * self.weight

    def __call__(self, x, z):
        a, b, c, d = x + 0.0, z + 0.0, x - z, np.zeros_like(x)
        e, v = x[0], np.zeros_like(x)
        s = x[1:] * 1.0
        i, j = 0, 2
        items, table = [x * 1.0, z * 1.0], {'k0': x * 1.0, 'k1': z * 1.0}
        # Statements.
        return np.stack([a, b, c, d])


def make(n, dtype):
    return Program(n, dtype)


# Modes
from . import planted_compiler  # noqa: E402

PLANTED = '''def convert(module, example):
    from opconform_worker.programs import planted_compiler
    return planted_compiler.convert(module, '{}')
'''


def convert(module, example):
    return module


def count_compilations(program):
    return program.compilations


MODES = {'': convert, **{fault: PLANTED.format(fault) for fault in planted_compiler.FAULTS}}
NAMES = {name: f'np.{name}' for name in ('sum', 'clip', 'maximum', 'abs', 'stack')}
NAMES.update(full='np.full_like', tape='slope', autocast='autocast(True)', exact='autocast(False)')
REWRITES, DECLINES, VERIFY, TRANSFORMED = (), {}, {}, {}
COMPILATIONS = {'planted-compile-again': count_compilations}
REFUSALS, REFUSING = (), ()
RAISES = ()
# As if it were slow.
SAMPLES = {'planted-nothing': 4}
