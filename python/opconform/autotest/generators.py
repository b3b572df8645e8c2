"""Values that are drawn when they are used: the algebra of bodies.

A generator has one value in one run, wherever it is used; what is made of generators by + - * and | depends on theirs.
Draws are made of choices, whole numbers of which 0 is the simplest (choices.py)."""
import operator

from . import running


class Nothing:
    """The value of an argument that is left out."""

    def __repr__(self):
        return 'nothing'


NOTHING = Nothing()
# So many steps has the range of a real number: all of them are numbers of binary32.
STEPS = 64


class Generator:
    def value(self, kind=None):
        """kind: what a parameter without a type of its own takes (kinds.py)."""
        values = running.current().values
        if self not in values:
            values[self] = self.draw(kind)
        return values[self]

    def draw(self, kind):
        raise NotImplementedError

    def to(self, kind):
        return Typed(self, kind)

    def __or__(self, other):
        return OneOf([self, as_generator(other)])

    def __ror__(self, other):
        return OneOf([as_generator(other), self])

    def __add__(self, other):
        return Combined(operator.add, self, other)

    def __radd__(self, other):
        return Combined(operator.add, other, self)

    def __sub__(self, other):
        return Combined(operator.sub, self, other)

    def __rsub__(self, other):
        return Combined(operator.sub, other, self)

    def __mul__(self, other):
        return Combined(operator.mul, self, other)

    def __rmul__(self, other):
        return Combined(operator.mul, other, self)


def as_generator(value):
    return value if isinstance(value, Generator) else Constant(value)


def value_of(value, kind=None):
    """The value of what may be a generator, or hold some."""
    if isinstance(value, Generator):
        return value.value(kind)
    if isinstance(value, (tuple, list)) and any(isinstance(each, Generator) for each in value):
        return type(value)(value_of(each) for each in value)
    return value


class Constant(Generator):
    def __init__(self, content):
        self.content = content

    def draw(self, kind):
        return self.content


class Typed(Generator):
    """What a generator gives as a type."""

    def __init__(self, of, kind):
        self.of, self.kind = of, kind

    def draw(self, kind):
        value = self.of.value(self.kind)
        return self.kind(value) if self.kind in (int, float, bool) and value is not NOTHING else value


class Combined(Generator):
    def __init__(self, function, left, right):
        self.function, self.left, self.right = function, left, right

    def draw(self, kind):
        return self.function(value_of(self.left, kind), value_of(self.right, kind))


class OneOf(Generator):
    """One of several; weights are shares of all, equal ones where they are left out.  What is left out comes first when a
    case is made simpler, then constants."""

    def __init__(self, options, weights=None):
        flat, shares = [], []
        weights = weights or [1 / len(options)] * len(options)
        for option, weight in zip(options, weights):
            inner = option.options if isinstance(option, OneOf) and option.even else [option]
            flat += inner
            shares += [weight / len(inner)] * len(inner)
        self.even = len(set(weights)) == 1
        if self.even:
            shares = [1 / len(flat)] * len(flat)
        order = sorted(range(len(flat)), key=lambda i: (not_simple(flat[i]), i))
        self.options, self.weights = [flat[i] for i in order], [shares[i] for i in order]

    def draw(self, kind):
        return self.options[running.current().leaf(lambda choices: choices.weighted(self.weights))].value(kind)


def not_simple(option):
    if not isinstance(option, Constant):
        return 2
    return 0 if option.content is NOTHING else 1


class Random(Generator):
    """low to high, without high; of the type that the parameter takes."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    def draw(self, kind):
        low, high = value_of(self.low, int), value_of(self.high, int)
        whole = isinstance(low, int) and isinstance(high, int)
        return running.current().leaf(lambda choices: drawn(choices, low, high, kind or (int if whole else float)))


def drawn(choices, low, high, kind):
    if isinstance(kind, tuple):  # a number, or one for each axis
        count = choices.integer(2) and kind[1]
        return tuple(drawn(choices, low, high, kind[0]) for _ in range(count)) if count else drawn(choices, low, high, kind[0])
    if kind is bool:
        return bool(choices.integer(2))
    if kind is float:
        return low + (high - low) * choices.integer(STEPS) / STEPS
    return int(low) + choices.integer(max(int(high) - int(low), 1))


class RandomBool(Generator):
    def draw(self, kind):
        return running.current().leaf(lambda choices: bool(choices.integer(2)))


class RandomTensor(Generator):
    """Extents that are not given are 1 to 7, as in OneFlow; elements lie between low and high."""

    def __init__(self, ndim, dims, low, high, dtype, requires_grad):
        self.ndim, self.dims = ndim, dims
        self.low, self.high, self.dtype, self.requires_grad = low, high, dtype, requires_grad

    def draw(self, kind):
        run = running.current()
        ndim = value_of(self.ndim, int)
        if ndim is None:
            ndim = max([*(axis + 1 for axis in self.dims), 1 + run.leaf(lambda choices: choices.integer(4))])
        shape = []
        for axis in range(ndim):
            extent = self.dims.get(axis)
            shape.append(run.leaf(lambda choices: 1 + choices.integer(7)) if extent is None else value_of(extent, int))
        low, high = value_of(self.low, float), value_of(self.high, float)
        data = run.leaf(lambda choices: choices.integer(1 << 16))
        return run.new_tensor(tuple(shape), data, low, high, self.dtype, value_of(self.requires_grad, bool))

    def to(self, *args, **kwargs):
        return self.value().to(*args, **kwargs)

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return getattr(self.value(), name)

    def __iter__(self):
        return iter(self.value())


def of_tensor(name):
    def called(self, *others):
        return getattr(self.value(), name)(*map(value_of, others))
    return called


# What is calculated with a tensor is a call of the body; | makes a choice of it all the same.
for each in 'add sub mul truediv floordiv mod pow matmul lt le gt ge eq ne radd rsub rmul rtruediv rmatmul neg invert getitem'.split():
    setattr(RandomTensor, f'__{each}__', of_tensor(f'__{each}__'))
RandomTensor.__hash__ = object.__hash__


def random(low=1, high=6):
    return Random(low, high)


def random_bool():
    return RandomBool()


def constant(value):
    return Constant(value)


def nothing():
    return Constant(NOTHING)


def random_or_nothing(low, high):
    return Random(low, high) | nothing()


def oneof(*options, possibility=None, weights=None):
    """weights: a share for each option.  possibility: that of the first of two."""
    if possibility is not None:
        weights = [possibility, 1 - possibility]
    return OneOf([as_generator(option) for option in options], weights)


def random_device():
    return Constant('cpu')


def random_tensor(ndim=None, dim0=1, dim1=None, dim2=None, dim3=None, dim4=None, *, low=None, high=None, dtype=float,
                  requires_grad=True):
    """low and high: -2 and 2 where they are left out.  dtype: float, int or bool.  Extents of which none is given are drawn."""
    dims = {axis: dim for axis, dim in enumerate((dim0, dim1, dim2, dim3, dim4)) if dim is not None}
    return RandomTensor(ndim, dims, low, high, dtype, requires_grad)
