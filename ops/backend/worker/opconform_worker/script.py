"""Scripts that show a finding with the library and NumPy only.

The description is JSON: title, case, repeat, library, and for each operand name, role, dtype, shape, and
for inputs bytes in hexadecimal, offset and strides; for outputs rows of index, value (high and low), bound
and classes, and where what follows depends on them, the elements that were given, in hexadecimal."""
import contextlib
import json
import os
import signal
import sys

import numpy as np

from . import parameters, programs, protocol, recorder
from .adapter import NUMPY
from .protocol import Operand

SECONDS = 60
# What arrays of each element type are made of; formats that NumPy lacks are their bits.
NAMES = {**{dtype: np.dtype(kind).name for dtype, kind in NUMPY.items()},
         'bf16': 'uint16', 'e4m3': 'uint8', 'e5m2': 'uint8'}

HEAD = '''"""{title}

{case}

{library}.  Needs that and NumPy; status 1 while the bug is there, 0 when it is gone,
2 where this cannot tell."""
import os
import signal
import sys

import numpy as np

FINITE, PLUS_INFINITY, MINUS_INFINITY, NOT_A_NUMBER = 1, 2, 4, 8
UNKNOWN = 2
# The argument that must be refused, if any, and by which exceptions.
ILLEGAL = '{illegal}'
DOCUMENTED = ('ValueError', 'TypeError', 'IndexError', 'RuntimeError', 'NotImplementedError',
              'InvalidArgumentError')
inf, nan = float('inf'), float('nan')
'''

CHECKS = '''

def number(value, dtype):
    """Formats that NumPy lacks are kept as their bits."""
    if dtype == 'bf16':
        return float(np.array(int(value) << 16, np.uint32).view(np.float32))
    if dtype == 'e5m2':
        return float(np.array(int(value) << 8, np.uint16).view(np.float16))
    if dtype == 'e4m3':
        exponent, fraction = int(value) >> 3 & 15, int(value) & 7
        size = fraction / 512 if exponent == 0 else (8 + fraction) * 2.0 ** (exponent - 10)
        size = nan if int(value) & 127 == 127 else size
        return -size if int(value) & 128 else size
    return float(value)


def admitted(got, high, low, bound, classes):
    if np.isnan(got):
        return classes & NOT_A_NUMBER
    if np.isinf(got):
        return classes & (PLUS_INFINITY if got > 0 else MINUS_INFINITY)
    return classes & FINITE and abs((got - high) - low) <= bound


def check():
    """The number of things that are wrong, None where nothing is known."""
    if ILLEGAL:
        print('accepted, although an argument is illegal:', ILLEGAL, run(**INPUTS))
        return 1
    bad, before = 0, {{name: value.copy() for name, value in INPUTS.items()}}
    results = [run(**INPUTS) for _ in range({repeat})]
    if results[0] is None:
        print('the call did not return when this was written; here it does')
        return None
    for name, (dtype, storage, shape, rows) in EXPECTED.items():
        if name not in results[0] and 0 in shape:
            continue
        got = np.asarray(results[0][name])
        if got.itemsize == np.dtype(storage).itemsize:
            got = np.ascontiguousarray(got).view(storage).reshape(got.shape)
        if got.dtype != storage or got.shape != shape:
            print(f'{{name}}: got {{got.dtype}}{{list(got.shape)}}, expected {{dtype}}{{list(shape)}}')
            bad += 1
            continue
        for index, high, low, bound, classes in rows:
            value = number(got.reshape(-1)[index], dtype)
            if not admitted(value, high, low, bound, classes):
                bad += 1
                if bad <= 8:
                    print(f'{{name}}[{{index}}]: got {{value.hex()}} ({{value}}), expected {{high}}, '
                          f'bound {{bound}}, classes {{classes}}')
        if got.tobytes().hex() != GIVEN.get(name, got.tobytes().hex()) and not bad:
            print(f'{{name}} is another one than when this was written; what it leads to is not known')
            return None
        for again in results[1:]:
            if np.asarray(again[name]).tobytes() != np.asarray(results[0][name]).tobytes():
                print(f'{{name}}: a repeated call gives other bits')
                bad += 1
    for name, value in INPUTS.items():
        if value.tobytes() != before[name].tobytes():
            print(f'{{name}} was modified')
            bad += 1
    return bad


def child():
    signal.alarm(120)
    try:
        bad = check()
    except Exception as why:
        print(f'{{type(why).__name__}}: {{why}}')
        bad = not (ILLEGAL and type(why).__name__ in DOCUMENTED)
    sys.stdout.flush()
    os._exit(UNKNOWN if bad is None else 1 if bad else 0)


def main():
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        child()
    status = os.waitpid(process, 0)[1]
    if os.WIFSIGNALED(status):
        end = os.WTERMSIG(status)
        print('the call hangs' if end == signal.SIGALRM else signal.Signals(end).name)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == UNKNOWN:
        return UNKNOWN
    print('the bug is there' if status else 'the bug is gone')
    return 1 if status else 0


sys.exit(main())
'''


def literal(value):
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
            for index, high, low, bound, classes in operand['rows']:
                values = ', '.join(literal(float.fromhex(value)) for value in (high, low, bound))
                print(f'        ({index}, {values}, {classes}),', file=out)
            print('    ]),', file=out)
    print('}', file=out)
    put_given(out, [operand for operand in operands if 'given' in operand])
    return arrays


def put_given(out, operands):
    """What outputs were when those behind them were expected."""
    print('GIVEN = {' if operands else 'GIVEN = {}', file=out)
    for operand in operands:
        print(f"    '{operand['name']}': '{operand['given']}',", file=out)
    if operands:
        print('}', file=out)


class Recording:
    """An adapter whose operands and results are written down."""

    def __init__(self, module, mode, script, arrays):
        self.script, self.arrays, self.results = script, arrays, {}
        self.adapter = module.Adapter(mode)
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
        recording = Recording(recorder.load(name, script), mode, script, arrays)
        for line in recording.adapter.preamble():
            script.line(line)
        recording.adapter.run(None, parameters.parse(text), operands)
        pairs = ', '.join(f"'{key}': {value}" for key, value in recording.results.items())
        script.line(f'return {{{pairs}}}')
    except Exception as why:
        print(f'{type(why).__name__}: {why}', file=sys.stderr)
        script.line('return None')


def text_of(description):
    """What a worker is asked: the case up to its fills, and the names of the operands."""
    names = ' '.join(operand['name'] for operand in description['operands'])
    return f"{description['call']} | {names}".encode()


def put_calls(name, mode, text, operands, arrays, out):
    print(f"\n\ndef run({', '.join(arrays)}):", file=out, flush=True)
    script = recorder.Script(out)
    script.depth = 1
    described = []
    for operand in operands:
        described.append(Operand(operand['dtype'], operand['role'], 0, tuple(operand['shape']), ()))
        described[-1].name = operand['name']
    # What the process dies of, or hangs in, must not take the checks with it.
    process = os.fork()
    if process == 0:
        signal.alarm(SECONDS)
        write_calls(name, mode, script, arrays, text, described)
        os._exit(0)
    if os.waitpid(process, 0)[1] != 0:
        script.line('return None')


def main(name, mode):
    description, out = json.load(sys.stdin), sys.stdout
    operands = description['operands']
    print(HEAD.format(**description), end='', file=out)
    arrays = put_data(out, operands)
    text = text_of(description)
    if parameters.parse(text).has('source'):
        print('\n' + programs.script(name, mode, parameters.parse(text)), end='', file=out)
    else:
        put_calls(name, mode, text, operands, arrays, out)
    print(CHECKS.format(**description), end='', file=out)
    return 0
