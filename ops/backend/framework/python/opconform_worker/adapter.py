"""The base of all adapters: the table of operators, and operands as arrays over the shared memory."""
import contextlib
import functools
import sys

import numpy as np

from . import calls, protocol
from .protocol import Declined, Different, Lacking

REAL = ('f32', 'f64')

NUMPY = {'f32': np.float32, 'f64': np.float64, 'f16': np.float16, 'i8': np.int8, 'u8': np.uint8,
         'i32': np.int32, 'i64': np.int64, 'bool': np.bool_, 'c64': np.complex64, 'c128': np.complex128,
         'i16': np.int16, 'u16': np.uint16, 'u32': np.uint32, 'u64': np.uint64}


def decline(condition, why):
    if condition:
        raise Declined(why)


def settings_of(mode, known):
    """The words of a mode, eager among them or not, with + between; known are those that the adapter
    has."""
    words = set(mode.split('+')) - {'', 'eager'}
    if words - set(known):
        raise ValueError(f'unknown mode {"+".join(sorted(words - set(known)))}: known are ' +
                         ', '.join(('eager', *known)))
    return words


class Library:
    """rows: the name of the bindings by which the library is asked (docs/bindings.md): their calls see the
    names of the adapter's module."""
    rows = None
    # True where calls return before they are computed: all of a batch are made at first.
    asynchronous = False
    # What makes several calls of a batch as one function, or None.
    together = None
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
        """Called in each worker before its first case.  The server, of which workers are forks, has only imported."""

    @functools.cached_property
    def edition(self):
        """The library's name and version."""
        return f'{sys.modules[type(self).__module__].__name__.rpartition("_")[2]} {self.facts()["version"]}'

    def sample(self):
        """One case in so many is worth its time where faster backends run as well."""
        return 1

    def draws(self):
        """Where calls are compiled: how many cases in a row should be one call with other data, how many of these have
        the same extents, and how many deadlines a call may take; or None."""
        return None

    def preamble(self):
        """Lines that scripts begin with."""
        return []

    def bindings(self):
        """The name of the bindings, if it is asked by such in its mode."""
        return self.rows

    def program_refusals(self):
        """Of programs, in lines as ops/backend/process/refusals.h has them."""
        return []

    def rows_of_file(self):
        """Lines of rows that a user's file brings (ops/backend/python/rows.h)."""
        return []

    def offers(self):
        """Operators that are computed by a method in place of a row, with their element types."""
        return {'chain': REAL}

    def inputs(self, memory, operands):
        return [self.take(memory, operand) if operand.role == protocol.INPUT else None
                for operand in operands if operand.role != protocol.OUTPUT]

    def read(self, memory, operand):
        return self.array(memory, operand)

    def take(self, memory, operand):
        """What cannot be made of an operand's elements is no answer to the case: the library is not asked."""
        try:
            return self.read(memory, operand)
        except (Declined, MemoryError):
            raise
        except Exception as why:
            raise Lacking(f'takes no elements of {operand.dtype}: {type(why).__name__}') from why

    def write(self, memory, operand, result):
        self.put(memory, operand, result)

    def forward_only(self):
        """The context of operators that nobody differentiates."""
        return contextlib.nullcontext()

    def start(self, memory, p, operands):
        """The outputs, each with its result, which may be there only when it is asked for."""
        return self.compute(memory, p, operands)

    def finish(self, memory, results):
        for operand, result in results:
            self.write(memory, operand, result)

    def run(self, memory, p, operands):
        self.finish(memory, self.start(memory, p, operands))

    @functools.cached_property
    def functions(self):
        return calls.Functions(sys.modules[type(self).__module__])

    def call_steps(self, memory, request, operands):
        """The results of a chain, step by step."""
        values = self.inputs(memory, operands)
        count = len(values)
        for step in request.steps:
            values.append(self.functions.call(
                step, {name: values[i] for name, i in step.taken.items()}))
        return list(zip(operands, values))[count:]

    def given(self, memory, request, operands):
        return {name: self.take(memory, operand) if operand.role == protocol.INPUT else None
                for name, operand in zip(request.operands, operands) if operand.role != protocol.OUTPUT}

    def call(self, memory, request, operands):
        return self.functions.call(request.steps[0], self.given(memory, request, operands))

    def compute(self, memory, p, operands):
        if p.name == 'chain':
            return self.call_steps(memory, p, operands)
        return self.results_by_operand(operands, self.call(memory, p, operands))

    def results_by_operand(self, operands, results):
        if not isinstance(results, tuple):
            results = (results,)
        outputs = [operand for operand in operands if operand.role == protocol.OUTPUT]
        if len(results) != len(outputs):
            raise Different(f'gives {len(results)} results, not {len(outputs)}')
        return list(zip(outputs, results))


class Differentiable(Library):
    """Gradients by the framework's own differentiation of the forward operators, in their types of
    floating point; it has zeros(operand), and differentiate(function, values, dy): the gradients of
    function at the values, None where it does not depend on one."""
    # Exceptions that the library raises where it has no kernel for a type or an attribute, and parts of their messages.
    refusals, missing = (RuntimeError, NotImplementedError), ()

    def compute(self, memory, p, operands):
        if '_backward' in p.name:
            return self.run_backward(memory, p, operands)
        with self.forward_only():
            return super().compute(memory, p, operands)

    # Where the words of the library name the type that a kernel is missing for.
    missing_type = None

    def missing_kernel(self, why):
        """In few words, so that what is missing for one reason reads the same in all operators."""
        named = self.missing_type and self.missing_type.search(str(why))
        return f'has no kernel for {named[1]}' if named else f'has no such kernel: {why}'

    @contextlib.contextmanager
    def refusing(self):
        try:
            yield
        except self.refusals as why:
            if any(text in str(why) for text in self.missing):
                raise Lacking(self.missing_kernel(why)) from why
            raise

    def start(self, memory, p, operands):
        with self.refusing():
            return super().start(memory, p, operands)

    def finish(self, memory, results):
        with self.refusing():
            super().finish(memory, results)

    def value_of(self, memory, source, target):
        """An input as the gradient's operands have it; what the gradient does not depend on is zeros."""
        if source is not None and source.role != protocol.IGNORED:
            return self.take(memory, source)
        if target is not None and source is None:
            return self.zeros(target)
        return None

    def backward_of(self, memory, p, operands):
        """Values of the inputs of the forward operator, the numbers of those that it is differentiated by, and dy."""
        given = dict(zip(p.operands, operands))
        values = [self.value_of(memory, given.get(name), given.get('d' + name)) for name in p.inputs]
        wanted = [i for i, name in enumerate(p.inputs) if values[i] is not None and
                  'd' + name in given and given['d' + name].role == protocol.OUTPUT]
        return values, wanted, self.take(memory, given['dy'])

    def gradients_by_operand(self, p, operands, wanted, gradients):
        found = {'d' + p.inputs[i]: gradient for i, gradient in zip(wanted, gradients)}
        return [(operand, self.zeros(operand) if found.get(name) is None else found[name])
                for name, operand in zip(p.operands, operands) if operand.role == protocol.OUTPUT]

    def run_backward(self, memory, p, operands):
        """dy and some inputs give the gradients d... of the forward operator."""
        values, wanted, dy = self.backward_of(memory, p, operands)

        def forward(*chosen):
            inputs = list(values)
            for i, value in zip(wanted, chosen):
                inputs[i] = value
            y = self.functions.call(p.steps[0], dict(zip(p.inputs, inputs)))
            return y[0] if isinstance(y, tuple) else y

        gradients = self.differentiate(forward, [values[i] for i in wanted], dy)
        return self.gradients_by_operand(p, operands, wanted, gradients)
