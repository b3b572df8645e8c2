"""JAX: the operators of the common table by their documented names, and their gradients by jax.vjp.

Conventions, where the table and JAX differ:
- 64-bit types are switched on (jax_enable_x64); shapes are compiled one by one;
- windows have pairs of padding and no ceil: windows by ceil are padded behind to a whole step;
- means over windows divide by the elements or by the kernel (lax.reduce_window of ones);
- a transposed convolution is one of an input with gaps (lax.conv_general_dilated, lhs_dilation), its
  kernel flipped;
- jax.image.resize has half-pixel centres, and weights that are renormalised at the edges: linear only,
  and only where it enlarges (antialias is off);
- scatter with equal indices leaves the order open (jax.numpy.ndarray.at): adding, products and extremes
  only, and values where indices differ;
- elu and celu have alpha inside (jax.nn);
- indices out of bounds are cut or left out (jax.numpy.ndarray.at), windows that do not fit give nothing."""
import os

os.environ.setdefault('JAX_PLATFORMS', 'cpu')
os.environ.setdefault('XLA_FLAGS', '--xla_cpu_multi_thread_eigen=false')

import jax
import ml_dtypes
import numpy as np
from jax import lax
from jax import numpy as jnp

from .adapter import (BOOLEAN, INTEGER, NUMPY, Differentiable, axes_of, axis_order, binary, copies_of,
                      decline, einsum_equation, permit, reduced_last, settings_of, unary, with_activation,
                      with_alpha)


FLOAT = ('f32', 'f64', 'f16', 'bf16')
NUMBERS = FLOAT + INTEGER
ANY = NUMBERS + BOOLEAN
ARRAYS = {**NUMPY, 'bf16': ml_dtypes.bfloat16, 'e4m3': ml_dtypes.float8_e4m3fn,
          'e5m2': ml_dtypes.float8_e5m2}


def reduction(function):
    def run(p, x):
        decline(x.size == 0 and function in (jnp.max, jnp.min), 'the greatest of none')
        return function(x, axis=axes_of(p, x.ndim), keepdims=p.flag('keepdims'))
    return run


def of_flat(function):
    def run(p, x):
        order, flat, result = reduced_last(p, x.shape)
        return function(x.transpose(order).reshape(flat)).reshape(result)
    return run


def spread(function):
    return lambda p, x: function(x, axis=axes_of(p, x.ndim), correction=p.integer('correction', 0),
                                 keepdims=p.flag('keepdims'))


def norm(order):
    def run(p, x):
        which = p.real('alpha') if order is None else order
        return jnp.linalg.vector_norm(x, ord=which, axis=axes_of(p, x.ndim),
                                      keepdims=p.flag('keepdims'))
    return run


def running(function):
    def run(p, x):
        decline(p.flag('exclusive'), 'without the element itself')
        return function(x, p.integer('axis'), p.flag('backwards'))
    return run


activated = with_activation(jax.nn.relu, jax.nn.relu6)


def strided(p, x):
    axis, step, first = p.integer('axis'), p.integer('step'), p.integer('start')
    step = -step if p.flag('backwards') else step
    return x[(slice(None),) * axis + (slice(first, None, step),)]


def pad(p, x):
    widths = [(0, 0)] * x.ndim
    widths[p.integer('axis')] = (p.integer('start'), p.integer('step'))
    return jnp.pad(x, widths, mode=p.word('mode'))


def ordered(p, x):
    places = jnp.argsort(x, axis=p.integer('axis'), stable=True,
                         descending=p.word('mode') == 'greatest')
    return jnp.take_along_axis(x, places, p.integer('axis')), places


def split(p, x):
    return tuple(jnp.split(x, [p.integer('k')], p.integer('axis')))


def along(p, x, indices):
    """The places of indices along an axis, as at[] takes them."""
    grid = list(jnp.indices(indices.shape, sparse=True))
    grid[p.integer('axis')] = indices
    return x.at[tuple(grid)]


def index_add(p, x, indices, updates):
    return x.at[(slice(None),) * p.integer('axis') + (indices,)].add(updates)


def pairs(p, behind=None):
    return list(zip(p.shape('before'), behind or p.shape('after')))


def conv(p, x, w, bias=None):
    y = lax.conv_general_dilated(x, w, p.shape('stride'), pairs(p), rhs_dilation=p.shape('dilation'),
                                 feature_group_count=p.integer('groups'))
    return activated(p, with_bias(y, bias))


def with_bias(y, bias):
    return y if bias is None else y + bias.reshape(-1, *(1,) * (y.ndim - 2))


def conv_transpose(p, x, w, bias=None):
    """The kernel is flipped and its channels are exchanged within each group."""
    groups, spatial = p.integer('groups'), tuple(range(2, x.ndim))
    w = jnp.flip(w, spatial).reshape(groups, -1, *w.shape[1:])
    w = jnp.moveaxis(w, 2, 1).reshape(-1, w.shape[1], *w.shape[3:])
    reach = [(kernel - 1) * gap for kernel, gap in zip(w.shape[2:], p.shape('dilation'))]
    padding = [(r - front, r - behind + extra) for r, front, behind, extra
               in zip(reach, p.shape('before'), p.shape('after'), p.shape('extra'))]
    y = lax.conv_general_dilated(x, w, (1,) * len(spatial), padding, lhs_dilation=p.shape('stride'),
                                 rhs_dilation=p.shape('dilation'), feature_group_count=groups)
    return activated(p, with_bias(y, bias))


def windows(p, x, start, function):
    decline(p.flag('ceil_mode'), 'windows by ceil')
    ones = (1, 1)
    return lax.reduce_window(x, np.array(start, x.dtype)[()], function, ones + p.shape('kernel'),
                             ones + p.shape('stride'), ((0, 0), (0, 0), *pairs(p)),
                             window_dilation=ones + p.shape('dilation'))


def max_pool(p, x):
    return windows(p, x, -np.inf, lax.max)


def avg_pool(p, x):
    total = windows(p, x, 0, lax.add)
    if p.flag('count_pads'):
        return total / np.prod(p.shape('kernel')).astype(x.dtype)
    return total / windows(p, jnp.ones_like(x), 0, lax.add)


def interpolate(p, x):
    decline(p.word('mode') != 'linear' or p.word('transformation') != 'half_pixel',
            'that interpolation')
    decline(any(new < old for new, old in zip(p.shape('extra'), x.shape[2:])), 'fewer elements')
    return jax.image.resize(x, x.shape[:2] + p.shape('extra'), 'linear', antialias=False)


def reduced(p, terms):
    return jnp.mean(terms) if p.word('mode') == 'mean' else jnp.sum(terms)


def cast(p, x):
    decline(p.word('to') not in ARRAYS, 'that type')
    decline(p.word('to') in ('e4m3', 'e5m2') and p.flag('saturate'), 'a cast that saturates')
    return x.astype(ARRAYS[p.word('to')])


SAME = ('abs acos acosh asin asinh atan atanh cbrt ceil cos cosh exp exp2 expm1 floor log log10 log1p '
        'log2 reciprocal round sign sin sinh sqrt square tan tanh trunc').split()
FUNCTIONAL = 'relu silu mish softplus relu6 hard_tanh hard_swish log_sigmoid soft_sign sigmoid'.split()
RENAMED = {'hard_tanh': 'hardtanh', 'hard_swish': 'hardswish', 'log_sigmoid': 'logsigmoid',
           'soft_sign': 'softsign'}
PAIRS = {'add': jnp.add, 'sub': jnp.subtract, 'mul': jnp.multiply, 'maximum': jnp.maximum,
         'minimum': jnp.minimum}
REAL_PAIRS = {'div': jnp.divide, 'pow': jnp.power, 'atan2': jnp.arctan2, 'fmod': jnp.fmod,
              'remainder': jnp.remainder}
COMPARISONS = {'eq': jnp.equal, 'ne': jnp.not_equal, 'lt': jnp.less, 'le': jnp.less_equal,
               'gt': jnp.greater, 'ge': jnp.greater_equal}
LOGIC = 'logical_and logical_or logical_xor'.split()
BITS = 'bitwise_and bitwise_or bitwise_xor'.split()


def elementwise():
    whole = {'abs', 'sign', 'square'}
    table = {name: (NUMBERS if name in whole else FLOAT, unary(getattr(jnp, name))) for name in SAME}
    table.update({RENAMED.get(name, name): (FLOAT, unary(getattr(jax.nn, name)))
                  for name in FUNCTIONAL})
    table.update({name: (NUMBERS, binary(f)) for name, f in PAIRS.items()})
    table.update({name: (FLOAT, binary(f)) for name, f in REAL_PAIRS.items()})
    table.update({name: (NUMBERS, binary(f)) for name, f in COMPARISONS.items()})
    table.update({name: (BOOLEAN, binary(getattr(jnp, name))) for name in LOGIC})
    table.update({name: (INTEGER + BOOLEAN, binary(getattr(jnp, name))) for name in BITS})
    table.update({name: (FLOAT, with_alpha(getattr(jax.nn, name)))
                  for name in ('elu', 'celu', 'leaky_relu')})
    table.update({
        'neg': (NUMBERS, unary(jnp.negative)), 'rsqrt': (FLOAT, unary(lax.rsqrt)),
        'erf': (FLOAT, unary(lax.erf)), 'erfc': (FLOAT, unary(lax.erfc)),
        'gelu': (FLOAT, unary(lambda x: jax.nn.gelu(x, approximate=False))),
        'gelu_tanh': (FLOAT, unary(lambda x: jax.nn.gelu(x, approximate=True))),
        'isnan': (FLOAT, unary(jnp.isnan)), 'isinf': (FLOAT, unary(jnp.isinf)),
        'logical_not': (BOOLEAN, unary(jnp.logical_not)),
        'clamp': (FLOAT, lambda p, x: jnp.clip(x, p.real('alpha'), p.real('beta'))),
        'where': (ANY, lambda p, c, a, b: jnp.where(c, a, b)),
        'cast': (ANY + ('e4m3', 'e5m2'), cast),
    })
    return table


def reductions():
    return {
        'sum': (FLOAT, reduction(jnp.sum)), 'mean': (FLOAT, reduction(jnp.mean)),
        'prod': (FLOAT, reduction(jnp.prod)), 'amax': (NUMBERS, reduction(jnp.max)),
        'amin': (NUMBERS, reduction(jnp.min)), 'all': (BOOLEAN, reduction(jnp.all)),
        'any': (BOOLEAN, reduction(jnp.any)),
        'logsumexp': (FLOAT, reduction(jax.nn.logsumexp)),
        'argmax': (NUMBERS, of_flat(lambda x: jnp.argmax(x, -1))),
        'argmin': (NUMBERS, of_flat(lambda x: jnp.argmin(x, -1))),
        'var': (FLOAT, spread(jnp.var)), 'std': (FLOAT, spread(jnp.std)),
        'norm1': (FLOAT, norm(1)), 'norm2': (FLOAT, norm(2)), 'norm': (FLOAT, norm(None)),
        'sum_squares': (FLOAT, reduction(lambda x, axis, keepdims: jnp.sum(
            x * x, axis=axis, keepdims=keepdims))),
        'cumsum': (FLOAT, running(lax.cumsum)), 'cumprod': (FLOAT, running(lax.cumprod)),
        'softmax': (FLOAT, lambda p, x: jax.nn.softmax(x, p.integer('axis'))),
        'log_softmax': (FLOAT, lambda p, x: jax.nn.log_softmax(x, p.integer('axis'))),
    }


def moves():
    return {
        'transpose': (ANY, lambda p, x: x.transpose(axis_order(p, x.ndim))), 'slice': (ANY, strided),
        'tile': (ANY, lambda p, x: jnp.tile(x, copies_of(p, x.ndim))), 'pad': (FLOAT, pad),
        'flip': (ANY, lambda p, x: jnp.flip(x, p.integer('axis'))),
        'roll': (ANY, lambda p, x: jnp.roll(x, p.integer('start'), p.integer('axis'))),
        'expand': (ANY, lambda p, x: jnp.broadcast_to(x, p.shape('shape'))),
        'tril': (ANY, lambda p, x: jnp.tril(x, p.integer('diagonal'))),
        'triu': (ANY, lambda p, x: jnp.triu(x, p.integer('diagonal'))), 'split': (ANY, split),
        'concat': (ANY, lambda p, a, b: jnp.concatenate((a, b), p.integer('axis'))),
        'sort': (NUMBERS, ordered),
        'searchsorted': (NUMBERS, lambda p, line, x: jnp.searchsorted(
            line, x, side=p.word('mode')).astype(np.int64)),
        'gather': (ANY, lambda p, x, i: jnp.take(x, i, p.integer('axis'))),
        'index_select': (ANY, lambda p, x, i: jnp.take(x, i, p.integer('axis'))),
        'embedding': (ANY, lambda p, x, i: jnp.take(x, i, 0)),
        'take': (ANY, lambda p, x, i: jnp.take(x, i)),
        'take_along_axis': (ANY, lambda p, x, i: jnp.take_along_axis(x, i, p.integer('axis'))),
        'scatter_add': (NUMBERS, lambda p, x, i, u: along(p, x, i).add(u)),
        'scatter_mul': (NUMBERS, lambda p, x, i, u: along(p, x, i).multiply(u)),
        'scatter_max': (NUMBERS, lambda p, x, i, u: along(p, x, i).max(u)),
        'scatter_min': (NUMBERS, lambda p, x, i, u: along(p, x, i).min(u)),
        'index_add': (NUMBERS, index_add),
    }


def layers():
    table = {
        'matmul': (FLOAT, lambda p, a, b: activated(p, a @ b)),
        'linear': (FLOAT, lambda p, x, w, bias=None: activated(
            p, x @ w.T if bias is None else x @ w.T + bias)),
        'linear_gelu': (('f32',), lambda p, x, w, bias=None: jax.nn.gelu(
            x @ w.T if bias is None else x @ w.T + bias)),
        'relu_linear': (('f32', 'f64'), lambda p, z, w, bias: jax.nn.relu(z + bias) @ w.T),
        'gelu_linear': (('f32',), lambda p, z, w, bias: jax.nn.gelu(z + bias) @ w.T),
        'einsum': (FLOAT, lambda p, a, b: jnp.einsum(einsum_equation(p), a, b)),
        'mse_loss': (FLOAT, lambda p, x, t: reduced(p, jnp.square(x - t))),
        'l1_loss': (FLOAT, lambda p, x, t: reduced(p, jnp.abs(x - t))),
    }
    for axes in (1, 2, 3):
        table.update({f'conv{axes}d': (FLOAT, conv), f'conv_transpose{axes}d': (FLOAT, conv_transpose),
                      f'max_pool{axes}d': (FLOAT, max_pool), f'avg_pool{axes}d': (FLOAT, avg_pool),
                      f'interpolate{axes}d': (FLOAT, interpolate)})
    return table


class Adapter(Differentiable):
    operators = {**elementwise(), **reductions(), **moves(), **layers()}
    arrays = ARRAYS

    def __init__(self, mode):
        settings_of(mode, ())
        jax.config.update('jax_enable_x64', True)

    @staticmethod
    def facts():
        return {'version': jax.__version__, 'core': 'x86-64', 'path': jax.__file__,
                'build': 'JAX, one operation at a time'}

    def zeros(self, operand):
        return jnp.zeros(operand.shape, ARRAYS[operand.dtype])

    def compute(self, memory, p, operands):
        permit(p, 'index', 'kernel')
        return super().compute(memory, p, operands)

    def differentiate(self, function, values, dy):
        return jax.vjp(function, *values)[1](dy)

    def read(self, memory, operand):
        return jnp.array(self.array(memory, operand))

    def write(self, memory, operand, result):
        self.put(memory, operand, np.asarray(result))
