"""Compilers of programs that derive gradients wrongly, and some that are right in another way."""
import ast
import sys


class Derived(ast.NodeTransformer):
    """Changes the functions whose gradients are taken: function(their name or lambda, the vector's name)."""

    def __init__(self, function):
        self.function, self.defined = function, {}

    def visit_FunctionDef(self, node):
        self.defined[node.name] = node
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == 'slope':
            derived = node.args[0] if isinstance(node.args[0], ast.Lambda) else self.defined[node.args[0].id]
            self.function(derived, node.args[1])
        return node


def hold_nothing(derived, vector):
    """What else has the vector's name is taken for the variable."""
    for each in ast.walk(derived):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id == vector.id:
            each.id = derived.args.args[0].arg


def last_round(derived, vector):
    """Loops have one round at most."""
    for each in ast.walk(derived):
        if isinstance(each, ast.For):
            each.iter = ast.Subscript(each.iter, ast.Slice(upper=ast.Constant(1)), ast.Load())


def no_branch(derived, vector):
    """Conditions do not hold."""
    for each in ast.walk(derived):
        if isinstance(each, ast.If):
            each.test = ast.Constant(False)


def rewriting(function):
    return lambda module, change: change(module, Derived(function))


def replacing(name, make):
    """With make(function, scope) in place of a function of the module."""
    def convert(module, change):
        call = change(module, ast.NodeTransformer())
        scope = call.__func__.__globals__
        scope[name] = make(scope[name], scope)
        return call
    return convert


def kept(slope, scope):
    """The first gradient of a place stays."""
    known = {}

    def found(function, v):
        place = sys._getframe(1).f_lineno, len(v)
        if place not in known:
            known[place] = slope(function, v)
        return known[place] * 1
    return found


def inner_constant(slope, scope):
    """A gradient inside a function is no part of that function's own."""
    def found(function, v):
        if not isinstance(v, scope['Traced']):
            return slope(function, v)
        return scope['Traced'](slope(function, v.value))
    return found


def backwards(slope, scope):
    """Right: axis by axis from the last one."""
    return lambda function, v: slope(lambda u: function(u[::-1]), v[::-1])[::-1]


def to_smaller(shares, scope):
    return lambda one, other: shares(other, one)


def ties_to_first(shares, scope):
    """Right: no text says what has equal elements' share."""
    return lambda one, other: ((one >= other) * one.dtype.type(1), (one < other) * one.dtype.type(1))


FAULTS = {
    'planted-slope-held': rewriting(hold_nothing),
    'planted-slope-last-round': rewriting(last_round),
    'planted-slope-branch': rewriting(no_branch),
    'planted-slope-kept': replacing('slope', kept),
    'planted-slope-inner': replacing('slope', inner_constant),
    'planted-slope-smaller': replacing('shares_of_larger', to_smaller),
    'planted-nothing-but-backwards': replacing('slope', backwards),
    'planted-nothing-but-ties': replacing('shares_of_larger', ties_to_first),
}
