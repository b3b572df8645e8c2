"""Brief programs for ONNX Runtime: the model in ONNX's own syntax, and one session."""
from . import brief_data, protocol, script
from .protocol import Declined


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
    inputs = {each['name']: brief_data.decoded(script.array_of(each), each['dtype']) for each in description['operands']
              if each['role'] == protocol.INPUT and each['name'] in names_in(description['model'])}
    outputs = [each['name'] for each in description['operands'] if each['role'] == protocol.OUTPUT]
    if any(each['dtype'] in ('bf16', 'e4m3', 'e5m2') for each in description['operands']):
        raise Declined('NumPy has no arrays of an element type')
    send({'calls': True})
    given = ', '.join(f"'{name}': {name}" for name in inputs)
    for line in [*session_line(mode), f"{', '.join(outputs)}{',' if len(outputs) == 1 else ''} = session.run(None, {{{given}}})"]:
        send({'line': line, 'brief': line})
    texts = {name: name for name in outputs}
    try:
        scope = {'ort': ort, 'model': onnx.parser.parse_model(description['model'])}
        exec('\n'.join(session_line(mode)), scope)
        results = scope['session'].run(None, inputs)
    except Exception as why:
        send({'raised': type(why).__name__, 'wrong': True, 'texts': texts})
        return
    send({**observed(dict(zip(outputs, results)), description), 'texts': texts})


def names_in(model):
    """Names of the inputs of the model, behind their types."""
    inside = model[model.index('case (') + len('case ('):model.index(') =>')]
    return [each.split()[1] for each in inside.split(', ') if each]
