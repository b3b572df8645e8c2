"""What a run needs of a framework whose interface is PyTorch's: PyTorch's own, and OneFlow's."""
import importlib
import os

import numpy as np

WIDE = {'float': 'double', 'half': 'double', 'float32': 'float64', 'float16': 'float64', 'bfloat16': 'float64',
        'FloatTensor': 'DoubleTensor'}


class Missing(Exception):
    """The framework has no such name."""


class Torch:
    """wide: binary64 in place of binary32, for what is right.  static: the name of the mode that compiles a body."""
    module, static, differentiates_static = 'torch', 'trace', True
    # Buffers that its layers do not have.
    lacks = ()

    def __init__(self, wide=False):
        self.lib, self.wide = importlib.import_module(self.module), wide
        self.settle()

    def settle(self):
        self.lib.set_num_threads(1)

    def method(self, name):
        return WIDE.get(name, name) if self.wide else name

    def find(self, path):
        value = self.lib
        for i, name in enumerate(path):
            name = self.method(name) if i == 0 else name
            if not hasattr(value, name):
                raise Missing(f'{self.module} has no {".".join(path)}')
            value = getattr(value, name)
        return value

    @staticmethod
    def call(function, label, reals, named):
        return function(*reals, **named)

    def is_tensor(self, value):
        return isinstance(value, self.lib.Tensor)

    def is_module(self, value):
        return isinstance(value, self.lib.nn.Module)

    def tensor(self, array, requires_grad):
        if self.wide and array.dtype == np.float32:
            array = array.astype(np.float64)
        tensor = self.lib.from_numpy(np.ascontiguousarray(array).reshape(array.shape).copy())
        return tensor.requires_grad_() if requires_grad else tensor

    def array(self, tensor):
        """As an array of NumPy, with the name of its type."""
        dtype = str(tensor.dtype).split('.')[-1]
        tensor = tensor.detach()
        return (tensor.to(self.lib.float32) if dtype == 'bfloat16' else tensor).numpy(), dtype

    @staticmethod
    def is_real(tensor):
        return tensor.is_floating_point()

    def rounded(self, tensor, signs):
        return tensor * (1 + 2.0 ** -24 * self.lib.from_numpy(signs))

    def parameters(self, module):
        if self.wide and any(self.is_narrow(each) for each in (*module.parameters(), *module.buffers())):
            module.double()
        return list(module.named_parameters())

    def is_narrow(self, tensor):
        return self.is_real(tensor) and tensor.dtype != self.lib.float64

    @staticmethod
    def buffers(module):
        return list(module.named_buffers())

    def assign(self, parameter, array):
        with self.lib.no_grad():
            parameter.copy_(self.lib.from_numpy(np.ascontiguousarray(array).reshape(array.shape).copy()))

    @staticmethod
    def needs_gradient(tensor):
        return tensor.requires_grad

    def backward(self, tensors, gradients):
        self.lib.autograd.backward(tensors, [self.tensor(each, False) for each in gradients])

    def is_class_of_modules(self, function):
        return isinstance(function, type) and issubclass(function, self.lib.nn.Module)

    def holds_module(self, value):
        return self.is_module(value)

    def forget_gradients(self, tensors, modules):
        for each in [*tensors, *(parameter for module in modules for _, parameter in self.parameters(module))]:
            if self.is_tensor(each) and each.is_leaf:
                each.grad = None

    def compile(self, function, tensors, modules):
        """Results of a function of inputs and modules, made static."""
        if not tensors:
            return function([], modules)
        made = {'forward': lambda whole, *inputs: tuple(function(inputs, modules))}
        whole = type('Body', (self.lib.nn.Module,), made)()
        for i, module in enumerate(modules):
            setattr(whole, f'm{i}', module)
        return list(self.lib.jit.trace(whole, tuple(tensors), check_trace=False)(*tensors))

    @staticmethod
    def gradient(tensor):
        return tensor.grad if tensor.is_leaf else None


class OneFlow(Torch):
    """nn.Graph has gradients in training only."""
    module, static, differentiates_static = 'oneflow', 'graph', False
    graphs = 0

    def settle(self):
        # Its main thread waits busily for those that compute (SCHED_BATCH lets these run).
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))

    @staticmethod
    def is_real(tensor):
        return tensor.dtype.is_floating_point

    def holds_module(self, value):
        """A graph has its modules in blocks."""
        return self.is_module(value) or 'Block' in type(value).__name__ or 'Proxy' in type(value).__name__

    def compile(self, function, tensors, modules):
        """A class of each graph's own, since their names must differ."""
        OneFlow.graphs += 1
        made = {'__init__': lambda graph: self.begin_graph(graph, modules),
                'build': lambda graph, *inputs: tuple(function(inputs, [getattr(graph, f'm{i}') for i in range(len(modules))]))}
        graph = type(f'Body{OneFlow.graphs}', (self.lib.nn.Graph,), made)()
        results = graph(*(tensor.detach() for tensor in tensors))
        return list(results) if isinstance(results, (tuple, list)) else [results]

    def begin_graph(self, graph, modules):
        self.lib.nn.Graph.__init__(graph)
        for i, module in enumerate(modules):
            setattr(graph, f'm{i}', module)
