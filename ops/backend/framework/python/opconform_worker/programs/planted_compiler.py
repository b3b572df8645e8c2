"""Compilers of programs with a fault each, to test the tester: they change the syntax tree of forward."""
import ast
import itertools
import sys

from . import planted_autocast, planted_extents, planted_slopes

LOOPS = (ast.For, ast.While)
PREPARED = 5


class Change(ast.NodeTransformer):
    """Replaces nodes of some kinds by what a function makes of them, from the inside out."""

    def __init__(self, kinds, function):
        self.kinds, self.function = kinds, function

    def generic_visit(self, node):
        node = super().generic_visit(node)
        return self.function(node) if isinstance(node, self.kinds) else node


def field(kinds, name, make):
    """The change of one field of nodes of some kinds."""
    def change(node):
        setattr(node, name, make(node))
        return node
    return lambda: Change(kinds, change)


def statements(text):
    return ast.parse(text).body


def is_call(node, name):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def is_print(node):
    return isinstance(node, ast.Expr) and is_call(node.value, 'print')


def both_sides(node):
    return [node, *node.orelse] if not any(isinstance(each, ast.Return) for each in ast.walk(node)) \
        else node


def forget_variable(node):
    return statements('kept_b = b') + [node] + statements('b = kept_b')


def bind_early(node):
    """Closures keep what variables are when they are made."""
    own = {argument.arg for argument in node.args.args}
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} & set('abcd') - own
    node.args.args += [ast.arg(name) for name in sorted(names)]
    node.args.defaults += [ast.Name(name, ast.Load()) for name in sorted(names)]
    return node


def unpack_in_turn(node):
    if not isinstance(node.targets[0], ast.Tuple) or not isinstance(node.value, ast.Tuple):
        return node
    return [ast.Assign([target], value) for target, value in
            zip(node.targets[0].elts, node.value.elts)]


def skip_prints():
    count = itertools.count(1)
    return Change(ast.Expr, lambda node: ast.Pass() if is_print(node) and next(count) == 2 else node)


def leak(node):
    """The variable of a comprehension outlives it."""
    if not isinstance(node.value, ast.ListComp):
        return node
    return [node] + statements('v = items[-1]')


def calls(name, change):
    return lambda: Change(ast.Call, lambda node: change(node) if is_call(node, name) else node)


def one_more(node):
    node.args[0] = ast.BinOp(node.args[0], ast.Add(), ast.Constant(1))
    return node


def from_one(node):
    node.keywords = [ast.keyword('start', ast.Constant(1))]
    return node


def or_is_and(node):
    node.op = ast.And()
    return node


def no_default(node):
    node.args.append(ast.Constant(1.0))
    return node if len(node.args) == 2 and not node.keywords else ast.Call(
        node.func, node.args[:1], node.keywords)


def is_variable(node):
    return isinstance(node, ast.Name) and node.id in 'abcd'


def is_view(node):
    return isinstance(node, ast.Name) and node.id == 's'


def copied(node, known):
    """Another name gets a vector of its own."""
    if known(node):
        node.value = ast.Call(ast.Attribute(node.value, 'copy', ast.Load()), [], [])
    return node


def gives_view(node):
    return is_view(node.targets[0])


def gives_alias(node):
    return is_variable(node.targets[0]) and is_variable(node.value)


def apart(node, known):
    """What is updated in place becomes a new vector."""
    if not known(node.target):
        return node
    return ast.Assign([node.target], ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value))


def rewritten(node, known):
    """What is updated in place is computed first and then written to every element, which is the same."""
    changed = apart(node, known)
    if changed is not node:
        changed.targets = [ast.Subscript(ast.Name(node.target.id, ast.Load()), ast.Slice(), ast.Store())]
    return changed


def reuse(node):
    """A sum is written to what the variable held, which other names may have."""
    if not is_variable(node.targets[0]) or not isinstance(node.value, ast.BinOp):
        return node
    node.targets = [ast.Subscript(ast.Name(node.targets[0].id, ast.Load()), ast.Slice(), ast.Store())]
    return node


def first_only(node):
    """Views of views begin at the first element of the base."""
    return statements('s = s.base[:2] if s.base is not None else s[:2]')[0] if \
        is_view(node.targets[0]) and isinstance(node.value, ast.Subscript) and is_view(node.value.value) else node


def input_copied(node):
    return gives_view(node) and 'x' in {each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)}


# Those that are more than a change of the tree.
WHOLE = {**planted_extents.FAULTS, **planted_slopes.FAULTS, **planted_autocast.FAULTS}
FAULTS = {
    'planted-view-copied': lambda: Change(ast.Assign, lambda node: copied(node, gives_view)),
    'planted-input-copied': lambda: Change(ast.Assign, lambda node: copied(node, input_copied)),
    'planted-alias-copied': lambda: Change(ast.Assign, lambda node: copied(node, gives_alias)),
    'planted-view-apart': lambda: Change(ast.AugAssign, lambda node: apart(node, is_view)),
    'planted-base-apart': lambda: Change(ast.AugAssign, lambda node: apart(node, is_variable)),
    'planted-reuse': lambda: Change(ast.Assign, reuse),
    'planted-view-of-base': lambda: Change(ast.Assign, first_only),
    'planted-nothing-in-place': lambda: Change(ast.AugAssign, lambda node: rewritten(
        node, lambda each: is_view(each) or is_variable(each))),
    'planted-nothing': lambda: Change((), None),
    'planted-drop-else': field(ast.If, 'orelse', lambda node: []),
    'planted-drop-loop-else': field(LOOPS, 'orelse', lambda node: []),
    'planted-lose-break': lambda: Change(ast.Break, lambda node: ast.Pass()),
    'planted-continue-breaks': lambda: Change(ast.Continue, lambda node: ast.Break()),
    'planted-both-sides': lambda: Change(ast.If, both_sides),
    'planted-forget-variable': lambda: Change(LOOPS, forget_variable),
    'planted-early-closure': lambda: Change((ast.FunctionDef, ast.Lambda), bind_early),
    'planted-second-print': skip_prints,
    'planted-unpack-in-turn': lambda: Change(ast.Assign, unpack_in_turn),
    'planted-lose-return': lambda: Change(ast.If, lambda node: ast.Pass() if isinstance(
        node.body[0], ast.Return) else node),
    'planted-or-is-and': lambda: Change(ast.BoolOp, or_is_and),
    'planted-not-forgotten': lambda: Change(ast.UnaryOp, lambda node: node.operand if isinstance(
        node.op, ast.Not) else node),
    'planted-chain-cut': field(ast.Compare, 'ops', lambda node: node.ops[:1]),
    'planted-leak': lambda: Change(ast.Assign, leak),
    'planted-range': calls('range', one_more),
    'planted-enumerate': calls('enumerate', from_one),
    'planted-default': calls('helper', no_default),
    'planted-choose': field(ast.IfExp, 'orelse', lambda node: node.body),
    'planted-add-twice': lambda: Change(ast.AugAssign, lambda node: [node, node] if isinstance(
        node.target, ast.Name) and node.target.id in 'abcd' else node),
    'planted-state': lambda: Change(ast.Assign, lambda node: ast.Pass() if isinstance(
        node.targets[0], ast.Attribute) else node),
    'planted-by-name': None,
    'planted-first-branch': None,
    'planted-compile-again': None,
    **WHOLE,
}


class Cut(ast.NodeTransformer):
    """Comparisons that lost operators lose the operands as well."""

    def visit_Compare(self, node):
        self.generic_visit(node)
        node.comparators = node.comparators[:len(node.ops)]
        return node


def changed(module, visitor):
    """The module's class again, with another __call__."""
    scope = sys.modules[type(module).__module__].__dict__
    with open(scope['__file__'], encoding='utf-8') as file:
        tree = ast.parse(file.read())
    program = next(node for node in tree.body if isinstance(node, ast.ClassDef) and
                   node.name == 'Program')
    call = next(node for node in program.body if getattr(node, 'name', '') == '__call__')
    # The first statements prepare the program, and the last one returns its results.
    body = ast.Module(call.body[PREPARED:-1], [])
    body = Cut().visit(visitor.visit(body))
    call.body = call.body[:PREPARED] + body.body + call.body[-1:]
    made = {}
    exec(compile(ast.fix_missing_locations(ast.Module([call], [])), scope['__file__'], 'exec'), scope,
         made)
    return made['__call__'].__get__(module)


CACHE = {}


def first_branch(module):
    """Planted: a comparison of data keeps the answer of its first call, as in a function that is traced."""
    call = changed(module, Change((), None))
    answers = {}

    class Sums:
        """NumPy whose sums are those of the first call."""
        def __getattr__(self, name):
            return getattr(NUMPY, name)

        def sum(self, vector):
            place = sys._getframe(1).f_lineno
            return answers.setdefault(place, NUMPY.sum(vector))

    scope = call.__func__.__globals__
    NUMPY = scope['np']
    scope['np'] = Sums()
    return call


class Again:
    """Compiles for each call."""

    def __init__(self, module):
        self.module, self.compilations = module, 0

    def __call__(self, x, z):
        self.compilations += 1
        return changed(self.module, Change((), None))(x, z)


def convert(module, fault):
    if fault == 'planted-compile-again':
        return Again(module)
    if fault == 'planted-by-name':
        first = CACHE.setdefault(type(module).__name__, type(module).__call__)
        return first.__get__(module)
    if fault in WHOLE:
        return WHOLE[fault](module, changed)
    return first_branch(module) if fault == 'planted-first-branch' else changed(module, FAULTS[fault]())
