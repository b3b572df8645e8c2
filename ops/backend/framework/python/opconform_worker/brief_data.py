"""Tensors of brief programs, and what they ask of the element that is wrong."""
import ast
import math
import textwrap

import numpy as np

from . import brief_languages

WIDTH = 110
# Longer ones that have one value are made by a call; more numbers than these do not stand in nested lists.
LISTED, NESTED = 6, 60
FINITE, PLUS_INFINITY, MINUS_INFINITY, NOT_A_NUMBER = 1, 2, 4, 8


def decoded(array, dtype):
    """Elements as NumPy computes with them; None for formats that it cannot be given."""
    if dtype == 'bf16':
        return (np.asarray(array).view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return None if dtype in ('e4m3', 'e5m2') else array


def components(array):
    """The numbers of an array in their order: of complex ones each part."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(flat.real.dtype) if flat.dtype.kind == 'c' else flat


def nested(texts, shape):
    if not shape:
        return texts[0]
    step = len(texts) // shape[0]
    return '[' + ', '.join(nested(texts[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])) + ']'


def is_statement(text):
    try:
        ast.parse(textwrap.dedent(text))
    except SyntaxError:
        return False
    return True


def wrapped(text):
    """A line, broken where it is long; the value of an assignment is put in parentheses where it would end too early."""
    broken = broken_line(text)
    name, equals, value = text.partition(' = ')
    return broken if is_statement(broken) or not (equals and is_statement(text)) else broken_line(f'{name} = ({value})')


def broken_line(text):
    inside = '    ' * (1 + (len(text) - len(text.lstrip())) // 4)
    lines = textwrap.wrap(text, WIDTH, subsequent_indent=inside, break_long_words=False, break_on_hyphens=False)
    return '\n'.join(lines) if '"' not in text and "'" not in text else text


def tensor_line(language, name, dtype, array, leaf):
    """The statement that makes a tensor."""
    shape = array.shape
    texts = [brief_languages.number(value, dtype) for value in array.reshape(-1)]
    if array.size == 0 or (array.size > LISTED and len(set(texts)) == 1):
        value = texts[0] if texts else brief_languages.number(array.dtype.type(0), dtype)
        return f'{name} = {language.constant(dtype, shape, value, leaf)}'
    values = nested(texts, shape if array.size <= NESTED else (array.size,))
    if array.size > NESTED and len(shape) > 1 and not leaf:
        return f'{name} = {language.tensor(dtype, values, leaf)}.reshape({shape})' if language.name != 'tf' else \
            f'{name} = tf.constant({values}, {language.dtype(dtype)}, {shape})'
    return f'{name} = {language.tensor(dtype, nested(texts, shape), leaf)}'


def admits(got, high, low, bound, classes, exact):
    """exact: the sign of a zero counts.  Of integers, which a double may not hold, no digit is lost."""
    if isinstance(got, int):
        return bool(classes & FINITE) and abs(got - int(high) - int(low)) <= bound
    if math.isnan(got):
        return bool(classes & NOT_A_NUMBER)
    if math.isinf(got):
        return bool(classes & (PLUS_INFINITY if got > 0 else MINUS_INFINITY))
    if exact and math.copysign(1, got) != math.copysign(1, high):
        return False
    return bool(classes & FINITE) and abs((got - high) - low) <= bound


def short(high, low, bound):
    """Few digits of the value, and a bound that is wider by what they lack; at most by a fiftieth."""
    for digits in range(1, 17):
        value = float(f'{high:.{digits}g}')
        if abs(value - high) <= bound / 100:
            break
    else:
        value = high
    wide = (bound + abs((high - value) + low)) * 1.001
    return value, float(f'{wide + 10.0 ** (math.floor(math.log10(wide)) - 2):.3g}')


class Asked:
    """The expected value as text, the condition that `got` is right, and names that these need of math."""

    def __init__(self, row, dtype, got):
        _, high, low, bound, classes, exact = row
        self.conditions, self.expected = [], ''
        for bit, text, condition in ((NOT_A_NUMBER, 'nan', 'math.isnan(got)'), (PLUS_INFINITY, 'inf', 'got == math.inf'),
                                     (MINUS_INFINITY, '-inf', 'got == -math.inf')):
            if classes & bit:
                self.conditions.append(condition)
                self.expected = self.expected or f"float('{text}')"
        if classes & FINITE:
            self.finite(high, low, bound, exact, dtype, got)
        self.condition = ' or '.join(self.conditions)

    def finite(self, high, low, bound, exact, dtype, got):
        if dtype == 'bool' or (bound == 0 and (low == 0 or dtype[0] in 'iu')):
            value = bool(high) if dtype == 'bool' else int(high) + int(low) if dtype[0] in 'iu' else high
            self.expected = repr(value)
            sign = ' and math.copysign(1, got) == math.copysign(1, expected)'
            signed = exact and value == 0 and isinstance(value, float)
            self.conditions.insert(0, f'got == expected{sign if signed else ""}')
            return
        value, wide = short(high, low, bound) if bound > 0 else (high, abs(low))
        wrong = not abs((got - high) - low) <= bound
        if abs(got - value) <= wide and wrong:
            value, wide = high, math.nextafter(bound + abs(low), math.inf)
        self.expected = repr(value)
        tells = not (abs(got - value) <= wide and wrong)
        self.conditions.insert(0, f'abs(got - expected) <= {wide!r}' if tells else f'abs((got - expected) - {low!r}) <= {bound!r}')

    def holds(self, got):
        return bool(eval(self.condition, {'math': math, 'got': got, 'expected': eval(self.expected), 'abs': abs}))


def literal(array, index, dtype):
    """The text of a number of Python that is an element of an array."""
    value = components(decoded(array, dtype))[index]
    if dtype == 'bool' or dtype[0] in 'iu':
        return repr(bool(value) if dtype == 'bool' else int(value))
    return repr(float(value)) if math.isfinite(value) else f"float('{float(value)}')"


def element(name, shape, index, dtype):
    """The text of a number of a result: of an element, or of a part of a complex one."""
    is_complex = dtype in brief_languages.PARTS
    place = index // 2 if is_complex else index
    at = ', '.join(str(i) for i in np.unravel_index(place, shape)) if shape else ''
    kind = 'bool' if dtype == 'bool' else 'int' if dtype[0] in 'iu' else 'complex' if is_complex else 'float'
    part = ('.imag' if index % 2 else '.real') if is_complex else ''
    return f'{kind}({name}[{at}]){part}' if at else f'{kind}({name}){part}'
