"""A library's compiler, and a function before and behind it."""
import contextlib
import itertools
import warnings

from .adapter import decline
from .programs import running
from .protocol import Declined

NUMBERS = itertools.count(1)


class FirstCallFails(Exception):
    """What a compiled function makes of tensors that the function itself takes."""


class Compiler:
    """A mode that compiles calls.

    expression: what converts `function`; `example` is the inputs of its first call.
    draws, alike: how many cases in a row should be one call with other data, and how many of these have the same
    extents, so that compiling takes no more time than they do.
    patience: deadlines that a call may take.
    before: statements that the expression needs.
    primed: it is called with other data and extents first, so that what it should not keep of its first call shows in
    any case that is run alone.
    static: it is converted for each set of extents, since the expression takes an example.
    forward: what it makes is not differentiated.
    typed: it takes a part of Python only, and refuses a source when it is converted.
    refusals, refusing: names of exceptions and of warnings, and parts of messages, by which the compiler says that it does not take
    what its documentation excludes.
    excluded: pairs of a part of a source and why the documentation excludes it.
    count: tells how much was compiled so far; where that does not change nothing was.
    together: how many calls become one function, where several are asked for at once (together.py).
    whole: what converts that function, where something else than `expression` refuses at once what it would compile in parts.
    other: makes of a tensor's name one with a place less along its outermost axis.
    seeds: what it makes draws from the library's own generator, as the library does.
    apart: parts of the names of element types that it refuses, so that no group has them.
    blamed: the text by which an exception names a function of a group, or its tensors."""

    def __init__(self, expression, draws, alike, *, patience=10, before='', primed=False, static=False, typed=False,
                 forward=False, refusals=(), refusing=(), excluded=(), count=None, together=1, whole='', other='{}[1:]',
                 seeds=False, apart=(), blamed=str):
        self.expression, self.draws, self.alike, self.patience = expression, draws, alike, patience
        self.before, self.primed, self.static, self.typed, self.forward = before, primed, static, typed, forward
        self.refusals, self.refusing, self.excluded = refusals, refusing, excluded
        self.count, self.together, self.whole, self.other = count, together, whole or expression, other
        self.seeds, self.apart, self.blamed = seeds, apart, blamed


def other_texts(compiler, names, tensors):
    """Expressions of other tensors: one place less along the outermost axis, or zeros in place of one number."""
    def text(name, tensor):
        extents = tuple(tensor.shape)
        if extents and extents[0] > 2:
            return compiler.other.format(name)
        return f'{name} * 0' if 'float' in str(tensor.dtype) and all(extent == 1 for extent in extents) else name
    return [text(name, tensor) for name, tensor in zip(names, tensors)]


def others_of(compiler, function, tensors):
    """Other tensors that the library takes without its compiler, and what it makes of them; None where it refuses them, or
    cannot make them."""
    names = [f'x{i}' for i in range(len(tensors))]
    try:
        texts = other_texts(compiler, names, tensors)
        found = [eval(text, {name: tensor}) for name, tensor, text in zip(names, tensors, texts)]
        return found, function(*found)
    except Exception:
        return None


class Compiled:
    """A function before and behind its compiler; close() forgets it."""

    def __init__(self, compiler, text, namespace, example, expression=''):
        self.stack, self.compiler = contextlib.ExitStack(), compiler
        number = next(NUMBERS)
        # Code of other lines is other code, for caches that take equal code for the same.
        lines = '\n' * (number % 5000) + text + compiler.before
        module = self.stack.enter_context(running.loaded(f'opconform_function_{number}', lines, namespace))
        self.plain, self.returned, self.is_nothing = module.function, False, False
        try:
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter('always')
                self.function = eval(expression or compiler.expression, {**vars(module), 'example': example})
            for each in said:
                decline(each.category.__name__ in compiler.refusals, str(each.message).partition('. ')[0])
        except Exception as why:
            self.stack.close()
            if compiler.typed and 'INTERNAL ASSERT' not in str(why):
                raise Declined(f'{type(why).__name__}: {why}') from why
            raise

    def prime(self, tensors):
        """Calls the function with other tensors.  A compiled one that fails with what it takes otherwise is no less wrong
        than one that fails with the tensors of the case."""
        others = others_of(self.compiler, self.plain, tensors)
        if others is None:
            return
        try:
            self.function(*others[0])
        except Declined:
            raise
        except Exception as why:
            raise FirstCallFails(f'a first call with other tensors: {type(why).__name__}: {why}') from why

    def close(self):
        self.function = self.plain = None
        self.stack.close()
