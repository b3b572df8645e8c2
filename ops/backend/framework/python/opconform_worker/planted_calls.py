"""Compilers of single calls with a fault each, and two without, to test the tester."""
import types

import numpy as np


class Unsupported(Exception):
    """What the planted compiler documents that it does not take."""


def each_of(results, change):
    return tuple(each_of(each, change) for each in results) if isinstance(results, tuple) else change(results)


def of_results(change):
    """The function with something done to each of its results, of which there is a copy."""
    def convert(function):
        def compiled(*inputs):
            return each_of(function(*inputs), lambda y: change(np.array(y)))
        return compiled
    return convert


def reverse_tail(y):
    """What is left of vectors of eight is stored in the wrong order."""
    flat = y.reshape(-1)
    tail = flat[len(flat) - len(flat) % 8:]
    tail[:] = tail[::-1].copy()
    return y


def promote(y):
    return y.astype(np.float64) if y.dtype == np.float32 else y


def confuse_names(function):
    """Is off by an eighth where an operand is given by its name."""
    members = [each for name, each in function.__globals__.items() if name.startswith('function_')]
    is_named = any(isinstance(each, tuple) and 'a' in each for member in [function, *members] for each in member.__code__.co_consts)
    return of_results(lambda y: y * y.dtype.type(1.125))(function) if is_named else function


class NumbersFirst(types.ModuleType):
    """NumPy whose maxima prefer numbers to NaN."""

    def __getattr__(self, name):
        return {'maximum': np.fmax, 'max': np.fmax.reduce, 'amax': np.fmax.reduce}.get(name, getattr(np, name))


def lose_nan(function):
    function.__globals__['np'] = NumbersFirst('np')
    return function


def keep_first_extent(function):
    """The outermost extent of the first call is taken for that of all."""
    known = []

    def change(y):
        if y.ndim:
            known.append(y.shape[0])
            y[known[0]:] = 0
        return y
    return of_results(change)(function)


def fold_scalars(function):
    """An operand of one element is taken for a constant."""
    known = {}

    def compiled(*inputs):
        return function(*(known.setdefault(i, each.copy()) if each.size == 1 and len(inputs) > 1 else each
                          for i, each in enumerate(inputs)))
    return compiled


def keep_draws(function):
    """What it gives first is what it gives for any seed."""
    known = []

    def compiled(*inputs):
        known.append(function(*inputs))
        return known[0]
    return compiled


WIDER = {np.float16: np.float32, np.float32: np.float64}


def rounded(wide, plain):
    if isinstance(plain, tuple):
        return tuple(map(rounded, wide, plain))
    return np.asarray(wide).astype(plain.dtype)


def widen(function):
    """Correct: in a wider type, and rounded once."""
    def compiled(*inputs):
        plain = function(*inputs)
        wide = function(*(each.astype(WIDER.get(each.dtype.type, each.dtype)) for each in inputs))
        return rounded(wide, plain)
    return compiled


def refuse_pairs(function):
    """Correct: takes functions of one operand only, and says so."""
    if function.__code__.co_argcount > 1:
        raise Unsupported('functions of several operands')
    return function


def fail_for_pairs(function):
    if function.__code__.co_argcount > 1:
        raise KeyError('in the compiler')
    return function


def fail_at_first(function):
    """Its first call fails, whatever it is given."""
    calls = []

    def compiled(*inputs):
        calls.append(inputs)
        if len(calls) == 1:
            raise KeyError('in the first call')
        return function(*inputs)
    return compiled


def mix_members(function):
    """Of a function with several results one is off by an eighth."""
    def compiled(*inputs):
        results = function(*inputs)
        several = isinstance(results, tuple) and len(results) > 1
        return (each_of(results[0], lambda y: y * y.dtype.type(1.125)), *results[1:]) if several else results
    return compiled


def fail_for_several(function):
    """Does not compile a function that calls others."""
    if 'function_1' in function.__code__.co_names:
        raise KeyError('in a function of several calls')
    return function


def give_double(function):
    """What needs several operands is computed in binary64, and stays so."""
    def compiled(*inputs):
        results = function(*inputs)
        return each_of(results, promote) if len(inputs) > 1 else results
    return compiled


def lose_infinite_divisor(function):
    """By the quotient, which is 0 for an infinite divisor, and 0 times infinity is NaN."""
    def compiled(*inputs):
        y = np.array(function(*inputs))
        if len(inputs) == 2:
            y[np.broadcast_to(np.isinf(inputs[1]), y.shape)] = np.nan
        return y
    return compiled


FAULTS = {'planted-keep-draws': keep_draws, 'planted-names': confuse_names,
          'planted-tail': of_results(reverse_tail), 'planted-promote': of_results(promote), 'planted-lose-nan': lose_nan,
          'planted-first-extent': keep_first_extent, 'planted-fold-scalar': fold_scalars, 'planted-fail': fail_for_pairs,
          'planted-fail-first': fail_at_first,
          'planted-mix': mix_members, 'planted-divisor': lose_infinite_divisor, 'planted-double': give_double,
          'planted-fail-several': fail_for_several,
          'planted-widen': widen, 'planted-refuse': refuse_pairs}
