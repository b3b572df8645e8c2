"""Arrays in binary64 whose every result is off by a rounding to a shorter format, up or down: what a formula makes of roundings.

The rule of tolerances is that of autotest/judging.py: a kernel may be off by SPREAD times the most that a result changes in ROUNDINGS
runs, or that results change on average, and by RELATIVE roundings of its own.  Where a number on the way is beyond the format's, or none,
nothing is known of the results."""
import numpy as np

from .autotest import data, judging

UNITS = {'f32': 2.0 ** -24, 'f16': 2.0 ** -11}
SMALLEST = {'f32': 2.0 ** -126, 'f16': 2.0 ** -14}
GREATEST = {'f32': 2.0 ** 128 * (1 - 2.0 ** -24), 'f16': 65504.0}


class Rounded(np.ndarray):
    """seed, unit and greatest number are those of the run; each result has a stream of its own.  beyond: some number is none of
    the format."""
    seed, unit, greatest, count, beyond = 1, 2.0 ** -24, GREATEST['f32'], 0, False

    def __array_ufunc__(self, function, method, *inputs, out=None, **rest):
        plain = [np.asarray(each) if isinstance(each, Rounded) else each for each in inputs]
        if out is not None:
            rest['out'] = tuple(np.asarray(each) for each in out)
        result = getattr(function, method)(*plain, **rest)
        if function is np.matmul or method == 'reduce' and function is np.add:
            # A sum may be within the format where parts of it are not.
            note(getattr(function, method)(*(np.abs(each) for each in plain), **{**rest, 'out': None} if 'out' in rest else rest))
        if isinstance(result, tuple):
            return tuple(map(rounded, result))
        return rounded(result)


def note(array):
    Rounded.beyond = Rounded.beyond or not (np.abs(array) <= Rounded.greatest).all()


def rounded(array):
    array = np.asarray(array)
    if array.dtype != np.float64:
        return array
    Rounded.count += 1
    note(array)
    with np.errstate(invalid='ignore', over='ignore'):
        return (array * (1 + Rounded.unit * data.signs(array.shape, Rounded.seed, Rounded.count))).view(Rounded)


def as_arrays(results):
    """What a reference returns: arrays, or what becomes some, as tensors and lists of numbers of mpmath."""
    results = results if isinstance(results, tuple) else (results,)
    return [np.asarray(each.detach() if hasattr(each, 'detach') else each) for each in results]


def numbers(array):
    return np.asarray(array, np.float64) if array.dtype != object else np.vectorize(float, otypes=[np.float64])(array)


def bounded(function, arguments, dtype, convert=None, ulps=None):
    """The results in binary64, each with the bound of its elements."""
    unit, smallest = UNITS[dtype], SMALLEST[dtype]

    def given(make):
        made = {}
        for name, each in arguments.items():
            real = isinstance(each, np.ndarray) and each.dtype == np.float64
            made[name] = (convert(np.array(make(each))) if convert else make(each)) if real else each
        return made

    Rounded.beyond = False
    with np.errstate(all='ignore'):
        exact = [numbers(each) for each in as_arrays(function(**given(np.array)))]
        runs = []
        for seed in range(1, 1 + judging.ROUNDINGS if ulps is None else 1):
            Rounded.seed, Rounded.unit, Rounded.greatest, Rounded.count = seed, unit, GREATEST[dtype], 0
            runs.append([numbers(each) for each in as_arrays(function(**given(rounded)))])
        if Rounded.beyond:
            return [(right, np.full(right.shape, np.inf)) for right in exact]
        return [(right, bound_of(right, [run[i] for run in runs], unit, smallest, ulps)) for i, right in enumerate(exact)]


def bound_of(right, changed, unit, smallest, ulps):
    if ulps is not None:
        largest = judging.largest(right)
        return np.full(right.shape, 2 * ulps * unit * largest + smallest)
    change = np.max([np.abs(each - right) for each in changed], axis=0)
    finite = change[np.isfinite(change)]
    spread = np.maximum(change, finite.mean() if finite.size else 0)
    return judging.SPREAD * spread + judging.RELATIVE * unit * np.abs(right) + smallest
