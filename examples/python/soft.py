"""A softmax that reads its input once, in blocks, with a mistake: docs/python.md finds it."""
import numpy as np

import opconform

BLOCK = 4


@opconform.kernel('softmax', requires='elements')
def softmax(x, axis):
    x = np.moveaxis(x, axis, -1)
    greatest = np.full((*x.shape[:-1], 1), -np.inf, x.dtype)
    total = np.zeros_like(greatest)
    for start in range(0, x.shape[-1], BLOCK):
        block = x[..., start:start + BLOCK]
        higher = np.maximum(greatest, block.max(axis=-1, keepdims=True))
        total = total + np.exp(block - higher).sum(axis=-1, keepdims=True)
        greatest = higher
    return np.moveaxis(np.exp(x - greatest) / total, -1, axis)
