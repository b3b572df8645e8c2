"""One run of a body in one framework: what `torch` stands for in it, what is called, and what came of it."""
import numpy as np

from . import data, kinds, running
from .generators import NOTHING, Generator, value_of
from .torch_names import Missing


class Beyond(Exception):
    """More is drawn than in the run that is followed."""


class Name:
    """A name of the framework, torch.nn.Linear; what it is depends on the run."""

    def __init__(self, path=()):
        self._path = path

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return Name((*self._path, name))

    def __call__(self, *args, **kwargs):
        run = running.current()
        return run.call(run.framework.find(self._path), 'torch.' + '.'.join(self._path), None, args, kwargs)


class Value:
    """A tensor or a module in a body: what is called on it is part of the run."""

    def __init__(self, run, real, name):
        self._run, self._real, self._name = run, real, name

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        real = getattr(self._real, self._run.framework.method(name), running)
        if real is running:
            raise Missing(f'{self._run.framework.module} has no {name} of {type(self._real).__name__}')
        if callable(real) and not self._run.framework.is_module(real):
            return Method(self, name, real)
        return self._run.wrapped(real, f'{self._name}.{name}')

    def __call__(self, *args, **kwargs):
        return self._run.call(self._real, self._name, None, args, kwargs)

    def __len__(self):
        return len(self._real)

    def __iter__(self):
        return (self[i] for i in range(len(self._real)))

    def __bool__(self):
        return bool(self._real)

    def __float__(self):
        return float(self._real)

    def __int__(self):
        return int(self._real)


class Method:
    def __init__(self, of, name, real):
        self.of, self.name, self.real = of, name, real

    def __call__(self, *args, **kwargs):
        return self.of._run.call(self.real, f'{self.of._name}.{self.name}', self.of, args, kwargs)


SIGNS = {'add': '+', 'sub': '-', 'mul': '*', 'truediv': '/', 'floordiv': '//', 'mod': '%', 'pow': '**', 'matmul': '@',
         'lt': '<', 'le': '<=', 'gt': '>', 'ge': '>=', 'eq': '==', 'ne': '!=', 'and': '&', 'or': '|', 'xor': '^'}


def infix(method, sign, swapped):
    def called(self, other):
        return self._run.call(getattr(self._real, method), sign, self, (other,), {}, swapped=swapped)
    return called


def prefix(method, sign):
    def called(self):
        return self._run.call(getattr(self._real, method), sign, self, (), {})
    return called


def item(self, key):
    return self._run.call(self._real.__getitem__, '[]', self, (key,), {})


for each, mark in SIGNS.items():
    setattr(Value, f'__{each}__', infix(f'__{each}__', mark, False))
    if each in ('add', 'sub', 'mul', 'truediv', 'floordiv', 'mod', 'pow', 'matmul'):
        setattr(Value, f'__r{each}__', infix(f'__r{each}__', mark, True))
Value.__hash__ = object.__hash__
Value.__neg__, Value.__invert__, Value.__getitem__ = prefix('__neg__', '-'), prefix('__invert__', '~'), item


class Item:
    """Something that is compared: its kind is intermediate, output, parameter, buffer or gradient."""

    def __init__(self, kind, name, array, dtype, tensor):
        self.kind, self.name, self.array, self.dtype, self.tensor = kind, name, array, dtype, tensor


class Run:
    """choices: what draws are made of, or draws: those of the run that this one follows.  rounded: None, or a number that says
    which roundings each result is given (tolerance.py)."""

    def __init__(self, framework, choices=None, draws=None, rounded=None):
        self.framework, self.choices, self.rounded = framework, choices, rounded
        self.draws, self.at, self.values = ([] if draws is None else draws), 0, {}
        self.following = draws is not None
        self.lines, self.inputs, self.modules, self.items, self.count = [], [], [], [], 0
        self.result = None

    def leaf(self, draw):
        """A drawn value."""
        if not self.following:
            self.draws.append(draw(self.choices))
            return self.draws[-1]
        if self.at == len(self.draws):
            raise Beyond('it draws more than the first framework did')
        self.at += 1
        return self.draws[self.at - 1]

    def new_name(self, letter):
        self.count += 1
        return f'{letter}{self.count}'

    def new_tensor(self, shape, seed, low, high, dtype, requires_grad):
        """A random tensor of the body."""
        name, stream = self.new_name('x'), len(self.inputs)
        array = data.elements(shape, seed, low, high, dtype, stream)
        needs = bool(requires_grad and dtype is float)
        tensor = self.framework.tensor(array, needs)
        extents = ', '.join(map(str, shape))
        what = f'torch.ones({extents})' if seed == 0 and dtype is float and (low is None or low <= 1) else \
            f'tensor(({extents}{"," if len(shape) == 1 else ""}), data={seed})'
        self.lines.append(f'{name} = {what}')
        self.inputs.append((name, tensor))
        return Value(self, tensor, name)

    def wrapped(self, real, name):
        if isinstance(real, (bool, int, float, str, type(None))):
            return real
        if isinstance(real, (tuple, list)):
            if all(isinstance(each, (bool, int, float, str, type(None))) for each in real):
                return tuple(real)
            return tuple(self.wrapped(each, f'{name}[{i}]') for i, each in enumerate(real))
        return Value(self, real, name)

    def real(self, value, kind=None):
        """What the framework is given."""
        value = value_of(value, kind)
        if isinstance(value, Generator):
            return self.real(value)
        if isinstance(value, Value):
            return value._real
        if isinstance(value, Name):
            return self.framework.find(value._path)
        if isinstance(value, (tuple, list)):
            return type(value)(self.real(each) for each in value)
        if isinstance(value, slice):
            return slice(self.real(value.start), self.real(value.stop), self.real(value.step))
        return value

    def text(self, value):
        value = value_of(value)
        if isinstance(value, Value):
            return value._name
        if isinstance(value, Name):
            return 'torch.' + '.'.join(value._path)
        if isinstance(value, (tuple, list)):
            inside = ', '.join(map(self.text, value))
            return f'[{inside}]' if isinstance(value, list) else f'({inside}{"," if len(value) == 1 else ""})'
        if isinstance(value, slice):
            return ':'.join('' if part is None else self.text(part) for part in (value.start, value.stop, value.step))
        return repr(value)

    def arguments(self, function, args, kwargs):
        """Real arguments, and texts; what is nothing is left out."""
        known, names = kinds.kinds_of(function) if not self.following else ({}, [])
        reals, texts, named = [], [], {}
        for i, value in enumerate(args):
            real = self.real(value, known.get(names[i]) if i < len(names) else None)
            if real is not NOTHING:
                reals.append(real)
                texts.append(self.text(value))
        for name, value in kwargs.items():
            real = self.real(value, known.get(name))
            if real is not NOTHING:
                named[name] = real
                texts.append(f'{name}={self.text(value)}')
        return reals, named, texts

    def call(self, function, label, of, args, kwargs, swapped=False):
        reals, named, texts = self.arguments(function, args, kwargs)
        name = self.new_name('t')
        line = self.line_of(label, of, texts, swapped)
        self.lines.append(f'{name} = {line}')
        result = self.framework.call(function, label, reals, named)
        self.lines[-1] = self.lines[-1] if result is not None else line
        if self.framework.is_module(result) and not isinstance(of, Value):
            self.add_module(result, label)
        elif self.rounded is not None:
            result = self.with_rounding(result)
        if of is not None and result is of._real:
            return of
        self.record(result, f'{name} = {line}' if result is not None else line)
        return self.wrapped(result, name)

    @staticmethod
    def line_of(label, of, texts, swapped):
        if of is None or '.' in label:
            return f'{label}({", ".join(texts)})'
        if label == '[]':
            return f'{of._name}[{texts[0].strip("()")}]'
        if not texts:
            return f'{label}{of._name}'
        return f'{texts[0]} {label} {of._name}' if swapped else f'{of._name} {label} {texts[0]}'

    def tensors_in(self, result):
        if self.framework.is_tensor(result):
            yield result
        elif isinstance(result, (tuple, list)):
            for each in result:
                yield from self.tensors_in(each)

    def record(self, result, name):
        for tensor in self.tensors_in(result):
            self.add('intermediate', name, tensor)

    def add(self, kind, name, tensor):
        array, dtype = self.framework.array(tensor)
        self.items.append(Item(kind, name, np.array(array), dtype, tensor))

    def with_rounding(self, result):
        """The result as if it had been rounded to binary32, up or down."""
        if isinstance(result, (tuple, list)) and type(result) in (tuple, list):
            return type(result)(map(self.with_rounding, result))
        if not self.framework.is_tensor(result) or not self.framework.is_real(result):
            return result
        self.count_roundings = getattr(self, 'count_roundings', 0) + 1
        return self.framework.rounded(result, data.signs(tuple(result.shape), self.rounded, self.count_roundings))

    def add_module(self, module, label):
        """Parameters are the same in all frameworks."""
        number = len(self.modules)
        for i, (_, parameter) in enumerate(self.framework.parameters(module)):
            array = data.elements(tuple(parameter.shape), 1 + number, -1, 1, float, 1000 + i)
            if self.rounded is not None:
                array = array * (1 + 2.0 ** -24 * data.signs(array.shape, self.rounded, 5000 + 64 * number + i))
            self.framework.assign(parameter, array)
        self.modules.append((f'{label.split(".")[-1]}', module))

    def differentiate(self, outputs):
        """By random gradients of the outputs."""
        wanted = [(name, tensor) for name, tensor in outputs if self.framework.needs_gradient(tensor)]
        if not wanted:
            return
        grads = [data.elements(tuple(tensor.shape), 1, -1, 1, float, 9000 + i) for i, (_, tensor) in enumerate(wanted)]
        self.framework.backward([tensor for _, tensor in wanted], grads)

    def finish(self, result, auto_backward):
        """Records outputs, buffers, parameters and gradients."""
        self.result = result
        outputs = list(self.outputs_of(result, 'output'))
        returned = [tensor for _, tensor in outputs]
        self.items = [each for each in self.items if not any(each.tensor is tensor for tensor in returned)]
        for name, tensor in outputs:
            self.add('output', name, tensor)
        if auto_backward:
            self.differentiate(outputs)
        for name, tensor in self.gradient_holders():
            self.add_gradient(name, tensor)
        for place, module in self.placed_modules():
            for name, parameter in self.framework.parameters(module):
                self.add('parameter', f'{name} of {place}', parameter)
            for name, buffer in self.framework.buffers(module):
                self.add('buffer', f'{name} of {place}', buffer)

    def placed_modules(self):
        for number, (label, module) in enumerate(self.modules):
            yield f'{label} {number + 1}' if len(self.modules) > 1 else label, module

    def gradient_holders(self):
        """Inputs and parameters, by their names."""
        yield from self.inputs
        for place, module in self.placed_modules():
            for name, parameter in self.framework.parameters(module):
                yield f'{name} of {place}', parameter

    def add_gradient(self, name, tensor):
        gradient = self.framework.gradient(tensor)
        if gradient is not None:
            self.add('gradient', f'of {name}', gradient)

    def outputs_of(self, result, name):
        if isinstance(result, Value):
            result = result._real
        if self.framework.is_tensor(result):
            yield name, result
        elif isinstance(result, (tuple, list)):
            for i, each in enumerate(result):
                yield from self.outputs_of(each, f'{name}[{i}]')


class Static(Run):
    """The body once more, as a function that a framework compiles: with the inputs and modules of a run, and the draws of it."""

    def __init__(self, of, inputs, modules):
        super().__init__(of.framework, draws=of.draws)
        self.given, self.built = list(inputs), list(modules)

    def new_tensor(self, shape, seed, low, high, dtype, requires_grad):
        return Value(self, self.given.pop(0), self.new_name('x'))

    def call(self, function, label, of, args, kwargs, swapped=False):
        reals, named, _ = self.arguments(function, args, kwargs)
        if self.framework.is_class_of_modules(function):
            return self.wrapped(self.built.pop(0), label)
        if label.endswith(('.train', '.eval')) and self.framework.holds_module(of._real):
            return of
        return self.wrapped(self.framework.call(function, label, reals, named), self.new_name('t'))


def compiled(body, run):
    """Outputs, and gradients where the framework has them, of a body that ran, in the framework's static mode."""
    framework, names = run.framework, []

    def function(inputs, modules):
        static = Static(run, inputs, modules)
        with running.entered(static):
            outputs = list(static.outputs_of(body(), 'output'))
        names[:] = [name for name, _ in outputs]
        return [tensor for _, tensor in outputs]

    tensors, modules = [tensor for _, tensor in run.inputs], [module for _, module in run.modules]
    framework.forget_gradients(tensors, modules)
    results = framework.compile(function, tensors, modules)
    done = Run(framework, draws=run.draws)
    done.inputs, done.modules, done.lines = run.inputs, run.modules, run.lines
    for name, tensor in zip(names, results):
        done.add('output', name, tensor)
    if framework.differentiates_static:
        done.differentiate(list(zip(names, results)))
        for name, tensor in done.gradient_holders():
            done.add_gradient(name, tensor)
    return done


def execute_static(body, framework, auto_backward, draws):
    """The same as execute."""
    run, why = execute(body, framework, False, draws=draws)
    if why is not None or not list(run.outputs_of(run.result, '')):
        return run, why
    try:
        done = compiled(body, run)
    except Exception as why:
        return run, why
    if not auto_backward:
        done.items = [each for each in done.items if each.kind == 'output']
    return done, None


def execute(body, framework, auto_backward=True, **how):
    """The run, and the exception that ended it, or None."""
    run = Run(framework, **how)
    with running.entered(run):
        try:
            run.finish(body(), auto_backward)
        except Beyond:
            raise
        except Exception as why:
            return run, why
    return run, None
