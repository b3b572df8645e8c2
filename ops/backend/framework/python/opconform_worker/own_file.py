"""Loads a user's file, with the module opconform that it imports."""
import contextlib
import importlib.util
import os
import re
import sys
import traceback

try:
    from opconform import kernels, operators
    from opconform.autotest import loading
    ARRAYS = kernels.ARRAYS
except ImportError:  # as without the file: the server says so when it loads one
    kernels, ARRAYS = None, {}


# The backend that loads such files.
BACKEND = 'python'


class Mistake(ValueError):
    """The file is wrong, or cannot be loaded: the text says what and where."""


def summary_of(test):
    return (test.__doc__ or 'frameworks agree').strip().splitlines()[0]


class File:
    """A loaded file."""

    def __init__(self, path, module):
        self.path, self.module = path, module

    @staticmethod
    def kernels():
        return list(kernels.registered)

    @staticmethod
    def operators():
        return list(operators.registered)

    @staticmethod
    def bodies():
        return list(loading.registered)

    def lines(self):
        """Of the greeting: operators come before the functions that compute them."""
        for each in self.operators():
            yield from each.lines()
        yield from (f'body body_{each.name.lower()} | {each.name} | {summary_of(each)}' for each in self.bodies())
        yield from (kernel.row() for kernel in self.kernels())

    @property
    def name(self):
        return self.module.__name__


def array_text(arrays, name):
    """The operand as an array of the library that the function is given."""
    return ARRAYS[arrays].format(name)


def arrays_of(function):
    return next((kernel.arrays for kernel in kernels.registered if kernel.name == function), 'numpy')


def call_text(step, given, arrays):
    """The call of a request as one writes it: operands as arrays of the function's library, attributes as literals.
    given: whether an operand of the name is there."""
    def text_of(match):
        name = match[0]
        if name in given:
            return array_text(arrays, name) if given[name] is not None else 'None'
        return repr(step.attributes[name]) if name in step.attributes else name
    front, mark, rest = step.expression.partition('(')
    if any(body.name == front for body in loading.registered):
        choices = list(step.attributes.values())
        while len(choices) > 1 and choices[-1] == 0:
            choices.pop()
        return f'{front}({", ".join(map(str, choices))})'
    return front + mark + re.sub(r"\b[a-z_]\w*\b(?!\s*=)(?!')", text_of, rest)


def imports_of(function):
    """Lines that import the function, and the library of its arrays."""
    file = os.path.splitext(os.path.basename(os.environ['OPCONFORM_FILE']))[0]
    module = array_text(arrays_of(function), 'x').rpartition('.')[0]
    return [*([f'import {module}'] if module else []), f'from {file} import {function}']


def path_of_programs():
    """Where programs find the file, and the module opconform where no installation has it."""
    module = os.path.dirname(os.path.dirname(kernels.__file__))
    return [os.path.dirname(os.path.abspath(os.environ['OPCONFORM_FILE'])),
            *([] if module.endswith('-packages') else [os.path.normpath(module)])]


def line_in(path, why):
    """The last line of the file that the exception went through, or that it is about."""
    if isinstance(why, SyntaxError) and why.filename and os.path.samefile(why.filename, path):
        return why.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(why.__traceback__)
             if os.path.exists(frame.filename) and os.path.samefile(frame.filename, path)]
    return lines[-1] if lines else None


def load(path):
    """Runs the file as a module of its name; what it prints goes nowhere."""
    full = os.path.abspath(path)
    if not os.path.isfile(full):
        raise Mistake(f'{path}: No such file')
    if kernels is None:
        raise Mistake(f'{sys.executable} has no module opconform: pip install . in a clone')
    name = os.path.splitext(os.path.basename(full))[0]
    sys.path.insert(0, os.path.dirname(full))
    spec = importlib.util.spec_from_file_location(name, full)
    if spec is None:
        raise Mistake(f'{path}: not a file of Python')
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    for registry in (kernels, operators, loading):
        registry.registered.clear()
    try:
        with contextlib.redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as why:
        line = line_in(full, why)
        words = str(why).splitlines()
        raise Mistake(f'{path}{f", line {line}" if line else ""}: {type(why).__name__}'
                      f'{": " + words[0] if words else ""}') from why
    if not (kernels.registered or operators.registered or loading.registered):
        raise Mistake(f'{path}: no function is decorated with opconform.kernel, opconform.operator or autotest')
    return File(full, module)
