"""A file of a user's: the functions in it that say which operators they compute (python/opconform)."""
import contextlib
import functools
import importlib
import os
import platform
import sys
import types

import numpy as np

from . import calls, own_file, protocol
from .adapter import Library
from .protocol import Declined, Different


# Deadlines that a case of a body may take.
PATIENCE = 12


def array_of(value):
    """What a function returned as an array of NumPy, whatever library it is of."""
    if isinstance(value, np.ndarray):
        return value
    if hasattr(value, 'detach'):
        value = value.detach()
    return value.numpy() if hasattr(value, 'numpy') else np.asarray(value)


def converter(text):
    """x as an array of another library, by an expression over its module."""
    root = text.split('.')[0]
    if root == '{}':
        return lambda x: x
    for name in ('jax.numpy',) if root == 'jax' else (root,):
        importlib.import_module(name)
    return eval(f'lambda x: {text.format("x")}', {root: sys.modules[root]})


class Disagreement(Different):
    """Of frameworks, in a body."""


class Body:
    """A body as a function of its choices; frameworks are started with the first case."""

    def __init__(self, test):
        self.test, self.campaign = test, None

    def __call__(self, *choices):
        from opconform.autotest import campaign, processes
        try:
            self.campaign = self.campaign or campaign.Campaign(self.test)
        except processes.Absent as why:
            raise Declined(str(why)) from why
        _, found = self.campaign.case(list(choices))
        if found:
            raise Disagreement(f'{found[0].backend}: {found[0].title()}')
        return np.float32(1)


class Adapter(Library):
    def __init__(self, mode):
        np.seterr(all='ignore')
        self.file = own_file.load(os.environ['OPCONFORM_FILE'])
        self.kernels = self.file.kernels()
        self.bodies = {body.name: Body(body) for body in self.file.bodies()}
        self.convert = {kernel.name: converter(own_file.ARRAYS[kernel.arrays]) for kernel in self.kernels}

    def facts(self):
        count = len(self.kernels) + len(self.bodies)
        return {'version': os.path.basename(self.file.path), 'path': self.file.path,
                'build': f'{count} function{"" if count == 1 else "s"} of a user, Python {platform.python_version()}, '
                         f'NumPy {np.__version__}'}

    def offers(self):
        return {}

    def rows_of_file(self):
        # Frameworks are started with the first case of a worker, and calls go to them and back.
        return [*([f'patience {PATIENCE}'] if self.bodies else []), *self.file.lines()]

    def warm_up(self):
        # What functions print is no data of the tool's.
        os.dup2(2, 1)

    @functools.cached_property
    def functions(self):
        functions = {kernel.name: kernel.function for kernel in self.kernels}
        return calls.Functions(types.SimpleNamespace(**functions, **self.bodies))

    def call(self, memory, request, operands):
        """Operands that are read and written come as copies: what they become is returned."""
        step, given = request.steps[0], {}
        convert = self.convert.get(step.expression.split('(')[0])
        for name, operand in zip(request.operands, operands):
            read = operand.role == protocol.INPUT
            if read or operand.role == protocol.OUTPUT and name in step.expression:
                array = self.take(memory, operand)
                given[name] = convert(array if read else array.copy())
            else:
                given[name] = None
        with contextlib.redirect_stdout(sys.stderr):
            results = self.functions.call(step, given)
        return tuple(map(array_of, results)) if isinstance(results, (tuple, list)) else array_of(results)
