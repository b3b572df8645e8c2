"""The calls that an adapter makes as one would write them: those that are used once stand where they are used, and
arguments that are the defaults are left out."""
import ast
import contextlib
import inspect
import re

from . import recorder

BINARY = {'add': ast.Add, 'sub': ast.Sub, 'mul': ast.Mult, 'truediv': ast.Div, 'floordiv': ast.FloorDiv, 'mod': ast.Mod,
          'matmul': ast.MatMult, 'pow': ast.Pow, 'or': ast.BitOr, 'and': ast.BitAnd, 'xor': ast.BitXor}
COMPARED = {'lt': ast.Lt, 'le': ast.LtE, 'gt': ast.Gt, 'ge': ast.GtE}
PLACE = re.compile(r'\bt\d+\b')


def documented_parameters(function):
    """Parameters of a function of an extension, read from the lines NAME(parameters) on top of its documentation."""
    name = getattr(function, '__name__', '')
    for inside in re.findall(rf'^\s*{re.escape(name)}\((.*)\)\s*(?:->.*)?$', function.__doc__ or '', re.M):
        inside = re.sub(r'\b[A-Z]\w*\s+(?=\w+\s*[,=])|\s\*,', ' ', inside)
        with contextlib.suppress(SyntaxError, ValueError):
            given = ast.parse(f'def f({inside}): pass').body[0].args
            values = [ast.literal_eval(value) for value in given.defaults]
            rest = [inspect.Parameter.empty] * (len(given.args) - len(values))
            yield [(arg.arg, value) for arg, value in zip(given.args, rest + values)]


def parameters_of(function):
    """Lists of names and defaults that the function may have."""
    try:
        known = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return list(documented_parameters(function))
    if any(each.kind == each.VAR_POSITIONAL for each in known):
        return []
    return [[(each.name, each.default) for each in known if each.kind == each.POSITIONAL_OR_KEYWORD]]


def is_default(value, default):
    if isinstance(value, (tuple, list)) and type(default) is int:
        return all(type(item) is int and item == default for item in value)
    return type(value) is type(default) and type(value) in recorder.PLAIN and value == default


def spelled(value, default):
    """A number for a tuple that repeats it, where the default is a number."""
    if isinstance(value, tuple) and value and type(default) is int and len(set(value)) == 1:
        return value[0]
    return value


def arguments(function, args, kwargs):
    """Positional and named ones without what is the default; as they are where that is not known."""
    for known in parameters_of(function):
        if len(args) > len(known):
            continue
        positional, named, defaults = [], {}, dict(known)
        for value, (name, default) in zip(args, known):
            if default is inspect.Parameter.empty:
                positional.append(value)
            elif not is_default(value, default):
                named[name] = spelled(value, default)
        for name, value in kwargs.items():
            if name not in defaults or not is_default(value, defaults[name]):
                named[name] = value
        return positional, named
    return args, kwargs


class Script(recorder.Script):
    """Sends each call before it is made, in full and as one would write it; nothing while it is muted."""

    def __init__(self, send):
        super().__init__(None)
        self.send, self.silent = send, 0

    @contextlib.contextmanager
    def muted(self):
        self.silent += 1
        try:
            yield
        finally:
            self.silent -= 1

    def line(self, text, brief=None):
        if not self.silent:
            self.send({'line': '    ' * self.depth + text, 'brief': '    ' * self.depth + (brief or text)})

    def text(self, value):
        if isinstance(value, float) and not isinstance(value, recorder.Recorder):
            return repr(value)
        if type(value).__name__ == 'Size':
            return super().text(tuple(value))
        return super().text(value).replace('jax.numpy.', 'jnp.')

    def joined(self, args, kwargs):
        return ', '.join([*map(self.text, args), *(f'{key}={self.text(item)}' for key, item in kwargs.items())])

    def call(self, function, text, args, kwargs):
        if self.silent or any(inspect.isfunction(item) for item in args):
            return super().call(function, text, args, kwargs)
        name, text = self.name(), text.replace('jax.numpy.', 'jnp.')
        brief = arguments(function, args, kwargs)
        self.line(f'{name} = {text}({self.joined(args, kwargs)})', f'{name} = {text}({self.joined(*brief)})')
        return self.wrap(function(*map(recorder.raw, args),
                                  **{key: recorder.raw(item) for key, item in kwargs.items()}), name)


class Spelling(ast.NodeTransformer):
    """Operators for the methods that they stand for."""

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == 'slice' and len(node.args) == 3:
            parts = [None if getattr(arg, 'value', 0) is None else arg for arg in node.args]
            return ast.Slice(*parts)
        if not isinstance(node.func, ast.Attribute) or not node.func.attr.startswith('__') or node.keywords:
            return node
        name, left = node.func.attr.strip('_'), node.func.value
        if name == 'neg':
            return ast.UnaryOp(ast.USub(), left)
        if len(node.args) != 1:
            return node
        right = node.args[0]
        if name == 'getitem':
            return ast.Subscript(left, right, ast.Load())
        if name in COMPARED:
            return ast.Compare(left, [COMPARED[name]()], [right])
        if name in BINARY:
            return ast.BinOp(left, BINARY[name](), right)
        if name[0] == 'r' and name[1:] in BINARY:
            return ast.BinOp(right, BINARY[name[1:]](), left)
        return node


class Renaming(ast.NodeTransformer):
    def __init__(self, instead):
        self.instead = instead

    def visit_Name(self, node):
        return self.instead.get(node.id, node) if isinstance(node.ctx, ast.Load) else node


def uses(tree, name):
    return sum(isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
               for node in ast.walk(tree))


def writes(tree):
    """Whether a call has a tensor that it writes its result to."""
    return any(isinstance(node, ast.Call) and any(each.arg == 'out' for each in node.keywords) for node in ast.walk(tree))


def unparsed(tree):
    return ast.unparse(ast.fix_missing_locations(tree))


def composed(lines, results, keep_last):
    """Statements that make the results, and the texts of these.  The last line is kept where it is the one that did
    not return."""
    trees = [Spelling().visit(ast.parse(line)).body[0] for line in lines]
    results = {name: ast.parse(text, mode='eval').body for name, text in results.items()}
    at = len(trees) - 1
    while at >= 0:
        tree = trees[at]
        name = tree.targets[0].id if isinstance(tree, ast.Assign) and isinstance(tree.targets[0], ast.Name) else ''
        if not PLACE.fullmatch(name):
            at -= 1
            continue
        counts = [uses(other, name) for other in trees[at + 1:]]
        if sum(counts) == 1 and not any(uses(each, name) for each in results.values()):
            user = at + 1 + counts.index(1)
            trees[user] = Renaming({name: tree.value}).visit(trees[user])
            del trees[at]
        elif sum(counts) == 0 and not writes(tree) and not any(uses(each, name) for each in results.values()) and \
                not (keep_last and at == len(trees) - 1):
            del trees[at]
        at -= 1
    return trees, results


def final_name(trees, results, known):
    """y for the place that the last call has, all others in the order of their appearance."""
    places = [tree.targets[0].id for tree in trees if isinstance(tree, ast.Assign) and
              isinstance(tree.targets[0], ast.Name) and PLACE.fullmatch(tree.targets[0].id)]
    spare = (name for name in ['y', *(f'y{i}' for i in range(2, 99))] if name not in known)
    names = {place: next(spare) for place in reversed(places)}
    texts = [unparsed(tree) for tree in trees]
    return ([PLACE.sub(lambda found: names.get(found[0], found[0]), text) for text in texts],
            {name: PLACE.sub(lambda found: names.get(found[0], found[0]), unparsed(each))
             for name, each in results.items()})


def statements(lines, results, known, keep_last=False):
    """The calls as statements, and the expressions of the results; known: names that are taken."""
    return final_name(*composed(lines, results, keep_last), known)
