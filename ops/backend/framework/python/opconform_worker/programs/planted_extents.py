"""Compilers of programs that keep what they must not of the extents of earlier calls, and some that keep what they may."""
import ast

import numpy as np


class Folded(ast.NodeTransformer):
    """Extents of vectors become numbers, and not those of the view."""

    def __init__(self, extent):
        self.extent = extent

    def visit_Subscript(self, node):
        self.generic_visit(node)
        known = isinstance(node.value, ast.Attribute) and node.value.attr == 'shape' and node.value.value.id != 's'
        return ast.Constant(self.extent) if known else node


class Rounds(ast.NodeTransformer):
    """Loops over rows have at most so many rounds."""

    def __init__(self, extent):
        self.extent = extent

    def visit_For(self, node):
        self.generic_visit(node)
        if isinstance(node.target, ast.Name) and node.target.id == 'e':
            node.iter = ast.Subscript(node.iter, ast.Slice(upper=ast.Constant(self.extent)), ast.Load())
        return node


class Specialised:
    """Compiles for a key that a function makes of an extent, when it is met first.  change(module, visitor) is how."""

    def __init__(self, module, change, visitor, key):
        self.module, self.change, self.visitor, self.key, self.known = module, change, visitor, key, {}

    def __call__(self, x, z):
        key = self.key(len(x))
        if key not in self.known:
            self.known[key] = self.change(self.module, self.visitor(len(x)))
        return self.known[key](x, z)


class Sums:
    """NumPy whose sums are those of buffers as large as any vector of their place was; clean: behind the vector they hold 0."""

    def __init__(self, clean):
        self.clean, self.kept = clean, np.zeros(0)

    def __getattr__(self, name):
        return getattr(np, name)

    def sum(self, vector):
        if not isinstance(vector, np.ndarray):
            return np.sum(vector)
        buffer = np.zeros(max(len(self.kept), len(vector)), vector.dtype)
        if not self.clean:
            buffer[:len(self.kept)] = self.kept
        buffer[:len(vector)] = vector
        self.kept = buffer
        return np.sum(buffer)


def buffered(module, change, clean):
    call = change(module, Rounds(None))
    call.__func__.__globals__['np'] = Sums(clean)
    return call


def one_for_all(module, change):
    """What was compiled for one element is taken for any number of them."""
    call, first = change(module, Rounds(None)), []

    def run(x, z):
        first.append(len(x))
        if first[0] != 1 or len(x) == 0:
            return call(x, z)
        return np.repeat(call(x[:1], z[:1]), len(x), axis=1)

    return run


def empty_left_out(module, change):
    """Nothing runs for vectors without elements."""
    call = change(module, Rounds(None))
    return lambda x, z: call(x, z) if len(x) else np.zeros((4, 0), x.dtype)


FAULTS = {
    'planted-extent-kept': lambda module, change: Specialised(module, change, Folded, lambda extent: 0),
    'planted-extent-hashed': lambda module, change: Specialised(module, change, Folded, lambda extent: extent % 4),
    'planted-rounds-kept': lambda module, change: Specialised(module, change, Rounds, lambda extent: 0),
    'planted-buffer-kept': lambda module, change: buffered(module, change, False),
    'planted-one-for-all': one_for_all,
    'planted-empty-left-out': empty_left_out,
    'planted-nothing-but-extents': lambda module, change: Specialised(module, change, Folded, lambda extent: extent),
    'planted-nothing-but-buffers': lambda module, change: buffered(module, change, True),
}
