"""Writes down what an adapter calls, as lines of Python that need the library and NumPy only.

The adapter is imported once more with stand-ins for the modules of the library: whatever is reached
through them, or through the operands, is called as before, and its line is printed first, so that a call
that ends the process has been shown."""
import importlib
import os
import sys
import types

import numpy as np

# Modules that adapters import, and the names that scripts have for them.
NAMES = {'numpy': 'np', 'torch': 'torch', 'tensorflow': 'tf', 'paddle': 'paddle', 'oneflow': 'flow',
         'jax': 'jax', 'ml_dtypes': 'ml_dtypes', 'scipy': 'scipy'}
# Questions about an operand whose answers are in the script as numbers.
QUESTIONS = ('dim', 'numel', 'item')
PLAIN = (int, float, bool, str, bytes, type(None), type(Ellipsis))


def is_plain(value):
    """Not NumPy's own numbers, which are results: its binary64 is a float of Python as well."""
    return isinstance(value, PLAIN) and not isinstance(value, np.generic)


class Script:
    """Lines, printed as they come; functions that the library calls are indented."""

    def __init__(self, out):
        self.out, self.depth, self.count, self.known = out, 0, 0, {}

    def line(self, text):
        print('    ' * self.depth + text, file=self.out, flush=True)

    def name(self):
        self.count += 1
        return f't{self.count}'

    def wrap(self, value, text):
        """Numbers, shapes and types of elements are themselves, everything else is written down."""
        if is_plain(value) or type(value).__name__ in ('Size', 'dtype', 'DType', 'TensorShape'):
            return value
        if isinstance(value, (tuple, list)):
            if all(map(is_plain, value)):
                return value
            return tuple(self.wrap(item, f'{text}[{i}]') for i, item in enumerate(value))
        if isinstance(value, (types.ModuleType, type, types.BuiltinFunctionType, types.FunctionType)):
            return self.known.setdefault(id(value), Recorder(self, value, text))
        return Recorder(self, value, text)

    def text(self, value):
        if isinstance(value, Recorder):
            return value.recorder_text
        if isinstance(value, (tuple, list)):
            inside = ', '.join(self.text(item) for item in value)
            one = len(value) == 1 and isinstance(value, tuple)
            return f'[{inside}]' if isinstance(value, list) else f'({inside}{"," if one else ""})'
        if isinstance(value, slice):
            return f'slice({self.text(value.start)}, {self.text(value.stop)}, {self.text(value.step)})'
        if isinstance(value, np.generic):
            return f'np.{value.dtype}({self.text(value.item())})'
        if isinstance(value, float):
            return repr(value) if np.isfinite(value) else f"float('{value}')"
        if isinstance(value, type):
            return f'{NAMES.get(value.__module__, value.__module__)}.{value.__name__}'
        if isinstance(value, np.dtype):
            return f"np.dtype('{value}')"
        if type(value).__name__ == 'TensorShape':
            return self.text(tuple(value))
        return repr(value).replace('oneflow.', 'flow.')

    def call(self, function, text, args, kwargs):
        """Where a function is handed over, its definition comes first: it is known when it was called."""
        name, handed = self.name(), any(isinstance(item, types.FunctionType) for item in args)
        args = [self.defined(item) if isinstance(item, types.FunctionType) else item for item in args]
        inside = [self.text(item) for item in args]
        inside += [f'{key}={self.text(item)}' for key, item in kwargs.items()]
        line = f'{name} = {text}({", ".join(inside)})'
        if not handed:
            self.line(line)
        value = function(*map(raw, args), **{key: raw(item) for key, item in kwargs.items()})
        if handed:
            self.line(line)
        return self.wrap(value, name)

    def defined(self, function):
        """A function that writes itself down when the library calls it."""
        name = self.name()

        def called(*args):
            own = [self.name() for _ in args]
            self.line(f'def {name}({", ".join(own)}):')
            self.depth += 1
            result = function(*(self.wrap(arg, text) for arg, text in zip(args, own)))
            self.line(f'return {self.text(result)}')
            self.depth -= 1
            return raw(result)
        return Recorder(self, called, name)


def raw(item):
    if isinstance(item, Recorder):
        return item.recorder_value
    if isinstance(item, (tuple, list)):
        return type(item)(raw(part) for part in item) if type(item) in (tuple, list) else item
    if isinstance(item, slice):
        return slice(raw(item.start), raw(item.stop), raw(item.step))
    return item


class Recorder:
    """A stand-in: recorder_value, and the text that makes it in the script."""

    def __init__(self, script, value, text):
        vars(self).update(recorder_script=script, recorder_value=value, recorder_text=text)

    def __setattr__(self, name, value):
        self.recorder_script.line(f'{self.recorder_text}.{name} = {self.recorder_script.text(value)}')
        setattr(self.recorder_value, name, raw(value))

    def __getattr__(self, name):
        value = getattr(self.recorder_value, name)
        if name.startswith('__') or name in QUESTIONS:
            return value
        return self.recorder_script.wrap(value, f'{self.recorder_text}.{name}')

    def __call__(self, *args, **kwargs):
        return self.recorder_script.call(self.recorder_value, self.recorder_text, args, kwargs)

    def __getitem__(self, key):
        return self.recorder_script.call(self.recorder_value.__getitem__,
                                         f'{self.recorder_text}.__getitem__', (key,), {})

    def __enter__(self):
        return self.recorder_script.call(self.recorder_value.__enter__,
                                         f'{self.recorder_text}.__enter__', (), {})

    def __exit__(self, *_):
        self.recorder_script.call(self.recorder_value.__exit__, f'{self.recorder_text}.__exit__',
                                  (None, None, None), {})

    def __bool__(self):
        return bool(self.recorder_value)

    def __iter__(self):
        return (self[i] for i in range(len(self.recorder_value)))

    def __len__(self):
        return len(self.recorder_value)


def operator(name):
    def method(self, *others):
        return self.recorder_script.call(
            lambda *args: getattr(type(self.recorder_value), name)(self.recorder_value, *args),
            f'{self.recorder_text}.{name}', others, {})
    return method


for each in ('add sub mul truediv floordiv mod matmul pow neg lt le gt ge or and radd rsub rmul rtruediv rfloordiv rmod rpow '
             'xor rand ror rxor rdiv').split():
    setattr(Recorder, f'__{each}__', operator(f'__{each}__'))


def load(name, script):
    """The adapter's module over stand-ins, and the imports of the script."""
    before, kept = dict(os.environ), {}
    importlib.import_module(f'opconform_worker.adapter_{name}')
    for key, value in os.environ.items():
        if before.get(key) != value and key.isupper():
            script.line(f'os.environ[{key!r}] = {value!r}')
    for module in list(sys.modules):
        root = module.split('.')[0]
        if root not in NAMES or sys.modules[module] is None:
            continue
        if module == root:
            as_name = f' as {NAMES[root]}' if NAMES[root] != root else ''
            script.line(f'import {root}{as_name}')
        kept[module] = sys.modules[module]
        text = '.'.join([NAMES[root]] + module.split('.')[1:])
        sys.modules[module] = Recorder(script, kept[module], text)
    del sys.modules[f'opconform_worker.adapter_{name}']
    try:
        return importlib.import_module(f'opconform_worker.adapter_{name}')
    finally:
        sys.modules.update(kept)
