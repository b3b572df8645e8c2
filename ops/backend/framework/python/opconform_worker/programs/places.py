"""Programs in which vectors have several names, for languages whose arrays are not updated in place: names are places in one
array of all vectors, and updates give another such array.  What they call is in the text of the language.

Where a list changes its length in a branch or a loop, it is an array of places with a number of those in use."""
import ast
import re
import textwrap

NAMES = ('a', 'b', 'c', 'd')
VECTORS = (*NAMES, 'v')
UPDATES = {ast.Add: 'add', ast.Mult: 'multiply'}
INPUTS = 'self.given = (heap[0], heap[1])'


def statements(text):
    return ast.parse(text).body


def expression(text):
    return ast.parse(text, mode='eval').body


class Casts(ast.NodeTransformer):
    """Statements under autocast with the casts that it would make."""

    def __init__(self):
        self.casts = [False]

    def visit_With(self, node):
        self.casts.append(node.items[0].context_expr.id == 'autocast')
        body = [self.visit(each) for each in node.body]
        self.casts.pop()
        flat = []
        for each in body:
            flat += each if isinstance(each, list) else [each]
        return flat

    def visit_Call(self, node):
        self.generic_visit(node)
        if self.casts[-1] and ast.unparse(node.func).endswith('matmul'):
            node.func = ast.Name('half_product', ast.Load())
        return node


class Places(ast.NodeTransformer):
    """bounded: the list is an array; inputs: what is written to them is a result."""

    def __init__(self, bounded, inputs):
        self.bounded, self.inputs, self.sources, self.made = bounded, inputs, [], 0

    def used(self):
        """All places that a name has, those of lists that loops go over included."""
        items = 'items.places' if self.bounded else '*items'
        return ', '.join(('0, 1, a, b, c, d, v, s[0]', items, '*table.values()', *self.sources))

    def place(self, target, value):
        return statements(f'heap, {target} = put(heap, [{self.used()}], {ast.unparse(value)})')

    def last(self):
        return expression('items.last()' if self.bounded else 'items[-1]')

    def visit_Name(self, node):
        is_vector = isinstance(node.ctx, ast.Load) and node.id in VECTORS
        return expression(f'heap[{node.id}]') if is_vector else node

    def visit_Subscript(self, node):
        owner = getattr(node.value, 'id', '')
        if owner == 'items' and isinstance(node.slice, ast.Slice):
            return expression(f'items.places[{ast.unparse(node.slice)}]') if self.bounded else node
        if owner == 'items':
            return expression(f'heap[{ast.unparse(self.last())}]')
        if owner == 'table':
            return expression(f'heap[{ast.unparse(node)}]')
        return self.generic_visit(node)

    def visit_Call(self, node):
        if self.bounded and ast.unparse(node) == 'len(items)':
            return expression('items.count')
        if self.bounded and ast.unparse(node) == 'isinstance(items, list)':
            return expression('isinstance(items, Items)')
        return self.generic_visit(node)

    def visit_Assert(self, node):
        return statements('assert items.places.size > 0')[0] if self.bounded else self.generic_visit(node)

    def visit_Assign(self, node):
        target = node.targets[0]
        owner = getattr(target, 'id', '') or getattr(getattr(target, 'value', None), 'id', '')
        if isinstance(target, ast.Tuple) or owner == 'pair':
            return node
        if owner == 's':
            return self.through_view(node, target)
        if owner == 'items':
            return self.new_list(node)
        if owner in NAMES and isinstance(target, ast.Subscript):
            return self.updated(target, 'set', self.visit(node.value))
        if owner in NAMES or owner == 'table':
            return self.new_vector(node, target)
        node.value = self.visit(node.value)
        return node

    def new_vector(self, node, target):
        value = node.value
        if isinstance(value, ast.Name) and value.id in NAMES:
            return node
        if ast.unparse(value) == 'items[-1]':
            node.value = self.last()
            return node
        if isinstance(value, ast.Call) and ast.unparse(value).startswith('join(s, '):
            return self.place(ast.unparse(target), expression(f'shown(heap, s, heap[{value.args[1].value.id}])'))
        return self.place(ast.unparse(target), self.visit(value))

    def new_list(self, node):
        if isinstance(node.value, ast.ListComp):
            listed = 'items.places' if self.bounded else 'items'
            made = statements(f'heap, items = put_all(heap, [{self.used()}], [heap[v] * 2.0 for v in {listed}])')
            if self.bounded:
                made[0].targets[0].elts[1].id = 'places_0'
                made += statements('items = Items(jnp.stack(places_0), items.count)')
            return made
        if self.bounded:
            node.value = expression(f'items.tail({-ast.literal_eval(node.value.slice.lower)})')
        return node

    def through_view(self, node, target):
        if isinstance(target, ast.Name):
            return statements(f's = {self.view_of(ast.unparse(node.value))}')
        if ast.unparse(target) == 's[:]':
            return statements(f'heap = copied(heap, s, heap[{node.value.left.value.id}])')
        return statements(f'heap = changed(heap, first(s, 1), lambda u: jnp.full_like(u, {ast.unparse(node.value)}))')

    @staticmethod
    def view_of(text):
        owner, rest = text[0], text[1:]
        place = 0 if owner == 'x' else owner
        return {'[1:]': f'view(heap, {place}, 1)', '[::2]': f'view(heap, {place}, 0, 2)', '[:2]': 'first(s, 2)'}.get(
            rest, f'view(heap, {place})')

    def updated(self, target, how, value):
        place = target.id if isinstance(target, ast.Name) else f'{target.value.id}, {ast.unparse(target.slice)}'
        return statements(f'heap = heap.at[{place}].{how}({ast.unparse(value)})')

    def visit_AugAssign(self, node):
        target, value = node.target, self.visit(node.value)
        owner = getattr(target, 'id', '') or target.value.id
        if owner == 's':
            operator = '+' if isinstance(node.op, ast.Add) else '*'
            return statements(f'heap = changed(heap, s, lambda u: u {operator} {ast.unparse(value)})')
        return self.updated(target, UPDATES[type(node.op)], value) if owner in NAMES else node

    def visit_Expr(self, node):
        if not ast.unparse(node).startswith('items.append('):
            return self.generic_visit(node)
        value, made, place = node.value.args[0], [], ast.unparse(node.value.args[0])
        if not isinstance(value, ast.Name):
            made, place = self.place('place_0', self.visit(value)), 'place_0'
        return made + statements(f'items = items.appended({place})' if self.bounded else f'items.append({place})')

    def visit_For(self, node):
        over_list = 'items[:3]' in ast.unparse(node.iter)
        self.made += 1
        before = statements(f'source_{self.made} = {"items.places" if self.bounded else "items[:3]"}') if over_list else []
        node.iter = self.visit(node.iter)
        if over_list:
            self.sources.append(f'{"" if self.bounded else "*"}source_{self.made}')
        node.body = self.all(node.body)
        if over_list:
            self.sources.pop()
        node.orelse = self.all(node.orelse)
        return before + [node]

    def all(self, body):
        found = []
        for each in body:
            made = self.visit(each)
            found += made if isinstance(made, list) else [made]
        return found

    def visit_Return(self, node):
        """Of functions inside, too, which give nothing."""
        node = self.generic_visit(node)
        return statements(INPUTS) + [node] if self.inputs and 'stack' in ast.unparse(node) else node

    def visit_Raise(self, node):
        return statements(INPUTS) + [node] if self.inputs else node


def changes_length(text):
    """In a branch or a loop."""
    return re.search(r'(?m)^ {4} +items(\.append| = items\[)', textwrap.indent(textwrap.dedent(text), '    '))


def placed(tree, bounded, inputs, leaves):
    """What comes before the statements, they, and what comes behind.  leaves: by Python's return, and not by a number."""
    items = 'Items(jnp.array([6, 7, 0, 0, 0]), 2)' if bounded else '[6, 7]'
    before = ('heap = stored(x, z, a, b, c, d, *items, *table.values(), v, x)\n'
              f"a, b, c, d, items, table, v = (2, 3, 4, 5, {items}, {{'k0': 8, 'k1': 9}}, 10)\n"
              's = view(heap, 11, 1)\n')
    behind = (INPUTS + '\n' if inputs else '') + 'a, b, c, d = (heap[a], heap[b], heap[c], heap[d])\n'
    return before, Places(bounded, inputs and leaves).all(tree), behind
