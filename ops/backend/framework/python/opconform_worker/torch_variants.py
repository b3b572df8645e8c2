"""Other ways that PyTorch has to compute the same: every function that is called through the names of torch
is called in that way as well, where it has it, and gives that result.  Each class stands for itself, since
scripts quote it."""
import inspect

import torch
from torch.overrides import TorchFunctionMode


class ResultInPlace(TorchFunctionMode):
    """NAME_ on every other element of a wider tensor, where NAME gives what has its first operand's type
    and extents."""

    def __init__(self):
        super().__init__()
        self.used = 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = function(*args, **kwargs)
        name = getattr(function, '__name__', '').strip('_')
        variant = getattr(torch.Tensor, name + '_', None)
        if variant is None or not args or not isinstance(result, torch.Tensor) or \
                not isinstance(args[0], torch.Tensor) or result.dtype != args[0].dtype or \
                result.shape != args[0].shape or name in ('requires_grad', 'detach', 'resize', 'set'):
            return result
        wide = torch.stack((args[0], args[0]), -1)
        target = wide.select(-1, 0)
        try:
            variant(target, *args[1:], **kwargs)
        except TypeError:  # the variant takes other arguments
            return result
        self.used += 1
        return target


class ResultOut(TorchFunctionMode):
    """out= tensors that hold something else, with strides of their own."""

    def __init__(self):
        super().__init__()
        self.used = 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = function(*args, **kwargs)
        results = (result,) if isinstance(result, torch.Tensor) else result
        if 'out' in kwargs or not isinstance(results, tuple) or not results or \
                not all(isinstance(each, torch.Tensor) for each in results):
            return result
        targets = tuple(torch.stack((each, each), -1).fill_(77).select(-1, 0) for each in results)
        try:
            function(*args, **kwargs, out=targets[0] if result is not results else targets)
        except TypeError:  # there is no out=
            return result
        self.used += 1
        return targets[0] if result is not results else targets


def quoted(variant):
    """Lines for a script that compute everything behind them so."""
    source = inspect.getsource(type(variant)).rstrip().splitlines()
    return ['from torch.overrides import TorchFunctionMode', *source,
            f'{type(variant).__name__}().__enter__()']


def differentiate_forward(function, values, dy):
    """dy times the derivatives of an element-wise function, by forward mode: what it gives along dy."""
    gradients = []
    for i, value in enumerate(values):
        with torch.autograd.forward_ad.dual_level():
            inputs = list(values)
            inputs[i] = torch.autograd.forward_ad.make_dual(value, dy)
            y = function(*inputs)
            gradients.append(torch.autograd.forward_ad.unpack_dual(y).tangent)
    return gradients


def differentiate_twice(function, values, dy):
    """The same by differentiating the gradient, which is linear in what it starts from."""
    gradients = []
    for i, value in enumerate(values):
        leaf = value.detach().requires_grad_()
        inputs = list(values)
        inputs[i] = leaf
        y = function(*inputs)
        start = torch.zeros_like(y, requires_grad=True)
        gradient, = torch.autograd.grad(y, leaf, start, create_graph=True)
        gradients.append(torch.autograd.grad(gradient, start, dy)[0])
    return gradients


RESULTS = {'inplace': ResultInPlace, 'out': ResultOut}
DERIVATIVES = {'forward-mode': differentiate_forward, 'double-backward': differentiate_twice}
