"""Programs as modules of Python: the same text runs here and in the scripts that show a finding.

A language has HEAD, the imports and functions that programs use; NAMES, what stands for xp.NAME; CLASS,
around the body; MODES, from a word of a mode to the lines that convert a module; VERIFY, from a word to lines that raise
what is wrong with how it was converted, after the calls; TRANSFORMED, to lines that return what the
compiler made of it; DECLINES, from a word to
pairs of a pattern of the source and why such programs are not run; and REFUSALS, names of exceptions by
which a compiler refuses a program."""
import hashlib
import importlib
import itertools
import os
import re
import sys
import textwrap
import types

import numpy as np

from . import protocol
from .protocol import Declined

TAIL = '''
LOG = 32


class Refused(Exception):
    """The framework does not take the program."""


@contextlib.contextmanager
def captured(lines):
    """What is printed on the descriptor, from Python or from a library."""
    sys.stdout.flush()
    kept = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            yield
        finally:
            sys.stdout.flush()
            ctypes.CDLL(None).fflush(None)
            os.dup2(kept, 1)
            os.close(kept)
            file.seek(0)
            lines.extend(re.findall(r'opconform (-?\\d+)', file.read().decode('utf-8', 'replace')))


def run(x, z):
    """One converted program in three calls; the third has the values of the first."""
    seen.clear()
    global EXTENT
    EXTENT = len(x), x.dtype
    module = make(*EXTENT)
    first, second = tensor(x), tensor(z)
    results, printed = {}, []
    for call, (one, other) in enumerate(((first, second), (second, first), (first, second)), 1):
        with captured(printed):
            if call == 1:
                try:
                    before(first, second)
                    program = convert(module, (first, second))
                    y = program(one, other)
                except Exception as why:
                    if type(why).__name__ in REFUSALS or any(text in str(why) for text in REFUSING):
                        raise Refused(f'{type(why).__name__}: {why}') from why
                    raise
            else:
                y = program(one, other)
        results[f'y{call}'] = array(y)
    verify(program)
    if '--transformed' in sys.argv:
        print(transformed(program), file=sys.stderr)
    log = [int(number) for number in printed] + [int(number) for number in seen]
    log = log[:LOG - 1]
    results['log'] = np.array([len(log), *log, *[0] * (LOG - 1 - len(log))], np.int64)
    return results
'''

NUMBERS = itertools.cycle(range(5000))

# Functions of one name with other bodies come and go, and old and new ones are called in turn.
SEQUENCE = '''
ROUNDS = 9


def before(first, second):
    kept = []
    with open(__file__, encoding='utf-8') as file:
        text = file.read()
    text = text[text.index('# The program'):text.index('# What runs it')]
    for number in range(ROUNDS):
        variant = types.ModuleType(f'variant_{number}')
        source = text.replace('x + 0.0, z + 0.0', f'x + {number % 3}.0, z + 0.0')
        file = os.fdopen(os.memfd_create('variant'), 'w+', encoding='utf-8')
        file.write(source)
        file.flush()
        variant.__dict__.update(np=np, io=io, tempfile=tempfile,
                                __file__=f'/proc/self/fd/{file.fileno()}')
        sys.modules[variant.__name__] = variant
        try:
            exec(compile(source, variant.__file__, 'exec'), variant.__dict__)
            static = variant.convert(variant.make(*EXTENT), (first, second))
            kept.append((number, variant.make(*EXTENT), static))
            with captured([]):
                for which, eager, static in kept:
                    expected, got = array(eager(first, second)), array(static(first, second))
                    if not np.allclose(expected, got, 1e-4, 1e-4, equal_nan=True):
                        raise RuntimeError(f'function {which} of a sequence gives {got.tolist()}, '
                                           f'not {expected.tolist()}')
        finally:
            file.close()
            del sys.modules[variant.__name__]
        del kept[:len(kept) - 3]
        gc.collect()
'''

# What the compiler gives by the framework's own differentiation, and what it gives without a compiler.
GRADIENT = '''

def before(first, second):
    with captured([]):
        try:
            expected = array(gradient(make(*EXTENT), first, second))
        except Exception as why:
            raise Refused(f'not differentiable: {why}') from why
        got = array(gradient(convert(make(*EXTENT), (first, second)), first, second))
    seen.clear()
    if not np.allclose(expected, got, 1e-4, 1e-4, equal_nan=True):
        raise RuntimeError(f'the gradient is {got.tolist()}, not {expected.tolist()}')
'''
NOTHING = '''

def before(first, second):
    pass
'''
EXTRAS = {'': NOTHING, 'sequence': SEQUENCE, 'gradient': GRADIENT}

IMPORTS = '''import contextlib
import ctypes
import gc
import io
import os
import re
import sys
import tempfile
import types

import numpy as np
'''


def plain(source):
    return source.replace('\\s', ' ').replace('\\n', '\n')


def language(name):
    return importlib.import_module(f'.program_{name}', __package__)


def modes(name):
    extras = [word for word in EXTRAS if word and (word == 'sequence' or 'def gradient' in language(name).HEAD)]
    return (*(word for word in language(name).MODES if word), *extras)


def compiler_of(settings, name):
    """The word of a mode that names a compiler, or '', with + and the extra word if one is wanted."""
    word = next((word for word in sorted(settings) if word in language(name).MODES), '')
    extra = next((word for word in sorted(settings) if word in EXTRAS), '')
    return f'{word}+{extra}' if extra else word


def render(name, mode, source):
    """The module's text."""
    lang = language(name)
    mode, _, extra = mode.partition('+')
    for pattern, why in lang.DECLINES.get(mode, ()):
        if re.search(pattern, source):
            raise Declined(why)
    body = re.sub(r'xp\.(\w+)', lambda found: lang.NAMES.get(found[1], found[1]), source)
    for pattern, instead in lang.REWRITES:
        body = re.sub(pattern, instead, body)
    convert = lang.MODES[mode]
    return ''.join((IMPORTS, '# The program\n', lang.HEAD, f'\nREFUSALS = {lang.REFUSALS!r}\n',
                    f'REFUSING = {lang.REFUSING!r}\nseen = []\n\n\n',
                    lang.CLASS.format(body=textwrap.indent(body, '    ').rstrip()),
                    f'\n\ndef convert(module, example):\n{convert}\n',
                    f'\n\ndef transformed(program):\n'
                    f'{lang.TRANSFORMED.get(mode, "    return None")}\n',
                    f'\n\ndef verify(program):\n{lang.VERIFY.get(mode, "    pass")}\n\n\n',
                    '# What runs it\n', EXTRAS[extra], TAIL))


def script(name, mode, p):
    """The text for a script; mode has the words of the backend's."""
    word = compiler_of(set(mode.split('+')), name)
    return render(name, word, plain(p.word('source')))


def execute(name, mode, source):
    """Runs the text from a file, since compilers look for the source of what they compile; one that
    outlives no process."""
    # Code of other lines is other code, for caches that take equal code for the same.
    text = '\n' * next(NUMBERS) + render(name, mode, source)
    number = hashlib.sha1(text.encode()).hexdigest()[:16]
    with os.fdopen(os.memfd_create('program'), 'w+', encoding='utf-8') as file:
        file.write(text)
        file.flush()
        module = types.ModuleType(f'opconform_{number}')
        module.__file__ = f'/proc/self/fd/{file.fileno()}'
        sys.modules[module.__name__] = module
        try:
            exec(compile(text, module.__file__, 'exec'), module.__dict__)
            yield module
        finally:
            del sys.modules[module.__name__]


def compute(name, mode, p, inputs):
    """The results by their names, for operands in the order of the operator."""
    for module in execute(name, mode, plain(p.word('source'))):
        try:
            return module.run(*(np.ascontiguousarray(value) for value in inputs))
        except module.Refused as why:
            raise Declined(str(why)) from why


class Programs:
    """What an adapter whose mode compiles programs does with them, and with nothing else."""
    framework = ''
    compiles = ''

    def offers(self):
        table = super().offers()
        table['program'] = ('f32', 'f64')
        return {'program': table['program']} if self.compiles else table

    def compute(self, memory, p, operands):
        if p.name != 'program':
            return super().compute(memory, p, operands)
        inputs = [self.array(memory, operand) for operand in operands
                  if operand.role == protocol.INPUT]
        results = compute(self.framework, self.compiles, p, inputs)
        return [(operand, results[operand_name]) for operand, operand_name in
                zip(operands, p.operands) if operand.role == protocol.OUTPUT]

    def finish(self, memory, results):
        """Those of programs are arrays already."""
        if results and isinstance(results[0][1], np.ndarray):
            for operand, result in results:
                self.put(memory, operand, result)
        else:
            super().finish(memory, results)
