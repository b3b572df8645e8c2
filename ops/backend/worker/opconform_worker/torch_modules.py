"""Operators as PyTorch's modules (torch.nn): the same parameters and buffers are put in, and train(mode) is
called."""
import torch
from torch import nn
from torch.func import functional_call

from .adapter import decline, shape_count
from .torch_like import same_both_sides


def called(module, x, **parameters):
    """The module with these parameters and buffers, through which gradients flow."""
    given = {name: value for name, value in parameters.items() if value is not None}
    return functional_call(module, given, (x,))


def made(kind, x, *sizes, **settings):
    return kind(*sizes, dtype=x.dtype, **settings)


def linear(p, x, w, bias=None):
    decline(p.word('activation', 'none') != 'none', 'an activation')
    module = made(nn.Linear, x, w.shape[1], w.shape[0], bias=bias is not None)
    return called(module, x, weight=w, bias=bias)


def embedding(p, x, indices):
    return called(nn.Embedding(*x.shape, dtype=x.dtype), indices, weight=x)


def conv(kind, transposed):
    def run(p, x, w, bias=None):
        decline(p.word('activation', 'none') != 'none' or not same_both_sides(p), 'padding or an activation')
        groups = p.integer('groups')
        inputs, outputs = (w.shape[0], w.shape[1] * groups) if transposed else \
            (w.shape[1] * groups, w.shape[0])
        extra = {'output_padding': p.shape('extra')} if transposed else {}
        module = made(kind, x, inputs, outputs, tuple(w.shape[2:]), p.shape('stride'), p.shape('before'),
                      dilation=p.shape('dilation'), groups=groups, bias=bias is not None, **extra)
        return called(module, x, weight=w, bias=bias)
    return run


def layer_norm(p, x, scale, bias):
    module = made(nn.LayerNorm, x, x.shape[p.integer('axis'):], p.real('epsilon'))
    return called(module, x, weight=scale, bias=bias)


def group_norm(p, x, scale, bias):
    module = made(nn.GroupNorm, x, p.integer('groups'), x.shape[1], p.real('epsilon'))
    return called(module, x, weight=scale, bias=bias)


NORMS = {2: nn.BatchNorm1d, 3: nn.BatchNorm1d, 4: nn.BatchNorm2d, 5: nn.BatchNorm3d}
INSTANCE_NORMS = {3: nn.InstanceNorm1d, 4: nn.InstanceNorm2d, 5: nn.InstanceNorm3d}


def instance_norm(p, x, scale, bias):
    decline(shape_count(x.shape[2:]) == 1, 'one element for each channel')
    module = made(INSTANCE_NORMS[x.dim()], x, x.shape[1], p.real('epsilon'), affine=True)
    return called(module, x, weight=scale, bias=bias)


def batch_norm(p, x, scale, bias, mean, variance):
    module = made(NORMS[x.dim()], x, x.shape[1], p.real('epsilon')).train(False)
    return called(module, x, weight=scale, bias=bias, running_mean=mean, running_var=variance)


def batch_norm_train(p, x, scale, bias, mean, variance):
    decline(p.integer('correction') == 0, 'a running variance over n')
    module = made(NORMS[x.dim()], x, x.shape[1], p.real('epsilon'), momentum=1 - p.real('alpha'))
    module.load_state_dict({'weight': scale, 'bias': bias, 'running_mean': mean, 'running_var': variance,
                            'num_batches_tracked': torch.tensor(0)})
    y = module.train(True)(x)
    return y, module.running_mean, module.running_var


def recurrent(kind, regated, order):
    """As the adapter has it, from a module whose parameters have their names by layer and direction."""
    def run(p, x, w, r, bias, h0, c0=None):
        decline(p.word('mode') == 'reverse', 'the reverse direction alone')
        decline(kind is nn.GRU and not p.flag('late_reset'), 'a reset before the product')
        units, both = p.integer('m'), p.word('mode') == 'bidirectional'
        module = made(kind, x, x.shape[2], units, bias=bias is not None, bidirectional=both)
        given = {}
        for d in range(w.shape[0]):
            end = '_l0' + ('_reverse' if d else '')
            given['weight_ih' + end] = regated(w[d], order, units)
            given['weight_hh' + end] = regated(r[d], order, units)
            if bias is not None:
                half = bias.shape[1] // 2
                given['bias_ih' + end] = regated(bias[d][:half], order, units)
                given['bias_hh' + end] = regated(bias[d][half:], order, units)
        y, state = functional_call(module, given, (x, (h0, c0) if c0 is not None else h0))
        y = y.reshape(x.shape[0], x.shape[1], w.shape[0], units).permute(0, 2, 1, 3)
        return (y, *state) if c0 is not None else (y, state)
    return run


def loss(kind):
    return lambda p, x, target: kind(reduction=p.word('mode'))(x, target)


def class_loss(kind):
    return lambda p, x, target, weight=None: kind(weight, reduction=p.word('mode'))(x, target)


def adaptive(kind):
    return lambda p, x: kind(p.shape('extra'))(x)


PLAIN = {'relu': nn.ReLU, 'relu6': nn.ReLU6, 'gelu': nn.GELU, 'silu': nn.SiLU, 'mish': nn.Mish,
         'logsigmoid': nn.LogSigmoid, 'hardswish': nn.Hardswish, 'hardtanh': nn.Hardtanh,
         'sigmoid': nn.Sigmoid, 'tanh': nn.Tanh, 'softsign': nn.Softsign}
WITH_ALPHA = {'elu': nn.ELU, 'celu': nn.CELU, 'leaky_relu': nn.LeakyReLU, 'hardshrink': nn.Hardshrink,
              'softshrink': nn.Softshrink}
LOSSES = {'mse_loss': nn.MSELoss, 'l1_loss': nn.L1Loss, 'bce_with_logits': nn.BCEWithLogitsLoss,
          'kl_div': nn.KLDivLoss}


def modules(floats, regated):
    """The rows of an adapter; regated puts the gates of recurrent layers in another order."""
    table = {name: lambda p, x, kind=kind: kind()(x) for name, kind in PLAIN.items()}
    table.update({name: lambda p, x, kind=kind: kind(p.real('alpha'))(x)
                  for name, kind in WITH_ALPHA.items()})
    table.update({name: loss(kind) for name, kind in LOSSES.items()})
    for axes in (1, 2, 3):
        table.update({
            f'conv{axes}d': conv(getattr(nn, f'Conv{axes}d'), False),
            f'conv_transpose{axes}d': conv(getattr(nn, f'ConvTranspose{axes}d'), True),
            f'adaptive_avg_pool{axes}d': adaptive(getattr(nn, f'AdaptiveAvgPool{axes}d')),
            f'adaptive_max_pool{axes}d': adaptive(getattr(nn, f'AdaptiveMaxPool{axes}d'))})
    table.update({
        'linear': linear, 'embedding': embedding, 'layer_norm': layer_norm, 'group_norm': group_norm,
        'instance_norm': instance_norm, 'batch_norm': batch_norm, 'batch_norm_train': batch_norm_train,
        'softmax': lambda p, x: nn.Softmax(p.integer('axis'))(x),
        'log_softmax': lambda p, x: nn.LogSoftmax(p.integer('axis'))(x),
        'nll_loss': class_loss(nn.NLLLoss), 'cross_entropy': class_loss(nn.CrossEntropyLoss),
        'rnn': recurrent(nn.RNN, regated, (0,)), 'lstm': recurrent(nn.LSTM, regated, (0, 2, 3, 1)),
        'gru': recurrent(nn.GRU, regated, (1, 0, 2))})
    return {name: (floats, function) for name, function in table.items()}
