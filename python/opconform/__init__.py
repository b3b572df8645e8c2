"""Tests of numerical functions in Python by opconform: decorators for a file of yours, and what runs it.

    import opconform

    @opconform.kernel('softmax')
    def mine(x, axis):
        ...

    python -m opconform mine.py

The page docs/python.md is the manual."""
from .kernels import Kernel, kernel
from .operators import Choice, Index, Integer, Operator, Real, Tensor, operator
from .tool import run

__all__ = ['Choice', 'Index', 'Integer', 'Kernel', 'Operator', 'Real', 'Tensor', 'kernel', 'operator', 'run']
