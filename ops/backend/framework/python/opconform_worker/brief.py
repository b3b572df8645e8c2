"""Brief programs: the call with its tensors as one would write it by hand.

The calls of the adapter are recorded while they are made, in a process of their own.  Programs are run before they are
shown: with the library they must end as the recorded call did, and with right results in place of the calls as where
the bug is gone.  Three lines come before the program: why it is not brief, that it does not tell, and the function that
it calls; or they are empty."""
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import typing

import numpy as np

from . import (brief_calls, brief_compiled, brief_data, brief_languages, brief_onnx, brief_programs, brief_random, brief_related,
               own_file,
               parameters, protocol, recorder, script)
from .adapter import NUMPY
from .protocol import Declined, Different, Operand

# How long a program that hangs waits for its call; the processes that record and run programs have PATIENCE, since frameworks
# may take long to import on a machine that is busy.
SECONDS, PATIENCE = 60, 240
# Variables of the environment that only keep a library quiet.
QUIET = ('TF_CPP_MIN_LOG_LEVEL', 'CUDA_VISIBLE_DEVICES', 'GLOG_minloglevel', 'JAX_PLATFORMS')


class NotBrief(Exception):
    """The text says why."""


class Recording(script.Recording):
    """An adapter that is given tensors as they are in the program."""

    def __init__(self, module, name, mode, calls, arrays, described):
        super().__init__(module, name, mode, calls, arrays, self.compiled)
        self.named, self.leaves, self.texts = {}, [], {}
        self.operands = {id(operand): name for name, operand in described.items()}
        self.own = {name: getattr(self.adapter, name) for name in ('read', 'write', 'zeros', 'differentiate')
                    if hasattr(self.adapter, name)}
        self.adapter.read, self.adapter.write = self.read, self.write
        self.adapter.zeros, self.adapter.differentiate = self.zeros, self.differentiate

    def compiled(self, names, result, others):
        """What was called so far is the function that is compiled."""
        compiler = self.adapter.functions.compiler
        if not self.script.silent:
            self.script.send({'function': True, 'names': names, 'result': result, 'others': others if compiler.primed else [],
                              'definitions': brief_compiled.definitions(compiler)})

    def read(self, memory, operand):
        with self.script.muted():
            value = recorder.raw(self.own['read'](memory, operand))
        return recorder.Recorder(self.script, value, operand.name)

    def zeros(self, operand):
        with self.script.muted():
            value = recorder.raw(self.own['zeros'](operand))
        name = operand.name[1:]
        self.script.send({'zeros': name, 'like': operand.name})
        return recorder.Recorder(self.script, value, name)

    def differentiate(self, function, values, dy):
        self.leaves = [self.script.text(value) for value in values]
        y = function(*values)
        self.script.send({'differentiated': self.script.text(y), 'leaves': self.leaves})
        with self.script.muted():
            gradients = self.own['differentiate'](function, values, dy)
            gradients = [recorder.raw(each) for each in gradients]
        return [None if each is None else recorder.Recorder(self.script, each, f'd{name}')
                for name, each in zip(self.leaves, gradients)]

    def write(self, memory, operand, result):
        self.texts[operand.name] = self.script.text(result)
        with self.script.muted():
            self.own['write'](memory, operand, result)

    def put(self, _, operand, result):
        self.results[operand.name] = np.asarray(recorder.raw(result))


def observed(results, description):
    """What the results show."""
    if 'flaw' in description:
        return brief_random.observed(results, description)
    return first_wrong(results, description['operands'])


def first_wrong(results, operands):
    """The first result that is wrong, by an element, its shape or its type; the first element of all where none is
    wrong."""
    first = None
    for operand in operands:
        if operand['role'] != protocol.OUTPUT or operand['name'] not in results:
            continue
        name, got = operand['name'], results[operand['name']]
        if got.shape != tuple(operand['shape']):
            return {'wrong': True, 'name': name, 'shape': got.shape}
        known = NUMPY.get(operand['dtype'])
        if got.itemsize != np.dtype(script.NAMES[operand['dtype']]).itemsize or known and got.dtype != known:
            return {'wrong': True, 'name': name, 'type': True}
        got = brief_data.decoded(np.ascontiguousarray(got), operand['dtype'])
        if got is None:
            raise Declined('its elements are of a format that a program cannot name')
        for row in operand['rows']:
            row = [row[0], *map(float.fromhex, row[1:4]), *row[4:]]
            value = brief_data.components(got)[row[0]].item()
            seen = {'wrong': not brief_data.admits(value, *row[1:]), 'name': name, 'row': row, 'value': value}
            if seen['wrong']:
                return seen
            first = first or seen
    return first or {'wrong': False}


def describe(description):
    described = {}
    for operand in description['operands']:
        described[operand['name']] = Operand(operand['dtype'], operand['role'], 0, tuple(operand['shape']), ())
        described[operand['name']].name = operand['name']
    return described


def run_compiled(name, mode, request, operands, arrays):
    """Results of the adapter itself, in its mode."""
    sys.modules.pop(f'opconform_worker.adapter_{name}')
    run = brief_compiled.Run(name, mode, arrays)
    run.adapter.warm_up()
    run.adapter.run(None, request, operands)
    return run.results


def record(name, mode, description, send):
    """Sends what the adapter calls, and what came of it."""
    os.environ['OPCONFORM_MODE'] = mode
    arrays = {operand['name']: script.array_of(operand) for operand in description['operands']
              if operand['role'] == protocol.INPUT}
    calls = brief_calls.Script(send)
    described = describe(description)
    request, operands = parameters.parse(description['call'].encode()), list(described.values())
    is_compiled = brief_compiled.compiler_of(name, mode)[0] is not None
    recording = Recording(recorder.load(name, calls), name, mode, calls, arrays, described)
    send({'calls': True})
    for line in recording.adapter.preamble():
        calls.line(line)
    try:
        with contextlib.suppress(*(Exception,) if is_compiled else ()):
            recording.adapter.run(None, request, operands)
        if is_compiled:
            recording.results = run_compiled(name, mode, request, operands, arrays)
        seen = {'wrong': True} if description['illegal'] else observed(recording.results, description)
    except Declined as why:
        send({'declined': str(why)})
        return
    except Different as why:
        if not recording.texts:
            raise
        seen = {'wrong': True, 'name': list(recording.texts)[-1], 'type': True, 'why': str(why)}
    except Exception as why:
        documented = brief_languages.LANGUAGES[name].documented
        refused = type(why).__name__ in [each.split('.')[-1] for each in documented]
        seen = {'raised': type(why).__name__, 'wrong': not (description['illegal'] and refused)}
    send({**seen, 'texts': recording.texts})


def recorded(name, mode, description):
    """Messages of a process that records, and the signal that it ended by, if any."""
    from_child, to_parent = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(from_child)
        signal.alarm(PATIENCE)
        with os.fdopen(to_parent, 'w') as out:
            def send(message):
                print(json.dumps(message, default=list), file=out, flush=True)
            try:
                if 'model' in description:
                    brief_onnx.record(mode, description, send, observed)
                elif name == own_file.BACKEND:
                    # Its adapter may not be there, where the others are copied.
                    from . import brief_own
                    brief_own.record(description, describe(description), send, observed)
                else:
                    record(name, mode, description, send)
            except Exception as why:
                send({'declined': f'{type(why).__name__}: {why}'.splitlines()[0]})
        os._exit(0)
    os.close(to_parent)
    with os.fdopen(from_child) as reader:
        messages = [json.loads(line) for line in reader]
    status = os.waitpid(process, 0)[1]
    return messages, os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


class Recorded:
    """settings and calls as pairs of plain and brief lines; differentiated: the text of what a gradient is of; function:
    that is compiled, with the calls in it, or None."""

    def __init__(self, messages, end):
        self.settings, self.calls, self.end, self.function = [], [], end, None
        self.zeros, self.leaves, self.differentiated = {}, [], None
        self.seen = {'wrong': bool(end), 'texts': {}}
        for message in messages:
            if 'declined' in message:
                raise NotBrief(message['declined'])
            if 'calls' in message:
                self.settings, self.calls = self.calls, []
            elif 'line' in message:
                self.calls.append((message['line'], message['brief']))
            elif 'function' in message:
                self.function, self.calls = {**message, 'function': self.calls}, []
            elif 'zeros' in message:
                self.zeros[message['zeros']] = message['like']
            elif 'leaves' in message:
                self.leaves, self.differentiated = message['leaves'], message['differentiated']
            else:
                self.seen = message

    @property
    def ends_early(self):
        return bool(self.end or 'raised' in self.seen)


def settings_lines(language, had, all_of_them):
    lines = [line for line, _ in had.settings if not line.startswith('import ')]
    lines = [re.sub(r'^t\d+ = ', '', line) for line in lines]
    if all_of_them:
        return [line for line in lines if not any(word in line for word in QUIET)]
    return [line for line in lines if line.startswith(language.needed)] if language.needed else []


def data_lines(language, description, had, text):
    """Tensors that the statements name."""
    lines, leaves = [], []
    for operand in description['operands']:
        name, dtype = operand['name'], operand['dtype']
        array = None
        if operand['role'] == protocol.INPUT:
            array = brief_data.decoded(script.array_of(operand), dtype)
            if array is None:
                raise NotBrief(f'{name} has elements of a format that a program cannot name')
        elif name in had.zeros.values():
            name = name[1:]
            array = np.zeros(operand['shape'])
        if array is None or not re.search(rf'\b{name}\b', text):
            continue
        leaf = name in had.leaves
        leaves += [name] if leaf else []
        lines.append(brief_data.wrapped(brief_data.tensor_line(language, name, dtype, array, leaf)))
    return lines + language.leaves(leaves)


def judgement_lines(language, description, had, results, right):
    """The lines that print and compare the result, and end the program with status 1 where it is wrong.  Of right
    results there are no expressions."""
    seen = had.seen
    if 'lines' in seen:
        made = brief_random.right_lines(description, seen['used']) if right else []
        inputs = [each['name'] for each in description['operands'] if each['role'] == protocol.INPUT]
        used = [name for name in seen['used'] if not right or name in inputs]
        return [*made, *brief_random.draws_lines(language, used, results), *seen['lines']]
    if had.ends_early or 'name' not in seen:
        return []
    operand = next(each for each in description['operands'] if each['name'] == seen['name'])
    text, shape = results.get(seen['name']), tuple(operand['shape'])
    if 'type' in seen:
        expected = language.dtype(operand['dtype'])
        return [f'got, expected = {expected if right else f"{text}.dtype"}, {expected}',
                "print('got', got, 'expected', expected)", 'sys.exit(got != expected)']
    if 'shape' in seen:
        return [f'got, expected = {shape if right else f"tuple({text}.shape)"}, {shape}',
                "print('got', got, 'expected', expected)", 'sys.exit(got != expected)']
    asked = brief_data.Asked(seen['row'], operand['dtype'], seen['value'])
    if asked.holds(seen['value']) == seen['wrong']:
        raise NotBrief('few digits do not tell the value from the expected one')
    if right:
        element = brief_data.literal(script.right_array(operand), seen['row'][0], operand['dtype'])
    else:
        element = brief_data.element(text, shape, seen['row'][0], operand['dtype'])
    eager = [] if right else brief_compiled.eager_lines(had.function, element)
    return [*eager, f'got = {element}', f'expected = {asked.expected}', "print('got', got, 'expected', expected)",
            'sys.exit(got != expected)' if asked.condition == 'got == expected' else
            f'sys.exit(not ({asked.condition}))' if re.search(' or | and ', asked.condition) else
            f'sys.exit(not {asked.condition})']


def stray_lines(lines, results):
    """Whatever a call comes to is right that leaves the process alive."""
    return ['try:', *(f'    {line}' for line in lines), f"    print({', '.join(results.values())})",
            'except Exception as why:', "    print('refused:', why)"]


def refusal_lines(language, lines, results):
    """An operation may run when its result is asked for."""
    shown = ', '.join(["'accepted, although an argument is illegal:'", *results.values()])
    return ['try:', *(f'    {line}' for line in lines), f'    print({shown})',
            f'except ({", ".join(language.documented)}) as why:', "    print('refused:', why)", 'else:',
            '    sys.exit(1)']


def right_lines(language, description, had):
    """The judgement of right results, in place of the calls."""
    if description['stray']:
        return stray_lines(["raise ValueError('refused')"], {})
    if description['illegal']:
        return refusal_lines(language, ["raise ValueError('refused')"], {})
    return judgement_lines(language, description, had, {}, True)


class Style(typing.NamedTuple):
    """plain: calls are as the adapter makes them.  settings: all that it sets is there.  primed: what is compiled is
    called with other arguments first."""
    plain: bool
    settings: bool
    primed: bool = False

    def lines(self, pairs):
        return [pair[0 if self.plain else 1] for pair in pairs]


def styles(mode, function):
    """The briefest first."""
    if not function:
        return Style(False, bool(mode)), Style(True, bool(mode)), Style(True, True)
    bare = Style(False, False), Style(False, True)
    primed = [each._replace(primed=True) for each in bare] if function['others'] else []
    return *bare, *primed, Style(True, True), Style(True, True, bool(function['others']))


def call_lines(language, description, had, style):
    """The calls, and the texts of their results."""
    lines = [brief_random.SEED.sub('', line) for line in style.lines(had.calls)]
    names = [operand['name'] for operand in description['operands'] if operand['role'] == protocol.INPUT]
    names += had.zeros
    names += ['function', 'compiled', 'example'] if had.function else []
    if had.differentiated:
        lines, found = brief_calls.statements(lines, {'y': had.differentiated}, names)
        target = (had.seen.get('name') or f'd{had.leaves[0]}')[1:]
        is_complex = any(operand['dtype'] in brief_languages.PARTS for operand in description['operands'])
        lines, gradient = language.gradient(lines, found['y'], had.leaves, target, is_complex)
        results = {f'd{target}': gradient}
        if had.ends_early:
            lines.append(f'print({gradient})')
    else:
        texts = had.seen.get('texts', {})
        if 'used' in had.seen:
            texts, names = {name: texts[name] for name in had.seen['used'] if name in texts}, [*names, *brief_random.NAMES]
        lines, results = brief_calls.statements(lines, texts, names, had.ends_early)
        lines = brief_random.without_idle_seeds(lines) if 'used' in had.seen else lines
    if style.primed:
        at = next(i for i, line in enumerate(lines) if line.startswith('compiled = ')) + 1
        lines[at:at] = brief_compiled.priming(had.function['others'])
    return lines, results


def body_lines(language, description, had, style):
    """The calls and the judgement."""
    lines, results = call_lines(language, description, had, style)
    if description['stray']:
        return stray_lines(lines, results)
    if description['illegal']:
        return refusal_lines(language, lines, results)
    return lines + judgement_lines(language, description, had, results, False)


def imports_of(language, text):
    lines = ['import math'] if 'math.' in text.replace('.math.', '') else []
    lines += ['import os'] if 'os.environ' in text else []
    lines += ['import signal'] if 'signal.alarm' in text else []
    lines += ['import sys'] if 'sys.exit' in text else []
    needed = [name for name in ('inf', 'nan') if re.search(rf"(?<![\w.'-]){name}\b(?!')|-{name}\b(?!')", text)]
    lines += [f'from math import {", ".join(needed)}'] if needed else []
    return lines, [line for name, line in language.imports.items() if re.search(rf'\b{name}\.', text)]


def program(language, description, had, style, right=False):
    body = right_lines(language, description, had) if right else body_lines(language, description, had, style)
    settings = settings_lines(language, had, style.settings)
    function = brief_compiled.function_lines(had.function, style.lines(had.function['function'])) \
        if had.function and not right else []
    early = [line for line in settings if line.startswith('os.environ')]
    data = data_lines(language, description, had, '\n'.join(body))
    timed = [f'signal.alarm({SECONDS})  # the call hangs'] if had.end == signal.SIGALRM else []
    before = language.before(description) + [line for line in settings if line not in early]
    inside = '\n'.join(before + data + timed + list(map(brief_data.wrapped, body)))
    functions = ['\n'.join(map(brief_data.wrapped, function))] if function else []
    return joined(language, description, early, functions, inside)


def joined(language, description, early, functions, inside):
    """The program of its parts; early: settings that stand before imports."""
    standard, own = imports_of(language, '\n'.join([*early, *functions, inside]))
    own = [f'{line}  # noqa: E402' for line in own] if early else own
    parts = [language.head(description), standard, early, own]
    front = '\n\n'.join('\n'.join(part) for part in parts if part)
    if not functions:
        return f'{front}\n\n{inside}\n'
    return '\n\n\n'.join([front, *functions, f'{inside}\n'])


def related_program(language, description, calls, style, right=False):
    """Two related calls, each a function; calls: descriptions, components and what was recorded, by the functions' names."""
    settings, functions = [], []
    for name, (part, component, had) in calls.items():
        lines, results = call_lines(language, part, had, style)
        operand = brief_related.shown(part)
        lines = [*lines, f'return {brief_data.element(results[operand["name"]], operand["shape"], component, operand["dtype"])}']
        lines = language.before(part) + data_lines(language, part, had, '\n'.join(lines)) + lines
        functions.append(brief_related.definition(name, map(brief_data.wrapped, lines)))
        settings = settings_lines(language, had, style.settings)
    if right:
        functions, settings = brief_related.right_functions(description), []
    early = [line for line in settings if line.startswith('os.environ')]
    inside = [line for line in settings if line not in early] + brief_related.judgement(description)
    return joined(language, description, early, functions, '\n'.join(inside))


def related(language, name, mode, description):
    """A program of two calls, and the same with right results."""
    calls = {}
    for function, (part, component) in brief_related.calls(description):
        had = Recorded(*recorded(name, mode, part))
        if had.ends_early or had.function or had.seen.get('name') != description['second']['output']:
            raise NotBrief('one of the two calls has no result by itself')
        calls[function] = part, component, had
    for style in styles(mode, None):
        text = related_program(language, description, calls, style)
        if ends_with(text, bool(description['finding']), None):
            return with_right(text, related_program(language, description, calls, style, True))
    raise NotBrief('two calls of a brief program do not differ as those of the tool do')


@contextlib.contextmanager
def program_file(text):
    """A file in a folder of its own: what lies beside a program comes before all other modules."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'program.py')
        with open(path, 'w') as file:
            file.write(text)
        yield path


def ends_with(text, wanted, said, hangs=False):
    """Whether the program, in a process of its own, ends as is wanted: True for wrong.  One that raises shows something only
    after it has said that; one that does not end in time, only a hang."""
    with program_file(text) as path:
        try:
            run = subprocess.run([sys.executable, path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, timeout=PATIENCE, check=False, errors='replace')
        except subprocess.TimeoutExpired:
            return wanted and hangs
    if re.search('^(NameError|ImportError|ModuleNotFoundError|SyntaxError)', run.stdout, re.M):
        return False  # something of the text that was taken is not there
    if 'Traceback (most recent call last)' in run.stdout and not (said and said in run.stdout):
        return False
    return (run.returncode != 0) == wanted


def with_right(text, right):
    """Both programs, where the one with right results ends with 0."""
    if ends_with(right, False, None):
        return text, right
    raise NotBrief('with right results the brief program does not end with 0')


def compiled(name, mode, description):
    try:
        for text, right in brief_programs.variants(name, mode, parameters.parse(description['call'].encode()),
                                                   description):
            if ends_with(text, bool(description['finding']), 'eager'):
                return with_right(text, right)
    except (brief_programs.Other, Declined) as why:
        raise NotBrief(str(why)) from why
    raise NotBrief('one call of the program, eager and compiled, does not show it')


def written(name, mode, description):
    """A brief program, and the same with right results."""
    language = brief_languages.LANGUAGES.get(name)
    if language is None:
        raise NotBrief(f'there are no brief programs for {name}')
    if 'model' in description and 'second' in description:
        raise NotBrief('two calls are two models')
    if 'model' in description:
        description = brief_onnx.widened(description)
    if parameters.parse(description['call'].encode()).has('source'):
        return compiled(name, mode, description)
    if description['repeat'] > 1:
        raise NotBrief('the call is repeated')
    if 'second' in description:
        return related(language, name, mode, description)
    if any('given' in operand for operand in description['operands']):
        raise NotBrief('what is expected depends on results of the library')
    had = Recorded(*recorded(name, mode, description))
    if description['finding'] and not had.seen['wrong']:
        raise NotBrief('one call alone shows nothing that is wrong')
    reason = ''
    for style in styles(mode, had.function):
        with contextlib.suppress(SyntaxError):
            text = program(language, description, had, style)
            if text != reason and ends_with(text, had.seen['wrong'], had.seen.get('raised'), had.end == signal.SIGALRM):
                return with_right(text, program(language, description, had, style, True))
            reason = text
    raise NotBrief('a brief program does not end as the call in the harness does')


def attempt(name, mode, description):
    """A brief program, the same with right results, and ''; or two times None, and why there is none."""
    try:
        return *written(name, mode, description), ''
    except NotBrief as why:
        return None, None, str(why)
    except Exception as why:  # the harness shows the finding all the same
        return None, None, f'no brief program could be written: {type(why).__name__}: {why}'


def harness(name, mode, description, right):
    with tempfile.TemporaryFile('w+') as file:
        script.write(name, mode, description, file, right)
        file.seek(0)
        return file.read()


def status_of(text):
    """The exit status of a program, 128 and more for a signal, or None where it does not end in time."""
    with program_file(text) as path:
        try:
            status = subprocess.run([sys.executable, path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False).returncode
        except subprocess.TimeoutExpired:
            return None
    return status if status >= 0 else 128 - status


def objection(description, text, right):
    """Why the harness does not tell a wrong library from right results, or ''.  Where its expectations depend on the
    library's own results it knows nothing of others, and ends with 2."""
    given = any('given' in operand for operand in description['operands'])
    for program_text, wanted, where in ((text, (1,), 'the library'), (right, (0, 2) if given else (0,), 'right results')):
        status = status_of(program_text)
        if status is None:
            return f'it does not end in {PATIENCE} s with {where}'
        if status not in wanted:
            return f'it ends with {status} in place of {wanted[0]} with {where}'
    return ''


def called_function(text):
    """The longest name of a function of the library that a brief program calls on its data, or ''."""
    if 'parse_model' in text:
        return brief_onnx.function_of(text)
    calls = re.findall(r'^(?:\w+(?:, \w+)*,? = |    y = )?.*?\b((?:torch|paddle|tf|flow|jnp|jax|np|ne|scipy)\.[\w.]+)\(', text, re.M)
    made = ('.tensor', '.to_tensor', '.constant', '.array', '.full', 'GradientTape', '.vjp', '.zeros', '.allclose', '.array_equal')
    own = [call for call in calls if not call.endswith(made)]
    return own[-1] if own else ''


def main(name, mode):
    """Where the description asks for a brief program, and there is none, the harness follows."""
    description = json.load(sys.stdin)
    text, right, why = attempt(name, mode, description) if description['brief'] else (None, None, '')
    check = ''
    if text is None and 'model' in description:
        text = right = ''  # the harness is in C
    elif text is None and description['random']:
        text = right = ''  # no numbers that it could have are those of another run
    elif text is None:
        text, right = (harness(name, mode, description, each) for each in (False, True))
        if description['finding'] and not description['right']:
            check = objection(description, text, right)
    shown = right if description['right'] else text
    print(' '.join(why.split()), check, called_function(text), shown, sep='\n', end='')
    return 0
