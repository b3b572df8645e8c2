"""What a user's function is called with, for brief programs: one call, whose parts are nobody's business."""
import numpy as np

from . import adapter_python, own_file, parameters, protocol, script
from .protocol import Different


class Recording(adapter_python.Adapter):
    """Operands are those of the description, and results are kept."""

    def __init__(self, arrays):
        super().__init__('')
        self.given, self.results = arrays, {}

    def array(self, _, operand):
        return self.given[operand.name]

    def write(self, _, operand, result):
        self.results[operand.name] = np.asarray(result)


def record(description, described, send, observed):
    """Sends the call, and what came of it."""
    arrays = {operand['name']: script.array_of(operand) for operand in description['operands']
              if operand['role'] == protocol.INPUT}
    recording = Recording(arrays)
    step = parameters.parse(description['call'].encode()).steps[0]
    arrays_of_function = own_file.arrays_of(step.expression.split('(')[0])
    outputs = [operand['name'] for operand in description['operands'] if operand['role'] == protocol.OUTPUT]
    given = {name: arrays.get(name) for name in parameters.parse(description['call'].encode()).operands}
    send({'calls': True})
    line = f't1 = {own_file.call_text(step, given, arrays_of_function)}'
    send({'line': line, 'brief': line})
    texts = {name: 't1' if len(outputs) == 1 else f't1[{i}]' for i, name in enumerate(outputs)}
    try:
        recording.run(None, parameters.parse(description['call'].encode()), list(described.values()))
        seen = observed(recording.results, description)
    except adapter_python.Disagreement:
        seen = {'raised': 'Failed', 'wrong': True}
    except Different as why:
        seen = {'wrong': True, 'name': outputs[-1], 'type': True, 'why': str(why)}
    except Exception as why:
        seen = {'raised': type(why).__name__, 'wrong': True}
    send({**seen, 'texts': texts})
