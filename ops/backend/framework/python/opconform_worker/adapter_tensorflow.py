"""TensorFlow, eager: what tensorflow.bindings asks for, and gradients by tf.GradientTape.

Conventions, where the operators and TensorFlow differ:
- channels are innermost (NHWC, filters with their output channels last): operands are transposed
  before and after, which changes no value;
- windows have their padding as tf.pad before them; transposed convolutions are cropped instead;
- tf.image.resize has half-pixel centres, and results in binary32; its nearest element is at
  floor((i + 1/2) scale), its cubic has weights that are renormalised at the edges: both are declined;
- subnormal numbers are zeros in the threads that compute (tensorflow/core/platform/setround and
  denormal.cc), in inputs and results."""
import linecache
import os

os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')
os.environ.setdefault('CUDA_VISIBLE_DEVICES', '-1')
if 'noonednn' in os.environ.get('OPCONFORM_MODE', ''):
    os.environ['TF_ENABLE_ONEDNN_OPTS'] = '0'

import tensorflow as tf

from . import compilers, programs
from .adapter import NUMPY, Differentiable, decline, settings_of
from .array_calls import widths
from .compiled import Compiler
from .draws import by_global_seed, with_seeds
from .protocol import Types
from .torch_calls import with_activation

# Types that NumPy lacks are TensorFlow's own: other packages have the same names for types that it does not know.
# Since version 2.9 there are some, and of eight bits since 2.13.
EXPERIMENTAL = getattr(tf.dtypes, 'experimental', None)
EIGHT_BITS = {name: getattr(EXPERIMENTAL, theirs).as_numpy_dtype for name, theirs in
              (('e4m3', 'float8_e4m3fn'), ('e5m2', 'float8_e5m2')) if hasattr(EXPERIMENTAL, theirs)}
ARRAYS = Types({**NUMPY, 'bf16': tf.bfloat16.as_numpy_dtype, **EIGHT_BITS})
# Messages of kernels that a type or an attribute lacks.
MISSING = ('Could not find device for node', 'is not in the list of allowed values',
           'is not supported [Op:Cast]', 'Current CPU implementations do not yet support',
           'Current libxsmm and customized CPU implementations do not yet support',
           'Gradients for grouped convolutions are not supported on CPU')

activated = with_activation(tf.nn)
drawn = with_seeds(by_global_seed(tf.random.set_seed))
drawn_without_state = with_seeds(lambda seed: ((), {'seed': (seed, 0)}))


def channels_last(x):
    return tf.transpose(x, (0, *range(2, x.ndim), 1)) if x.ndim > 1 else x


def channels_second(x):
    return tf.transpose(x, (0, x.ndim - 1, *range(1, x.ndim - 1)))


def filters_last(w):
    """Output channels, input channels, taps: taps, input channels, output channels."""
    return tf.transpose(w, (*range(2, w.ndim), 1, 0))


def complex_of(x):
    """Complex numbers, whose parts are the last axis of x."""
    return tf.complex(x[..., 0], x[..., 1])


def fitted(x, length):
    """The last axis but one, cut or with zeros behind it."""
    x = x[..., :length, :]
    return tf.pad(x, [(0, 0)] * (x.ndim - 2) + [(0, length - x.shape[-2]), (0, 0)])


def shuffled(rows, columns, dtype, seed):
    """So many permutations, of seeds of their own."""
    return tf.stack([tf.random.experimental.stateless_shuffle(tf.range(columns, dtype=dtype), (*seed[:1], row))
                     for row in range(rows)])


def dropped(seed, x, p):
    """Dropout of x and, with the same seed, of ones, which tell what it drops."""
    y, ones = (tf.nn.experimental.stateless_dropout(each, p, (seed, 0)) for each in (x, tf.ones_like(x)))
    return y, ones != 0


def parts_of(y):
    return tf.stack((tf.math.real(y), tf.math.imag(y)), -1)


def stft(x, window, step):
    length = window.shape[0]
    return parts_of(tf.signal.stft(x, length, step, length, lambda *_, **__: window))


def ordered(x, axis, direction):
    places = tf.argsort(x, axis, direction, stable=True)
    return tf.experimental.numpy.take_along_axis(x, places, axis), tf.cast(places, tf.int64)


def topk(x, count):
    values, places = tf.math.top_k(x, count)
    return values, tf.cast(places, tf.int64)


def filled(x, count):
    """What a call found, with zeros behind it."""
    return tf.concat((x, tf.zeros([count - tf.shape(x)[0]], x.dtype)), 0)


def in_groups(function, x, **more):
    """What a function that takes values as they first come finds in a line in order."""
    order = tf.argsort(x, stable=True)
    return order, function(x=tf.gather(x, order), **more)


def unique(function, x, **more):
    order, (values, places, *_) = in_groups(function, x, **more)
    return filled(values, len(x)), tf.scatter_nd(order[:, None], tf.cast(places, tf.int64), [len(x)])


def unique_counts(function, x, **more):
    _, (values, _, counts) = in_groups(function, x, **more)
    return filled(values, len(x)), filled(tf.cast(counts, tf.int64), len(x))


def bucketized(x, boundaries):
    decline(not tf.executing_eagerly(), 'boundaries that are constants')
    return tf.cast(tf.raw_ops.Bucketize(input=x, boundaries=boundaries.numpy().tolist()), tf.int64)


def bins_of(function, x, bins):
    """Counts of numbers from 0 to bins: the functions bring others to the ends."""
    inside = tf.boolean_mask(tf.reshape(x, [-1]), tf.reshape(tf.logical_and(x >= 0, x <= bins), [-1]))
    found = function(inside, tf.constant([0, bins], x.dtype), bins)
    counts = found if function == tf.histogram_fixed_width else tf.math.bincount(found, minlength=bins)
    return tf.cast(counts, x.dtype)


def image_of_blocks(x, r):
    """Channels to blocks: the channel before the place in a block, which TensorFlow has behind it."""
    y = channels_last(x)
    y = tf.reshape(y, (*y.shape[:3], y.shape[3] // (r * r), r * r))
    y = tf.reshape(tf.transpose(y, (0, 1, 2, 4, 3)), (*y.shape[:3], -1))
    return channels_second(tf.nn.depth_to_space(y, r))


def patches(x, kernel, dilation, padding, stride):
    """Windows as columns, the channel first."""
    y = tf.image.extract_patches(padded(x, padding, padding), [1, *kernel, 1], [1, *stride, 1], [1, *dilation, 1], 'VALID')
    y = tf.reshape(y, (x.shape[0], y.shape[1] * y.shape[2], -1, x.shape[1]))
    return tf.reshape(tf.transpose(y, (0, 3, 2, 1)), (x.shape[0], -1, y.shape[1]))


def places_of(indices, axis):
    """Coordinates of indices along an axis, and of all other axes as they are."""
    grids = list(tf.meshgrid(*(tf.range(extent, dtype=tf.int64) for extent in indices.shape),
                             indexing='ij'))
    grids[axis] = indices
    return tf.stack(grids, -1)


def index_add(x, axis, indices, updates):
    order = [axis] + [other for other in range(x.ndim) if other != axis]
    back = [order.index(axis) for axis in range(x.ndim)]
    y = tf.tensor_scatter_nd_add(tf.transpose(x, order), tf.reshape(indices, (-1, 1)),
                                 tf.transpose(updates, order))
    return tf.transpose(y, back)


def in_order(function, x, segments, count, rest):
    """Segments in their order, as the function takes them; it gives nothing behind the last one that has elements."""
    y = function(tf.gather(x, tf.argsort(segments, stable=True)), tf.sort(segments))
    return tf.pad(y, [[0, count - tf.shape(y)[0]]] + [[0, 0]] * (len(y.shape) - 1), constant_values=rest)


def padded(x, before, behind, value=0.0):
    """An image with its channels last, and padding in front and behind of its spatial axes; what is of another rank has
    no such axes."""
    image, pads = channels_last(x), [[0, 0], *map(list, zip(before, behind)), [0, 0]]
    return tf.pad(image, pads, constant_values=tf.constant(value, x.dtype)) if image.ndim == len(pads) else image


def stored(values, mask):
    """The elements of a matrix at which a mask is set, with their places."""
    return tf.SparseTensor(tf.where(mask), tf.boolean_mask(values, mask), values.shape)


def by_rows(values, mask):
    matrix = stored(values, mask)
    return tf.raw_ops.SparseTensorToCSRSparseMatrix(
        indices=matrix.indices, values=matrix.values, dense_shape=matrix.dense_shape)


def biased(y, bias):
    return y if bias is None else tf.nn.bias_add(y, bias)


def conv_transpose(function, x, w, stride, pads_begin, pads_end, output_padding):
    """With its channels last; padding is cut off a result without any."""
    beyond = [max(0, extra - after) for extra, after in zip(output_padding, pads_end)]
    whole = [(size - 1) * step + kernel + more for size, step, kernel, more
             in zip(x.shape[2:], stride, w.shape[2:], beyond)]
    y = function(channels_last(x), filters_last(w), [x.shape[0], *whole, w.shape[1]], list(stride),
                 'VALID')
    cut = [slice(front, size - max(0, after - extra)) for front, size, after, extra
           in zip(pads_begin, whole, pads_end, output_padding)]
    return y[(slice(None), *cut)]


def reduced(terms, word):
    return tf.reduce_mean(terms) if word == 'mean' else tf.reduce_sum(terms)


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


REFUSALS = programs.language('tensorflow').REFUSALS
COMPILERS = {
    'function': Compiler('tf.function(function)', 32, 8, refusals=REFUSALS, together=8),
    'relaxed': Compiler('tf.function(function, reduce_retracing=True)', 64, 4, primed=True, refusals=REFUSALS, together=8),
    'xla': Compiler('tf.function(function, jit_compile=True)', 128, 128, together=8, refusals=REFUSALS, refusing=(
        'Detected unsupported operations when trying to compile graph', 'must be a compile-time constant')),
}


class Adapter(compilers.Compiles, programs.Programs, Differentiable):
    framework = 'tensorflow'
    compilers = COMPILERS
    rows = 'tensorflow'
    arrays = ARRAYS
    refusals, missing = (tf.errors.OpError, NotImplementedError, TypeError), MISSING

    def __init__(self, mode):
        settings = settings_of(mode, ('noonednn', 'deterministic', 'threads2',
                                      *programs.modes('tensorflow')))
        self.compiles = self.compiler_of(settings)
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
