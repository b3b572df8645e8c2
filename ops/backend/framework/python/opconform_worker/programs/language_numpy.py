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


class Dual(np.lib.mixins.NDArrayOperatorsMixin):
    """A value and its derivative in one direction, either of which may be one as well."""

    def __init__(self, value, slope):
        self.value, self.slope, self.dtype = value, slope, value.dtype

    def __len__(self):
        return len(self.value)

    def __getitem__(self, key):
        return Dual(self.value[key], self.slope[key])

    def sum(self, **options):
        return Dual(np.sum(self.value), np.sum(self.slope))

    def __array_ufunc__(self, ufunc, method, one, other):
        values = [each.value if isinstance(each, Dual) else each for each in (one, other)]
        shares = values[::-1] if ufunc is np.multiply else (1, 1) if ufunc is np.add else shares_of_larger(*values)
        parts = [taken(each.slope, share) for each, share in zip((one, other), shares) if isinstance(each, Dual)]
        return Dual(ufunc(*values), parts[0] if len(parts) == 1 else parts[0] + parts[1])


def taken(slope, share):
    """Their product, and nothing of what does not depend on the direction, whatever its share is."""
    if isinstance(share, Dual):
        first = taken(slope, share.value)
        second = taken(share.slope, slope.value if isinstance(slope, Dual) else slope)
        return Dual(first.value, first.slope + second) if isinstance(first, Dual) else Dual(first, second)
    if isinstance(slope, Dual):
        return Dual(taken(slope.value, share), taken(slope.slope, share))
    return np.where(slope == 0, slope, slope * share).astype(slope.dtype)


def shares_of_larger(one, other):
    equal = (one == other) * one.dtype.type(0.5)
    return (one > other) + equal, (one < other) + equal


def slope(function, v):
    found = [function(Dual(v, row)).slope for row in np.eye(len(v), dtype=v.dtype)]
    if isinstance(v, Dual):
        return Dual(*(np.array([getattr(each, name) for each in found], v.dtype) for name in ('value', 'slope')))
    return np.array(found, v.dtype)


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
