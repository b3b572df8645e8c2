"""Functions for rows of PyTorch and of libraries with its interface, where one call is not enough.  They use methods
of tensors only, which all of these libraries have."""


def with_activation(functional):
    """The function activated(y, word), which applies the activation that the case names, if any, to a product."""
    return lambda y, word: y if word == 'none' else getattr(functional, word)(y)


def strided(x, axis, first, step, backwards):
    """Every step-th element of an axis from first on; backwards, the last one is 0."""
    if backwards:
        x, first = x.flip(axis), x.shape[axis] - 1 - first
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
