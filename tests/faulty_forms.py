"""NumPy, or PyTorch, that is wrong, or right in another way, in one form of a call: which one is in the variable FAULT."""
import importlib
import inspect
import os

import numpy

fault = os.environ.get('FAULT', '')


def in_numbers(right):
    """A number in Python is rounded to 11 bits."""
    def multiply(a, b, *args, **kwargs):
        return right(a, float(numpy.float16(b)) if type(b) is float else b, *args, **kwargs)
    return multiply


def in_zero_dim(right):
    """An operand without axes changes places with the other one."""
    def subtract(a, b, *args, **kwargs):
        return right(*(b, a) if isinstance(b, numpy.ndarray) and a.ndim > b.ndim == 0 else (a, b), *args, **kwargs)
    return subtract


def in_named(right):
    """The axis is forgotten where the operand has a name."""
    def mean(*args, **kwargs):
        return right(*args, **kwargs) if args else right(kwargs['a'])

    def said(a, axis=None, dtype=None, out=None, keepdims=False):
        """Only its signature counts."""
    mean.__signature__ = inspect.signature(said)
    return mean


def in_omitted(right):
    """keepdims is another default than it is said to be."""
    missing = object()

    def amax(a, axis=None, out=None, keepdims=missing):
        return right(a, axis, out, True if keepdims is missing else keepdims)

    def said(a, axis=None, out=None, keepdims=False):
        """Only its signature counts."""
    amax.__signature__ = inspect.signature(said)
    return amax


def in_given(right):
    """dtype=None is taken for the type of half the width."""
    missing = object()

    def total(a, axis=None, dtype=missing, out=None, keepdims=False):
        y = right(a, axis=axis, out=out, keepdims=keepdims)
        return y if dtype is missing else y.astype(numpy.float16).astype(y.dtype)

    def said(a, axis=None, dtype=None, out=None, keepdims=False):
        """Only its signature counts."""
    total.__signature__ = inspect.signature(said)
    return total


def in_negative(right):
    """Axes from the end are counted from one place further."""
    def flip(m, axis=None):
        return right(m, axis % m.ndim - 1 if isinstance(axis, int) and axis < 0 else axis)
    return flip


def first_axis(right):
    """An axis before the first one is counted on from the last."""
    def flip(m, axis=None):
        return right(m, axis % m.ndim if isinstance(axis, int) and axis < 0 else axis)
    return flip


def inferred(right):
    """Of extents without elements the one that is to be inferred is 1."""
    def reshape(a, shape):
        return right(a, [1 if each < 0 else each for each in shape] if 0 in shape else shape)
    return reshape


def text(right):
    """A text is taken for 0."""
    def negative(x, *args, **kwargs):
        return right(library.zeros(()) if isinstance(x, str) else x, *args, **kwargs)
    return negative


def order(right):
    """An axis that an order lacks is the last one."""
    def moveaxis(a, source, destination):
        return right(a, source, destination) if len(source) == len(destination) else a
    return moveaxis


def rank(right):
    """Operands without axes are multiplied."""
    def tensordot(a, b, axes=2):
        return a * b if a.ndim == 0 or b.ndim == 0 else right(a, b, axes)
    return tensordot


def repeats(right):
    """A negative number of copies is none."""
    def tile(a, copies):
        return right(a, [max(each, 0) for each in copies])
    return tile


def steps(right):
    """A negative number of elements ends the process."""
    def linspace(first, last, number, *args, **kwargs):
        if number < 0:
            os.abort()
        return right(first, last, number, *args, **kwargs)
    return linspace


def crop(right):
    """A padding that takes more than there is takes all."""
    def pad(x, widths, mode='constant'):
        cut = any(each < 0 for pair in widths for each in pair)
        return numpy.zeros((0,), x.dtype) if cut else right(x, widths, mode)
    return pad


def wide(right):
    """Padding beyond half a window is added first."""
    def max_pool2d(x, kernel, stride, padding, *args):
        if all(2 * each <= size for each, size in zip(padding, kernel)):
            return right(x, kernel, stride, padding, *args)
        return right(library.pad(x, (padding[1], padding[1], padding[0], padding[0])), kernel, stride, 0, *args)
    return max_pool2d


def cut(right):
    """Negative padding is none."""
    def conv2d(x, w, bias, stride, padding, *args):
        return right(x, w, bias, stride, [max(each, 0) for each in padding] if isinstance(padding, (tuple, list)) else padding, *args)
    return conv2d


def longer(right):
    """Elements that are added behind are no more than one less than the stride."""
    def conv_transpose2d(x, w, bias, stride, padding, added, *args):
        return right(x, w, bias, stride, padding, [min(each, most - 1) for each, most in zip(added, stride)], *args)
    return conv_transpose2d


def saturated(right):
    """A zero point beyond the type is its end."""
    def quantize_per_tensor(x, scale, zero_point, dtype):
        return right(x, scale, min(zero_point, 127), dtype)
    return quantize_per_tensor


def tolerant(right):
    """A tolerance below 0 is none."""
    def isclose(a, b, rtol, atol, equal_nan):
        return right(a, b, max(rtol, 0), atol, equal_nan)
    return isclose


def nothing_between(right):
    """Where no number lies between the ends, it is the lower one."""
    def randint(low, high, size, **kwargs):
        return right(low, max(high, low + 1), size, **kwargs)
    return randint


def undivided(right):
    """Channels that groups do not divide are one group."""
    def group_norm(x, groups, *args):
        return right(x, 1 if 1 < groups < x.shape[1] and x.shape[1] % groups else groups, *args)
    return group_norm


def below(right):
    """Indices before the first one are the first one."""
    def take(a, indices, axis=None):
        extent = a.size if axis is None else a.shape[axis]
        return right(a, numpy.where(indices < -extent, 0, indices), axis)
    return take


def beyond(right):
    """Indices behind the last one are the last one."""
    def take(a, indices, axis=None):
        extent = a.size if axis is None else a.shape[axis]
        return right(a, numpy.minimum(indices, extent - 1), axis)
    return take


def real(right):
    """A number that is none ends the process."""
    def layer_norm(x, shape, scale, bias, epsilon):
        if epsilon != epsilon:
            os.abort()
        return right(x, shape, scale, bias, epsilon)
    return layer_norm


def in_out(right):
    """What was in out= is added."""
    def log1p(x, out=None):
        y = right(x)
        if out is None:
            return y
        out += y
        return out
    return log1p


def in_view(right):
    """A part of a larger tensor is read from where that begins."""
    def negative(x, *args, **kwargs):
        whole = x.base
        return right(whole[0] if getattr(whole, 'shape', None) == (2, *x.shape) else x, *args, **kwargs)
    return negative


def in_lazy(right):
    """The bit of a negated operand is not looked at."""
    def product(a, b):
        return right(-a if a.is_neg() else a, b)
    return product


def in_i8(right):
    """Integers of 8 bits lose their sign."""
    def multiply(a, b, *args, **kwargs):
        return right(*(each.view('u1') if getattr(each, 'dtype', None) == numpy.int8 else each for each in (a, b)), *args, **kwargs)
    return multiply


def in_u16(right):
    """A difference of integers of 16 bits and another type is one of these integers."""
    def subtract(a, b, *args, **kwargs):
        y = right(a, b, *args, **kwargs)
        short = any(getattr(each, 'dtype', None) == numpy.uint16 for each in (a, b))
        return y.astype(numpy.int64).astype(numpy.uint16).astype(y.dtype) if short else y
    return subtract


def in_i16(right):
    """A product of integers of 16 bits and numbers of binary64 is rounded to binary32."""
    def product(a, b):
        y = right(a, b)
        return y.float().to(y.dtype) if 'torch.int16' in (str(a.dtype), str(b.dtype)) else y
    return product


def in_i32(right):
    """The sine of an integer is that of its magnitude."""
    def sine(x):
        return right(x if x.is_floating_point() else x.abs())
    return sine


def right_integers(right):
    """Integers become the type of the result before anything is computed."""
    def subtract(a, b, *args, **kwargs):
        together = numpy.result_type(a, b)
        return right(numpy.asarray(a, together), numpy.asarray(b, together), *args, **kwargs)
    return subtract


def in_recorded(right):
    """What is kept for a gradient is rounded to half precision."""
    def product(a, b):
        return right(a.half().to(a.dtype) if a.requires_grad else a, b)
    return product


def in_batched(right):
    """The elements of the last axis are in reverse order."""
    def vmap(function, axes):
        return lambda *batches: right(function, axes)(*batches).flip(-1)
    return vmap


def negative_zeros(y):
    """0 becomes -0."""
    return numpy.where(y == 0, y.dtype.type(-0.0), y)


def zero_in_out(right):
    """A zero that may have either sign has another one in out=."""
    def clip(x, low, high, out=None):
        y = right(x, low, high)
        if out is None:
            return y
        out[...] = negative_zeros(y)
        return out
    return clip


def zero_strided(right):
    """The same of operands whose elements lie apart."""
    def clip(x, low, high, out=None):
        y = right(x, low, high, out=out)
        return y if x.flags.c_contiguous else negative_zeros(y)
    return clip


def bits_in_given(right):
    """dtype=None takes another way, whose sums have other last bits."""
    missing = object()

    def total(a, axis=None, dtype=missing, out=None, keepdims=False):
        given = dtype is not missing
        y = right(a.astype(numpy.longdouble) if given else a, axis=axis, out=out, keepdims=keepdims)
        return y.astype(a.dtype) if given else y

    def said(a, axis=None, dtype=None, out=None, keepdims=False):
        """Only its signature counts."""
    total.__signature__ = inspect.signature(said)
    return total


def stray_number(right):
    """A number beyond 32 bits ends the process."""
    def roll(a, shift, axis=None):
        if not -2**31 <= shift < 2**31:
            os.abort()
        return right(a, shift, axis)
    return roll


def stray_rank(right):
    """An operand without the axis ends the process."""
    def flip(m, axis=None):
        if axis is not None and m.ndim <= axis:
            os.abort()
        return right(m, axis)
    return flip


def right_stray(right):
    """What is out of range is answered, or refused by an exception of a kind of its own."""
    def roll(a, shift, axis=None):
        if a.ndim == 0:
            return a.copy()
        if not -2**31 <= shift < 2**31:
            raise LookupError('shift')
        return right(a, shift, axis)
    return roll


def right_wide(right):
    """Numbers are used in binary64, and the result is rounded once."""
    def multiply(a, b, *args, **kwargs):
        if type(b) is float and isinstance(a, numpy.ndarray) and a.dtype == numpy.float32:
            return right(a.astype(numpy.float64), b).astype(numpy.float32)
        return right(a, b, *args, **kwargs)
    return multiply


def right_copies(right):
    """out= is filled from a temporary."""
    def total(a, axis=None, dtype=None, out=None, keepdims=False):
        y = right(a, axis=axis, dtype=dtype, keepdims=keepdims)
        if out is None:
            return y
        out[...] = y
        return out
    return total


FAULTS = {'number': ('multiply', in_numbers), 'zero_dim': ('subtract', in_zero_dim), 'named': ('mean', in_named),
          'omitted': ('max', in_omitted), 'given': ('sum', in_given), 'negative': ('flip', in_negative), 'out': ('log1p', in_out),
          'first_axis': ('flip', first_axis), 'inferred': ('reshape', inferred), 'view': ('negative', in_view),
          'text': ('neg', text), 'order': ('moveaxis', order), 'rank': ('tensordot', rank),
          'negative_index': ('take', below), 'index': ('take', beyond),
          'wide_padding': ('max_pool2d', wide), 'negative_padding': ('conv2d', cut), 'output_padding': ('conv_transpose2d', longer),
          'zero_point': ('quantize_per_tensor', saturated), 'high': ('randint', nothing_between), 'rtol': ('isclose', tolerant),
          'groups': ('group_norm', undivided), 'stray-real': ('layer_norm', real),
          'repeats': ('tile', repeats), 'steps': ('linspace', steps), 'pads_begin': ('pad', crop),
          'zero-out': ('clip', zero_in_out), 'zero-strided': ('clip', zero_strided),
          'bits-given': ('sum', bits_in_given),
          'lazy': ('mul', in_lazy), 'recorded': ('mul', in_recorded), 'batched': ('vmap', in_batched),
          'stray-number': ('roll', stray_number), 'stray-rank': ('flip', stray_rank), 'right-stray': ('roll', right_stray),
          'i8': ('multiply', in_i8), 'u16': ('subtract', in_u16), 'i16': ('mul', in_i16), 'i32': ('sin', in_i32),
          'right-integers': ('subtract', right_integers), 'right-wide': ('multiply', right_wide), 'right-copies': ('sum', right_copies)}
PYTORCH = ('lazy', 'recorded', 'batched', 'text', 'i16', 'i32', 'zero_point', 'high', 'rtol')
FUNCTIONAL = ('wide_padding', 'negative_padding', 'output_padding', 'groups', 'stray-real')
if fault:
    library = importlib.import_module('torch' if fault in PYTORCH else 'torch.nn.functional' if fault in FUNCTIONAL else 'numpy')
    name, plant = FAULTS[fault]
    planted = plant(getattr(library, name))
    planted.__name__ = name
    setattr(library, name, planted)
