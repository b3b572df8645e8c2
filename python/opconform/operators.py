"""Operators of a user's own: a reference in Python, whose parameters say by their annotations what cases are like."""
import inspect
import itertools
import math
import re

from . import kernels

DTYPES = 'f32'
# Extents that nothing else limits.
SIZES = (1, 24)
# Extents that tell which of them an output has: no product of two is another one.
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19)


class Annotation:
    """What stands behind Tensor, Index and so on, in brackets."""

    def __init__(self, *parts):
        self.parts = parts

    def __class_getitem__(cls, parts):
        return cls(*(parts if isinstance(parts, tuple) else (parts,)))


class Tensor(Annotation):
    """Tensor["n k"]: an operand whose extents are formulas of the names of extents and of whole parameters; "" is a scalar."""


class Index(Annotation):
    """Index["n", "k"]: an operand of whole numbers from 0, below k."""


class Choice(Annotation):
    """Choice["relu", "gelu"]: one of these words, the simplest first."""


class Integer(Annotation):
    """Integer[0, 3]: a whole number, low to high."""


class Real(Annotation):
    """Real[0.5]: any number; the simplest is the one in brackets, or 0."""


registered = []


def names_in(shape):
    return re.findall(r'[a-z_]\w*', shape)


class Operator:
    """function: the reference.  It takes operands in binary64, and returns the output, or a tuple of them."""

    def __init__(self, function, dtypes, sizes, legal, ulps, arrays):
        self.function, self.dtypes, self.legal, self.ulps, self.arrays = function, dtypes, legal, ulps, arrays
        self.name, self.summary = function.__name__, (function.__doc__ or '').strip().split('\n')[0]
        self.__name__, self.__doc__, self.__module__ = self.name, function.__doc__, function.__module__
        self.parameters = {name: self.annotation(name, each) for name, each in inspect.signature(function).parameters.items()}
        self.operands = {name: each for name, each in self.parameters.items() if isinstance(each, (Tensor, Index))}
        written = [name for each in self.operands.values() for part in each.parts for name in names_in(part)]
        self.extents = [name for name in dict.fromkeys(written) if name not in self.parameters]
        self.sizes = {name: (sizes or {}).get(name, SIZES) for name in self.extents}
        unknown = set(sizes or {}) - set(self.extents)
        if unknown:
            raise ValueError(f'{self.name}: no operand has the extent {", ".join(sorted(unknown))}')
        self.outputs = self.shapes_of_outputs(inspect.signature(function).return_annotation)

    def annotation(self, name, parameter):
        found = parameter.annotation
        found = found() if isinstance(found, type) and issubclass(found, Annotation) and found is Real else found
        if not isinstance(found, Annotation):
            raise TypeError(f'{self.name}: what is {name}? Annotate it: Tensor["n k"], Index["n", "k"], Choice["a", "b"], '
                            'Integer[0, 3], Real')
        return found

    def __call__(self, *args, **kwargs):
        return self.function(*args, **kwargs)

    def kernel(self, function=None, **settings):
        """A function that computes the operator: @fused.kernel, with the settings of opconform.kernel in parentheses."""
        register = kernels.kernel(self.name, **settings)
        return register if function is None else register(function)

    def shapes_of_outputs(self, returned):
        if returned is not inspect.Signature.empty:
            return [each.parts[0] for each in (returned if isinstance(returned, tuple) else (returned,))]
        return inferred_shapes(self)

    def plain_arguments(self, extents):
        """Ones of these extents, and the simplest of the rest."""
        import numpy as np
        values = {name: simplest(each) for name, each in self.parameters.items() if name not in self.operands}
        known = {**extents, **values}
        for name, each in self.operands.items():
            shape = tuple(int(eval(word.replace('/', '//'), {}, known)) for word in each.parts[0].split())
            values[name] = np.zeros(shape, np.int64) if isinstance(each, Index) else np.ones(shape)
        return values

    def lines(self):
        """Those of a greeting (ops/backend/python/operators.h)."""
        yield f'operator {self.name} | {self.dtypes} | {self.legal} | {self.summary}'
        for name, (low, high) in self.sizes.items():
            yield f'param extent {name} | {low} | {high} | '
        for name, each in self.parameters.items():
            if isinstance(each, Choice):
                yield f'param choice {name} | 0 | 0 | {" ".join(each.parts)}'
            elif isinstance(each, Integer):
                yield f'param integer {name} | {each.parts[0]} | {each.parts[1]} | '
            elif isinstance(each, Real):
                yield f'param real {name} | 0 | 0 | '
        for name, each in self.operands.items():
            yield f'operand in {name} | {each.parts[0]} | {each.parts[1] if isinstance(each, Index) else ""}'
        for number, shape in enumerate(self.outputs):
            yield f'operand out {"y" if len(self.outputs) == 1 else f"y{number + 1}"} | {shape} | '
        yield 'end'


def simplest(annotation):
    if isinstance(annotation, Choice):
        return annotation.parts[0]
    if isinstance(annotation, Integer):
        low, high = annotation.parts
        return 0 if low <= 0 <= high else low
    return annotation.parts[0] if annotation.parts else 0.0


def shape_by(extents, shape):
    """An extent as a name, as a product of some, or as a number, for each axis."""
    words = []
    for extent in shape:
        products = [names for count in (1, 2, 3) for names in itertools.combinations(extents, count)
                    if math.prod(extents[name] for name in names) == extent]
        words.append('*'.join(products[0]) if products else str(extent))
    return ' '.join(words)


def inferred_shapes(operator):
    """Of two sets of extents the same words must come out."""
    import numpy as np
    found = []
    for primes in (PRIMES, PRIMES[1:]):
        extents = dict(zip(operator.extents, primes))
        results = operator.function(**operator.plain_arguments(extents))
        results = results if isinstance(results, tuple) else (results,)
        found.append([shape_by(extents, np.shape(each)) for each in results])
    if found[0] != found[1]:
        raise TypeError(f'{operator.name}: the extents of its output are not clear: say -> Tensor["n m"]')
    return found[0]


def operator(function=None, *, dtypes=DTYPES, sizes=None, legal='', ulps=None, arrays='numpy'):
    """The function is the reference of a new operator, on operands in binary64.

    dtypes: types of kernels, f32 and f16.  sizes: low and high of extents, {'n': (1, 64)}.  legal: conditions between
    parameters, as 'k%2=0 m<=n'.  ulps: how far a kernel may be off, in units in the last place of the largest result, in place of
    what is estimated.  arrays: the library of the reference's arrays, as of opconform.kernel."""
    def register(function):
        made = Operator(function, dtypes, sizes, legal, ulps, arrays)
        registered.append(made)
        return made
    return register if function is None else register(function)
