"""Scripts that show a finding with the library and NumPy only.

The description is JSON: title, case, call (what a worker is asked), repeat, library, and for each operand
name, role, dtype, shape, and for inputs bytes in hexadecimal, offset and strides; for outputs rows of
index, value (high and low), bound and classes, and where what follows depends on them, the elements that
were given, in hexadecimal."""
import contextlib
import os
import pathlib
import re
import signal
import sys

import numpy as np

from . import brief_compiled, own_file, parameters, programs, protocol, recorder
from .adapter import NUMPY
from .protocol import Operand

PATIENCE = 240
# NumPy's type of the arrays of each element type: for formats that NumPy lacks, an unsigned integer with their bits.
NAMES = {**{dtype: np.dtype(kind).name for dtype, kind in NUMPY.items()},
         'bf16': 'uint16', 'e4m3': 'uint8', 'e5m2': 'uint8'}

# The parts of a script before and behind its calls.
HEAD, CHECKS = (pathlib.Path(__file__).parent / 'program.py.in').read_text().split('@BODY@\n')


def fill(template, **values):
    """The template with values in place of each @NAME@; ends with an error unless names and values are the same."""
    names = set(re.findall('@([A-Z]+)@', template))
    if names != set(values):
        raise KeyError(f'a template with {sorted(names)}, values of {sorted(values)}')
    return re.sub('@([A-Z]+)@', lambda match: str(values[match[1]]), template)


def quoted(text):
    """A text as it stands between three double quotes."""
    return text.replace('\\', '\\\\').replace('"', '\\"')


def literal(value):
    """What Python prints of complex numbers loses a zero's sign, and names no infinity."""
    if isinstance(value, complex):
        return f'complex({literal(value.real)}, {literal(value.imag)})'
    return repr(value) if np.isfinite(value) else str(value)


def array_text(operand, array):
    """Dense arrays as numbers, others as the memory that they lie in."""
    storage = NAMES[operand['dtype']]
    if array.flags.c_contiguous:
        numbers = ', '.join(literal(value) for value in array.reshape(-1).tolist())
        return f'np.array([{numbers}], np.{storage.replace("bool", "bool_")}).reshape({array.shape})'
    return (f"np.ndarray({array.shape}, '{storage}', bytearray.fromhex('{operand['bytes']}'), "
            f"{operand['offset']}, {tuple(operand['strides'])})")


def array_of(operand):
    return np.ndarray(operand['shape'], NAMES[operand['dtype']], bytearray.fromhex(operand['bytes']),
                      operand['offset'], operand['strides'])


def put_data(out, operands):
    arrays = {}
    for operand in operands:
        if operand['role'] == protocol.INPUT:
            arrays[operand['name']] = array_of(operand)
    print('\nINPUTS = {', file=out)
    for operand in operands:
        if operand['name'] in arrays:
            text = array_text(operand, arrays[operand['name']])
            print(f"    '{operand['name']}': {text},", file=out)
    print('}\nEXPECTED = {', file=out)
    for operand in operands:
        if operand['role'] == protocol.OUTPUT:
            print(f"    '{operand['name']}': ('{operand['dtype']}', '{NAMES[operand['dtype']]}', "
                  f"{tuple(operand['shape'])}, [", file=out)
            for index, high, low, bound, classes, exact in operand['rows']:
                values = ', '.join(literal(float.fromhex(value)) for value in (high, low, bound))
                print(f'        ({index}, {values}, {classes}, {exact}),', file=out)
            print('    ]),', file=out)
    print('}', file=out)
    put_given(out, [operand for operand in operands if 'given' in operand])
    return arrays


def put_given(out, operands):
    """Writes the library's own results from which later outputs are expected (chains)."""
    print('GIVEN = {' if operands else 'GIVEN = {}', file=out)
    for operand in operands:
        print(f"    '{operand['name']}': '{operand['given']}',", file=out)
    if operands:
        print('}', file=out)


class Recording:
    """An adapter whose operands and results are written down.  tell: RecordedFunctions.tell."""

    def __init__(self, module, name, mode, script, arrays, tell=None):
        self.script, self.arrays, self.results = script, arrays, {}
        compiler, plain = brief_compiled.compiler_of(name, mode)
        self.adapter = module.Adapter(plain)
        if compiler:
            self.adapter.functions = brief_compiled.RecordedFunctions(module, compiler, script, tell)
        self.adapter.array = self.array
        self.adapter.put = self.put
        self.adapter.forward_only = contextlib.nullcontext

    def array(self, _, operand):
        value, dtype = self.arrays[operand.name], recorder.raw(self.adapter.arrays[operand.dtype])
        if value.dtype == dtype:
            return recorder.Recorder(self.script, value, operand.name)
        return recorder.Recorder(self.script, value.view(dtype),
                                 f'{operand.name}.view({self.script.text(dtype)})')

    def put(self, _, operand, result):
        self.results[operand.name] = self.script.text(result)


def write_calls(name, mode, script, arrays, text, operands):
    os.environ['OPCONFORM_MODE'] = mode
    try:
        recording = Recording(recorder.load(name, script), name, mode, script, arrays)
        for line in recording.adapter.preamble():
            script.line(line)
        recording.adapter.run(None, parameters.parse(text), operands)
        pairs = ', '.join(f"'{key}': {value}" for key, value in recording.results.items())
        script.line(f'return {{{pairs}}}')
    except Exception as why:
        print(f'{type(why).__name__}: {why}', file=sys.stderr)
        script.line('return None')


def right_array(operand):
    """An output as it is right, a dense array."""
    return np.frombuffer(bytes.fromhex(operand['right']), NAMES[operand['dtype']]).reshape(operand['shape'])


def put_right_calls(description, arrays, out):
    """Right results in place of the calls, with which the script must end with 0."""
    print(f"\n\ndef run({', '.join(arrays)}):", file=out)
    if description['illegal']:
        print("    raise ValueError('refused')", file=out)
        return
    pairs = [f"'{operand['name']}': np.frombuffer(bytes.fromhex('{operand['right']}'), '{NAMES[operand['dtype']]}')"
             f".reshape({tuple(operand['shape'])})" for operand in description['operands']
             if operand['role'] == protocol.OUTPUT]
    print(f"    return {{{', '.join(pairs)}}}", file=out)


def put_own_calls(text, operands, arrays, out):
    """A function of a user's file: one call."""
    own_file.load(os.environ['OPCONFORM_FILE'])
    request = parameters.parse(text)
    step, given = request.steps[0], {name: arrays.get(name) for name in request.operands}
    function = step.expression.split('(')[0]
    outputs = [operand['name'] for operand in operands if operand['role'] == protocol.OUTPUT]
    values = ['results'] if len(outputs) == 1 else [f'results[{i}]' for i in range(len(outputs))]
    pairs = ', '.join(f"'{name}': {value}" for name, value in zip(outputs, values))
    lines = [*own_file.imports_of(function),
             f'results = {own_file.call_text(step, given, own_file.arrays_of(function))}', f'return {{{pairs}}}']
    print(f"\n\ndef run({', '.join(arrays)}):", *(f'    {line}' for line in lines), sep='\n', file=out)


def put_calls(name, mode, text, operands, arrays, out):
    print(f"\n\ndef run({', '.join(arrays)}):", file=out, flush=True)
    script = recorder.Script(out)
    script.depth = 1
    described = []
    for operand in operands:
        described.append(Operand(operand['dtype'], operand['role'], 0, tuple(operand['shape']), ()))
        described[-1].name = operand['name']
    # The calls run in a process of their own, so that a crash or a hang leaves the checks.
    process = os.fork()
    if process == 0:
        signal.alarm(PATIENCE)
        write_calls(name, mode, script, arrays, text, described)
        os._exit(0)
    if os.waitpid(process, 0)[1] != 0:
        script.line('return None')


def write(name, mode, description, out, right=False):
    operands = description['operands']
    print(fill(HEAD, TITLE=quoted(description['title']), CASE=quoted(description['case']),
               LIBRARY=quoted(description['library']), ILLEGAL=description['illegal'], STRAY=description['stray']), end='', file=out)
    arrays = put_data(out, operands)
    text = description['call'].encode()
    if right:
        put_right_calls(description, arrays, out)
    elif parameters.parse(text).has('source'):
        print('\n' + programs.script(name, mode, parameters.parse(text)), end='', file=out)
    elif name == own_file.BACKEND:
        put_own_calls(text, operands, arrays, out)
    else:
        put_calls(name, mode, text, operands, arrays, out)
    print(fill(CHECKS, REPEAT=description['repeat']), end='', file=out)
