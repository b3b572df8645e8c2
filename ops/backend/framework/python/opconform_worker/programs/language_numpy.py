"""Programs for NumPy, which has no compiler: what they mean, and what planted compilers make of them."""
import numpy as np


def whole(v):
    return np.trunc(v)


def scalar(i, v):
    return v.dtype.type(i)


def join(one, other):
    return np.concatenate((one, other))


def tensor(values):
    return values.copy()


def array(result):
    return result


class Program:
    training = False

    def __init__(self, n, dtype):
        self.weight = (np.arange(n) % 4 * 0.5 + 0.5).astype(dtype)
        self.state = np.zeros(n, dtype)

    def part(self, v):
        return v * self.weight

    def __call__(self, x, z):
        a, b, c, d = x + 0.0, z + 0.0, x - z, np.zeros_like(x)
        e, v = x[0], np.zeros_like(x)
        s = x[1:] * 1.0
        i, j = 0, 2
        items, table = [x * 1.0, z * 1.0], {'k0': x * 1.0, 'k1': z * 1.0}
        # Statements.
        return np.stack([a, b, c, d])


def make(n, dtype):
    return Program(n, dtype)


# Modes
from . import planted_compiler  # noqa: E402

PLANTED = '''def convert(module, example):
    from opconform_worker.programs import planted_compiler
    return planted_compiler.convert(module, '{}')
'''


def convert(module, example):
    return module


def count_compilations(program):
    return program.compilations


MODES = {'': convert, **{fault: PLANTED.format(fault) for fault in planted_compiler.FAULTS}}
NAMES = {name: f'np.{name}' for name in ('sum', 'clip', 'maximum', 'abs', 'stack')}
NAMES['full'] = 'np.full_like'
REWRITES, DECLINES, VERIFY, TRANSFORMED = (), {}, {}, {}
COMPILATIONS = {'planted-compile-again': count_compilations}
REFUSALS, REFUSING = (), ()
RAISES = ()
# As if it were slow.
SAMPLES = {'planted-nothing': 4}
