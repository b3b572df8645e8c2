"""What all adapters share: which operators there are, and operands as arrays over the memory."""
import contextlib
import functools

import numpy as np

from . import protocol
from .parameters import Parameters
from .protocol import Declined, Different

REAL = ('f32', 'f64')
HALF = ('f16',)
FLOAT = REAL + HALF
INTEGER = ('i8', 'u8', 'i32', 'i64')
BOOLEAN = ('bool',)
ANY = FLOAT + INTEGER + BOOLEAN

NUMPY = {'f32': np.float32, 'f64': np.float64, 'f16': np.float16, 'i8': np.int8, 'u8': np.uint8,
         'i32': np.int32, 'i64': np.int64, 'bool': np.bool_}


def with_activation(relu, relu6):
    """What follows a product: the activation that the case names, if any."""
    def activated(p, y):
        word = p.word('activation') if p.has('activation') else 'none'
        return relu(y) if word == 'relu' else relu6(y) if word == 'relu6' else y
    return activated


def axes_of(p, rank):
    """The reduced axes: bit 0 is the innermost."""
    bits = p.integer('axes')
    return tuple(axis for axis in range(rank) if bits >> (rank - 1 - axis) & 1)


def decline(condition, why):
    if condition:
        raise Declined(why)


def permit(p, *names):
    """Declines a call whose illegal argument has a meaning for the library."""
    decline(p.word('illegal', '') in names, 'the library gives that a meaning')


def shape_count(shape):
    count = 1
    for extent in shape:
        count *= extent
    return count


def unary(function):
    return lambda p, x: function(x)


def binary(function):
    return lambda p, a, b: function(a, b)


def with_alpha(function):
    return lambda p, x: function(x, p.real('alpha'))


def reduced_last(p, shape):
    """The order of the axes that brings the reduced ones to the end, the extents with them as one
    axis, and the extents of the result."""
    axes = axes_of(p, len(shape))
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    outer = [shape[axis] for axis in kept]
    result = [1 if axis in axes else shape[axis] for axis in range(len(shape))]
    flat = outer + [shape_count([shape[axis] for axis in axes])]
    return kept + list(axes), flat, result if p.flag('keepdims') else outer


def axis_order(p, rank):
    """The axes of a transposition."""
    axis, order = p.integer('axis'), list(range(rank))
    if p.flag('backwards'):
        order.reverse()
    return order[axis:] + order[:axis]


def copies_of(p, rank):
    """How often each axis is repeated by tile."""
    copies = [1] * rank
    copies[p.integer('axis')] = p.integer('step')
    return copies


def einsum_labels(p):
    """The labels of a, b and y as numbers: bits, rotated; a may have one label twice."""
    rank = len(p.shape('shape'))

    def labels(operand, twice=0):
        bits, rotation = p.integer(f'labels_{operand}'), p.integer(f'rotate_{operand}')
        plain = [label for label in range(rank) if bits >> label & 1]
        plain += [twice - 1] if twice else []
        return [plain[(i + rotation) % len(plain)] for i in range(len(plain))]

    return labels('a', p.integer('diagonal')), labels('b'), labels('y')


def einsum_equation(p):
    a, b, y = (''.join('abcde'[label] for label in labels) for labels in einsum_labels(p))
    return f'{a},{b}->{y}'


def settings_of(mode, known):
    """The words of a mode, eager among them or not, with + between; known are those that the adapter
    has."""
    words = set(mode.split('+')) - {'', 'eager'}
    if words - set(known):
        raise ValueError(f'unknown mode {"+".join(sorted(words - set(known)))}: known are ' +
                         ', '.join(('eager', *known)))
    return words


@functools.lru_cache(maxsize=4096)
def link(p, number, shape):
    """One step of a chain as a case of its own: the second number is the other operand, or the axis,
    shift and diagonal."""
    name, second = p.word(f'step{number}'), p.integer(f'with{number}', 0)
    fields = {'shape': 'x'.join(map(str, shape)), 'axis': str(second % 2), 'start': str(second),
              'diagonal': str(second), 'backwards': 'no', 'exclusive': 'no', 'activation': 'none'}
    return Parameters(name, fields, tuple(INPUTS.get(name, 'x').split()))


class Table:
    """operators: from a name to element types and a function of the parameters and the inputs."""
    operators = {}
    # True where calls return before they are computed: all of a batch are made at first.
    asynchronous = False
    # Element types of arrays; those that NumPy lacks are integers of their width, or of ml_dtypes.
    arrays = NUMPY

    def array(self, memory, operand):
        """The operand where it lies, with its own strides."""
        if operand.dtype not in self.arrays:
            raise Declined(f'no elements of {operand.dtype}')
        return np.ndarray(operand.shape, self.arrays[operand.dtype], memory, operand.offset,
                          operand.strides)

    def put(self, memory, operand, result):
        """A result of another type or of other extents is a defect of the library, or of its
        adapter."""
        target, result = self.array(memory, operand), np.asarray(result)
        if result.dtype != target.dtype:
            raise Different(f'gives {result.dtype}, not {target.dtype}')
        if result.shape != target.shape:
            raise Different(f'gives {result.dtype}{list(result.shape)}, not {list(target.shape)}')
        np.copyto(target, result)

    def warm_up(self):
        """What each worker does before its first case; the server itself has only imported."""

    def sample(self):
        """One case in so many is worth its time where faster backends run as well."""
        return 1

    def preamble(self):
        """Lines that scripts begin with."""
        return []

    def offers(self):
        table = {name: dtypes for name, (dtypes, _) in self.operators.items()}
        table['chain'] = REAL
        return table

    def inputs(self, memory, operands):
        return [self.read(memory, operand) if operand.role == protocol.INPUT else None
                for operand in operands if operand.role != protocol.OUTPUT]

    def read(self, memory, operand):
        return self.array(memory, operand)

    def write(self, memory, operand, result):
        self.put(memory, operand, result)

    def start(self, memory, p, operands):
        """The outputs, each with its result, which may be there only when it is asked for."""
        return self.compute(memory, p, operands)

    def finish(self, memory, results):
        for operand, result in results:
            self.write(memory, operand, result)

    def run(self, memory, p, operands):
        self.finish(memory, self.start(memory, p, operands))

    def chain(self, memory, p, operands):
        """Operators one after another; outputs of steps that are not there are empty."""
        values = self.inputs(memory, operands)
        outputs = operands[len(values):]
        for number, operand in enumerate(outputs, 1):
            if p.word(f'step{number}', 'none') == 'none':
                break
            step = link(p, number, operand.shape)
            entry = self.operators.get(step.name)
            if entry is None or operand.dtype not in entry[0]:
                raise Declined(f'no {step.name}')
            taken = [values[p.integer(f'{which}{number}', 0)] for which in ('from', 'with')]
            values.append(entry[1](step, *taken[:len(step.operands)]))
        return list(zip(outputs, values[len(operands) - len(outputs):]))

    def compute(self, memory, p, operands):
        if p.name == 'chain':
            return self.chain(memory, p, operands)
        entry = self.operators.get(p.name)
        if entry is None:
            raise Declined('not in the table')
        results = entry[1](p, *self.inputs(memory, operands))
        if not isinstance(results, tuple):
            results = (results,)
        outputs = [operand for operand in operands if operand.role == protocol.OUTPUT]
        if len(results) != len(outputs):
            raise Different(f'gives {len(results)} results, not {len(outputs)}')
        return list(zip(outputs, results))


# Inputs of forward operators in their order, where they are not x.
INPUTS = {'linear': 'x w bias', 'relu_linear': 'z w bias', 'gelu_linear': 'z w bias',
          'einsum': 'a b', 'matmul': 'a b', 'attention': 'q k v',
          'layer_norm': 'x scale bias', 'rms_norm': 'x scale', 'group_norm': 'x scale bias',
          'rnn': 'x w r bias h0', 'gru': 'x w r bias h0', 'lstm': 'x w r bias h0 c0',
          'nll_loss': 'x target weight', 'cross_entropy': 'x target weight', 'grid_sample': 'x grid'}
INPUTS.update({name: 'x indices' for name in
               ('embedding', 'index_select', 'take', 'take_along_axis')})
INPUTS.update({name: 'x target' for name in
               ('mse_loss', 'l1_loss', 'smooth_l1_loss', 'huber_loss', 'bce_loss', 'bce_with_logits',
                'kl_div')})
INPUTS.update({name: 'a b' for name in
               ('add', 'sub', 'mul', 'div', 'pow', 'atan2', 'maximum', 'minimum')})
INPUTS.update({f'conv{kind}{axes}d': 'x w bias' for kind in ('', '_transpose') for axes in (1, 2, 3)})
SUFFIXES = ('', '_data', '_weights', '_a', '_b')
# Their gradients start from results that the forward pass saved.
FROM_RESULTS = ('softmax', 'log_softmax', 'layer_norm', 'batch_norm', 'group_norm', 'instance_norm')


class Differentiable(Table):
    """Gradients by the framework's own differentiation of the forward operators, in their types of
    floating point; it has zeros(operand), and differentiate(function, values, dy): the gradients of
    function at the values, None where it does not depend on one."""
    # What the library raises for kernels that a type or an attribute lacks, and parts of its messages.
    refusals, missing = (RuntimeError, NotImplementedError), ()

    def forward_only(self):
        """The context of operators that nobody differentiates."""
        return contextlib.nullcontext()

    def compute(self, memory, p, operands):
        if '_backward' in p.name:
            return self.run_backward(memory, p, operands)
        with self.forward_only():
            return super().compute(memory, p, operands)

    @contextlib.contextmanager
    def refusing(self):
        try:
            yield
        except self.refusals as why:
            if any(text in str(why) for text in self.missing):
                raise Declined(str(why)) from why
            raise

    def start(self, memory, p, operands):
        with self.refusing():
            return super().start(memory, p, operands)

    def finish(self, memory, results):
        with self.refusing():
            super().finish(memory, results)

    def offers(self):
        table = super().offers()
        for name, dtypes in list(table.items()):
            known = [dtype for dtype in dtypes if dtype in REAL + ('f16', 'bf16')]
            if known and name not in FROM_RESULTS:
                table.update({f'{name}_backward{suffix}': known for suffix in SUFFIXES})
        return table

    def value_of(self, memory, source, target):
        """An input as the gradient's operands have it; what the gradient does not depend on is zeros."""
        if source is not None and source.role != protocol.IGNORED:
            return self.read(memory, source)
        if target is not None and source is None:
            return self.zeros(target)
        return None

    def run_backward(self, memory, p, operands):
        """dy and some inputs give the gradients d... of the forward operator."""
        base = p.name[:p.name.index('_backward')]
        given = dict(zip(p.operands, operands))
        names = INPUTS.get(base, 'x').split()
        values = [self.value_of(memory, given.get(name), given.get('d' + name)) for name in names]
        wanted = [i for i, name in enumerate(names) if values[i] is not None and
                  'd' + name in given and given['d' + name].role == protocol.OUTPUT]

        def forward(*chosen):
            inputs = list(values)
            for i, value in zip(wanted, chosen):
                inputs[i] = value
            y = self.operators[base][1](p, *inputs)
            return y[0] if isinstance(y, tuple) else y

        dy = self.read(memory, given['dy'])
        gradients = self.differentiate(forward, [values[i] for i in wanted], dy)
        found = {'d' + names[i]: gradient for i, gradient in zip(wanted, gradients)}
        outputs = {name: operand for name, operand in given.items() if operand.role == protocol.OUTPUT}
        return [(operand, self.zeros(operand) if found.get(name) is None else found[name])
                for name, operand in outputs.items()]
