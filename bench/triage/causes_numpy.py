# Causes of wrong results that operators share; `plant` puts this behind a copy of adapter_numpy.py.
# Each takes the operator's name, its inputs, its attributes and its right result, and gives another.
import os

RIGHT = Adapter


def drop_lane(name, inputs, attributes, y):
    """Reductions of 3 more than a multiple of 4 elements leave the last one out."""
    x, axes = inputs[0], attributes.get('axes')
    count = x.size if axes is None else int(np.prod([x.shape[axis] for axis in axes]))
    if count % 4 != 3 or y.dtype.kind not in 'fc':
        return y
    return (y * y.dtype.type(0.75)).astype(y.dtype)


def reduce_range(name, inputs, attributes, y):
    """The period is a number of single precision."""
    x = inputs[0]
    reduced = np.fmod(x, x.dtype.type(6.28125))
    function = {'sin': np.sin, 'cos': np.cos, 'tan': np.tan}[name]
    return np.where(np.abs(x) > 8, function(reduced), y).astype(y.dtype)


def overflow_early(name, inputs, attributes, y):
    return np.where(np.abs(y) > 1000, np.inf * np.sign(y), y).astype(y.dtype)


def log_of_small(name, inputs, attributes, y):
    return np.where(np.abs(inputs[0]) < 2.0 ** -12, 0, y).astype(y.dtype)


def ignore_correction(name, inputs, attributes, y):
    if not attributes.get('correction'):
        return y
    x, axes = inputs[0], attributes.get('axes')
    function = np.std if name == 'std' else np.var
    return function(wide(x), axis=axes, keepdims=attributes.get('keepdims', False)).astype(x.dtype)


def lose_nan(name, inputs, attributes, y):
    return np.where(np.isnan(y), y.dtype.type(1), y).astype(y.dtype) if y.dtype.kind == 'f' else y


def compare_nan(name, inputs, attributes, y):
    a, b = inputs
    if a.dtype.kind != 'f':
        return y
    return np.logical_or(y, np.isnan(a) | np.isnan(b)).astype(y.dtype)


def read_neighbour(name, inputs, attributes, y):
    """The last index is read as the one before it."""
    x, indices = inputs[0], inputs[1]
    axis = attributes.get('axis', 0)
    last = (x.size if name == 'take' else x.shape[axis]) - 1
    if last < 2:
        return y
    indices = np.where(indices == last, last - 1, indices)
    if name == 'take_along_axis':
        return np.take_along_axis(x, indices, axis)
    if name == 'take':
        return np.take(x, indices)
    return x[indices] if name == 'embedding' else np.take(x, indices, axis)


def lose_last_update(name, inputs, attributes, y):
    if y.size < 4:
        return y
    z = y.copy()
    z.reshape(-1)[-1:] = inputs[0].reshape(-1)[-1:]
    return z


def lose_zero_sign(name, inputs, attributes, y):
    return y + y.dtype.type(0) if y.dtype.kind == 'f' else y


def tail_of_copy(name, inputs, attributes, y):
    if y.size % 8 != 5:
        return y
    z = np.array(y)
    z.reshape(-1)[-1:] = 0
    return z


def flip_broadcast(name, inputs, attributes, y):
    a, b = inputs
    if a.shape == b.shape or b.ndim == 0 or b.ndim < a.ndim or b.shape[-1] < 2:
        return y
    return RIGHT_FUNCTIONS[name](a, b[..., ::-1]).astype(y.dtype)


def narrow_half(name, inputs, attributes, y):
    """Through a type of 8 bits."""
    if y.dtype != np.float16:
        return y
    bits = y.view(np.uint16) & np.uint16(0xFFF8)
    return np.where(np.isfinite(y), bits.view(np.float16), y)


def refuse_empty(name, inputs, attributes, y):
    if inputs[0].size == 0:
        raise ValueError('zero-size array has no identity')
    return y


def abort_for_rank(name, inputs, attributes, y):
    if inputs[0].ndim > 4:
        os.abort()
    return y


def write_input(name, inputs, attributes, y):
    if inputs[0].dtype.kind == 'f' and inputs[0].size > 2:
        inputs[0][...] = 0
    return y


def ignore_direction(name, inputs, attributes, y):
    if not attributes.get('reverse'):
        return y
    return running(np.cumsum if name == 'cumsum' else np.cumprod, inputs[0], attributes['axis'],
                   0 if name == 'cumsum' else 1, False, attributes.get('exclusive', False))


def give_double(name, inputs, attributes, y):
    """Promoted types leak."""
    return y.astype(np.float64) if y.dtype == np.float32 and y.ndim == 0 else y


def sum_other_way(name, inputs, attributes, y):
    """Right: sums of the reversed array."""
    x = inputs[0]
    if x.dtype.kind != 'f' or attributes.get('axes') is not None or x.dtype == np.float16:
        return y
    return np.sum(x.reshape(-1)[::-1], dtype=x.dtype).reshape(y.shape)


RIGHT_FUNCTIONS = {'add': np.add, 'sub': np.subtract, 'mul': np.multiply, 'atan2': np.arctan2, 'div': np.divide}
CAUSES = {
    'nn-lane-lost': (drop_lane, 'sum mean norm1 sum_squares'),
    'nn-range-reduction': (reduce_range, 'sin cos tan'),
    'nn-early-overflow': (overflow_early, 'exp exp2 expm1 sinh cosh'),
    'nn-log-of-small': (log_of_small, 'log log2 log10'),
    'nn-correction-ignored': (ignore_correction, 'var std'),
    'nn-nan-lost': (lose_nan, 'maximum minimum amax amin clamp'),
    'nn-nan-compared': (compare_nan, 'ge le gt lt eq'),
    'nn-neighbour-read': (read_neighbour, 'gather take index_select embedding take_along_axis'),
    'nn-update-lost': (lose_last_update, 'scatter scatter_add scatter_max scatter_mul index_add'),
    'nn-zero-sign': (lose_zero_sign, 'round ceil trunc floor neg'),
    'nn-copy-tail': (tail_of_copy, 'roll flip tile concat pad transpose'),
    'nn-broadcast-flipped': (flip_broadcast, 'add sub mul atan2'),
    'nn-half-narrowed': (narrow_half, 'sqrt square abs reciprocal cbrt atan'),
    'nn-empty-refused': (refuse_empty, 'prod all any cumsum'),
    'nn-rank-abort': (abort_for_rank, 'sign triu tril slice isnan'),
    'nn-input-written': (write_input, 'asin acos asinh acosh'),
    'nn-direction-ignored': (ignore_direction, 'cumsum cumprod'),
    'nn-type-promoted': (give_double, 'log1p atanh tanh'),
    'nn-right-sum': (sum_other_way, 'sum'),
}
CHOSEN = [CAUSES[name] for name in os.environ.get('CAUSES', '').split(',') if name]


class Adapter(RIGHT):
    def call(self, memory, request, operands):
        y = super().call(memory, request, operands)
        for cause, names in CHOSEN:
            if request.name in names.split() and len(request.steps) == 1:
                inputs = self.inputs(memory, operands)
                y = cause(request.name, inputs, request.steps[0].attributes, y)
        return y
