"""Scripts of calls that are compiled: the calls of the adapter become a function, as they are recorded without a compiler,
and what the mode compiles is that function."""
import importlib
import re

import numpy as np

from . import brief_calls, calls, compiled, recorder


def compiler_of(name, mode):
    """The Compiler that a mode names, or None, and the mode without it."""
    known = getattr(importlib.import_module(f'opconform_worker.adapter_{name}').Adapter, 'compilers', {})
    words = mode.split('+')
    word = next((word for word in words if word in known), None)
    return known.get(word), '+'.join(each for each in words if each != word)


def definitions(compiler):
    """Lines that follow the function."""
    return ['', '', *compiler.before.strip('\n').splitlines()] if compiler.before else []


def conversion(compiler, given):
    """Lines that compile `function`; given: the text of its arguments."""
    arguments = f'({given},)' if given else '()'
    example = [f'example = {arguments}'] if 'example' in compiler.expression else []
    return [*example, f'compiled = {compiler.expression}']


def priming(others):
    """Lines that call it with other arguments first, where the function itself takes these."""
    given = ', '.join(others)
    return ['try:', f'    function({given})', 'except Exception:', '    pass', 'else:', f'    compiled({given})']


class RecordedFunctions(calls.Functions):
    """Calls as a function that writes itself down, and the call of what the compiler makes of it; its results are those of
    the library without the compiler.  tell: is told of the names of the parameters, the text of the result, and
    those of other arguments."""

    def __init__(self, module, compiler, script, tell=None):
        super().__init__(module)
        self.compiler, self.script, self.tell = compiler, script, tell

    def call(self, step, operands):
        script, there = self.script, [name for name, value in operands.items() if value is not None]
        given = [script.text(operands[name]) for name in there]
        others = compiled.other_texts(self.compiler, given, [recorder.raw(operands[name]) for name in there])
        if self.tell is None:
            script.line(f'def function({", ".join(there)}):')
            script.depth += 1
        inside = {name: recorder.Recorder(script, recorder.raw(operands[name]), name) for name in there}
        try:
            results = super().call(step, {**operands, **inside})
        except Exception:
            self.finish(there, given, others, f't{script.count}')
            raise
        place = self.finish(there, given, others, script.text(results))
        return script.wrap(recorder.raw(results), place)

    def finish(self, names, given, others, text):
        script = self.script
        if self.tell is not None:
            self.tell(names, text, others)
        else:
            script.line(f'return {text}')
            script.depth -= 1
            for line in definitions(self.compiler):
                script.line(line)
        for line in conversion(self.compiler, ', '.join(given)):
            script.line(line)
        for line in priming(others) if self.compiler.primed and self.tell is None else ():
            script.line(line)
        place = script.name()
        script.line(f'{place} = compiled({", ".join(given)})')
        return place


class Run:
    """An adapter in its mode over arrays, whose results are kept."""

    def __init__(self, name, mode, arrays):
        self.arrays, self.results = arrays, {}
        self.adapter = importlib.import_module(f'opconform_worker.adapter_{name}').Adapter(mode)
        self.adapter.array, self.adapter.put = self.array, self.put

    def array(self, _, operand):
        value, dtype = self.arrays[operand.name], self.adapter.arrays[operand.dtype]
        return value if value.dtype == dtype else value.view(dtype)

    def put(self, _, operand, result):
        self.results[operand.name] = np.asarray(result)


def function_lines(function, lines):
    """The definition of a function from the calls in it, and what compiling it needs."""
    inside, found = brief_calls.statements(lines, {'result': function['result']}, function['names'])
    result = found['result']
    if inside and inside[-1].startswith(f'{result} = '):
        result = inside.pop()[len(result) + 3:]
    return [f'def function({", ".join(function["names"])}):', *(f'    {line}' for line in inside),
            f'    return {result}', *function['definitions']]


def eager_lines(function, element):
    """A line that prints what the function gives without the compiler, where the result is that of its call."""
    if not function or not re.search(r'\by\b', element):
        return []
    call = f'function({", ".join(function["names"])})'
    eager = re.sub(r'\by\b', call, element)
    return [f"print('eager', {eager})"]
