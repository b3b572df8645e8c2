"""TensorFlow, eager: the operators of the common table by their documented names, and their gradients by
tf.GradientTape.

Conventions, where the table and TensorFlow differ:
- channels are innermost (NHWC, filters with their output channels last): operands are transposed
  before and after, which changes no value;
- windows have their padding as tf.pad before them; transposed convolutions are cropped instead;
  transposed convolutions and pooling have no dilation, means over windows count the padding or have none;
- tf.image.resize has half-pixel centres, and results in binary32; its nearest element is at
  floor((i + 1/2) scale), its cubic has weights that are renormalised at the edges: both are declined;
- elu has alpha 1, selu its two constants; band_part keeps the main diagonal (tf.linalg.band_part);
- places of elements come as 32-bit integers (tf.math.top_k, tf.argsort);
- subnormal numbers are zeros in the threads that compute (tensorflow/core/platform/setround and
  denormal.cc), in inputs and results."""
import linecache
import os

os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')
os.environ.setdefault('CUDA_VISIBLE_DEVICES', '-1')
if 'noonednn' in os.environ.get('OPCONFORM_MODE', ''):
    os.environ['TF_ENABLE_ONEDNN_OPTS'] = '0'

import ml_dtypes
import tensorflow as tf

from . import programs
from .adapter import (BOOLEAN, INTEGER, NUMPY, Differentiable, axes_of, axis_order, binary, copies_of,
                      decline, einsum_equation, permit, reduced_last, settings_of, unary, with_activation)


FLOAT = ('f32', 'f64', 'f16', 'bf16')
NUMBERS = FLOAT + INTEGER
ANY = NUMBERS + BOOLEAN
ARRAYS = {**NUMPY, 'bf16': ml_dtypes.bfloat16, 'e4m3': ml_dtypes.float8_e4m3fn,
          'e5m2': ml_dtypes.float8_e5m2}
# Messages of kernels that a type or an attribute lacks.
MISSING = ('Could not find device for node', 'is not in the list of allowed values',
           'is not supported [Op:Cast]', 'Current CPU implementations do not yet support',
           'Gradients for grouped convolutions are not supported on CPU')


def reduction(function):
    return lambda p, x: function(x, axes_of(p, x.ndim), p.flag('keepdims'))


def of_flat(function):
    def run(p, x):
        order, flat, result = reduced_last(p, x.shape)
        return tf.reshape(function(tf.reshape(tf.transpose(x, order), flat)), result)
    return run


def argument(function):
    def run(x):
        decline(x.shape[-1] == 0, 'the greatest of none')
        return function(x, -1, tf.int64)
    return of_flat(run)


def spread(function):
    def run(p, x):
        decline(p.integer('correction', 0) != 0, 'a correction')
        return function(x, axes_of(p, x.ndim), p.flag('keepdims'))
    return run


def running(function):
    return lambda p, x: function(x, p.integer('axis'), p.flag('exclusive'), p.flag('backwards'))


def strided(p, x):
    axis, step, first = p.integer('axis'), p.integer('step'), p.integer('start')
    step = -step if p.flag('backwards') else step
    return x[(slice(None),) * axis + (slice(first, None, step),)]


def pad(p, x):
    mode, axis = p.word('mode'), p.integer('axis')
    decline(mode not in ('constant', 'reflect'), 'that padding')
    widths = [[0, 0] for _ in x.shape]
    widths[axis] = [p.integer('start'), p.integer('step')]
    return tf.pad(x, widths, mode.upper())


def channels_last(x):
    return tf.transpose(x, (0, *range(2, x.ndim), 1))


def channels_second(x):
    return tf.transpose(x, (0, x.ndim - 1, *range(1, x.ndim - 1)))


def filters_last(w):
    """Output channels, input channels, taps: taps, input channels, output channels."""
    return tf.transpose(w, (*range(2, w.ndim), 1, 0))


def space_to_depth(p, x):
    decline(p.integer('step') < 2, 'blocks of one element')
    return channels_second(tf.nn.space_to_depth(channels_last(x), p.integer('step')))


def ordered(p, x):
    axis = p.integer('axis')
    direction = 'DESCENDING' if p.word('mode') == 'greatest' else 'ASCENDING'
    places = tf.argsort(x, axis, direction, stable=True)
    return (tf.experimental.numpy.take_along_axis(x, places, axis), tf.cast(places, tf.int64))


def topk(p, x):
    axis = p.integer('axis')
    decline(p.word('mode') != 'greatest' or axis != x.ndim - 1, 'the least, or another axis')
    values, places = tf.math.top_k(x, p.integer('k'))
    return values, tf.cast(places, tf.int64)


def searchsorted(p, line, x):
    places = tf.searchsorted(line, tf.reshape(x, (-1,)), p.word('mode'), tf.int64)
    return tf.reshape(places, x.shape)


def split(p, x):
    front, axis = p.integer('k'), p.integer('axis')
    return tuple(tf.split(x, (front, x.shape[axis] - front), axis))


def diagonal(lower):
    def run(p, x):
        at, rows, columns = p.integer('diagonal'), *x.shape[-2:]
        decline(at < 0 if lower else at > 0, 'without the main diagonal')
        at = min(at, columns) if lower else max(at, -rows)
        return tf.linalg.band_part(x, -1, at) if lower else tf.linalg.band_part(x, -at, -1)
    return run


def places_of(indices, axis):
    """Coordinates of indices along an axis, and of all other axes as they are."""
    grids = list(tf.meshgrid(*(tf.range(extent, dtype=tf.int64) for extent in indices.shape),
                             indexing='ij'))
    grids[axis] = indices
    return tf.stack(grids, -1)


def scatter_with(function):
    return lambda p, x, indices, updates: function(x, places_of(indices, p.integer('axis')), updates)


def index_add(p, x, indices, updates):
    axis = p.integer('axis')
    order = [axis] + [other for other in range(x.ndim) if other != axis]
    back = [order.index(axis) for axis in range(x.ndim)]
    y = tf.tensor_scatter_nd_add(tf.transpose(x, order), tf.reshape(indices, (-1, 1)),
                                 tf.transpose(updates, order))
    return tf.transpose(y, back)


activated = with_activation(tf.nn.relu, tf.nn.relu6)


def padded(p, x, value=0.0):
    """Padding in front and behind of the spatial axes of images with innermost channels."""
    widths = [[0, 0], *map(list, zip(p.shape('before'), p.shape('after'))), [0, 0]]
    return tf.pad(x, widths, constant_values=tf.constant(value, x.dtype))


def biased(y, bias):
    return y if bias is None else tf.nn.bias_add(y, bias)


def conv(axes):
    function = (tf.nn.conv1d, tf.nn.conv2d, tf.nn.conv3d)[axes - 1]

    def run(p, x, w, bias=None):
        steps, gaps = list(p.shape('stride')), list(p.shape('dilation'))
        if axes < 3:
            decline(max(steps) > 1 and max(gaps) > 1, 'strides with dilation')
        else:
            decline(max(gaps) > 1 or p.integer('groups') > 1, 'dilation or groups of images of 3 axes')
            steps, gaps = [1, *steps, 1], [1, *gaps, 1]
        y = function(padded(p, channels_last(x)), filters_last(w), steps, 'VALID', dilations=gaps)
        return activated(p, channels_second(biased(y, bias)))
    return run


def conv_transpose(axes):
    function = (tf.nn.conv1d_transpose, tf.nn.conv2d_transpose, tf.nn.conv3d_transpose)[axes - 1]

    def run(p, x, w, bias=None):
        steps, extra, after = p.shape('stride'), p.shape('extra'), p.shape('after')
        decline(any(gap != 1 for gap in p.shape('dilation')) or p.integer('groups') > 1, 'dilation or groups')
        beyond = [max(0, e - a) for e, a in zip(extra, after)]
        whole = [(size - 1) * step + kernel + more for size, step, kernel, more
                 in zip(x.shape[2:], steps, w.shape[2:], beyond)]
        y = function(channels_last(x), filters_last(w), [x.shape[0], *whole, w.shape[1]], list(steps),
                     'VALID')
        cut = [slice(front, size - max(0, a - e)) for front, size, a, e
               in zip(p.shape('before'), whole, after, extra)]
        y = y[(slice(None), *cut)]
        return activated(p, channels_second(biased(y, bias)))
    return run


def pool(axes, kind):
    maximum = (tf.nn.max_pool1d, tf.nn.max_pool2d, tf.nn.max_pool3d)[axes - 1]
    mean = (tf.nn.avg_pool1d, tf.nn.avg_pool2d, tf.nn.avg_pool3d)[axes - 1]

    def run(p, x):
        decline(any(gap != 1 for gap in p.shape('dilation')), 'dilation')
        decline(p.flag('ceil_mode'), 'windows by ceil')
        window = list(p.shape('kernel')), list(p.shape('stride')), 'VALID'
        x = channels_last(x)
        if kind == 'max':
            return channels_second(maximum(padded(p, x, float('-inf')), *window))
        permit(p, 'kernel')
        decline(max(p.shape('before') + p.shape('after')) > 0 and not p.flag('count_pads'),
                'padding that does not count')
        return channels_second(mean(padded(p, x), *window))
    return run


def batch_norm(p, x, scale, bias, mean, variance):
    y = tf.nn.batch_normalization(channels_last(x), mean, variance, bias, scale, p.real('epsilon'))
    return channels_second(y)


def interpolate2d(p, x):
    mode = p.word('mode')
    decline(mode != 'linear' or p.word('transformation') != 'half_pixel', 'that interpolation')
    return channels_second(tf.image.resize(channels_last(x), p.shape('extra'), 'bilinear'))


def reduced(p, terms):
    return tf.reduce_mean(terms) if p.word('mode') == 'mean' else tf.reduce_sum(terms)


def cross_entropy(p, x, target, weight=None):
    decline(weight is not None, 'weights of classes')
    return reduced(p, tf.nn.sparse_softmax_cross_entropy_with_logits(target, x))


def elu(p, x):
    decline(p.real('alpha') != 1, 'another alpha')
    return tf.nn.elu(x)


def cast(p, x):
    to = p.word('to')
    decline(to not in ARRAYS, 'that type')
    decline(to in ('e4m3', 'e5m2') and p.flag('saturate'), 'a cast that saturates')
    return tf.cast(x, tf.as_dtype(ARRAYS[to]))


SAME = ('abs acos acosh asin asinh atan atanh ceil cos cosh erf erfc exp expm1 floor log log1p reciprocal '
        'round rsqrt sigmoid sign sin sinh sqrt square tan tanh').split()
FUNCTIONAL = 'relu relu6 silu softplus softsign'.split()
PAIRS = {'add': tf.add, 'sub': tf.subtract, 'mul': tf.multiply, 'maximum': tf.maximum,
         'minimum': tf.minimum}
REAL_PAIRS = {'div': tf.divide, 'pow': tf.pow, 'atan2': tf.atan2, 'remainder': tf.math.floormod,
              'fmod': tf.truncatemod}
COMPARISONS = {'eq': tf.equal, 'ne': tf.not_equal, 'lt': tf.less, 'le': tf.less_equal,
               'gt': tf.greater, 'ge': tf.greater_equal}
LOGIC = 'logical_and logical_or logical_xor'.split()
BITS = 'bitwise_and bitwise_or bitwise_xor'.split()


def elementwise():
    whole = {'abs', 'sign', 'square'}
    table = {name: (NUMBERS if name in whole else FLOAT, unary(getattr(tf.math, name)))
             for name in SAME}
    table.update({name: (FLOAT, unary(getattr(tf.nn, name))) for name in FUNCTIONAL})
    table.update({name: (NUMBERS, binary(f)) for name, f in PAIRS.items()})
    table.update({name: (FLOAT, binary(f)) for name, f in REAL_PAIRS.items()})
    table.update({name: (NUMBERS, binary(f)) for name, f in COMPARISONS.items()})
    table.update({name: (BOOLEAN, binary(getattr(tf.math, name))) for name in LOGIC})
    table.update({name: (INTEGER, binary(getattr(tf.bitwise, name))) for name in BITS})
    table.update({
        'neg': (NUMBERS, unary(tf.negative)), 'elu': (FLOAT, elu),
        'gelu': (FLOAT, unary(tf.nn.gelu)), 'logsigmoid': (FLOAT, unary(tf.math.log_sigmoid)),
        'gelu_tanh': (FLOAT, unary(lambda x: tf.nn.gelu(x, approximate=True))),
        'leaky_relu': (FLOAT, lambda p, x: tf.nn.leaky_relu(x, p.real('alpha'))),
        'isnan': (FLOAT, unary(tf.math.is_nan)), 'isinf': (FLOAT, unary(tf.math.is_inf)),
        'logical_not': (BOOLEAN, unary(tf.logical_not)),
        'clamp': (FLOAT, lambda p, x: tf.clip_by_value(x, p.real('alpha'), p.real('beta'))),
        'where': (ANY, lambda p, c, a, b: tf.where(c, a, b)),
        'cast': (ANY + ('e4m3', 'e5m2'), cast),
    })
    return table


def reductions():
    return {
        'sum': (FLOAT, reduction(tf.reduce_sum)), 'mean': (FLOAT, reduction(tf.reduce_mean)),
        'prod': (FLOAT, reduction(tf.reduce_prod)), 'amax': (NUMBERS, reduction(tf.reduce_max)),
        'amin': (NUMBERS, reduction(tf.reduce_min)), 'all': (BOOLEAN, reduction(tf.reduce_all)),
        'any': (BOOLEAN, reduction(tf.reduce_any)),
        'logsumexp': (FLOAT, reduction(tf.reduce_logsumexp)),
        'argmax': (NUMBERS, argument(tf.argmax)), 'argmin': (NUMBERS, argument(tf.argmin)),
        'var': (FLOAT, spread(tf.math.reduce_variance)), 'std': (FLOAT, spread(tf.math.reduce_std)),
        'norm1': (FLOAT, of_flat(lambda x: tf.norm(x, 1, -1))),
        'norm2': (FLOAT, of_flat(lambda x: tf.norm(x, 2, -1))),
        'sum_squares': (FLOAT, reduction(lambda x, axes, keep: tf.reduce_sum(tf.square(x), axes,
                                                                            keep))),
        'cumsum': (FLOAT, running(tf.cumsum)), 'cumprod': (FLOAT, running(tf.math.cumprod)),
        'softmax': (FLOAT, lambda p, x: tf.nn.softmax(x, p.integer('axis'))),
        'log_softmax': (FLOAT, lambda p, x: tf.nn.log_softmax(x, p.integer('axis'))),
    }


def moves():
    return {
        'transpose': (ANY, lambda p, x: tf.transpose(x, axis_order(p, x.ndim))),
        'slice': (ANY, strided), 'tile': (ANY, lambda p, x: tf.tile(x, copies_of(p, x.ndim))),
        'pad': (FLOAT, pad), 'space_to_depth': (ANY, space_to_depth),
        'flip': (ANY, lambda p, x: tf.reverse(x, [p.integer('axis')])),
        'roll': (ANY, lambda p, x: tf.roll(x, p.integer('start'), p.integer('axis'))),
        'expand': (ANY, lambda p, x: tf.broadcast_to(x, p.shape('shape'))),
        'tril': (ANY, diagonal(True)), 'triu': (ANY, diagonal(False)), 'split': (ANY, split),
        'concat': (ANY, lambda p, a, b: tf.concat((a, b), p.integer('axis'))),
        'sort': (NUMBERS, ordered), 'topk': (NUMBERS, topk), 'searchsorted': (NUMBERS, searchsorted),
        'gather': (ANY, lambda p, x, i: tf.gather(x, i, axis=p.integer('axis'))),
        'index_select': (ANY, lambda p, x, i: tf.gather(x, i, axis=p.integer('axis'))),
        'embedding': (ANY, lambda p, x, i: tf.nn.embedding_lookup(x, i)),
        'take': (ANY, lambda p, x, i: tf.gather(tf.reshape(x, (-1,)), i)),
        'take_along_axis': (ANY, lambda p, x, i: tf.experimental.numpy.take_along_axis(
            x, i, p.integer('axis'))),
        'scatter': (ANY, scatter_with(tf.tensor_scatter_nd_update)),
        'scatter_add': (NUMBERS, scatter_with(tf.tensor_scatter_nd_add)),
        'scatter_max': (NUMBERS, scatter_with(tf.tensor_scatter_nd_max)),
        'scatter_min': (NUMBERS, scatter_with(tf.tensor_scatter_nd_min)),
        'index_add': (NUMBERS, index_add),
    }


def layers():
    table = {
        'matmul': (FLOAT, lambda p, a, b: activated(p, tf.matmul(a, b))),
        'linear': (FLOAT, lambda p, x, w, bias=None: activated(
            p, biased(tf.matmul(x, w, transpose_b=True), bias))),
        'linear_gelu': (('f32',), lambda p, x, w, bias=None: tf.nn.gelu(
            biased(tf.matmul(x, w, transpose_b=True), bias), approximate=True)),
        'relu_linear': (('f32', 'f64'), lambda p, z, w, bias: tf.matmul(
            tf.nn.relu(z + bias), w, transpose_b=True)),
        'gelu_linear': (('f32',), lambda p, z, w, bias: tf.matmul(
            tf.nn.gelu(z + bias, approximate=True), w, transpose_b=True)),
        'einsum': (FLOAT, lambda p, a, b: tf.einsum(einsum_equation(p), a, b)),
        'batch_norm': (FLOAT, batch_norm), 'interpolate2d': (('f32',), interpolate2d),
        'mse_loss': (FLOAT, lambda p, x, t: reduced(p, tf.math.squared_difference(x, t))),
        'l1_loss': (FLOAT, lambda p, x, t: reduced(p, tf.abs(x - t))),
        'bce_with_logits': (FLOAT, lambda p, x, t: reduced(
            p, tf.nn.sigmoid_cross_entropy_with_logits(t, x))),
        'cross_entropy': (FLOAT, cross_entropy),
    }
    for axes in (1, 2, 3):
        table.update({f'conv{axes}d': (FLOAT, conv(axes)),
                      f'conv_transpose{axes}d': (FLOAT, conv_transpose(axes)),
                      f'max_pool{axes}d': (FLOAT, pool(axes, 'max')),
                      f'avg_pool{axes}d': (FLOAT, pool(axes, 'mean'))})
    return table


def forget_generated_sources():
    """AutoGraph keeps the file of each function that it converts until the process exits in order, which workers
    never do: thousands of files in a night. Its lines stay known to inspect, as those of a file without a time."""
    from tensorflow.python.autograph.pyct import loader
    load = loader.load_source

    def load_and_forget(source, delete_on_exit):
        module, name = load(source, False)
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        os.remove(name)
        return module, name
    loader.load_source = load_and_forget


class Adapter(programs.Programs, Differentiable):
    framework = 'tensorflow'
    operators = {**elementwise(), **reductions(), **moves(), **layers()}
    arrays = ARRAYS
    refusals, missing = (tf.errors.OpError, NotImplementedError, TypeError), MISSING

    def __init__(self, mode):
        settings = settings_of(mode, ('noonednn', 'deterministic', 'threads2',
                                      *programs.modes('tensorflow')))
        self.compiles = programs.compiler_of(settings, 'tensorflow')
        if 'deterministic' in settings:
            tf.config.experimental.enable_op_determinism()
        tf.config.threading.set_intra_op_parallelism_threads(2 if 'threads2' in settings else 1)
        tf.config.threading.set_inter_op_parallelism_threads(1)

    def warm_up(self):
        """Its threads do not survive a fork: the first operation starts them."""
        tf.matmul(tf.ones((2, 2)), tf.ones((2, 2)))
        forget_generated_sources()

    @staticmethod
    def facts():
        return {'version': tf.__version__, 'core': 'x86-64', 'path': tf.__file__,
                'build': 'TensorFlow, eager, TF_ENABLE_ONEDNN_OPTS=' +
                         os.environ.get('TF_ENABLE_ONEDNN_OPTS', '1')}

    def zeros(self, operand):
        return tf.zeros(operand.shape, tf.as_dtype(ARRAYS[operand.dtype]))

    def differentiate(self, function, values, dy):
        with tf.GradientTape() as tape:
            for value in values:
                tape.watch(value)
            y = function(*values)
        return [None if gradient is None else tf.convert_to_tensor(gradient)
                for gradient in tape.gradient(y, values, dy)]

    def read(self, memory, operand):
        return tf.constant(self.array(memory, operand))

    def write(self, memory, operand, result):
        self.put(memory, operand, result.numpy())
