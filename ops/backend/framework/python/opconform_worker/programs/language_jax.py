"""Programs for JAX, one operation at a time and through its transformations."""
import jax
import jax.experimental
import numpy as np
from jax import lax  # noqa: F401
from jax import numpy as jnp

jax.config.update('jax_enable_x64', True)
# Of programs that keep something it is True below.
KEEPS = False


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
        self.state = jnp.zeros(n, dtype)

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
    """A program as a pure function of its arguments and of what it keeps from call to call."""

    def __init__(self, module, transform):
        def function(x, z, state):
            module.state = state
            return module(x, z), module.state
        self.state, self.function = module.state, transform(function)

    def __call__(self, x, z):
        result, self.state = self.function(x, z, self.state)
        return result


def pure(module, transform):
    """A program through a transformation of functions."""
    return Kept(module, transform) if KEEPS else transform(module)


def with_copies(function):
    """Of arguments that are given away."""
    return lambda x, z: function(jnp.copy(x), jnp.copy(z))


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
            return jnp.sum(result), result
        self.function = jax.jit(jax.value_and_grad(function, has_aux=True))

    def __call__(self, x, z):
        return self.function(x, z)[0][1]

    def gradient(self, x, z):
        return self.function(x, z)[1]


# Modes
from functools import partial  # noqa: E402

from . import ALIASES, SEVERAL, compilations, planted_jax  # noqa: E402
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
    return with_copies(pure(module, lambda function: jax.jit(function, donate_argnums=(0, 1, 2) if KEEPS else (0, 1))))


def convert_aot(module, example):
    example = (*example, module.state) if KEEPS else example
    return pure(module, lambda function: jax.jit(function).lower(*example).compile())


def convert_exported(module, example):
    most = len(example[0])
    extent = jax.export.symbolic_shape('n', constraints=[f'n <= {most}']) if EXTENTS else (most,)
    example = [jax.ShapeDtypeStruct(extent, each.dtype) for each in example] + ([module.state] if KEEPS else [])
    return pure(module, lambda function: jax.export.deserialize(
        jax.export.export(jax.jit(function))(*example).serialize(vjp_order=1)).call)


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


def with_flow(text, decorator=''):
    return lowered(with_effects(text), decorator)


MODES = {'': convert, 'jit': convert_jit, 'lax': convert_jit, 'nested': convert_nested,
         'remat': convert_remat, 'vmap': convert_vmap, 'donate': convert_donate, 'aot': convert_aot,
         'exported': convert_exported, 'value-and-grad': convert_value_and_grad,
         **{fault: PLANTED.format(fault) for fault in planted_jax.FAULTS}}
LOWERED = {'jit': with_effects, **{mode: with_flow for mode in MODES if mode not in ('', 'jit')},
           'nested': partial(with_flow, decorator='jax.jit')}
VERIFY = {mode: verify_traces for mode in ('jit', 'lax', 'nested', 'remat', 'vmap', 'value-and-grad')}
COMPILATIONS = {mode: count_traces for mode in VERIFY}
TRANSFORMED = {mode: transformed_code for mode in MODES if mode}
FIXED = ((ALIASES, 'arrays cannot be updated in place (documented)'),
         (r'xp\.(slope|tape|autocast|exact|width)', 'the language of JAX has neither gradients inside of programs nor autocast'))
RAISES_NOTHING = (*FIXED, (r'raise', 'compiled functions raise no exceptions (documented)'))
EFFECTS = (r'print|seen', 'effects in order are not mapped, differentiated or exported (documented)')
DECLINES = {mode: RAISES_NOTHING if mode else FIXED for mode in MODES}
DECLINES['vmap'] += (EFFECTS,)
DECLINES['exported'] += (EFFECTS,)
DECLINES['aot'] += ((SEVERAL, 'what is compiled has the extents of its first call (documented)'),)
DECLINES['value-and-grad'] += (EFFECTS, (r'self\.state', 'the function has nothing that it keeps'))
NAMES = {name: f'jnp.{name}' for name in ('sum', 'clip', 'maximum', 'abs', 'stack')}
NAMES['full'] = 'jnp.full_like'
REWRITES = (
    (r'\b([a-d])\[(.*?)\] \+= (.*)', r'\1 = \1.at[\2].add(\3)'),
    (r'\b([a-d])\[(.*?)\] = (.*)', r'\1 = \1.at[\2].set(\3)'))
VARYING = ((r'float\((\w)\.shape\[0\]\)', r'jnp.asarray(\1.shape[0], \1.dtype)'),)
REFUSALS = ('ConcretizationTypeError', 'TracerBoolConversionError')
# Branches and rounds that leave another number of items than there were.
REFUSING = ('must have the same pytree structure', 'Effects not supported in partial-eval of',
            'Cannot apply JAX transformations to a function lowered and compiled',
            'Expected value >= 1 for dimension variable')
RAISES = ()
SAMPLES = {}
