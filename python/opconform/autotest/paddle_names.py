"""PaddlePaddle under PyTorch's names: where its own differ they are translated here, and what has no translation is missing.

By its documentation of PyTorch's counterparts: layers end in D, are told bias_attr and weight_attr in place of bias and affine, and
epsilon in place of eps; axes are called axis; a linear layer holds its weight the other way round."""
import re

import numpy as np

from .torch_names import Missing, Torch

WORDS = {'dim': 'axis', 'eps': 'epsilon', 'input': 'x', 'other': 'y', 'dims': 'axis'}
BUFFERS = {'_mean': 'running_mean', '_variance': 'running_var'}
# Names of functions that mean something else there, or take their arguments in another order.
OTHERS = {'max', 'min', 'std', 'var', 'transpose', 'split', 'norm', 'where', 'gather', 'scatter', 'topk', 'sort', 'clamp', 'pad', 'addmm'}
# Of layers so many arguments stand in the same places.
PLACES = 3


class Turned:
    """A parameter, or a gradient of it, that lies the other way round."""

    def __init__(self, of):
        self.of, self.shape = of, tuple(of.shape)[::-1]


class Paddle(Torch):
    module, static, differentiates_static = 'paddle', None, False
    # What no layer of it has.
    lacks = ('num_batches_tracked',)

    def settle(self):
        self.lib.set_device('cpu')
        self.lib.disable_signal_handler()

    def find(self, path):
        if path[-1] in OTHERS:
            raise Missing(f'{".".join(path)} is another function there')
        if path[0] == 'nn' and path[1] != 'functional':
            name = re.sub(r'^ConvTranspose(\d)d$', r'Conv\1DTranspose', path[1])
            path = ('nn', re.sub(r'(\d)d$', r'\1D', name))
        if len(path) == 1 and not hasattr(self.lib, path[0]) and hasattr(self.lib.nn.functional, path[0]):
            path = ('nn', 'functional', path[0])
        return super().find(path)

    def is_module(self, value):
        return isinstance(value, self.lib.nn.Layer)

    def is_class_of_modules(self, function):
        return isinstance(function, type) and issubclass(function, self.lib.nn.Layer)

    def call(self, function, label, reals, named):
        owner = getattr(function, '__self__', None)
        if self.is_module(owner) and label.endswith(('.train', '.eval')):
            wanted = label.endswith('.train') and (reals[0] if reals else named.get('mode', True))
            (owner.train if wanted else owner.eval)()
            return owner
        if self.is_class_of_modules(function):
            reals, named = self.layer_arguments(label, reals, named)
        named = {WORDS.get(name, name): value for name, value in named.items()}
        try:
            return function(*reals, **named)
        except TypeError as why:
            if 'keyword argument' in str(why) or 'positional argument' in str(why):
                raise Missing(f'{label} takes other arguments there: {why}') from why
            raise

    @staticmethod
    def layer_arguments(label, reals, named):
        if len(reals) > PLACES:
            raise Missing(f'{label} takes its arguments in another order there')
        named = dict(named)
        if not named.pop('bias', True):
            named['bias_attr'] = False
        for name in ('affine', 'elementwise_affine'):
            if not named.pop(name, True):
                named.update(weight_attr=False, bias_attr=False)
        return reals, named

    def tensor(self, array, requires_grad):
        if self.wide and array.dtype == np.float32:
            array = array.astype(np.float64)
        return self.lib.to_tensor(np.ascontiguousarray(array).reshape(array.shape), stop_gradient=not requires_grad)

    def array(self, tensor):
        if isinstance(tensor, Turned):
            array, dtype = self.array(tensor.of)
            return array.T, dtype
        return tensor.numpy(), str(tensor.dtype).split('.')[-1]

    def is_real(self, tensor):
        return self.lib.is_floating_point(tensor)

    def rounded(self, tensor, signs):
        return tensor * self.lib.to_tensor(1 + 2.0 ** -24 * signs)

    def parameters(self, module):
        if self.wide:
            module.to(dtype='float64')
        linear = isinstance(module, self.lib.nn.Linear)
        # Statistics, and factors that a layer without affine has, are parameters that nothing trains.
        return [(name, Turned(each) if linear and name == 'weight' else each)
                for name, each in module.named_parameters() if not each.stop_gradient]

    @staticmethod
    def buffers(module):
        found = dict([*module.named_parameters(), *module.named_buffers()])
        return [(BUFFERS[name], each) for name, each in found.items() if name in BUFFERS]

    def assign(self, parameter, array):
        of, array = (parameter.of, array.T) if isinstance(parameter, Turned) else (parameter, array)
        of.set_value(np.ascontiguousarray(array).reshape(array.shape).astype('float64' if self.wide else 'float32'))

    @staticmethod
    def needs_gradient(tensor):
        return not tensor.stop_gradient

    def gradient(self, tensor):
        of = tensor.of if isinstance(tensor, Turned) else tensor
        if of.grad is None or not of.is_leaf:
            return None
        return Turned(of.grad) if isinstance(tensor, Turned) else of.grad

    def forget_gradients(self, tensors, modules):
        for each in tensors:
            each.clear_gradient()
