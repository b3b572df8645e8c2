"""NumPy: what it has of the common table, by its own functions.

Conventions: sums of half precision are formed in binary32, as the table has them (dtype=);
numpy.var divides by n - ddof; a stable sort of negated keys gives the greatest first; round is to
even (numpy.rint); NaN goes through minimum and maximum."""
import platform
import sys

import numpy as np

from . import programs
from .adapter import (ANY, BOOLEAN, FLOAT, INTEGER, REAL, Table, axes_of, axis_order, binary,
                      copies_of, einsum_labels, reduced_last, settings_of, unary)


def wide(x):
    return np.float32 if x.dtype == np.float16 else x.dtype


def reduction(function):
    """In the type that the table sums in."""
    def run(p, x):
        result = function(x.astype(wide(x)), axis=axes_of(p, x.ndim), keepdims=p.flag('keepdims'))
        return np.asarray(result).astype(x.dtype)
    return run


def spread(function):
    return lambda p, x: np.asarray(function(
        x.astype(wide(x)), axis=axes_of(p, x.ndim), keepdims=p.flag('keepdims'),
        ddof=p.integer('correction'))).astype(x.dtype)


def place(function):
    """Of the reduced axes as one, the innermost last."""
    def run(p, x):
        order, flat, result = reduced_last(p, x.shape)
        return function(x.transpose(order).reshape(flat), axis=-1).astype(np.int64).reshape(result)
    return run


def running(function, start):
    def run(p, x):
        axis = p.integer('axis')
        if p.flag('backwards'):
            x = np.flip(x, axis)
        y = function(x.astype(wide(x)), axis=axis)
        if p.flag('exclusive'):
            y = np.roll(y, 1, axis)
            y[(slice(None),) * axis + (slice(0, 1),)] = start
        if p.flag('backwards'):
            y = np.flip(y, axis)
        return y.astype(x.dtype)
    return run


def strided(p, x):
    step = p.integer('step')
    first = p.integer('start')
    along = slice(first, None, -step) if p.flag('backwards') else slice(first, None, step)
    return x[(slice(None),) * p.integer('axis') + (along,)]


def expand(p, x):
    return np.broadcast_to(x, p.shape('shape'))


def pad(p, x):
    widths = [(0, 0)] * x.ndim
    widths[p.integer('axis')] = (p.integer('start'), p.integer('step'))
    return np.pad(x, widths, p.word('mode'))


def pixel_shuffle(p, x):
    n, r = p.integer('batch'), p.integer('step')
    c, (h, w) = p.integer('channels'), p.shape('size')
    return x.reshape(n, c, r, r, h, w).transpose(0, 1, 4, 2, 5, 3).reshape(n, c, h * r, w * r)


def space_to_depth(p, x):
    n, r = p.integer('batch'), p.integer('step')
    c, (h, w) = p.integer('channels'), p.shape('size')
    return x.reshape(n, c, h, r, w, r).transpose(0, 3, 5, 1, 2, 4).reshape(n, c * r * r, h, w)


def ordered(p, x):
    """Equal elements keep their order; whole numbers are negated where that cannot overflow."""
    axis = p.integer('axis')
    key = x.astype(np.int64) if x.dtype.kind in 'iu' else x
    places = np.argsort(-key if p.word('mode') == 'greatest' else key, axis=axis, kind='stable')
    return np.take_along_axis(x, places, axis), places.astype(np.int64)


def topk(p, x):
    values, places = ordered(p, x)
    front = (slice(None),) * p.integer('axis') + (slice(0, p.integer('k')),)
    return values[front], places[front]


def unique(p, x):
    values, places = np.unique(x, return_inverse=True)
    whole = np.zeros_like(x)
    whole[:len(values)] = values
    return whole, places.reshape(x.shape).astype(np.int64)


def index_at(axis, indices):
    return (slice(None),) * axis + (indices,)


def scatter(p, x, indices, updates):
    y = x.copy()
    np.put_along_axis(y, indices, updates, p.integer('axis'))
    return y


def scatter_with(function):
    """Every update goes to its own place, one after the other."""
    def run(p, x, indices, updates):
        y = x.astype(wide(x))
        axis = p.integer('axis')
        grid = list(np.indices(indices.shape))
        grid[axis] = indices
        function.at(y, tuple(grid), updates)
        return y.astype(x.dtype)
    return run


def index_add(p, x, indices, updates):
    y = x.astype(wide(x))
    np.add.at(y, index_at(p.integer('axis'), indices), updates)
    return y.astype(x.dtype)


def split(p, x):
    front, rest = np.split(x, [p.integer('k')], p.integer('axis'))
    return front, rest


def matmul(p, a, b):
    y = a.astype(wide(a)) @ b.astype(wide(b))
    if p.word('activation') != 'none':
        y = np.maximum(y, 0)
    if p.word('activation') == 'relu6':
        y = np.minimum(y, 6)
    return y.astype(a.dtype)


def norm(order):
    return reduction(lambda x, axis, keepdims: np.power(
        np.sum(np.power(np.abs(x), order), axis=axis, keepdims=keepdims), 1 / order)
        if order > 1 else np.sum(np.abs(x), axis=axis, keepdims=keepdims))


def einsum(p, a, b):
    of_a, of_b, of_y = einsum_labels(p)
    return np.einsum(a, of_a, b, of_b, of_y)


# numpy has the result of a comparison and the like as booleans already.
UNARY = {'abs': np.abs, 'neg': np.negative, 'sign': np.sign, 'square': np.square}
ROUNDING = {'ceil': np.ceil, 'floor': np.floor, 'round': np.rint, 'trunc': np.trunc,
            'sqrt': np.sqrt, 'isnan': np.isnan, 'isinf': np.isinf}
FUNCTIONS = {'acos': np.arccos, 'acosh': np.arccosh, 'asin': np.arcsin, 'asinh': np.arcsinh,
             'atan': np.arctan, 'atanh': np.arctanh, 'cbrt': np.cbrt, 'cos': np.cos,
             'cosh': np.cosh, 'exp': np.exp, 'exp2': np.exp2, 'expm1': np.expm1, 'log': np.log,
             'log10': np.log10, 'log1p': np.log1p, 'log2': np.log2, 'reciprocal': np.reciprocal,
             'sin': np.sin, 'sinh': np.sinh, 'tan': np.tan, 'tanh': np.tanh}
ARITHMETIC = {'add': np.add, 'sub': np.subtract, 'mul': np.multiply, 'maximum': np.maximum,
              'minimum': np.minimum}
COMPARISONS = {'eq': np.equal, 'ne': np.not_equal, 'lt': np.less, 'le': np.less_equal,
               'gt': np.greater, 'ge': np.greater_equal}
BITS = {'bitwise_and': np.bitwise_and, 'bitwise_or': np.bitwise_or, 'bitwise_xor': np.bitwise_xor}
LOGIC = {'logical_and': np.logical_and, 'logical_or': np.logical_or, 'logical_xor': np.logical_xor}


def build():
    table = {}
    for names, dtypes, wrap in ((UNARY, FLOAT + INTEGER, unary), (ROUNDING, FLOAT, unary),
                                (FUNCTIONS, REAL, unary), (ARITHMETIC, FLOAT + INTEGER, binary),
                                (COMPARISONS, FLOAT + INTEGER, binary),
                                (BITS, INTEGER + BOOLEAN, binary), (LOGIC, BOOLEAN, binary)):
        table.update({name: (dtypes, wrap(function)) for name, function in names.items()})
    table.update({
        'div': (FLOAT, binary(np.divide)),
        'fmod': (REAL, binary(np.fmod)),
        'pow': (REAL, binary(np.power)),
        'atan2': (REAL, binary(np.arctan2)),
        'logical_not': (BOOLEAN, unary(np.logical_not)),
        'where': (ANY, lambda p, c, a, b: np.where(c, a, b)),
        'clamp': (FLOAT, lambda p, x: np.clip(x, x.dtype.type(p.real('alpha')),
                                              x.dtype.type(p.real('beta')))),
        'sum': (FLOAT, reduction(np.sum)),
        'mean': (FLOAT, reduction(np.mean)),
        'prod': (FLOAT, reduction(np.prod)),
        'amax': (FLOAT + INTEGER, reduction(np.max)),
        'amin': (FLOAT + INTEGER, reduction(np.min)),
        'all': (BOOLEAN, reduction(np.all)),
        'any': (BOOLEAN, reduction(np.any)),
        'norm1': (FLOAT, norm(1)),
        'sum_squares': (FLOAT, reduction(lambda x, **how: np.sum(np.square(x), **how))),
        'var': (FLOAT, spread(np.var)),
        'std': (FLOAT, spread(np.std)),
        'argmax': (FLOAT + INTEGER, place(np.argmax)),
        'argmin': (FLOAT + INTEGER, place(np.argmin)),
        'cumsum': (FLOAT, running(np.cumsum, 0)),
        'cumprod': (FLOAT, running(np.cumprod, 1)),
        'transpose': (ANY, lambda p, x: x.transpose(axis_order(p, x.ndim))),
        'slice': (ANY, strided),
        'flip': (ANY, lambda p, x: np.flip(x, p.integer('axis'))),
        'roll': (ANY, lambda p, x: np.roll(x, p.integer('start'), p.integer('axis'))),
        'tile': (ANY, lambda p, x: np.tile(x, copies_of(p, x.ndim))),
        'expand': (ANY, expand),
        'pad': (ANY, pad),
        'tril': (ANY, lambda p, x: np.tril(x, p.integer('diagonal'))),
        'triu': (ANY, lambda p, x: np.triu(x, p.integer('diagonal'))),
        'pixel_shuffle': (ANY, pixel_shuffle),
        'space_to_depth': (ANY, space_to_depth),
        'concat': (ANY, lambda p, a, b: np.concatenate((a, b), p.integer('axis'))),
        'split': (ANY, split),
        'sort': (FLOAT + INTEGER, ordered),
        'topk': (FLOAT + INTEGER, topk),
        'unique': (FLOAT + INTEGER, unique),
        'searchsorted': (FLOAT + INTEGER, lambda p, ordered_line, x: np.searchsorted(
            ordered_line, x, p.word('mode')).astype(np.int64)),
        'gather': (ANY, lambda p, x, i: np.take(x, i, p.integer('axis'))),
        'index_select': (ANY, lambda p, x, i: np.take(x, i, p.integer('axis'))),
        'embedding': (ANY, lambda p, x, i: x[i]),
        'take': (ANY, lambda p, x, i: np.take(x, i)),
        'take_along_axis': (ANY, lambda p, x, i: np.take_along_axis(x, i, p.integer('axis'))),
        'scatter': (ANY, scatter),
        'scatter_add': (FLOAT, scatter_with(np.add)),
        'scatter_mul': (REAL, scatter_with(np.multiply)),
        'scatter_max': (FLOAT, scatter_with(np.maximum)),
        'scatter_min': (FLOAT, scatter_with(np.minimum)),
        'index_add': (FLOAT, index_add),
        'matmul': (FLOAT, matmul),
        'einsum': (REAL, einsum),
    })
    return table


class Adapter(programs.Programs, Table):
    operators = build()
    framework = 'numpy'

    def __init__(self, mode):
        self.compiles = programs.compiler_of(settings_of(mode, programs.modes('numpy')), 'numpy')
        np.seterr(all='ignore')

    @staticmethod
    def facts():
        return {'version': np.__version__, 'build': f'NumPy, Python {platform.python_version()}',
                'core': platform.machine(), 'path': sys.prefix}
