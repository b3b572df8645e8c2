"""JAX: what jax.bindings asks for, and gradients by jax.vjp.

64-bit types are switched on (jax_enable_x64); shapes are compiled one by one."""
import os

os.environ.setdefault('JAX_PLATFORMS', 'cpu')
os.environ.setdefault('XLA_FLAGS', '--xla_cpu_multi_thread_eigen=false')

import jax
import ml_dtypes
import numpy as np
from jax import lax
from jax import numpy as jnp
from jax.experimental import sparse

from . import compilers, programs
from .adapter import NUMPY, Differentiable, settings_of
from .array_calls import widths
from .compiled import Compiler
from .draws import with_seeds
from .torch_calls import with_activation

ARRAYS = {**NUMPY, 'bf16': ml_dtypes.bfloat16, 'e4m3': ml_dtypes.float8_e4m3fn,
          'e5m2': ml_dtypes.float8_e5m2}

activated = with_activation(jax.nn)
drawn = with_seeds(lambda seed: ((jax.random.key(seed),), {}))


def complex_of(x):
    """Complex numbers, whose parts are the last axis of x."""
    return lax.complex(x[..., 0], x[..., 1])


def shuffled(key, rows, columns, dtype):
    """So many permutations, of keys of their own."""
    return jax.vmap(lambda each: jax.random.permutation(each, jnp.arange(columns, dtype=dtype)))(jax.random.split(key, rows))


def parts_of(y):
    return jnp.stack((y.real, y.imag), -1)


def ordered(x, axis, descending):
    places = jnp.argsort(x, axis=axis, stable=True, descending=descending)
    return jnp.take_along_axis(x, places, axis), places


def along(indices, axis):
    """The places of indices along an axis, as at[] takes them."""
    grid = list(jnp.indices(indices.shape, sparse=True))
    grid[axis] = indices
    return tuple(grid)


def places(mask):
    """Where a mask is set, and behind the ends of both axes for each element where it is not:
    what lies there is no element of a sparse matrix, whose number a compiled function must know."""
    grid = jnp.stack(jnp.indices(mask.shape), -1).reshape(-1, 2)
    return jnp.where(mask.reshape(-1, 1), grid, jnp.array(mask.shape))


def stored(values, mask):
    elements = jnp.where(mask, values, 0).reshape(-1)
    return sparse.BCOO((elements, places(mask)), shape=mask.shape)


def with_bias(y, bias):
    return y if bias is None else y + bias.reshape(-1, *(1,) * (y.ndim - 2))


def conv_transpose(x, w, stride, pads_begin, pads_end, output_padding, dilation, groups):
    """A convolution of an input with gaps; the kernel is flipped and its channels are exchanged within
    each group."""
    spatial = tuple(range(2, x.ndim))
    w = jnp.flip(w, spatial).reshape(groups, -1, *w.shape[1:])
    w = jnp.moveaxis(w, 2, 1).reshape(-1, w.shape[1], *w.shape[3:])
    reach = [(kernel - 1) * gap for kernel, gap in zip(w.shape[2:], dilation)]
    padding = [(r - front, r - behind + extra) for r, front, behind, extra
               in zip(reach, pads_begin, pads_end, output_padding)]
    return lax.conv_general_dilated(x, w, (1,) * len(spatial), padding, lhs_dilation=stride,
                                    rhs_dilation=dilation, feature_group_count=groups)


def windows(function, x, start, kernel_size, stride, pads, dilation):
    ones = (1, 1)
    return lax.reduce_window(x, np.array(start, x.dtype)[()], function, ones + kernel_size,
                             ones + stride, ((0, 0), (0, 0), *pads),
                             window_dilation=ones + dilation)


def avg_pool(x, count_include_pad, kernel_size, *steps):
    """Means divide by the kernel, or by the elements: windows of ones."""
    total = windows(lax.add, x, 0, kernel_size, *steps)
    if count_include_pad:
        return total / np.prod(kernel_size).astype(x.dtype)
    return total / windows(lax.add, jnp.ones_like(x), 0, kernel_size, *steps)


COMPILERS = {'jit': Compiler('jax.jit(function)', 128, 128, together=8, seeds=True, refusals=(
    'ConcretizationTypeError', 'TracerBoolConversionError', 'TracerArrayConversionError',
    'TracerIntegerConversionError', 'NonConcreteBooleanIndexError'))}


def conjugated(x):
    return jnp.conj(x) if jnp.iscomplexobj(x) else x


class Adapter(compilers.Compiles, programs.Programs, Differentiable):
    framework = rows = 'jax'
    compilers = COMPILERS
    arrays = ARRAYS
    missing = ('VJP not implemented for select_and_gather',)

    def __init__(self, mode):
        self.compiles = self.compiler_of(settings_of(mode, programs.modes('jax')))
        jax.config.update('jax_enable_x64', True)

    def draws(self):
        """Without a compiler too each operation is compiled for its extents."""
        return super().draws() or (64, 64, 5)

    @staticmethod
    def facts():
        return {'version': jax.__version__, 'core': 'x86-64', 'path': jax.__file__,
                'build': 'JAX, one operation at a time'}

    def zeros(self, operand):
        return jnp.zeros(operand.shape, ARRAYS[operand.dtype])

    def differentiate(self, function, values, dy):
        # jax.vjp leaves out both conjugates of the gradient by a complex number.
        return [conjugated(each) for each in jax.vjp(function, *values)[1](conjugated(dy))]

    def read(self, memory, operand):
        return jnp.array(self.array(memory, operand))

    def write(self, memory, operand, result):
        self.put(memory, operand, np.asarray(result))
