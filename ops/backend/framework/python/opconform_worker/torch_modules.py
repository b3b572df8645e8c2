"""Functions for rows of PyTorch's modules (torch.nn) where one call is not enough: they put the same parameters and
buffers into a module, and call train(mode)."""
import torch
from torch import nn

try:
    from torch.func import functional_call
except ImportError:  # before version 2.0
    from torch.nn.utils.stateless import functional_call


def called(module, x, **parameters):
    """The module with these parameters and buffers, through which gradients flow."""
    given = {name: value for name, value in parameters.items() if value is not None}
    return functional_call(module, given, (x,))


def linear_module(x, w, bias):
    module = nn.Linear(w.shape[1], w.shape[0], bias=bias is not None, dtype=x.dtype)
    return called(module, x, weight=w, bias=bias)


def embedding_module(x, indices):
    return called(nn.Embedding(*x.shape, dtype=x.dtype), indices, weight=x)


def convolution(kind, x, w, bias, stride, padding, dilation, groups):
    module = kind(w.shape[1] * groups, w.shape[0], tuple(w.shape[2:]), stride, padding, dilation=dilation,
                  groups=groups, bias=bias is not None, dtype=x.dtype)
    return called(module, x, weight=w, bias=bias)


def transposed_convolution(kind, x, w, bias, stride, padding, output_padding, dilation, groups):
    module = kind(w.shape[0], w.shape[1] * groups, tuple(w.shape[2:]), stride, padding,
                  output_padding=output_padding, dilation=dilation, groups=groups, bias=bias is not None,
                  dtype=x.dtype)
    return called(module, x, weight=w, bias=bias)


def layer_norm_module(x, scale, bias, shape, epsilon):
    return called(nn.LayerNorm(shape, epsilon, dtype=x.dtype), x, weight=scale, bias=bias)


def group_norm_module(x, scale, bias, groups, epsilon):
    return called(nn.GroupNorm(groups, x.shape[1], epsilon, dtype=x.dtype), x, weight=scale, bias=bias)


NORMS = {2: nn.BatchNorm1d, 3: nn.BatchNorm1d, 4: nn.BatchNorm2d, 5: nn.BatchNorm3d}
INSTANCE_NORMS = {3: nn.InstanceNorm1d, 4: nn.InstanceNorm2d, 5: nn.InstanceNorm3d}


def instance_norm_module(x, scale, bias, epsilon):
    module = INSTANCE_NORMS[x.dim()](x.shape[1], epsilon, affine=True, dtype=x.dtype)
    return called(module, x, weight=scale, bias=bias)


def batch_norm_module(x, scale, bias, mean, variance, epsilon):
    module = NORMS[x.dim()](x.shape[1], epsilon, dtype=x.dtype).train(False)
    return called(module, x, weight=scale, bias=bias, running_mean=mean, running_var=variance)


def batch_norm_train_module(x, scale, bias, mean, variance, momentum, epsilon):
    module = NORMS[x.dim()](x.shape[1], epsilon, momentum=momentum, dtype=x.dtype)
    module.load_state_dict({'weight': scale, 'bias': bias, 'running_mean': mean, 'running_var': variance,
                            'num_batches_tracked': torch.tensor(0)})
    y = module.train(True)(x)
    return y, module.running_mean, module.running_var


def recurrent_module(kind, regated, order, x, state, w, r, bias, bidirectional):
    """A module whose parameters have their names by layer and direction; regated puts their gates in another
    order; y gets the directions in its second axis."""
    units = r.shape[2]
    module = kind(x.shape[2], units, bias=bias is not None, bidirectional=bidirectional, dtype=x.dtype)
    given = {}
    for d in range(w.shape[0]):
        end = '_l0' + ('_reverse' if d else '')
        given['weight_ih' + end] = regated(w[d], order, units)
        given['weight_hh' + end] = regated(r[d], order, units)
        if bias is not None:
            half = bias.shape[1] // 2
            given['bias_ih' + end] = regated(bias[d][:half], order, units)
            given['bias_hh' + end] = regated(bias[d][half:], order, units)
    y, state = functional_call(module, given, (x, state))
    y = y.reshape(x.shape[0], x.shape[1], w.shape[0], units).permute(0, 2, 1, 3)
    return (y, *state) if isinstance(state, tuple) else (y, state)
