"""Programs for TensorFlow, eager and as functions."""
import tempfile

import numpy as np
import tensorflow as tf


def whole(v):
    return tf.cast(tf.cast(v, tf.int32), v.dtype)


def scalar(i, v):
    return tf.cast(i, v.dtype)


def join(one, other):
    return tf.concat([one, other], 0)


def full(v, value):
    return tf.zeros_like(v) + value


def put(v, places, values):
    values = tf.broadcast_to(tf.cast(values, v.dtype), tf.shape(places))
    return tf.tensor_scatter_nd_update(v, places[:, tf.newaxis], values)


def added(v, places, values):
    return tf.tensor_scatter_nd_add(v, places[:, tf.newaxis], values)


def slope(function, v):
    u = tf.identity(v)
    with tf.GradientTape() as tape:
        tape.watch(u)
        result = function(u)
    return tape.gradient(result, u)


def tensor(values):
    return tf.constant(values)


def array(result):
    return result.numpy()


def unspecified(example):
    """A signature that leaves the extents open."""
    return [tf.TensorSpec([None], each.dtype) for each in example]


def gradient(program, x, z):
    with tf.GradientTape() as tape:
        tape.watch(x)
        result = program(x, z)
    found = tape.gradient(result, x)
    return tf.zeros_like(x) if found is None else tf.convert_to_tensor(found)


class Program(tf.Module):
    training = False

    def __init__(self, n, dtype):
        super().__init__()
        self.weight = tf.Variable((np.arange(n) % 4 * 0.5 + 0.5).astype(dtype))
        self.state = tf.Variable(np.zeros(n, dtype))

    def part(self, v):
        return v * self.weight

    def __call__(self, x, z):
        a, b, c, d = x + 0.0, z + 0.0, x - z, tf.zeros_like(x)
        e, v = x[0], tf.zeros_like(x)
        i, j = 0, 2
        items, table = [x * 1.0, z * 1.0], {'k0': x * 1.0, 'k1': z * 1.0}
        # Statements.
        return tf.stack([a, b, c, d])


def make(n, dtype):
    return Program(n, dtype)


def check_converted():
    """Raises where AutoGraph cannot transform the program, which would run as it is, with a warning."""
    try:
        tf.autograph.to_code(Program.__call__)
    except Exception as why:
        raise Refused(f'run as it is: {why}') from why


def verify_number(program, most):
    check_converted()
    traces = program.experimental_get_tracing_count()
    if traces > most:
        raise RuntimeError(f'{traces} traces of {most} signatures')


# Modes
from . import ALIASES, else_of  # noqa: E402
from .running import EXTENTS, OPEN, Refused  # noqa: E402


def convert(module, example):
    return module


def convert_function(module, example):
    return tf.function(module.__call__, input_signature=unspecified(example) if OPEN else None)


def convert_relaxed(module, example):
    return tf.function(module.__call__, reduce_retracing=True)


def convert_xla(module, example):
    return tf.function(module.__call__, jit_compile=True, input_signature=unspecified(example) if OPEN else None)


def convert_saved(module, example):
    module.served = tf.function(module.__call__, input_signature=unspecified(example) if EXTENTS else None)
    module.served.get_concrete_function(*(() if EXTENTS else example))
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(module, folder)
        loaded = tf.saved_model.load(folder)
    return lambda *inputs: loaded.served(*inputs)


def count_traces(program):
    return program.experimental_get_tracing_count()


def verify_traces(program):
    verify_number(program, 1 if OPEN else max(1, len(set(EXTENTS))))


def verify_relaxed(program):
    verify_number(program, max(1, len(set(EXTENTS))))


def verify_saved(program):
    check_converted()


def transformed_code(program, extent):
    return tf.autograph.to_code(Program.__call__)


MODES = {'': convert, 'function': convert_function, 'relaxed': convert_relaxed, 'xla': convert_xla,
         'saved': convert_saved}
VERIFY = {'function': verify_traces, 'relaxed': verify_relaxed, 'xla': verify_traces}
COMPILATIONS = {mode: count_traces for mode in VERIFY}
VERIFY['saved'] = verify_saved
TRANSFORMED = {mode: transformed_code for mode in MODES if mode}
FIXED = ((ALIASES, 'tensors cannot be updated in place (documented)'),
         (r'xp\.autocast', 'mixed precision is a policy of layers, not of statements (documented)'))
ONCE = (*FIXED,
        (r'print|seen|raise', 'what Python does happens once, when a function is traced (documented)'),
        (else_of('for|while'), 'AutoGraph has no else of loops (as it warns)'),
        (r'for .* in zip', 'a symbolic tensor is not iterated by zip (as the exception says)'))
DECLINES = {mode: ONCE if mode else FIXED for mode in MODES}
NAMES = {'sum': 'tf.reduce_sum', 'clip': 'tf.clip_by_value', 'maximum': 'tf.maximum', 'abs': 'tf.abs',
         'stack': 'tf.stack', 'tape': 'slope'}
REWRITES = (
    (r'\b([a-d])\[(.*)\] = (.*)', r'\1 = put(\1, tf.range(tf.shape(\1)[0])[\2], \3)'),
    (r'\b([a-d])\[(.*?)\] \+= (.*)', r'\1 = added(\1, tf.range(tf.shape(\1)[0])[\2], \3)'),
    (r'self\.state = (.*)', r'self.state.assign(\1)'))
VARYING = ((r'float\((\w)\.shape\[0\]\)', r'tf.cast(tf.shape(\1)[0], \1.dtype)'),
           (r'\[:(\w)\.shape\[0\]\]', r'[:tf.shape(\1)[0]]'))
REFUSALS = ('OperatorNotAllowedInGraphError', 'NotImplementedError', 'InaccessibleTensorError')
# Parts of messages by which AutoGraph refuses a program that graphs cannot express, and XLA lists of tensors.
REFUSING = ('does not have the same nested structure', 'must also have a return statement',
            'must also be initialized in', 'must be defined before', 'may only be a Tensor, int, float',
            'before the loop, but', 'that does not match type', 'have the same nested structure',
            'not supported in', 'Support for TensorList crossing the XLA/TF boundary')
RAISES = ()
# Medians of campaigns on one core.
SAMPLES = {'function': 12, 'relaxed': 12, 'xla': 16, 'saved': 20}
