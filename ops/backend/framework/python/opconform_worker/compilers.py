"""Single calls through a library's compilers: the function that one would write around a call, compiled once for all
cases that share the call."""
import ast
import collections
import functools
import gc
import inspect
import sys

from . import calls, forms, programs, together
from .adapter import decline
from .compiled import Compiled
from .protocol import OUTPUT, Declined

# Functions that are kept compiled, and how many come and go before the compiler forgets all.
KEPT, FORGOTTEN = 24, 96
# Functions of adapters that set a seed around a call.
SEEDING = 'drawn', 'dropped'
# What did not compile is tried again at every so many-th case; what failed rather than was refused is tried so often first,
# by which its case becomes minimal; what a compiler refuses of an example it refuses of every one with its types and extents.
AGAIN, FIRST, SETTLED = 16, 24, float('inf')


class Spelled(ast.NodeTransformer):
    """Names by what they stand for, and types by their names where the library has such."""

    def __init__(self, values, namespace):
        self.values, self.namespace = values, namespace

    def type_of(self, node):
        word = str(self.namespace['typed'](node.args[0].value))
        return ast.parse(word, mode='eval').body if word.partition('.')[0] in self.namespace else node

    def visit_Call(self, node):
        self.generic_visit(node)
        if getattr(node.func, 'id', '') == 'typed' and isinstance(node.args[0], ast.Constant):
            return self.type_of(node)
        is_bare = getattr(node.func, 'id', '') == 'activated' and getattr(node.args[-1], 'value', '') == 'none'
        return node.args[0] if is_bare else node

    def visit_Name(self, node):
        return forms.literal(self.values[node.id]) if node.id in self.values else node


def seeded_by(step):
    """The name of the function that sets a seed around the call, '' where none does."""
    return next((name for name in SEEDING if step.expression.startswith(name + '(')), '')


def within_seed(tree, namespace):
    """Of drawn(seed, function, ...), function(...), which is compiled, and the names of what the seed is handed over as."""
    call = tree.body
    decline(not isinstance(call, ast.Call), 'uses what it draws')
    keys = [f'key_{i}' for i in range(len(namespace['drawn'].start(0)[0]))] if call.func.id == 'drawn' else []
    inner = ast.Call(call.args[1], [*(ast.Name(key, ast.Load()) for key in keys), *call.args[2:]], call.keywords)
    return ast.Expression(inner), keys


def unguarded(function):
    """The definition of a function of the adapter without the statements that refuse data, which no compiler takes; None where
    it has none."""
    code = getattr(function, '__code__', None)
    if code is None or 'decline' not in code.co_names or code.co_freevars:
        return None
    definition = ast.parse(inspect.getsource(function)).body[0]
    definition.body = [each for each in definition.body if not ast.unparse(each).startswith('decline(')]
    return definition


class CompiledFunctions(calls.Functions):
    """Calls through a compiler.  plain: they are made without it.  guards: by expressions, texts of functions of the adapter
    without what refuses data in them."""

    def __init__(self, module, compiler, forget):
        super().__init__(module)
        self.compiler, self.forget, self.plain = compiler, forget, False
        self.kept, self.closed = collections.OrderedDict(), 0
        self.failed, self.latest, self.guards = {}, None, {}

    def guarded(self, expression):
        """The text of functions whose refusals are asked for by a call without the compiler, '' where none refuses."""
        if expression not in self.guards:
            names = {node.id for node in ast.walk(ast.parse(expression, mode='eval')) if isinstance(node, ast.Name)}
            found = [unguarded(self.namespace[name]) for name in sorted(names) if name in self.namespace]
            self.guards[expression] = ''.join(ast.unparse(each) + '\n' for each in found if each)
        return self.guards[expression]

    def tree_of(self, step, operands):
        """The call as the row writes it, or in its form, which a call without the compiler tells."""
        tree = ast.parse(step.expression, mode='eval')
        if not step.form:
            return tree
        decline(step.form not in forms.SPELLED, f'is compiled as a source, which has no form {step.form}')
        given = {**step.attributes, **operands}
        function = self.compiled(step.expression, tuple(given), step.form)
        with forms.writing(step.form, self.namespace) as writing:
            function(*given.values())
        return forms.spelled(tree, writing)

    def source_of(self, step, operands):
        """The text of the function around a call, of the operands that are there, in their order."""
        there = [name for name, value in operands.items() if value is not None]
        values = {**step.attributes, **calls.NUMBERS, **{name: None for name in operands if name not in there}}
        tree, keys = self.tree_of(step, operands), []
        if seeded_by(step):
            tree, keys = within_seed(tree, self.namespace)
        text = ast.unparse(ast.fix_missing_locations(Spelled(values, self.namespace).visit(tree)))
        return f'{self.guarded(step.expression)}def function({", ".join([*keys, *there])}):\n    return {text}\n'

    def key_of(self, text, tensors):
        extents = tuple(tuple(each.shape) for each in tensors) if self.compiler.static else ()
        return text, tuple((str(each.dtype), len(each.shape)) for each in tensors), extents

    def make_room(self):
        while len(self.kept) >= KEPT:
            self.kept.popitem(False)[1].close()
            self.closed += 1
            if self.closed % FORGOTTEN == 0:
                self.forget()
                gc.collect()

    def converted(self, text, tensors):
        key = self.latest = self.key_of(text, tensors)
        if key in self.kept:
            self.kept.move_to_end(key)
            return self.kept[key].function, False
        self.count_failure(key)
        for part, why in self.compiler.excluded:
            decline(part in text, why)
        self.make_room()
        compiled = Compiled(self.compiler, text, self.namespace, tensors)
        self.kept[key] = compiled
        if self.compiler.primed:
            compiled.prime(tensors)
        return compiled.function, True

    def count_failure(self, key):
        why, count = self.failed.get(key, ('', 0))
        if why:
            self.failed[key] = why, count + 1
            if count == SETTLED or count > 0 and count % AGAIN:
                raise Declined(f'not compiled again: {why}')

    def drop(self, why, is_refusal):
        """What did not return is not called again; a function that never did is not compiled for each case."""
        compiled = self.kept.pop(self.latest, None)
        if compiled:
            compiled.close()
        if compiled is None or not compiled.returned:
            settled = SETTLED if self.compiler.static else 1
            self.failed.setdefault(self.latest, (f'{type(why).__name__}: {why}', settled if is_refusal else 1 - FIRST))

    def keep(self):
        """The latest returned, and so did its gradient where that was asked for."""
        self.failed.pop(self.latest, None)
        if self.latest in self.kept:
            self.kept[self.latest].returned = True

    def seeding(self, step):
        """What calls a function on tensors, with seeds where the row sets some."""
        name = seeded_by(step)
        if name:
            decline(not self.compiler.seeds, 'sets a seed, of which the compiler promises nothing')
            return functools.partial(self.namespace[name], step.attributes['seed'])
        decline(step.expression.startswith(SEEDING), 'hands a generator over')
        return lambda function, *tensors: function(*tensors)

    def call(self, step, operands):
        if self.plain:
            return super().call(step, operands)
        super().compiled(step.expression, tuple({**step.attributes, **operands}))  # declines what is not there
        tensors = tuple(value for value in operands.values() if value is not None)
        if self.guarded(step.expression):
            super().call(step, operands)
        seeding = self.seeding(step)
        count = self.compiler.count
        before = count() if count else 0
        function, fresh = self.converted(self.source_of(step, operands), tensors)
        results = seeding(function, *tensors)
        compiled = self.kept[self.latest]
        compiled.is_nothing = compiled.is_nothing or bool(fresh and count and count() == before)
        decline(compiled.is_nothing, 'nothing was compiled')
        return tuple(results) if isinstance(results, list) else results


def refusal_in(compiler, why):
    """The exception, or one that led to it, that says that the compiler does not take the call, or None."""
    while why is not None:
        if type(why).__name__ in compiler.refusals or any(text in str(why) for text in compiler.refusing):
            return why
        why = why.__cause__
    return None


class Compiles:
    """Base of adapters whose modes compile calls: compilers has a Compiler for a word of the mode, which is compiles."""
    compilers, compiles = {}, ''

    def compiler_of(self, settings):
        """The word of a mode that names a compiler, of calls or of programs."""
        word = next((word for word in settings if word in self.compilers), '')
        return programs.compiler_of(settings, self.framework) or word

    @property
    def compiler(self):
        return self.compilers.get(self.compiles)

    def bindings(self):
        return self.rows if self.compiler else super().bindings()

    def draws(self):
        compiler = self.compiler
        return (compiler.draws, compiler.alike, compiler.patience) if compiler else super().draws()

    def forget(self):
        """Lets go of what the compiler keeps of functions that are gone."""

    def may_join(self, p):
        """Whether a case may be computed with others in one function."""
        expression, form = p.steps[0].expression, p.steps[0].form
        return p.name not in ('program', 'chain') and form in ('', *forms.SPELLED) and not expression.startswith(SEEDING) and \
            not self.functions.guarded(expression)

    def kept(self, tensor):
        """A copy, where tensors lie in memory that is used again."""
        return tensor

    @functools.cached_property
    def together(self):
        """What makes several calls at once, or None."""
        many = self.compiler is not None and self.compiler.together > 1
        return together.Together(self) if many else None

    def job_of(self, memory, p, operands):
        """The case as a part of a function of several calls; None where it is to be asked alone."""
        if not self.may_join(p):
            return None
        step, backward = p.steps[0], '_backward' in p.name
        if backward:
            decline(self.compiler.forward, 'what is exported has no gradient')
            values, wanted, dy = self.backward_of(memory, p, operands)
            given = dict(zip(p.inputs, values))
        else:
            given, wanted, dy = self.given(memory, p, operands), [], None
        self.functions.compiled(step.expression, tuple({**step.attributes, **given}))  # declines what is not there
        there = [name for name, value in given.items() if value is not None]
        if any(word in str(given[name].dtype) for name in there for word in self.compiler.apart):
            return None
        places = [there.index(p.inputs[i]) for i in wanted]
        job = together.Job(self.functions.source_of(step, given), tuple(given[name] for name in there), dy, places)
        job.name, job.outputs = p.name, sum(operand.role == OUTPUT for operand in operands)
        job.finish = (lambda found: self.gradients_by_operand(p, operands, wanted, found)) if backward else \
            (lambda found: self.results_by_operand(operands, tuple(found) if isinstance(found, list) else found))
        job.key = (*self.functions.key_of(job.text, job.tensors), backward, tuple(places))
        return job

    @functools.cached_property
    def functions(self):
        if self.compiler is None:
            return super().functions
        return CompiledFunctions(sys.modules[type(self).__module__], self.compiler, self.forget)

    def compute(self, memory, p, operands):
        if self.compiler is None or p.name == 'program':
            return super().compute(memory, p, operands)
        if p.plain:
            return self.compute_plain(memory, p, operands)
        decline(self.compiler.forward and '_backward' in p.name, 'what is exported has no gradient')
        decline(p.illegal, 'is compiled as the row writes it')
        try:
            results = super().compute(memory, p, operands)
            self.functions.keep()
            return results
        except Declined:
            raise
        except Exception as why:
            refusal = refusal_in(self.compiler, why)
            self.functions.drop(refusal or why, refusal is not None)
            self.compute_plain(memory, p, operands)
            if refusal:
                raise Declined(f'{type(refusal).__name__}: {refusal}') from why
            raise

    def compute_plain(self, memory, p, operands):
        """Without the compiler: what the library refuses by itself is no answer of the compiler."""
        self.functions.plain = True
        try:
            return super().compute(memory, p, operands)
        finally:
            self.functions.plain = False
