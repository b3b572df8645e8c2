"""What a run needs of a framework whose interface is PyTorch's."""
import importlib
import os

import numpy as np

WIDE = {'float': 'double', 'half': 'double', 'float32': 'float64', 'float16': 'float64', 'bfloat16': 'float64',
        'FloatTensor': 'DoubleTensor'}


class Missing(Exception):
    """The framework has no such name."""


class Torch:
    """wide: binary64 in place of binary32, for what is right."""
    module = 'torch'

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
        if self.wide:
            module.double()
        return list(module.named_parameters())

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

    @staticmethod
    def gradient(tensor):
        return tensor.grad if tensor.is_leaf else None


class OneFlow(Torch):
    module = 'oneflow'

    def settle(self):
        # Its main thread waits busily for those that compute (SCHED_BATCH lets these run).
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))

    @staticmethod
    def is_real(tensor):
        return tensor.dtype.is_floating_point


FRAMEWORKS = {'torch': Torch, 'oneflow': OneFlow}


def framework(name):
    """The class of a framework; any other module has the interface of PyTorch."""
    return FRAMEWORKS.get(name) or type(name, (Torch,), {'module': name})
