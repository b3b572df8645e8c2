"""Brief programs for compilers: the function as one would write it, eager against compiled.

All is taken from the text that runs such programs (programs/language_<name>.py): the statements, what of the code
around them they use, and how the mode converts."""
import ast
import copy
import inspect
import re

from . import brief_data, brief_languages, programs, protocol, script

ENTRY = ('forward', '__call__')
SIMPLE = (ast.Expr, ast.Assign, ast.Import, ast.ImportFrom)
# Rounding that compilers may do otherwise, unless nothing but that is wrong.
COMPARISONS = ('np.allclose(eager, compiled, equal_nan=True)', 'np.array_equal(eager, compiled, equal_nan=True)')
NOTHING = ast.parse('None', mode='eval').body


class Other(Exception):
    """The text says why there is no brief program."""


def names_in(*trees):
    return {node.id for tree in trees for node in ast.walk(tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def attributes_in(*trees):
    """Names of the attributes of self that are read."""
    return {node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute) and
            isinstance(node.value, ast.Name) and node.value.id == 'self'}


def stored_in(trees):
    """Names that are given another value, or whose value is changed in place."""
    found = set()
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                found |= names_in(node.value)
    return found


def assignments(statement):
    """a, b = x, y as two."""
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Tuple):
        return [ast.Assign([target], value, lineno=0) for target, value
                in zip(statement.targets[0].elts, statement.value.elts)]
    return [statement]


def live(setup, users):
    """The assignments that something behind them reads."""
    kept = []
    for statement in reversed([one for each in setup for one in assignments(each)]):
        if statement.targets[0].id in names_in(*users, *kept):
            kept.insert(0, statement)
    return kept


def returned(result, changed):
    """return stack([a, b, c, d]) of those alone that the statements change."""
    listed = result.value.args[0]
    kept = [name for name in listed.elts if name.id in changed]
    if not kept:
        return result
    value = kept[0] if len(kept) == 1 else ast.Call(result.value.func, [ast.List(kept, ast.Load())], [])
    return ast.Return(value)


class Known(ast.NodeTransformer):
    """Names by numbers, and what they decide."""

    def __init__(self, names):
        self.names = names

    def visit_Name(self, node):
        known = isinstance(node.ctx, ast.Load) and node.id in self.names
        return ast.parse(repr(self.names[node.id]), mode='eval').body if known else node

    def visit_IfExp(self, node):
        self.generic_visit(node)
        if not isinstance(node.test, (ast.Constant, ast.Tuple)):
            return node
        return node.body if ast.literal_eval(node.test) else node.orelse

    def visit_Call(self, node):
        """Without arguments that are None, which a condition left over."""
        conditional = [each for each in node.keywords if isinstance(each.value, ast.IfExp)]
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == 'bool' and isinstance(node.args[0], ast.Tuple):
            return ast.Constant(bool(node.args[0].elts))
        node.keywords = [each for each in node.keywords if each not in conditional or
                         not isinstance(each.value, ast.Constant) or each.value.value is not None]
        return node


def spelt(keywords):
    """**{'name': value} as name=value."""
    for each in keywords:
        if each.arg is None and isinstance(each.value, ast.Dict):
            yield from (ast.keyword(key.value, value) for key, value in zip(each.value.keys, each.value.values))
        else:
            yield each


class Inlined(ast.NodeTransformer):
    """Names by expressions, and calls of functions that return one expression by that."""

    def __init__(self, names, functions):
        self.names, self.functions = names, functions

    def visit_Name(self, node):
        return self.names.get(node.id, node)

    def visit_Attribute(self, node):
        self.generic_visit(node)
        called = isinstance(node.value, ast.Name) and node.value.id == 'program' and node.attr == '__call__'
        return node.value if called and not self.names.get('as a module') else node

    def visit_Call(self, node):
        self.generic_visit(node)
        node.keywords = list(spelt(node.keywords))
        function = self.functions.get(getattr(node.func, 'id', ''))
        if function is None or not isinstance(function.body[-1], ast.Return) or \
                not all(isinstance(each, SIMPLE) for each in function.body[:-1]) or \
                any(isinstance(getattr(each, 'targets', [None])[0], ast.Name) for each in function.body[:-1]) or \
                len(function.body) == 1:
            return node
        parameters = function.args.args
        values = dict(zip([each.arg for each in parameters[::-1]], function.args.defaults[::-1]))
        values.update(zip([each.arg for each in parameters], node.args))
        values.update({each.arg: each.value for each in node.keywords})
        result = Known({}).visit(Inlined(values, {}).visit(ast.parse(ast.unparse(function.body[-1].value), mode='eval').body))
        if isinstance(result, ast.Call):
            result.keywords = [each for each in spelt(result.keywords) if getattr(each.value, 'value', None) is not False]
        return result


class Source:
    """The text of a language, its statements in place, by definitions."""

    def __init__(self, name, mode, request):
        self.lang, self.name = programs.language(name), name
        self.mode, _, self.extra = programs.compiler_of(set(mode.split('+')), name).partition('+')
        text, source = programs.render(name, self.mode, request), request.word('source')
        self.extents, is_open = programs.extents_of(request)
        for word, why in (('print', 'what it prints is compared'), ('seen', 'effects outside of it are compared'),
                          ('raise', 'exceptions are compared'), ('self.state', 'it keeps something from call to call')):
            if word in source:
                raise Other(f'the program is called several times: {why}')
        if self.extra not in ('', 'gradient'):
            raise Other('a sequence of programs is compiled')
        tree = Known({'EXTENTS': self.extents, 'OPEN': is_open, 'KEEPS': False, 'WRITES': False}).visit(ast.parse(text))
        self.definitions = {each.name: each for each in tree.body if isinstance(each, (ast.FunctionDef, ast.ClassDef))}
        around = ast.parse(programs.quoted(self.lang).partition('\n\n# Modes')[0])
        bare = next(each for each in around.body if getattr(each, 'name', '') == 'Program')
        # The entry holds set-up, statements and a return; without statements its length gives that of the set-up.
        self.setup_count = len(self.entry_of(bare).body) - 1

    @staticmethod
    def entry_of(program):
        return next(each for each in program.body if getattr(each, 'name', '') in ENTRY)

    def forward(self, whole):
        """The entry of the program with what its statements need; whole: all results are returned."""
        entry = self.entry_of(self.definitions['Program'])
        setup, statements = entry.body[:self.setup_count], entry.body[self.setup_count:-1]
        result = entry.body[-1] if whole else returned(entry.body[-1], stored_in(statements))
        entry = ast.FunctionDef(entry.name, entry.args, [], [], lineno=0)
        entry.body = [*live(setup, [*statements, result]), *statements, result]
        for each in ast.walk(entry):
            if isinstance(each, ast.For) and isinstance(each.target, ast.Name) and each.target.id not in names_in(entry):
                each.target.id = f'_{each.target.id}'
        return entry

    def initialisation(self, needed):
        """Members of the class that define the attributes: __init__ without its other lines, methods, assignments."""
        program, kept = self.definitions['Program'], []
        for each in program.body:
            if getattr(each, 'name', '') == '__init__':
                body = [one for one in each.body if 'super()' in ast.unparse(one) or
                        any(re.search(rf"self\.{name} =|'{name}'", ast.unparse(one)) for name in needed)]
                early = [one for one in each.body if isinstance(one, ast.Assign) and
                         isinstance(one.targets[0], ast.Name)]
                if len(body) > 1:
                    kept.append(ast.FunctionDef('__init__', each.args, [*body[:1], *live(early, body), *body[1:]], [],
                                                lineno=0))
            elif getattr(each, 'name', '') in needed or (isinstance(each, ast.Assign) and
                                                          each.targets[0].id in needed):
                kept.append(each)
        return kept

    def program(self, whole, as_module):
        """The definition, and the expression that makes the program."""
        entry = self.forward(whole)
        needed = attributes_in(entry)
        needed |= attributes_in(*(each for each in self.definitions['Program'].body if
                                  getattr(each, 'name', '') in needed))
        if not needed and not as_module:
            entry.name = 'program'
            entry.args = ast.arguments([], entry.args.args[1:], None, [], [], None, [])
            return [entry], False
        members = self.initialisation(needed)
        return [ast.ClassDef('Program', self.definitions['Program'].bases, [], [*members, entry], [])], \
            any(getattr(each, 'name', '') == '__init__' for each in members)

    def conversion(self, as_module):
        """Statements that convert, the last an assignment to `converted`."""
        body = copy.deepcopy(self.definitions['convert'].body)
        given = {'module': ast.Name('program', ast.Load()), 'example': ast.parse('(x, z)', mode='eval').body}
        if as_module:
            given['as a module'] = NOTHING
        functions = {} if len(body) > 1 else self.functions()
        body = [Inlined(given, functions).visit(each) for each in body]
        if not isinstance(body[-1], ast.Return):
            return body
        return [*body[:-1], ast.Assign([ast.Name('converted', ast.Store())], body[-1].value, lineno=0)]

    def functions(self):
        return {name: each for name, each in self.definitions.items() if isinstance(each, ast.FunctionDef)}

    def needed_by(self, trees, known):
        """Definitions that these use, before what uses them."""
        found = []
        for name in sorted(names_in(*trees)):
            each = self.definitions.get(name)
            if each is None or name in known or name in ('run', 'make'):
                continue
            known.add(name)
            found += [*self.needed_by([each], known), each]
        return found


def texts_of(trees):
    return [ast.unparse(ast.fix_missing_locations(each)) for each in trees]


def imports_of(text, names):
    lines = [f'import {name}' for name in ('contextlib', 'ctypes', 'gc', 'io', 'os', 're', 'sys', 'tempfile')
             if re.search(rf'\b{name}\.', text)]
    needed = [name for name in ('inf', 'nan') if re.search(rf"(?<![\w.'_]){name}\b", text)]
    lines += [f'from math import {", ".join(needed)}'] if needed else []
    return '\n'.join(lines), '\n'.join(['import numpy as np'] + [line for name, line in names.items() if name != 'np' and
                                                                 re.search(rf'\b{name}\.', text)])


def calls_of(extents):
    """The arguments of each call, where their extents differ."""
    pairs = [('xz' if call % 2 == 0 else 'zx', extent) for call, extent in enumerate(extents)]
    texts = [f"({', '.join(f'{name}[:{extent}] * 1' for name in names)})" for names, extent in pairs]
    return [f"calls = [{', '.join(texts)}]"] if texts else []


def text_of(source, description, whole, as_module, comparison, right=False):
    """The whole program; a right compiler returns the program as it is."""
    language = brief_languages.LANGUAGES[source.name]
    inputs = [each for each in description['operands'] if each['role'] == protocol.INPUT]
    arrays = {each['name']: script.array_of(each) for each in inputs}
    definition, initialised = source.program(whole, as_module)
    conversion = ast.parse('converted = program').body if right else source.conversion(as_module)
    given = '*call' if source.extents else 'x, z'
    called = f'gradient({{}}, {given})' if source.extra else f'{{}}({given})'
    known = {'Program', 'program'}
    used = [*definition, *conversion, *([ast.parse('gradient')] if source.extra else [])]
    helpers = source.needed_by(used, known)
    is_class = isinstance(definition[0], ast.ClassDef)
    size, dtype = len(arrays['x']), brief_languages.TYPES[inputs[0]['dtype']]
    dtype = language.dtype(inputs[0]['dtype']) if source.name == 'torch' else repr(dtype)
    made = [f'program = Program({f"{size}, {dtype}" if initialised else ""})'] if is_class else []
    as_array = inspect.getsource(source.lang.array).rsplit('return result', 1)[1].strip()
    main = [line for line in programs.quoted(source.lang).splitlines() if language.needed and line.startswith(language.needed)]
    main += [brief_data.tensor_line(language, name, each['dtype'], arrays[name], False)
            for name, each in ((each['name'], each) for each in inputs)]
    main += [*made, *calls_of(source.extents)]
    results = [called.format(name) + as_array for name in ('program', 'converted')]
    if source.extents:
        results = [f'[{each} for call in calls]' for each in results]
        comparison = f"all({comparison.replace('eager', 'one').replace('compiled', 'other')} for one, other in zip(eager, compiled))"
    main += [f'eager = {results[0]}', "print('eager', eager, flush=True)", *texts_of(conversion),
             f'compiled = {results[1]}', "print('compiled', compiled)", f'sys.exit(not {comparison})']
    blocks = texts_of([*helpers, *definition])
    body = '\n'.join(map(brief_data.wrapped, '\n'.join(main).splitlines()))
    standard, own = imports_of('\n'.join([*blocks, body]), language.imports)
    head = language.head(description)
    return '\n'.join(head) + f'\n\n{standard}\n\n{own}\n\n\n' + '\n\n\n'.join(blocks) + f'\n\n\n{body}\n'


def variants(name, mode, request, description):
    """Pairs of a program and the same with a right compiler, the briefest first."""
    source = Source(name, mode, request)
    for as_module in (False, True):
        for comparison in COMPARISONS:
            yield [text_of(source, description, as_module, as_module, comparison, right) for right in (False, True)]
