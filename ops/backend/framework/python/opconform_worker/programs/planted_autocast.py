"""Compilers of programs that take other types than autocast has, and one that is right in another way."""
import ast

import numpy as np

from .planted_slopes import replacing


class Sums(ast.NodeTransformer):
    """What is computed under autocast is of its type, products or not."""

    def visit_With(self, node):
        self.generic_visit(node)
        for each in node.body:
            if isinstance(each, ast.Assign) and isinstance(each.value, ast.BinOp):
                each.value = ast.Call(ast.Attribute(each.value, 'view', ast.Load()), [ast.Name('Half', ast.Load())], [])
        return node


class Outside(ast.NodeTransformer):
    """Statements leave the block."""

    def visit_With(self, node):
        self.generic_visit(node)
        return node.body


def plain(matmul, scope):
    return np.matmul


def double(matmul, scope):
    """Binary64 becomes bfloat16 as well."""
    return lambda one, other: matmul(one.astype(np.float32), other.astype(np.float32))


def always_on(autocast, scope):
    return lambda casts: autocast(True)


def shifted(halved, scope):
    """The next number."""
    return lambda v: halved(halved(v) * np.float32(1 + 2**-7))


def wide(matmul, scope):
    """Right: the type, with the product as it was before it was rounded."""
    def product(one, other):
        found = matmul(one, other)
        return found if found.dtype != np.float32 or not scope['CASTS'][-1] else np.matmul(
            scope['halved'](one), scope['halved'](other)).view(scope['Half'])
    return product


FAULTS = {
    'planted-autocast-sums': lambda module, change: change(module, Sums()),
    'planted-autocast-outside': lambda module, change: change(module, Outside()),
    'planted-autocast-plain': replacing('matmul', plain),
    'planted-autocast-double': replacing('matmul', double),
    'planted-autocast-always': replacing('autocast', always_on),
    'planted-autocast-shifted': replacing('halved', shifted),
    'planted-nothing-but-wide': replacing('matmul', wide),
}
