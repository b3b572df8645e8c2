"""Calls of a library as the other side writes them from its bindings (docs/bindings.md): lines of
ops/backend/process/request.h."""
import ast
import functools
import types

from . import forms
from .ours import ROWS
from .protocol import Lacking

NUMBERS = {'inf': float('inf'), 'nan': float('nan')}


class Step:
    """An expression over operands and attributes; taken: in a chain, which values the operands are; form: how its calls
    are written, '' as they stand."""

    def __init__(self, taken=None, form=''):
        self.taken, self.form, self.expression, self.attributes = taken, form, '', {}


class Request:
    """steps: one, or those of a chain.  inputs: where the call is differentiated, the operands that it is a
    function of.  pointwise: each element of its result needs its own place only.  plain: a mode that compiles calls
    makes this one without its compiler.  illegal: the form has an argument that must be refused.  stray: an argument may
    have any value or shape."""

    def __init__(self, text):
        self.name, self.operands, self.inputs, self.pointwise, self.plain = '', [], [], False, False
        self.form, self.illegal, self.stray = '', False, False
        self.steps = []
        for line in text.decode().splitlines():
            word, _, rest = line.partition(' ')
            getattr(self, f'take_{word}')(rest)

    def has(self, _):
        """Parameters are in the calls."""
        return False

    def take_rows(self, rest):
        self.name = rest

    def take_operands(self, rest):
        self.operands = rest.split()

    def take_step(self, rest):
        self.steps.append(Step(literals(rest)))

    def take_call(self, rest):
        if not self.steps or self.steps[-1].expression:
            self.steps.append(Step(form=self.form))
        self.steps[-1].expression = rest

    def take_form(self, rest):
        self.form = rest

    def take_with(self, rest):
        self.steps[-1].attributes = literals(rest)

    def take_gradient(self, rest):
        self.inputs = rest.split()

    def take_pointwise(self, _):
        self.pointwise = True

    def take_plain(self, _):
        self.plain = True

    def take_illegal(self, _):
        self.illegal = True

    def take_stray(self, _):
        self.stray = True


def literals(text):
    """a=(1, 2), b=inf as a dictionary."""
    return eval(f'dict({text})', {'__builtins__': {}, 'dict': dict, **NUMBERS})


@functools.lru_cache(maxsize=4096)
def parse(text):
    return Request(text)


def dotted(node):
    """The names of a.b.c, none where it does not begin with a name."""
    if isinstance(node, ast.Attribute):
        front = dotted(node.value)
        return front and [*front, node.attr]
    return [node.id] if isinstance(node, ast.Name) else []


def need(names, namespace):
    """Declines what the version of the library has not."""
    value = namespace.get(names[0])
    for i, name in enumerate(names[1:], 2):
        if not isinstance(getattr(value, 'recorder_value', value), types.ModuleType):
            return
        if not hasattr(value, name):
            raise Lacking(f'has no {getattr(value, "__name__", ".".join(names[:i - 1]))}.{name}')
        value = getattr(value, name)


class Functions:
    """Expressions as functions over the names of a module."""

    def __init__(self, module):
        self.namespace = {**vars(module), **NUMBERS, 'in_form': forms.in_form}
        self.known = {}

    def compiled(self, expression, names, form=''):
        key = expression, names, form
        if key not in self.known:
            tree = ast.parse(expression, mode='eval')
            for node in ast.walk(tree):
                if isinstance(node, ast.Attribute) and dotted(node):
                    need(dotted(node), self.namespace)
            text = ast.unparse(forms.marked(tree)) if form else expression
            function = compile(f'lambda {", ".join(names)}: {text}', ROWS, 'eval')
            self.known[key] = eval(function, self.namespace)
        return self.known[key]

    def call(self, step, operands):
        """operands: by their names, None for those that the case leaves out."""
        given = {**step.attributes, **operands}
        function = self.compiled(step.expression, tuple(given), step.form)
        if not step.form:
            return function(*given.values())
        with forms.writing(step.form, self.namespace):
            return function(*given.values())
