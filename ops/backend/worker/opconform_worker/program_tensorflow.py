"""Programs for TensorFlow, eager and as functions."""
HEAD = '''import tensorflow as tf


def whole(v):
    return tf.cast(tf.cast(v, tf.int32), v.dtype)


def scalar(i, v):
    return tf.cast(i, v.dtype)


def join(one, other):
    return tf.concat([one, other], 0)


def full(v, value):
    return tf.zeros_like(v) + value


def helper(v, scale=2.0):
    return v * scale


def descend(v, depth):
    if depth <= 0:
        return v * 1.0
    return descend(v + 1.0, depth - 1)


def tensor(values):
    return tf.constant(values)


def array(result):
    return result.numpy()


def gradient(program, x, z):
    with tf.GradientTape() as tape:
        tape.watch(x)
        result = program(x, z)
    found = tape.gradient(result, x)
    return tf.zeros_like(x) if found is None else tf.convert_to_tensor(found)


def make(n, dtype):
    return Program(n, dtype)
'''
NAMES = {'sum': 'tf.reduce_sum', 'clip': 'tf.clip_by_value', 'maximum': 'tf.maximum', 'abs': 'tf.abs', 'stack': 'tf.stack'}
REWRITES = ((r'self\.state = (.*)', r'self.state.assign(\1)'),)
CLASS = '''class Program(tf.Module):
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
        items, table = [x * 1.0, z * 1.0], {{'k0': x * 1.0, 'k1': z * 1.0}}
{body}
        return tf.stack([a, b, c, d])
'''
MODES = {
    '': '    return module',
    'function': '    return tf.function(module.__call__)',
    'relaxed': '    return tf.function(module.__call__, reduce_retracing=True)',
    'xla': '    return tf.function(module.__call__, jit_compile=True)',
}
MODES['saved'] = '''    module.served = tf.function(module.__call__)
    module.served.get_concrete_function(*example)
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(module, folder)
        return tf.saved_model.load(folder).served'''
FIXED = ((r'\[:1\] = ', 'tensors cannot be assigned to (documented)'),)
ONCE = FIXED + ((r'print|seen', 'what Python does happens once, when a function is traced (documented)'),)
DECLINES = {'': FIXED, 'function': ONCE, 'relaxed': ONCE, 'xla': ONCE, 'saved': ONCE}
CONVERTED = '''    try:
        tf.autograph.to_code(Program.__call__)
    except Exception as why:
        raise Refused(f'run as it is: {why}') from why
'''
ONE_TRACE = CONVERTED + '''    if program.experimental_get_tracing_count() != 1:
        raise RuntimeError(f'{program.experimental_get_tracing_count()} traces of one signature')'''
VERIFY = {mode: ONE_TRACE for mode in ('function', 'relaxed', 'xla')}
VERIFY['saved'] = CONVERTED
TRANSFORMED = {mode: '    return tf.autograph.to_code(Program.__call__)' for mode in MODES if mode}
REFUSALS = ('OperatorNotAllowedInGraphError', 'NotImplementedError', 'InaccessibleTensorError')
# What AutoGraph says of what graphs cannot hold.
REFUSING = ('does not have the same nested structure', 'must also have a return statement',
            'must also be initialized in', 'must be defined before', 'may only be a Tensor, int, float',
            'before the loop, but', 'that does not match type', 'have the same nested structure', 'not supported in')
