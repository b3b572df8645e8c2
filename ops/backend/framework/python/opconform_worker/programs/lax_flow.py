"""Branches and loops of Python as lax.cond, lax.scan, lax.fori_loop and lax.while_loop, as one writes them for JAX.

Each function is given the names that its statements assign, and returns them. break, continue, return and raise set the
number `flow`, and what follows them runs where it is 0; where a program raises, all elements of its result are RAISED."""
import ast
import itertools
import re

from .running import RAISED

ON, BREAK, CONTINUE, RETURN, RAISE = range(5)
LEAVES = {ast.Break: BREAK, ast.Continue: CONTINUE, ast.Return: RETURN, ast.Raise: RAISE}
ENDS = {RETURN, RAISE}
SCOPES = (ast.FunctionDef, ast.Lambda, ast.ListComp)
# Names that no statement reads which another one may have assigned.
TEMPORARY = re.compile(r'_|pair|sum|late|broken|[hk]|w\d|\w+_\d+')


def statements(text):
    return ast.parse(text).body


def expression(text):
    return ast.parse(text, mode='eval').body


def nodes(trees, apart=SCOPES):
    """All nodes but those inside of scopes of their own."""
    for tree in trees:
        if not isinstance(tree, apart):
            yield tree
            yield from nodes(ast.iter_child_nodes(tree), apart)


def stored(trees):
    """Names that are assigned, or whose list or dict is changed."""
    found = set()
    for node in nodes(trees):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            found.add(node.value.id)
        elif isinstance(node, ast.Attribute) and node.attr == 'append' and node.value.id == 'items':
            found.add('items')
    return found


def leaves(tree):
    """How control may leave a statement."""
    if type(tree) in LEAVES or isinstance(tree, SCOPES):
        return {LEAVES[type(tree)]} if type(tree) in LEAVES else set()
    if isinstance(tree, (ast.For, ast.While)):
        return leaves_of(tree.body) & ENDS | leaves_of(tree.orelse)
    return leaves_of(ast.iter_child_nodes(tree))


def leaves_of(trees):
    return set().union(*map(leaves, trees))


class Values(ast.NodeTransformer):
    """Conditions on traced values, and choices by them."""

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        name = 'logical_and' if isinstance(node.op, ast.And) else 'logical_or'
        found = node.values[0]
        for each in node.values[1:]:
            found = ast.Call(expression(f'jnp.{name}'), [found, each], [])
        return found

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return ast.Call(expression('jnp.logical_not'), [node.operand], []) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node):
        operands = [node.left, *node.comparators]
        pairs = [ast.Compare(one, [op], [other]) for one, op, other in zip(operands, node.ops, operands[1:])]
        return pairs[0] if len(pairs) == 1 else self.visit(ast.BoolOp(ast.And(), pairs))

    def visit_IfExp(self, node):
        self.generic_visit(node)
        return ast.Call(expression('jnp.where'), [node.test, node.body, node.orelse], [])


def sequence(node):
    """What a loop goes over, as arrays of rows."""
    if isinstance(node, ast.Call) and node.func.id == 'range':
        return ast.Call(expression('jnp.arange'), node.args, [])
    if isinstance(node, ast.Call) and node.func.id == 'enumerate':
        return expression(f'(jnp.arange(len({ast.unparse(node.args[0])})), {stacked(node.args[0])})')
    if isinstance(node, ast.Call):
        return ast.Call(ast.Name('together', ast.Load()), [sequence(each) for each in node.args], [])
    return expression(stacked(node)) if isinstance(node, ast.Subscript) else node


def stacked(node):
    """The first items of a list as an array, and of an array."""
    text = ast.unparse(node)
    return f'jnp.stack({text})' if '.places' not in text else text


def carried(names):
    """Those that have a value before, in order."""
    return sorted(name for name in names if not TEMPORARY.fullmatch(name))


def tuple_of(names):
    return ', '.join(names) if len(names) == 1 else f'({", ".join(names)})'


class Lowering:
    """decorator: of each function that is made, if any."""

    def __init__(self, decorator):
        self.decorator, self.numbers = decorator, itertools.count(1)

    def define(self, head, body, returned):
        made = statements(f'def {head}:\n    return {returned}')
        made[0].body[:0] = body
        made[0].decorator_list = [expression(self.decorator)] if self.decorator else []
        return made

    def block(self, body):
        done = []
        for at, each in enumerate(body):
            done += self.statement(each)
            if leaves(each) and body[at + 1:]:
                return done + self.choose('flow == 0', self.block(body[at + 1:]), [])
        return done

    def statement(self, node):
        if type(node) in LEAVES:
            return statements(f'flow = {LEAVES[type(node)]}')
        if isinstance(node, ast.If):
            return self.branch(node)
        if isinstance(node, ast.For):
            return self.repeat(node) + self.behind(node)
        if isinstance(node, ast.While):
            return self.go_on(node) + self.behind(node)
        if isinstance(node, ast.FunctionDef):
            return [self.function(node)]
        return [Values().visit(node)]

    def function(self, node):
        """One inside, whose branches return both; it assigns none of the names around it."""
        first, last = node.body[0], node.body[-1]
        if isinstance(first, ast.If):
            values = ', '.join(f'lambda: {ast.unparse(each.value)}' for each in (first.body[0], last))
            node.body = statements(f'def later():\n    return lax.cond({ast.unparse(first.test)}, {values})')[0].body
        else:
            node.body = self.block(node.body[:-1]) + [last]
        return node

    def branch(self, node):
        then, other = self.block(node.body), self.block(node.orelse)
        if 'isinstance' in ast.unparse(node.test) or 'training' in ast.unparse(node.test):
            return [ast.If(node.test, then, other)]
        return self.choose(ast.unparse(Values().visit(node.test)), then, other)

    def choose(self, test, then, other):
        """A name that has no value before is given one by both branches."""
        number, names = next(self.numbers), carried(stored(then) | stored(other))
        results = names + sorted(stored(then) & stored(other) & {'late'})
        made = self.define(f'then_{number}({", ".join(names)})', then, tuple_of(results))
        made += self.define(f'other_{number}({", ".join(names)})', other, tuple_of(results))
        call = f'lax.cond({", ".join([test, f"then_{number}", f"other_{number}", *names])})'
        return made + statements(f'{tuple_of(results)} = {call}' if results else call)

    def round(self, node):
        """The body of a loop, and what it assigns."""
        body = self.block(node.body)
        if CONTINUE in leaves_of(node.body):
            body += statements(f'flow = jnp.where(flow == {CONTINUE}, {ON}, flow)')
        return body, carried(stored(body) | (stored([node.target]) if isinstance(node, ast.For) else set()))

    def repeat(self, node):
        """Arrays are gone over by lax.scan, numbers by lax.fori_loop, and what may end early by lax.while_loop."""
        number, (body, names) = next(self.numbers), self.round(node)
        rows, is_range = ast.unparse(sequence(node.iter)), getattr(getattr(node.iter, 'func', None), 'id', '') == 'range'
        count = ast.unparse(node.iter.args[0]) if is_range else f'len(jax.tree.leaves(rows_{number})[0])'
        before = statements(f'{tuple_of(names)} = carry\n{ast.unparse(node.target)} = row')
        kept = tuple_of(names)
        if 'items.places' in rows:
            count = f'jnp.minimum(items.count, {count})'
        if leaves_of(node.body) & {BREAK, *ENDS} or 'items.places' in rows:
            return self.repeat_until(number, node, body, names, '' if is_range else rows, count)
        if is_range:
            made = self.define(f'round_{number}(row, carry)', before + body, kept)
            return made + statements(f'{kept} = lax.fori_loop(0, {count}, round_{number}, {kept})')
        made = self.define(f'round_{number}(carry, row)', before + body, f'{kept}, None')
        return made + statements(f'{kept}, _ = lax.scan(round_{number}, {kept}, {rows})')

    def repeat_until(self, number, node, body, names, rows, count):
        kept, place = tuple_of([f'at_{number}', *names]), f'at_{number}'
        row = f'row_of(rows_{number}, {place})' if rows else place
        before = statements(f'{kept} = carry\n{ast.unparse(node.target)} = {row}')
        made = statements(f'rows_{number} = {rows}\n' if rows else '') + statements(f'count_{number} = {count}')
        more = f'({place} < count_{number})' + (' & (flow == 0)' if leaves_of(node.body) & {BREAK, *ENDS} else '')
        made += self.define(f'more_{number}(carry)', statements(f'{kept} = carry'), more)
        made += self.define(f'round_{number}(carry)', before + body, kept.replace(place, f'{place} + 1', 1))
        start = kept.replace(place, '0', 1)
        return made + statements(f'{kept} = lax.while_loop(more_{number}, round_{number}, {start})')

    def go_on(self, node):
        number, (body, names) = next(self.numbers), self.round(node)
        kept = tuple_of([node.test.values[0].left.id, *names])
        more = ast.unparse(Values().visit(node.test))
        if leaves_of(node.body) & {BREAK, *ENDS}:
            more = f'{more} & (flow == 0)'
        before = statements(f'{kept} = carry')
        made = self.define(f'more_{number}(carry)', before, more)
        made += self.define(f'round_{number}(carry)', before + body, kept)
        return made + statements(f'{kept} = lax.while_loop(more_{number}, round_{number}, {kept})')

    def behind(self, node):
        """What follows a loop: its else, unless the loop was left."""
        left, made, tests = leaves_of(node.body), [], []
        if BREAK in left:
            made = statements(f'broken = flow == {BREAK}\nflow = jnp.where(broken, {ON}, flow)')
            tests.append('jnp.logical_not(broken)')
        if ENDS & left:
            tests.append('(flow == 0)')
        other = self.block(node.orelse)
        return made + (self.choose(' & '.join(tests), other, []) if tests and other else other)


def lowered(body, decorator=''):
    """The text of statements with the flow of control by lax, and what comes behind them."""
    body = ast.parse(ast.unparse(body).replace('self.state', 'state')).body
    raises = RAISE in leaves_of(body)
    found = '\n'.join(ast.unparse(ast.fix_missing_locations(each)) for each in Lowering(decorator).block(body))
    keeps = re.search(r'\bstate\b', found)
    behind = ('self.state = state\n' if keeps else '') + (
        f'a, b, c, d = (jnp.where(flow == {RAISE}, {RAISED}, each) for each in (a, b, c, d))\n' if raises else '')
    before = ('flow = 0\n' if 'flow' in found else '') + ('state = self.state\n' if keeps else '')
    return before + found + '\n', behind
