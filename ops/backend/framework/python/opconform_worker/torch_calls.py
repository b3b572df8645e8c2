"""Functions for rows of PyTorch and of libraries with its interface, where one call is not enough.  They use methods
of tensors only, which all of these libraries have."""


def with_activation(functional):
    """The function activated(y, word), which applies the activation that the case names, if any, to a product."""
    return lambda y, word: y if word == 'none' else getattr(functional, word)(y)


def strided(x, axis, first, step, backwards):
    """Every step-th element of an axis from first on; backwards, the last one is 0."""
    if backwards:
        x, first = x.flip(axis), max(0, x.shape[axis] - 1 - first)
    return x[(slice(None),) * axis + (slice(first, None, step),)]


def space_to_depth(x, r):
    """The inverse of pixel_shuffle, the place in a block before the channel."""
    n, c, h, w = x.shape
    y = x.reshape(n, c, h // r, r, w // r, r).permute(0, 3, 5, 1, 2, 4)
    return y.reshape(n, c * r * r, h // r, w // r)


def gather(x, axis, indices):
    y = x.index_select(axis, indices.reshape(-1))
    return y.reshape(x.shape[:axis] + indices.shape + x.shape[axis + 1:])


def batch_norm_train(batch_norm, x, scale, bias, mean, variance, momentum, epsilon):
    """With running statistics of its own, since batch_norm changes them."""
    mean, variance = mean.clone(), variance.clone()
    return batch_norm(x, mean, variance, scale, bias, True, momentum, epsilon), mean, variance


def with_gates(cat):
    """The functions regated(t, order, units) and recurrent(...), for libraries whose gates have an order of their own."""
    def regated(t, order, units):
        """Gates of one axis in another order."""
        return cat([t[gate * units:(gate + 1) * units] for gate in order])

    def recurrent(kind, order, x, state, w, r, bias, bidirectional):
        """The layer of the function kind with the weights of the table; y gets the directions in its second axis."""
        units, weights = r.shape[2], []
        for d in range(w.shape[0]):
            weights += [regated(w[d], order, units), regated(r[d], order, units)]
            if bias is not None:
                half = bias.shape[1] // 2
                weights += [regated(bias[d][:half], order, units), regated(bias[d][half:], order, units)]
        results = kind(x, state, weights, bias is not None, 1, 0.0, False, bidirectional, False)
        y = results[0].reshape(x.shape[0], x.shape[1], w.shape[0], units).permute(0, 2, 1, 3)
        return (y, *results[1:])
    return regated, recurrent


def channelwise(function, axes):
    """Dropout of whole channels as that of one element each: of channels with equal pixels the first ones, unless
    pixels of one channel come to differ, which changes them."""
    def call(x, *given):
        y = function(x.reshape(*x.shape, *[1] * axes).expand(*x.shape, *[2] * axes), *given).reshape(*x.shape, -1)
        first = y[..., 0]
        return first.where(((y == y[..., :1]) | y.isnan()).all(-1), first + first + 1)
    return call
