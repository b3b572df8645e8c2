"""What PyTorch and libraries with its interface share: functions of the table that only methods of
tensors make up."""
from .adapter import axes_of, decline, reduced_last


def reduction(function):
    return lambda p, x: function(x, axes_of(p, x.dim()), p.flag('keepdims'))


def of_flat(function):
    def run(p, x):
        order, flat, result = reduced_last(p, x.shape)
        return function(x.permute(order).reshape(flat)).reshape(result)
    return run


def strided(p, x):
    axis, step, first = p.integer('axis'), p.integer('step'), p.integer('start')
    if p.flag('backwards'):
        x, first = x.flip(axis), x.shape[axis] - 1 - first
    return x[(slice(None),) * axis + (slice(first, None, step),)]


def space_to_depth(p, x):
    n, r, c, (h, w) = p.integer('batch'), p.integer('step'), p.integer('channels'), p.shape('size')
    return x.reshape(n, c, h, r, w, r).permute(0, 3, 5, 1, 2, 4).reshape(n, c * r * r, h, w)


def gather(p, x, indices):
    axis = p.integer('axis')
    y = x.index_select(axis, indices.reshape(-1))
    return y.reshape(x.shape[:axis] + indices.shape + x.shape[axis + 1:])


def same_both_sides(p):
    return p.shape('before') == p.shape('after')


def adaptive(functions):
    return lambda p, x: functions[x.dim() - 3](x, p.shape('extra'))


def batch_norm_train(function):
    """With running statistics of their own, since function changes them."""
    def run(p, x, scale, bias, mean, variance):
        decline(p.integer('correction') == 0, 'a running variance over n')
        mean, variance = mean.clone(), variance.clone()
        y = function(x, mean, variance, scale, bias, True, 1 - p.real('alpha'), p.real('epsilon'))
        return y, mean, variance
    return run
