"""Brief programs for ONNX Runtime: the model in ONNX's own syntax, and one session."""
import re

import numpy as np

from . import protocol, script

# Formats that NumPy has no arrays of: their names in ONNX, in ml_dtypes, which comes with onnx, and their numbers in ONNX.
FORMATS = {'bf16': ('bfloat16', 'bfloat16', 16), 'e4m3': ('float8e4m3fn', 'float8_e4m3fn', 17),
           'e5m2': ('float8e5m2', 'float8_e5m2', 19)}
FLOAT = 1


def in_float(operand):
    """The same numbers in binary32, which holds all of the format."""
    import ml_dtypes
    kind = getattr(ml_dtypes, FORMATS[operand['dtype']][1])
    changed = {**operand, 'dtype': 'f32'}
    if 'bytes' in operand:
        array = script.array_of(operand).copy().view(kind).astype(np.float32)
        changed.update(bytes=array.tobytes().hex(), offset=0, strides=array.strides)
    if 'right' in operand:
        changed['right'] = np.frombuffer(bytes.fromhex(operand['right']), kind).astype(np.float32).tobytes().hex()
    return changed


def widened(description):
    """A description whose model is given numbers of formats that NumPy lacks in float, and gives them in float."""
    model, operands = description['model'], []
    for operand in description['operands']:
        name, (theirs, _, number) = operand['name'], FORMATS.get(operand['dtype'], (None, None, None))
        declared = f'{theirs}[] {name}'
        if theirs and re.search(rf'{re.escape(declared)}\b', model):
            model = re.sub(rf'{re.escape(declared)}\b', f'float[] {name}_float', model, count=1)
            if operand['role'] == protocol.INPUT:
                model = model.replace('{\n', f'{{\n    {name} = Cast <to = {number}> ({name}_float)\n', 1)
            else:
                model = model.rstrip().removesuffix('}') + f'    {name}_float = Cast <to = {FLOAT}> ({name})\n}}'
        operands.append(in_float(operand) if theirs else operand)
    return {**description, 'model': model, 'operands': operands}


def function_of(text):
    """The operators of the model in a program, of more than three the last one, or ''; not what converts arrays."""
    nodes = re.findall(r'^    (?!\w+_float =)\w+(?:, \w+)* = ([A-Z]\w*) (?!.*_float\))[<(]', text, re.M)
    names = list(dict.fromkeys(nodes))
    return ' and '.join([', '.join(names[:-1]), names[-1]] if 1 < len(names) <= 3 else names[-1:])


def session_line(mode):
    """The call that makes the session; noopt runs the graph as it is."""
    options = []
    if 'noopt' in mode.split('+'):
        options = ['options = ort.SessionOptions()',
                   'options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL']
    given = ', options' if options else ''
    return [*options, f'session = ort.InferenceSession(model.SerializeToString(){given})']


def record(mode, description, send, observed):
    """Sends the lines of the call, and what came of it, as brief.record does of an adapter's."""
    import onnx
    import onnxruntime as ort
    taken = names_in(description['model'])
    inputs = {each['name']: script.array_of(each) for each in description['operands']
              if each['role'] == protocol.INPUT and {each['name'], f"{each['name']}_float"} & set(taken)}
    outputs = [each['name'] for each in description['operands'] if each['role'] == protocol.OUTPUT]
    send({'calls': True})
    fed = {name: name if name in taken else f'{name}_float' for name in inputs}
    given = ', '.join(f"'{fed[name]}': {name}" for name in inputs)
    for line in [*session_line(mode), f"{', '.join(outputs)}{',' if len(outputs) == 1 else ''} = session.run(None, {{{given}}})"]:
        send({'line': line, 'brief': line})
    texts = {name: name for name in outputs}
    try:
        scope = {'ort': ort, 'model': onnx.parser.parse_model(description['model'])}
        exec('\n'.join(session_line(mode)), scope)
        results = scope['session'].run(None, {fed[name]: array for name, array in inputs.items()})
    except Exception as why:
        send({'raised': type(why).__name__, 'wrong': True, 'texts': texts})
        return
    send({**observed(dict(zip(outputs, results)), description), 'texts': texts})


def names_in(model):
    """Names of the inputs of the model, behind their types."""
    inside = model[model.index('case (') + len('case ('):model.index(') =>')]
    return [each.split()[1] for each in inside.split(', ') if each]
