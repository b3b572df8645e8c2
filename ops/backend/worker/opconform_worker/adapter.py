"""What all adapters share: which operators there are, and operands as arrays over the memory."""
import numpy as np

from . import protocol
from .server import Declined, Different

REAL = ('f32', 'f64')
HALF = ('f16',)
FLOAT = REAL + HALF
INTEGER = ('i8', 'u8', 'i32', 'i64')
BOOLEAN = ('bool',)
ANY = FLOAT + INTEGER + BOOLEAN

NUMPY = {'f32': np.float32, 'f64': np.float64, 'f16': np.float16, 'i8': np.int8, 'u8': np.uint8,
         'i32': np.int32, 'i64': np.int64, 'bool': np.bool_}


def axes_of(p, rank):
    """The reduced axes: bit 0 is the innermost."""
    bits = p.integer('axes')
    return tuple(axis for axis in range(rank) if bits >> (rank - 1 - axis) & 1)


def array_of(memory, operand):
    """The operand where it lies, with its own strides."""
    return np.ndarray(operand.shape, NUMPY[operand.dtype], memory, operand.offset, operand.strides)


def put(target, result):
    """A result of another type or of other extents is a defect of the library, or of its adapter."""
    if result.dtype != target.dtype or result.shape != target.shape:
        raise Different(f'gives {result.dtype}{list(result.shape)}, '
                        f'not {target.dtype}{list(target.shape)}')
    np.copyto(target, result)


class Table:
    """operators: from a name to element types and a function of the parameters and the inputs."""
    operators = {}

    def offers(self):
        return {name: dtypes for name, (dtypes, _) in self.operators.items()}

    def inputs(self, memory, operands):
        return [self.read(memory, operand) if operand.role == protocol.INPUT else None
                for operand in operands if operand.role != protocol.OUTPUT]

    def read(self, memory, operand):
        if operand.dtype not in NUMPY:
            raise Declined(f'no elements of {operand.dtype}')
        return array_of(memory, operand)

    def write(self, memory, operand, result):
        put(array_of(memory, operand), np.asarray(result))

    def run(self, memory, p, operands):
        entry = self.operators.get(p.name)
        if entry is None:
            raise Declined('not in the table')
        results = entry[1](p, *self.inputs(memory, operands))
        if not isinstance(results, tuple):
            results = (results,)
        outputs = [operand for operand in operands if operand.role == protocol.OUTPUT]
        if len(results) != len(outputs):
            raise Different(f'gives {len(results)} results, not {len(outputs)}')
        for operand, result in zip(outputs, results):
            self.write(memory, operand, result)
