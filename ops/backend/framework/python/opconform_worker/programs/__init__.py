"""Programs as modules of Python: the same text runs here and in the scripts that show a finding.

A language (language_<name>.py) is a module whose text, up to the line "# Modes", surrounds the statements
of a program; xp.NAME in them becomes NAMES[NAME], and REWRITES are applied.  Behind that line it has MODES,
from a word of a mode to the function that converts a module; VERIFY, to one that raises what is wrong with
how it was converted; COMPILATIONS, to one that counts what was compiled so far; TRANSFORMED, to one that
returns what the compiler made of it; DECLINES, to pairs of a pattern of the source, or several that are all found, and
why such programs are not run, so that none are drawn: extended regular expressions of Python and of POSIX, in which lines end
at their ends; REFUSALS, names of exceptions by which compilers refuse programs, and REFUSING, what they say where the
exception has no name of its own; RAISES, names of exceptions that a ValueError of a program becomes; and
SAMPLES, how much longer than in eager mode a program takes, by words of modes; and if any, ALIASED, rewrites of programs in
which vectors have several names, VARYING, rewrites of programs that are called with several extents, and of the text
around them, and LOWERED, functions that write the statements otherwise, by words of modes."""
import contextlib
import hashlib
import importlib
import inspect
import itertools
import re
import textwrap

import numpy as np

from .. import protocol
from ..protocol import Declined
from . import running

EXTRAS = {'': running.check_nothing, 'sequence': running.check_sequence,
          'gradient': running.check_gradient}
# Code of other lines is other code, for caches that take equal code for the same.
NUMBERS = itertools.cycle(range(5000))

# In front of the source of a program that is called with several extents, for DECLINES.
SEVERAL = 'EXTENTS'
# What such a program is around its statements: vectors may be empty, and the parameter has more elements.
AROUND = (('x[0]', 'xp.sum(x[:1])'), ('v * self.weight', 'v * self.weight[:v.shape[0]]'))


def else_of(loops):
    """A pattern of an else of such loops."""
    return rf'^( *)({loops}) .*(\s^\1 .*)*\s^\1else:'


# Statements that give a vector another name.
ALIASES = r'\bs\b|^ *[a-d] = ([a-d]|items\[-1\])$|append\([a-d]\)'


def verify(program):
    """Nothing can be told."""


def compilations(program):
    """Not counted."""


def transformed(program, extent):
    """Nothing can be shown."""


def language(name):
    return importlib.import_module(f'.language_{name}', __package__)


def modes(name):
    lang = language(name)
    extras = [word for word in EXTRAS if word and (word != 'gradient' or hasattr(lang, word))]
    return (*(word for word in lang.MODES if word), *extras)


def compiler_of(settings, name):
    """The word of a mode that names a compiler, or '', with + and the extra word if one is wanted."""
    word = next((word for word in sorted(settings) if word in language(name).MODES), '')
    extra = next((word for word in sorted(settings) if word in EXTRAS), '')
    return f'{word}+{extra}' if extra else word


def text_of(function, name):
    """The source of a function under another name, or the source that stands for one."""
    if isinstance(function, str):
        return function
    return inspect.getsource(function).replace(f'def {function.__name__}(', f'def {name}(', 1)


def quoted(module):
    """The text of a module behind its docstring."""
    return inspect.getsource(module).split('"""\n', 1)[1]


def keeps(source):
    return 'self.state' in source or 'seen' in source


def writes(source):
    """Whether a program writes to its arguments."""
    return 's = x' in source


def rewritten(text, rewrites):
    for pattern, instead in rewrites:
        text = re.sub(pattern, instead, text)
    return text


def named(lang, text):
    """xp.NAME as the language has it."""
    return re.sub(r'xp\.(\w+)', lambda found: lang.NAMES.get(found[1], found[1]), text)


def extents_of(p):
    """The extents of the calls of a request where they differ from that of x, and whether they are not told."""
    words = p.word('extents').split('x') if p.has('extents') else ()
    return tuple(map(int, words)), p.has('signature') and p.word('signature') == 'open'


def around_of(lang, varying):
    around = quoted(lang).partition('\n\n# Modes')[0]
    for text, instead in AROUND if varying else ():
        around = around.replace(text, named(lang, instead))
    return around


def declines(lang, mode):
    """Patterns, and why programs are not run in which all of them are found."""
    return [((patterns,) if isinstance(patterns, str) else patterns, why) for patterns, why in lang.DECLINES.get(mode, ())]


def render(name, mode, p):
    """The text of the module around the statements, which come as one word of a request."""
    lang = language(name)
    mode, _, extra = mode.partition('+')
    source, (extents, is_open) = p.word('source').replace('\\s', ' ').replace('\\n', '\n'), extents_of(p)
    head = f'{SEVERAL} {p.word("extents")}\n' if extents else ''
    for patterns, why in declines(lang, mode):
        if all(re.search(pattern, head + source, re.MULTILINE) for pattern in patterns):
            raise Declined(why)
    aliased = getattr(lang, 'ALIASED', ()) if re.search(ALIASES, source, re.MULTILINE) else ()
    varying = getattr(lang, 'VARYING', ()) if extents else ()
    statements = rewritten(named(lang, source), (*aliased, *varying, *lang.REWRITES))
    statements = textwrap.indent(getattr(lang, 'LOWERED', {}).get(mode, str)(statements), '    ')
    around = rewritten(around_of(lang, bool(extents)), varying)
    functions = [text_of(function, known) for function, known in
                 ((lang.MODES[mode], 'convert'), (lang.VERIFY.get(mode, verify), 'verify'),
                  (lang.COMPILATIONS.get(mode, compilations), 'compilations'),
                  (lang.TRANSFORMED.get(mode, transformed), 'transformed'))]
    refusals = (f'REFUSALS = {lang.REFUSALS!r}\nREFUSING = {lang.REFUSING!r}\n'
                f'RAISES = {lang.RAISES!r}\nKEEPS, WRITES = {keeps(source)}, {writes(source)}\n')
    refusals += f'EXTENTS, OPEN = {extents}, {is_open}\n' if extents else ''
    return '\n\n'.join((quoted(running), around.replace('        # Statements.\n', statements),
                        refusals, *functions, '# The run\n')) + (
        f'def run(x, z):\n    return run_program(sys.modules[__name__], x, z, {EXTRAS[extra].__name__})\n')


def script(name, mode, p):
    """The text for a script; mode has the words of the backend's."""
    return render(name, compiler_of(set(mode.split('+')), name), p)


class Kept:
    """The module of the latest program, which is converted once for cases that differ in their data."""

    def __init__(self):
        self.key, self.module, self.stack = None, None, contextlib.ExitStack()

    def drop(self):
        self.key = self.module = None
        self.stack.close()

    def module_of(self, text, extents):
        if self.key != (text, extents):
            self.drop()
            text_here = '\n' * next(NUMBERS) + text
            number = hashlib.sha1(text_here.encode()).hexdigest()[:16]
            self.module = self.stack.enter_context(running.loaded(f'opconform_{number}', text_here))
            self.key = text, extents
        return self.module


KEPT = Kept()


def compute(name, mode, p, inputs):
    """The results by their names."""
    module = KEPT.module_of(render(name, mode, p), tuple((len(each), each.dtype) for each in inputs))
    returned = False
    try:
        results = module.run(*(np.ascontiguousarray(value) for value in inputs))
        returned = True
        return results
    except module.Refused as why:
        raise Declined(str(why)) from why
    finally:
        if not returned or module.KEEPS:
            KEPT.drop()


class Programs:
    """Base of adapters in modes that compile programs, and that offer no other operator."""
    framework = ''
    compiles = ''

    def sample(self):
        word, _, extra = self.compiles.partition('+')
        return language(self.framework).SAMPLES.get(word, 1) * (4 if extra else 1)

    def bindings(self):
        return None if self.compiles else super().bindings()

    def program_refusals(self):
        """Why programs are not taken, and patterns of their sources."""
        mode = self.compiles.partition('+')[0]
        return ['\t'.join((why, *patterns)) for patterns, why in declines(language(self.framework), mode)]

    def offers(self):
        own = {'program': ('f32', 'f64')}
        if self.compiles:
            return own if self.compiles.partition('+')[0] in language(self.framework).MODES else {}
        return {**super().offers(), **own}

    def compute(self, memory, p, operands):
        if p.name != 'program':
            return super().compute(memory, p, operands)
        inputs = [self.array(memory, operand) for operand in operands
                  if operand.role == protocol.INPUT]
        results = compute(self.framework, self.compiles, p, inputs)
        return [(operand, results[name]) for operand, name in zip(operands, p.operands)
                if operand.role == protocol.OUTPUT]

    def finish(self, memory, results):
        """Those of programs are arrays already."""
        if results and isinstance(results[0][1], np.ndarray):
            for operand, result in results:
                self.put(memory, operand, result)
        else:
            super().finish(memory, results)
