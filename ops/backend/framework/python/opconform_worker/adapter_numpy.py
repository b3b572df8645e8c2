"""NumPy: what numpy.bindings asks for."""
import platform
import sys

import numpy as np

from . import compilers, planted_calls, programs
from .adapter import NUMPY, Library, settings_of
from .array_calls import complex_of, widths
from .compiled import Compiler
from .draws import with_seeds


drawn = with_seeds(lambda seed: ((np.random.default_rng(seed),), {}))
drawn_before = with_seeds(lambda seed: ((np.random.RandomState(seed),), {}))


def shuffled(generator, rows, columns, dtype):
    """So many permutations, one after the other."""
    return np.array([generator.permutation(columns) for _ in range(rows)], dtype).reshape(rows, columns)


def shuffled_rows(generator, rows, columns, dtype):
    return generator.permuted(np.broadcast_to(np.arange(columns, dtype=dtype), (rows, columns)), axis=1)


def chosen(generator, weights, shape):
    """Places with chances that are weights."""
    return generator.choice(len(weights), shape, p=weights / weights.sum())


def wide(x):
    """In the type that sums are formed in."""
    return x.astype(np.float32 if x.dtype == np.float16 else x.dtype)


def parts_of(y, x):
    """The parts of complex numbers as a last axis, in the type of x."""
    return np.stack((y.real, y.imag), -1).astype(x.dtype)


def activated(y, word):
    """Applies the activation that the case names, if any, to a product."""
    if word != 'none':
        y = np.maximum(y, 0)
    return np.minimum(y, 6) if word == 'relu6' else y


def complex_numbers(x):
    """numpy.linalg.eig gives real numbers where all imaginary parts are 0."""
    return x if np.iscomplexobj(x) else x.astype('c8' if x.dtype == 'f4' else 'c16')


def running(function, x, axis, start, backwards, exclusive):
    """function along an axis; an exclusive one begins with start and leaves out the last element."""
    if backwards:
        x = np.flip(x, axis)
    y = function(wide(x), axis=axis)
    if exclusive:
        y = np.roll(y, 1, axis)
        y[(slice(None),) * axis + (slice(0, 1),)] = start
    if backwards:
        y = np.flip(y, axis)
    return y.astype(x.dtype)


def pixel_shuffle(x, r):
    n, c, h, w = x.shape
    y = x.reshape(n, c // (r * r), r, r, h, w).transpose(0, 1, 4, 2, 5, 3)
    return y.reshape(n, c // (r * r), h * r, w * r)


def space_to_depth(x, r):
    n, c, h, w = x.shape
    y = x.reshape(n, c, h // r, r, w // r, r).transpose(0, 3, 5, 1, 2, 4)
    return y.reshape(n, c * r * r, h // r, w // r)


def ordered(x, axis, descending):
    """A stable sort of negated keys gives the greatest first; of whole numbers and booleans the bits are
    inverted, since the negative of the least one overflows."""
    key = x if not descending else ~x if x.dtype.kind in 'biu' else -x
    places = np.argsort(key, axis=axis, kind='stable')
    return np.take_along_axis(x, places, axis), places.astype(np.int64)


def topk(x, count, axis, descending):
    values, places = ordered(x, axis, descending)
    front = (slice(None),) * axis + (slice(0, count),)
    return values[front], places[front]


def unique(x):
    values, places = np.unique(x, return_inverse=True)
    whole = np.zeros_like(x)
    whole[:len(values)] = values
    return whole, places.reshape(x.shape).astype(np.int64)


def padded(x, count):
    """What a call found, with zeros behind it: results of which values decide how many there are."""
    y = np.zeros((count, *x.shape[1:]), x.dtype)
    y[:len(x)] = x
    return y


def typed(word):
    return NUMPY[word]


def scatter(x, axis, indices, updates):
    y = x.copy()
    np.put_along_axis(y, indices, updates, axis)
    return y


def scatter_with(function, x, axis, indices, updates):
    """Every update goes to its own place, one after the other."""
    y = wide(x)
    grid = list(np.indices(indices.shape))
    grid[axis] = indices
    function.at(y, tuple(grid), updates)
    return y.astype(x.dtype)


def index_add(x, axis, indices, updates):
    y = wide(x)
    np.add.at(y, (slice(None),) * axis + (indices,), updates)
    return y.astype(x.dtype)


PLANTED = '\n\nfrom opconform_worker import planted_calls\n'
COMPILERS = {word: Compiler(f'planted_calls.FAULTS[{word!r}](function)', 64, 8, before=PLANTED, primed=True, seeds=True,
                         refusals=('Unsupported',), together=4)
             for word in planted_calls.FAULTS}


class Adapter(compilers.Compiles, programs.Programs, Library):
    rows = 'numpy'
    framework = 'numpy'
    compilers = COMPILERS

    def __init__(self, mode):
        self.compiles = self.compiler_of(settings_of(mode, (*programs.modes('numpy'), *COMPILERS)))
        np.seterr(all='ignore')

    def kept(self, tensor):
        return tensor.copy()

    @staticmethod
    def facts():
        return {'version': np.__version__, 'build': f'NumPy, Python {platform.python_version()}',
                'core': platform.machine(), 'path': sys.prefix}
