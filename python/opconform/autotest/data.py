"""Elements of tensors: the same bits in each process, whatever its NumPy."""
import functools
import math

import numpy as np

# Elements are multiples of a share of the range, so that they are numbers of binary32.
STEPS = 1 << 12
# Elements of arrays that are kept for the next run.
KEPT = 1 << 12


def scrambled(numbers):
    """SplitMix64's finaliser of an array of uint64."""
    with np.errstate(over='ignore'):
        numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
        numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        return numbers ^ numbers >> np.uint64(31)


def steps(shape, seed, stream):
    """Whole numbers below STEPS; stream tells apart what has one seed."""
    count = int(np.prod(shape, dtype=np.int64))
    first = np.uint64((seed * 65537 + stream) & 0xFFFFFFFF) << np.uint64(32)
    return (scrambled(np.arange(count, dtype=np.uint64) + first) % np.uint64(STEPS)).astype(np.int64).reshape(shape)


def kept(function):
    """The same array for the same arguments, which nobody writes to, unless it is large."""
    made = functools.lru_cache(maxsize=512)(function)
    return lambda shape, *rest: (made if math.prod(shape) <= KEPT else function)(shape, *rest)


@kept
def elements(shape, seed, low, high, dtype, stream):
    """seed 0: ones, or low where 1 is not in the range."""
    low, high = (-2 if low is None else low), (2 if high is None else high)
    if dtype is bool:
        return steps(shape, seed, stream) % 2 == 1 if seed else np.ones(shape, bool)
    if dtype is int:
        span = max(int(high) - int(low), 1)
        return int(low) + steps(shape, seed, stream) % span if seed else np.full(shape, min(max(1, int(low)), int(high) - 1), np.int64)
    simple = 1.0 if low <= 1 <= high else low
    values = low + (high - low) * (steps(shape, seed, stream) / STEPS) if seed else np.full(shape, simple)
    return values.astype(np.float32)


@kept
def signs(shape, seed, stream):
    return (steps(shape, seed, stream) % 2 * 2 - 1).astype(np.float64)
