"""Programs for JAX, one operation at a time and through its transformations."""
import jax
import jax.experimental
import numpy as np
from jax import lax  # noqa: F401
from jax import numpy as jnp

jax.config.update('jax_enable_x64', True)
# Whether programs keep something, and write to their arguments.
KEEPS, WRITES = False, False


def whole(v):
    return v.astype(jnp.int32).astype(v.dtype)


def scalar(i, v):
    """Numbers take the type of the vector."""
    return i


def join(one, other):
    return jnp.concatenate([one, other])


def together(*sequences):
    """As many rows of each as the shortest has."""
    count = min(map(len, sequences))
    return tuple(each[:count] for each in sequences)


def row_of(rows, at):
    """A row of each; of rows that are none it is not asked, but must have a value as well."""
    return jax.tree.map(lambda each: each[at] if len(each) else jnp.zeros(each.shape[1:], each.dtype), rows)


def slope(function, v):
    return jax.grad(function)(v)


def tape(function, v):
    value, back = jax.vjp(function, v)
    return back(jnp.ones_like(value))[0]


def half_product(one, other):
    """As autocast has it elsewhere: factors of binary32, and the product, in bfloat16."""
    if one.dtype == jnp.float32:
        one, other = one.astype(jnp.bfloat16), other.astype(jnp.bfloat16)
    return jnp.matmul(one, other)


def width(v):
    return v.dtype.itemsize


# Vectors that have several names: a name is a place in one array of all of them.
def stored(*vectors, places=40):
    """These, and room for others."""
    return jnp.zeros((places, *vectors[0].shape), vectors[0].dtype).at[:len(vectors)].set(jnp.stack(vectors))


def known(*numbers):
    return all(isinstance(each, int) for each in numbers)


def put(heap, used, vector):
    """The vector at a place that is not in use, and that place."""
    assert (vector.shape, vector.dtype) == (heap.shape[1:], heap.dtype)
    if known(*used):
        place = min({*range(len(heap))} - {*used})
    else:
        used = jnp.concatenate([jnp.ravel(jnp.asarray(each)) for each in used])
        place = jnp.argmin(jnp.zeros(len(heap), bool).at[used].set(True))
    return heap.at[place].set(vector), place


def put_all(heap, used, vectors):
    places = []
    for each in vectors:
        heap, place = put(heap, [*used, *places], each)
        places.append(place)
    return heap, places


class Items:
    """A list of at most five places, whose extents are the same however many there are."""

    def __init__(self, places, count):
        self.places, self.count = places, count

    def last(self):
        return self.places[self.count - 1]

    def tail(self, most):
        over = jnp.maximum(self.count - most, 0)
        return Items(jnp.roll(self.places, -over), self.count - over)

    def appended(self, place):
        return Items(self.places.at[self.count].set(place), self.count + 1)


jax.tree_util.register_pytree_node(Items, lambda items: ((items.places, items.count), None), lambda _, parts: Items(*parts))


def view(heap, place, start=0, step=1):
    """What a view shows: of the vector at a place, from start on each step-th element, and how many."""
    count = max(heap.shape[1] - start + step - 1, 0) // step
    return place, start, step, count if known(count) else jnp.asarray(count)


def first(s, most):
    place, start, step, count = s
    return place, start, step, min(count, most) if known(count) else jnp.minimum(count, most)


def seen_by(s, extent):
    """For each element whether a view shows it, and as which."""
    _, start, step, count = s
    at = jnp.arange(extent) - start
    return (at >= 0) & (at % step == 0) & (at // step < count), at // step


def part_of(s):
    """The elements that a view shows as a slice, where these are known."""
    _, start, step, count = s
    return slice(start, start + step * count, step) if known(start, step, count) else None


def changed(heap, s, function):
    """An update through a view."""
    place, part = s[0], part_of(s)
    if part:
        return heap.at[place, part].set(function(heap[place, part]))
    return heap.at[place].set(jnp.where(seen_by(s, heap.shape[1])[0], function(heap[place]), heap[place]))


def copied(heap, s, vector):
    """What a view shows becomes the first elements of a vector."""
    place, part = s[0], part_of(s)
    if part:
        return heap.at[place, part].set(vector[:s[3]])
    shown, which = seen_by(s, heap.shape[1])
    return heap.at[place].set(jnp.where(shown, vector[which], heap[place]))


def shown(heap, s, vector):
    """What a view shows, with the elements of a vector behind it."""
    place, start, step, count = s
    part = part_of(s)
    if part:
        return jnp.concatenate([heap[place, part], vector[count:]])
    at = jnp.arange(heap.shape[1])
    return jnp.where(at < count, heap[place, start + at * step], vector)


def tensor(values):
    return jnp.array(values)


def array(result):
    result = np.asarray(result)
    jax.effects_barrier()
    return result


def gradient(program, x, z):
    return getattr(program, 'gradient', jax.grad(lambda x, z: jnp.sum(program(x, z))))(x, z)


class Program:
    training = False

    def __init__(self, n, dtype):
        self.weight = jnp.array((np.arange(n) % 4 * 0.5 + 0.5).astype(dtype))
        self.state, self.given = jnp.zeros(n, dtype), ()

    def part(self, v):
        return v * self.weight

    def __call__(self, x, z):
        a, b, c, d = x + 0.0, z + 0.0, x - z, jnp.zeros_like(x)
        e, v = x[0], jnp.zeros_like(x)
        i, j = 0, 2
        items, table = [x * 1.0, z * 1.0], {'k0': x * 1.0, 'k1': z * 1.0}
        # Statements.
        return jnp.stack([a, b, c, d])


def make(n, dtype):
    return Program(n, dtype)


class Kept:
    """A program as a pure function of its arguments and of what it keeps from call to call; what it writes to its
    arguments is a result."""

    def __init__(self, module, transform):
        def function(x, z, state):
            module.state = state
            return module(x, z), module.state, module.given
        self.state, self.function = module.state, transform(function)

    def __call__(self, x, z):
        result, self.state, self.given = self.function(x, z, self.state)
        return result


def pure(module, transform):
    """A program through a transformation of functions."""
    return Kept(module, transform) if KEEPS or WRITES else transform(module)


def serialized(exported):
    """With its gradient, which loops that may end early have not."""
    try:
        return exported.serialize(vjp_order=1)
    except ValueError:
        return exported.serialize()


class WithCopies:
    """A function with copies of its arguments, which are given away."""

    def __init__(self, function):
        self.function, self.given = function, ()

    def __call__(self, x, z):
        result = self.function(jnp.copy(x), jnp.copy(z))
        self.given = getattr(self.function, 'given', ())
        return result


def lanes(function):
    """The call, and the same with the arguments exchanged, as one; the first is the result."""
    mapped = jax.vmap(function)

    def call(x, z, *kept):
        both = mapped(jnp.stack([x, z]), jnp.stack([z, x]), *(jnp.stack([each, each]) for each in kept))
        return jax.tree.map(lambda each: each[0], both)
    return call


class WithGradient:
    """A program whose values come with their gradients, of one function."""

    def __init__(self, module):
        def function(x, z):
            result = module(x, z)
            return jnp.sum(result), (result, module.given)
        self.function = jax.jit(jax.value_and_grad(function, has_aux=True))

    def __call__(self, x, z):
        (_, (result, self.given)), _ = self.function(x, z)
        return result

    def gradient(self, x, z):
        return self.function(x, z)[1]


# Modes
import ast  # noqa: E402
import re  # noqa: E402
import textwrap  # noqa: E402
from functools import partial  # noqa: E402

from . import ALIASES, SEVERAL, compilations, places, planted_jax, rewritten  # noqa: E402
from .lax_flow import lowered  # noqa: E402
from .running import EXTENTS  # noqa: E402

PLANTED = '''def convert(module, example):
    from opconform_worker.programs import planted_jax
    return pure(module, planted_jax.compiler('{}'))
'''


def convert(module, example):
    return module


def convert_jit(module, example):
    return pure(module, jax.jit)


def convert_nested(module, example):
    return pure(module, lambda function: jax.jit(jax.jit(function)))


def convert_remat(module, example):
    return pure(module, lambda function: jax.jit(jax.checkpoint(function)))


def convert_vmap(module, example):
    return pure(module, lambda function: jax.jit(lanes(function)))


def convert_donate(module, example):
    return WithCopies(pure(module, lambda function: jax.jit(function, donate_argnums=(0, 1, 2) if KEEPS or WRITES else (0, 1))))


def convert_aot(module, example):
    example = (*example, module.state) if KEEPS or WRITES else example
    return pure(module, lambda function: jax.jit(function).lower(*example).compile())


def convert_exported(module, example):
    most = len(example[0])
    extent = jax.export.symbolic_shape('n', constraints=[f'n <= {most}']) if EXTENTS else (most,)
    example = [jax.ShapeDtypeStruct(extent, each.dtype) for each in example] + ([module.state] if KEEPS or WRITES else [])
    return pure(module, lambda function: jax.export.deserialize(
        serialized(jax.export.export(jax.jit(function))(*example))).call)


def convert_value_and_grad(module, example):
    return WithGradient(module)


def count_traces(program):
    return getattr(program, 'function', program)._cache_size()


def verify_traces(program):
    traces, most = compilations(program), max(1, len(set(EXTENTS)))
    if traces > most:
        raise RuntimeError(f'{traces} traces of {most} signatures')


def transformed_code(program, extent):
    one = jnp.ones(*extent)
    return jax.make_jaxpr(make(*extent))(one, one)


def with_effects(text):
    """What Python does happens once, when a function is traced; these happen in each call, in order."""
    text = text.replace("print('opconform', i)", "jax.debug.print('opconform {}', i, ordered=True)")
    return text.replace('seen.append(i)', 'jax.experimental.io_callback(lambda number: seen.append(int(number)), None, i, ordered=True)')


UPDATES = (
    (r'\b([a-d])\[(.*?)\] \+= (.*)', r'\1 = \1.at[\2].add(\3)'),
    (r'\b([a-d])\[(.*?)\] = (.*)', r'\1 = \1.at[\2].set(\3)'))


def written(text, lower, bounded=False):
    """The statements with what JAX has for aliases, updates in place and autocast; lower: what becomes of the others, and
    what follows them."""
    aliased = bounded or re.search(ALIASES, text, re.MULTILINE)
    body = places.Casts().visit(ast.parse(textwrap.dedent(text if aliased else rewritten(text, UPDATES))))
    before, behind = '', ''
    if aliased:
        before, body.body, behind = places.placed(body.body, bounded, 's = x' in text, lower is as_python)
    body, last = lower(ast.fix_missing_locations(body))
    return textwrap.indent(before + body + behind + last, '    ')


def as_python(body):
    return ast.unparse(body) + '\n', ''


def with_places(text):
    return written(text, as_python)


def with_jit(text):
    return with_places(with_effects(text))


def with_flow(text, decorator=''):
    return written(with_effects(text), partial(lowered, decorator=decorator), bool(places.changes_length(text)))


MODES = {'': convert, 'jit': convert_jit, 'lax': convert_jit, 'nested': convert_nested,
         'remat': convert_remat, 'vmap': convert_vmap, 'donate': convert_donate, 'aot': convert_aot,
         'exported': convert_exported, 'value-and-grad': convert_value_and_grad,
         **{fault: PLANTED.format(fault) for fault in planted_jax.FAULTS}}
LOWERED = {'': with_places, 'jit': with_jit, **{mode: with_flow for mode in MODES if mode not in ('', 'jit')},
           'nested': partial(with_flow, decorator='jax.jit')}
VERIFY = {mode: verify_traces for mode in ('jit', 'lax', 'nested', 'remat', 'vmap', 'value-and-grad')}
COMPILATIONS = {mode: count_traces for mode in VERIFY}
TRANSFORMED = {mode: transformed_code for mode in MODES if mode}
EFFECTS = (r'print|seen', 'effects in order are not mapped, differentiated or exported (documented)')
DECLINES = {mode: () for mode in MODES}
DECLINES['jit'] = ((r'raise', 'compiled functions raise no exceptions (documented)'),
                   (r'(if|while) .*xp\.sum', 'compiled functions have no branches of Python on data (documented)'))
DECLINES['vmap'] += (EFFECTS,)
DECLINES['exported'] += (EFFECTS,)
DECLINES['aot'] += ((SEVERAL, 'what is compiled has the extents of its first call (documented)'),)
DECLINES['exported'] += ((SEVERAL + ' ([0-9]+x)*0(x|$)', 'dimension variables are 1 or more (documented)'),)
FORWARD = 'loops that may end early have no gradient backwards (documented)'
DECLINES['value-and-grad'] += (
    EFFECTS, (r'self\.state', 'the function has nothing that it keeps'), ('while ', FORWARD), (('for ', 'break|return|raise'), FORWARD),
    ((r'items\[:3\]', r'items = items\['), FORWARD))
NAMES = {name: f'jnp.{name}' for name in ('sum', 'clip', 'maximum', 'abs', 'stack', 'matmul')}
NAMES['full'] = 'jnp.full_like'
REWRITES = ()
VARYING = ((r'float\((\w)\.shape\[0\]\)', r'jnp.asarray(\1.shape[0], \1.dtype)'),)
REFUSALS = ('ConcretizationTypeError', 'TracerBoolConversionError')
# Branches and rounds that leave another number of items than there were.
REFUSING = ('must have the same pytree structure', 'Effects not supported in partial-eval of',
            'Cannot apply JAX transformations to a function lowered and compiled',
            'Expected value >= 1 for dimension variable', 'Reverse-mode differentiation does not work')
RAISES = ()
SAMPLES = {}
