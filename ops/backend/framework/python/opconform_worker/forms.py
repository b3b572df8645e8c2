"""Ways to write one call, which must not change what it gives (FormKind of ops/param/exec.h): operands as numbers,
arguments by their names, defaults left out or given, axes counted from the end, results in place and in out=, operands
that are parts of larger tensors, negated or conjugated when they are read, or have their gradient recorded, and batches.

Names and defaults are those that a function's signature has, or the documentation of one of an extension."""
import ast
import contextlib
import functools
import importlib
import inspect
import operator
import re
import types
import typing
import warnings

from . import recorder
from .protocol import Declined

ANY = inspect.Parameter.empty
# Arguments that count axes, and functions where an argument of such a name means something else, or takes no axis from
# the end by its documentation and in versions before, as tf.transpose does.
AXES = {'dim', 'dims', 'axis', 'axes', 'dim0', 'dim1', 'dim2', 'axis1', 'axis2', 'start_dim', 'end_dim', 'start_axis',
        'stop_axis', 'perm', 'source', 'destination'}
OTHERWISE = {'tile', 'tensordot', 'cov', 'corrcoef', 'full', 'rand', 'stack_copy', 'transpose_v2'}
# Functions that take a number for an axis, or make tensors of numbers.
TENSORS_ONLY = {'max', 'min', 'broadcast_arrays', 'broadcast_tensors'}
# Functions whose axes are those of the result, which has one more.
ONE_MORE = {'unsqueeze', 'unsqueeze_copy', 'expand_dims', 'stack'}
# What a number in front of a tensor is written with.
OPERATORS = {name: getattr(operator, theirs) for names, theirs in (
    ('add', 'add'), ('sub subtract', 'sub'), ('mul multiply', 'mul'), ('div true_divide divide', 'truediv'),
    ('pow power', 'pow'), ('remainder mod', 'mod'), ('floor_divide floordiv', 'floordiv'), ('lt less less_than', 'lt'),
    ('le less_equal', 'le'), ('gt greater greater_than', 'gt'), ('ge greater_equal', 'ge'), ('bitwise_and', 'and_'),
    ('bitwise_or', 'or_'), ('bitwise_xor', 'xor')) for name in names.split()}
# Functions of the memory below a tensor rather than of its elements.
OF_MEMORY = {'as_strided', 'as_strided_copy', 'as_strided_scatter', 'view_as_complex', 'view_as_real'}
NO_BATCH = re.compile(r'vmap|batching rule|quantization is supported')
NO_BIT = re.compile(r'(negative|conjugate) bit|(negation|conjugate) fallback does not support')
# What np.pad says of out= by a ValueError, and torch.ops by a RuntimeError.
NO_ARGUMENT = re.compile(r'keyword|expected at most \d+ argument')
# What libraries say where a function has no gradient, or none for this operand.
NO_GRADIENT = re.compile(r'derivative|differentia|gradient|require.?.?s?.grad|in-place|inplace', re.I)
LIBRARIES = ('torch', 'flow', 'paddle', 'tf', 'np', 'jnp')
# The types of integers that operands of whole numbers are given in, by the names of forms.
INTEGERS = {'bool': 'bool', **{f'{sign[:1]}{bits}': f'{sign}{bits}' for sign in ('int', 'uint') for bits in (8, 16, 32, 64)}}
# Forms that are other arguments in the source of a call.
SPELLED = 'named', 'omitted', 'given', 'negative'
MARKS = re.compile(r'\b[A-Z]\w*\s+(?=\w+\s*[,=)])')


def is_quantized(tensor):
    """Whether what joins tensors would quantise the elements of this one again."""
    return getattr(recorder.raw(tensor), 'is_quantized', False)


def is_sparse(tensor):
    return 'sparse' in str(getattr(tensor, 'layout', ''))


class Signature(typing.NamedTuple):
    """positional: names and defaults of the arguments that may be positional, the name None where it must be; named: of
    those that must not."""
    positional: list
    named: list


def of_arguments(given):
    def value(node):
        with contextlib.suppress(ValueError):
            return ANY if node is None else ast.literal_eval(node)
        return ANY
    positional = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(positional) - len(given.defaults)) + given.defaults
    names = [None] * len(given.posonlyargs) + [each.arg for each in given.args]
    return Signature([(name, value(node)) for name, node in zip(names, defaults)],
                     [(each.arg, value(node)) for each, node in zip(given.kwonlyargs, given.kw_defaults)])


def documented(function):
    """Signatures from the lines NAME(...) on top of the documentation."""
    name, found = getattr(function, '__name__', ''), []
    for path, inside in re.findall(r'^\s*(?:\.\. \w+:: )?([\w.]+)\((.*)\)\s*(?:->.*)?$', function.__doc__ or '', re.M):
        if not name.endswith(path.rpartition('.')[2]):
            continue
        with contextlib.suppress(SyntaxError):
            given = ast.parse(f'def f({MARKS.sub("", inside.replace(chr(92), ""))}): pass').body[0].args
            if not given.vararg:
                found.append(of_arguments(given))
    return found


@functools.lru_cache(maxsize=4096)
def signatures(function):
    try:
        known = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return documented(function)
    if any(each.kind == each.VAR_POSITIONAL for each in known):
        return documented(function)
    return [Signature([(None if each.kind == each.POSITIONAL_ONLY else each.name, each.default) for each in known
                       if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)],
                      [(each.name, each.default) for each in known if each.kind == each.KEYWORD_ONLY])]


def signatures_of(function, args, kwargs):
    """The signatures that take so many arguments, and no tensor as an axis, which one of a single integer would be taken
    for; a call without one has no other form."""
    return [known for known in signatures(function) if len(args) <= len(known.positional) and
            set(kwargs) <= {name for name, _ in [*known.positional[len(args):], *known.named]} and
            not any(name in ('dim', 'axis') and is_tensor(value) for (name, _), value in zip(known.positional, args))]


def same(value, default):
    """By what is written: 0.0 and -0.0 are two numbers."""
    return type(value) is type(default) and type(value) in recorder.PLAIN and repr(value) == repr(default)


def is_tensor(value):
    value = recorder.raw(value)
    return hasattr(value, 'shape') and hasattr(value, 'dtype') and not isinstance(value, (type, types.ModuleType))


def replaced(value, change):
    """value with change(tensor) for each tensor in it."""
    if type(value) in (tuple, list):
        return type(value)(replaced(each, change) for each in value)
    return change(value) if is_tensor(value) else value


def extents(value):
    return tuple(recorder.raw(value).shape)


def count(value):
    product = 1
    for extent in extents(value):
        product *= int(extent)
    return product


def number_of(tensor):
    return tensor.item() if hasattr(tensor, 'item') else tensor.numpy().item()


def types_of(result):
    """The types of elements of results, in their order, those of tuples with names too."""
    if isinstance(result, (tuple, list)):
        return [each for part in result for each in types_of(part)]
    return [recorder.raw(result).dtype] if is_tensor(result) else []


def as_type(tensor, dtype):
    """dtype: as NumPy writes it; PyTorch has a function that takes a type of its own."""
    if hasattr(recorder.raw(tensor), 'astype'):
        return tensor.astype(dtype)
    library = importlib.import_module(type(recorder.raw(tensor)).__module__.partition('.')[0])
    return tensor.to(getattr(library, dtype))


def is_whole(tensor, dtype):
    """Whether a tensor of floating point has the same numbers in a type of integers, which has no -0, and no infinity."""
    if not str(tensor.dtype).rpartition('.')[2].startswith(('float', 'bfloat')):
        return False
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        try:
            back = as_type(as_type(tensor, dtype), str(tensor.dtype).rpartition('.')[2])
            numbers = (tensor - tensor == 0) & ((tensor != 0) | (1 / tensor > 0))
            return bool(((back == tensor) & numbers).all())
        except (AttributeError, TypeError, ValueError, RuntimeError, NotImplementedError):  # there is no such type
            return False


class Arguments(typing.NamedTuple):
    positional: tuple
    named: dict


class Writing:
    """How the calls of one case are written; used: how many of them are written otherwise than they stand; written: by the
    numbers of those that have other arguments, the arguments as they stand and the others."""

    def __init__(self, form, namespace):
        self.write = functools.partial(self.of_integers, INTEGERS[form]) if form in INTEGERS else getattr(self, form)
        self.namespace, self.used, self.written = namespace, 0, {}
        self.owner, self.name, self.number = None, '', 0

    def call(self, number, function, args, kwargs, owner=None, name=''):
        """number: of the call in the source; owner: a module or a tensor, which has the function under this name."""
        plain = recorder.raw(function)
        self.owner, self.name, self.number = owner, name, number
        if getattr(plain, '__module__', None) == self.namespace['__name__']:
            return function(*args, **kwargs)
        return self.write(function, plain, args, kwargs)

    def changed(self, function, args, kwargs):
        self.used += 1
        return function(*args, **kwargs)

    def by_signature(self, function, plain, args, kwargs, change):
        """change(signature, args, kwargs) gives other arguments, or None.  Of several signatures the documentation does not
        say which takes what, but a wrong one takes nothing."""
        refused = None
        for known in signatures_of(plain, args, kwargs):
            others = change(known, args, kwargs)
            if others is None:
                continue
            try:
                result = function(*others[0], **others[1])
            except TypeError as why:
                refused = why
                continue
            self.used += 1
            self.written[self.number] = Arguments(args, kwargs), Arguments(*others)
            return result
        if refused:
            raise Declined(f'takes no such arguments: {refused}')
        return function(*args, **kwargs)

    def named(self, function, plain, args, kwargs):
        return self.by_signature(function, plain, args, kwargs, by_name)

    def omitted(self, function, plain, args, kwargs):
        return self.by_signature(function, plain, args, kwargs, without_defaults)

    def given(self, function, plain, args, kwargs):
        return self.by_signature(function, plain, args, kwargs, with_defaults)

    def negative(self, function, plain, args, kwargs):
        return self.on_axes(function, plain, args, kwargs, from_end)

    def first_axis(self, function, plain, args, kwargs):
        return self.on_axes(function, plain, args, kwargs, before_first)

    def on_axes(self, function, plain, args, kwargs, move):
        """move(value, rank) gives another value of an argument that counts axes."""
        name, owner = getattr(plain, '__name__', ''), getattr(plain, '__self__', None)
        tensors = [each for each in (owner, *args) if is_tensor(each)]
        if args and isinstance(args[0], (tuple, list)):
            tensors += [each for each in args[0] if is_tensor(each)]
        if not tensors or name in OTHERWISE:
            return function(*args, **kwargs)
        rank = len(extents(tensors[0])) + (name in ONE_MORE)

        def change(known, args, kwargs):
            names = [key for key, _ in known.positional]
            others = [move(value, rank) if key in AXES else value for key, value in zip(names, args)]
            named = {key: move(value, rank) if key in AXES else value for key, value in kwargs.items()}
            moved = any(other is not value for other, value in zip([*others, *named.values()], [*args, *kwargs.values()]))
            return (others, named) if moved else None
        return self.by_signature(function, plain, args, kwargs, change)

    def order(self, function, plain, args, kwargs):
        """The first argument that orders all axes lacks one."""
        at = next((i for i, each in enumerate(args) if isinstance(each, (tuple, list)) and len(each) > 1 and
                   all(type(part) is int for part in each) and sorted(each) == list(range(len(each)))), -1)
        if at < 0:
            return function(*args, **kwargs)
        return self.changed(function, [*args[:at], args[at][:-1], *args[at + 1:]], kwargs)

    def inferred(self, function, plain, args, kwargs):
        """Of extents without elements one is to be inferred, for which any value would do."""
        for i, each in enumerate(args):
            found = inferring(each) if isinstance(each, (tuple, list)) else None
            if found:
                return self.changed(function, [*args[:i], found, *args[i + 1:]], kwargs)
        return function(*args, **kwargs)

    def text(self, function, plain, args, kwargs):
        """The last operand is a text; a function in Python may find that it is none by looking for its attributes."""
        tensors = []
        replaced(args, tensors.append)
        if not tensors:
            return function(*args, **kwargs)
        left = iter([*tensors[:-1], 'text'])
        try:
            return self.changed(function, replaced(args, lambda _: next(left)), kwargs)
        except (AttributeError, KeyError, AssertionError) as why:
            raise TypeError(f'{type(why).__name__}: {why}') from why

    def single(self, args):
        """The place of an operand of one element beside a tensor that has all extents of the result, or -1."""
        tensors = [i for i, each in enumerate(args) if is_tensor(each)]
        for i in reversed(tensors):
            others = [args[j] for j in tensors if j != i]
            if count(args[i]) == 1 and any(len(extents(each)) >= len(extents(args[i])) for each in others):
                return i
        return -1

    def types_by_value(self, operand):
        """Whether the operand is an array of NumPy's before version 2, not a tensor of a framework beside it."""
        library = recorder.raw(self.namespace['np']) if 'np' in self.namespace else None
        return library is not None and isinstance(recorder.raw(operand), library.ndarray) and \
            int(library.__version__.split('.')[0]) < 2

    def decline_types_by_value(self, number, others):
        """numpy.result_type of version 1: of scalars, and where a number does not fit the type of an array, the type is that
        of the value."""
        if not any(extents(each) for each in others):
            raise Declined('NumPy before version 2 chooses types of scalars by their values')
        library, types_of = recorder.raw(self.namespace['np']), [recorder.raw(each).dtype for each in others]
        if library.result_type(*types_of, number) != library.result_type(*types_of):
            raise Declined('NumPy before version 2 widens the type of an array beside a number that does not fit it')

    def number(self, function, plain, args, kwargs):
        at = self.single(args)
        if at < 0 or len(args) < 2 or getattr(plain, '__name__', '') in TENSORS_ONLY:
            return function(*args, **kwargs)
        number = number_of(recorder.raw(args[at]))
        if self.types_by_value(args[at]):
            self.decline_types_by_value(number, [each for i, each in enumerate(args) if i != at and is_tensor(each)])
        args = [*args[:at], number, *args[at + 1:]]
        name = getattr(plain, '__name__', '').strip('_')
        written = OPERATORS.get(name) if len(args) == 2 and not kwargs else None
        try:
            return self.changed(written if written and at == 0 else function, args, kwargs)
        except (TypeError, ValueError, AttributeError) as why:
            if not written or at == 0:
                raise Declined(f'takes no number there: {type(why).__name__}') from why
        try:
            return written(*args)
        except (TypeError, ValueError, AttributeError) as why:
            raise Declined(f'takes no number there, nor does its operator: {type(why).__name__}') from why

    def zero_dim(self, function, plain, args, kwargs):
        at = self.single(args)
        if at < 0 or not extents(args[at]):
            return function(*args, **kwargs)
        tensor = args[at]
        bare = tensor.reshape(()) if hasattr(recorder.raw(tensor), 'reshape') else tensor[(0,) * len(extents(tensor))]
        return self.changed(function, [*args[:at], bare, *args[at + 1:]], kwargs)

    def in_place(self, function, plain, args, kwargs):
        result = function(*args, **kwargs)
        name = getattr(plain, '__name__', '').strip('_')
        fits = args and is_tensor(args[0]) and is_tensor(result) and extents(args[0]) == extents(result) and \
            recorder.raw(args[0]).dtype == recorder.raw(result).dtype
        if not fits or not hasattr(recorder.raw(args[0]), f'{name}_'):
            return result
        target = args[0].clone()
        try:
            return self.changed(getattr(target, f'{name}_'), args[1:], kwargs)
        except TypeError:  # that function takes other arguments
            self.used -= 1
            return result

    def out(self, function, plain, args, kwargs):
        result = function(*args, **kwargs)
        if not is_tensor(result) or is_tensor(getattr(plain, '__self__', None)) or getattr(recorder.raw(result), 'requires_grad', False):
            return result
        raw = recorder.raw(result)  # no library makes a plain tensor of a type of few bits, or that is sparse
        if is_quantized(raw) or is_sparse(raw):
            return result
        target = self.library().full(extents(result), 77, dtype=raw.dtype)
        try:
            self.changed(function, args, {**kwargs, 'out': target})
        except (TypeError, ValueError, RuntimeError) as why:  # there is no out=
            if not isinstance(why, TypeError) and not NO_ARGUMENT.search(str(why)):
                raise
            self.used -= 1
            return result
        return target

    def library(self):
        return next(self.namespace[name] for name in LIBRARIES if name in self.namespace)

    def on_tensors(self, function, args, kwargs, change):
        """Calls with change(tensor) for each operand; None of it leaves the operand as it is."""
        changed = []
        if self.name in OF_MEMORY:
            return function(*args, **kwargs)

        def other(value):
            try:
                result = change(value)
            except Exception as why:
                raise Declined(f'an operand has no such form: {type(why).__name__}') from why
            changed.append(result is not None)
            return value if result is None else result

        if is_tensor(self.owner):
            function = getattr(other(self.owner), self.name)
        others, named = replaced(args, other), {name: replaced(each, other) for name, each in kwargs.items()}
        return self.changed(function, others, named) if any(changed) else function(*others, **named)

    def batched(self, function, plain, args, kwargs):
        """By the rules of torch.vmap, over the last axis of two equal operands each; of one where a gradient is asked, which
        would be 0 for the other, and 0 times an infinity is NaN."""
        torch, tensors = self.namespace['torch'], []

        def called(*given):
            left = iter(given)
            owner = next(left) if is_tensor(self.owner) else self.owner
            return getattr(owner, self.name)(*replaced(args, lambda _: next(left)),
                                             **{name: replaced(each, lambda _: next(left)) for name, each in kwargs.items()})

        def last(result):
            return type(result)(map(last, result)) if isinstance(result, (tuple, list)) else result[copies - 1, ...]
        replaced([self.owner, args, *kwargs.values()], tensors.append)
        if not tensors or self.name in OF_MEMORY or any(map(is_quantized, tensors)):
            return function(*args, **kwargs)
        if any(is_sparse(recorder.raw(each)) for each in tensors):  # PyTorch cannot take it out of its batch again
            raise Declined('an operand can be in no batch')
        copies = 1 if any(recorder.raw(each).requires_grad for each in tensors) else 2
        try:
            batches = [torch.stack((each,) * copies, -1) for each in tensors]
        except RuntimeError as why:
            raise Declined('an operand can be in no batch') from why
        try:
            result = last(torch.vmap(called, -1)(*batches))
        except (RuntimeError, ValueError) as why:
            if NO_BATCH.search(str(why)):
                raise Declined('is in no batch of vmap') from why
            raise
        if is_quantized(result):  # joined of the parts of the batch
            return function(*args, **kwargs)
        self.used += 1
        return result

    def view(self, function, plain, args, kwargs):
        library = self.library()

        def behind_ones(tensor):
            return None if is_quantized(tensor) else library.stack((library.ones_like(tensor), tensor))[1, ...]
        return self.on_tensors(function, args, kwargs, behind_ones)

    def lazy(self, function, plain, args, kwargs):
        """PyTorch keeps a bit that elements are conjugated, or negated, where they are read."""
        torch = self.namespace['torch']

        def lazily(tensor):
            dtype = recorder.raw(tensor).dtype
            if dtype in (recorder.raw(torch.complex64), recorder.raw(torch.complex128)):
                return tensor.conj().resolve_conj().conj()
            if dtype in (recorder.raw(torch.float32), recorder.raw(torch.float64)):
                return torch.complex(tensor, tensor.neg()).conj().imag
            return None
        try:
            return self.on_tensors(function, args, kwargs, lazily)
        except RuntimeError as why:
            if NO_BIT.search(str(why)):
                raise Declined('takes no operand with such a bit') from why
            raise

    def of_integers(self, dtype, function, plain, args, kwargs):
        """All operands of whole numbers as integers, or one of them alone, where results have the type that they have of
        numbers of floating point: others are computed with integers."""
        tensors = []
        replaced(args, tensors.append)
        whole = [tensor for tensor in tensors if is_whole(recorder.raw(tensor), dtype)]
        if not whole or is_tensor(self.owner) or self.name in OF_MEMORY:
            return function(*args, **kwargs)
        named = {name: recorder.raw(each) for name, each in kwargs.items()}

        def with_integers(chosen, change):
            return replaced(args, lambda tensor: as_type(change(tensor), dtype) if any(tensor is each for each in chosen)
                            else change(tensor))
        wanted = types_of(plain(*recorder.raw(args), **named))
        for chosen in (whole, *([each] for each in whole if len(whole) > 1)):
            try:
                found = types_of(plain(*with_integers(chosen, recorder.raw), **named))
            except Exception:  # no library has integers everywhere
                continue
            if found == wanted and not self.uses_default_type(plain, with_integers(chosen, recorder.raw), named):
                return self.changed(function, with_integers(chosen, lambda tensor: tensor), kwargs)
        return function(*args, **kwargs)

    def uses_default_type(self, plain, args, named):
        """Whether a result of binary64 is another one where PyTorch makes numbers of that type of integers.  By default it
        makes numbers of binary32, which a function of several steps may do with one operand before it meets the others."""
        torch = recorder.raw(self.namespace.get('torch'))
        if torch is None:
            return False
        kept, found = torch.get_default_dtype(), []
        try:
            for dtype in (torch.float32, torch.float64):
                torch.set_default_dtype(dtype)
                replaced([plain(*args, **named)], found.append)
        finally:
            torch.set_default_dtype(kept)
        half = len(found) // 2
        return any(each.dtype in (torch.float64, torch.complex128) and
                   not torch.allclose(each, other, rtol=0, atol=0, equal_nan=True)
                   for each, other in zip(found[:half], found[half:]))

    def recorded(self, function, plain, args, kwargs):
        def recording(tensor):
            known = recorder.raw(tensor)
            differs = known.is_floating_point() or known.is_complex()
            return tensor.detach().requires_grad_() if differs and not known.requires_grad else None
        try:
            return self.on_tensors(function, args, kwargs, recording)
        except (RuntimeError, NotImplementedError, TypeError, ValueError) as why:
            if NO_GRADIENT.search(str(why)):
                raise Declined('no gradient is recorded there') from why
            raise


def by_name(known, args, kwargs):
    names = [name for name, _ in known.positional[:len(args)]]
    first = max((i + 1 for i, name in enumerate(names) if name is None), default=0)
    return (args[:first], {**dict(zip(names[first:], args[first:])), **kwargs}) if first < len(names) else None


def without_defaults(known, args, kwargs):
    defaults = dict(known.positional + known.named)
    given = list(zip(known.positional, args))
    first = next((i for i, ((name, default), value) in enumerate(given) if name and same(value, default)), len(given))
    rest = {name: value for (name, default), value in given[first:] if not same(value, default)}
    rest.update({name: value for name, value in kwargs.items() if not same(value, defaults[name])})
    return (args[:first], rest) if first + len(rest) < len(args) + len(kwargs) else None


def with_defaults(known, args, kwargs):
    more = {name: default for name, default in known.positional[len(args):] + known.named
            if name and default is not ANY and name not in kwargs}
    return (args, {**kwargs, **more}) if more else None


def from_end(value, rank):
    if type(value) is int and 0 <= value < rank:
        return value - rank
    if isinstance(value, (tuple, list)) and value and all(type(each) is int and 0 <= each < rank for each in value):
        return type(value)(each - rank for each in value)
    return value


def before_first(value, rank):
    """An axis before the first one; a tensor without axes is taken for one with one."""
    outside = -max(rank, 1) - 1
    if type(value) is int:
        return outside
    if isinstance(value, (tuple, list)) and value and all(type(each) is int for each in value):
        return type(value)((outside, *value[1:]))
    return value


def inferring(extents):
    """The extents with -1 for one beside which an extent of 0 stays, or None."""
    if not all(type(each) is int for each in extents) or 0 not in extents:
        return None
    at = next((i for i, each in enumerate(extents) if each or extents.count(0) > 1), None)
    return None if at is None else type(extents)((*extents[:at], -1, *extents[at + 1:]))


class Calls(ast.NodeTransformer):
    """Changes calls of functions and methods, by their numbers in the source; those of bare names are the adapter's own."""

    def __init__(self, change):
        self.change, self.count = change, 0

    def visit_Call(self, node):
        self.generic_visit(node)
        if not isinstance(node.func, ast.Attribute):
            return node
        self.count += 1
        return self.change(self.count, node)


def marked(tree):
    """Calls go through in_form."""
    def mark(number, node):
        return ast.Call(ast.Name('in_form', ast.Load()),
                        [ast.Constant(number), node.func.value, ast.Constant(node.func.attr), *node.args], node.keywords)
    return ast.fix_missing_locations(Calls(mark).visit(tree))


def literal(value):
    """A number, a name or a type as it stands in a source that any compiler reads."""
    if isinstance(value, float) and value - value != 0:
        return ast.parse(f"float('{value}')", mode='eval').body
    if isinstance(value, (tuple, list)):
        kind = ast.Tuple if isinstance(value, tuple) else ast.List
        return kind([literal(item) for item in value], ast.Load())
    return ast.parse(repr(value), mode='eval').body


def node_of(value, arguments, node):
    """What stands for a value in the source of a call that had these arguments, or the value itself."""
    given = [*zip(arguments.positional, node.args), *((arguments.named[each.arg], each.value) for each in node.keywords)]
    for known, source in given:
        if known is value:
            return source
    try:
        return literal(value)
    except SyntaxError as why:
        raise Declined('a default has no source') from why


def spelled(tree, writing):
    """The source with the arguments that calls were made with."""
    def spell(number, node):
        if number not in writing.written:
            return node
        given, others = writing.written[number]
        if any(isinstance(each, ast.Starred) for each in node.args) or any(each.arg is None for each in node.keywords):
            raise Declined('its arguments have no names in the source')
        return ast.Call(node.func, [node_of(value, given, node) for value in others.positional],
                        [ast.keyword(name, node_of(value, given, node)) for name, value in others.named.items()])
    return ast.fix_missing_locations(Calls(spell).visit(tree))


writings = []


@contextlib.contextmanager
def writing(form, namespace):
    """Calls are written in this form; a case of which none has it is declined.  Gives the Writing."""
    writings.append(Writing(form, namespace))
    try:
        yield writings[-1]
        if writings[-1].used == 0:
            raise Declined(f'its call has no form {form}')
    finally:
        writings.pop()


def in_form(number, owner, name, /, *args, **kwargs):
    return writings[-1].call(number, getattr(owner, name), args, kwargs, owner, name)
