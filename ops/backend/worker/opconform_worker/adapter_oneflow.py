"""OneFlow, eager: the operators of the common table by their documented names, which are those of
PyTorch, and their gradients by oneflow.autograd.grad.

Conventions, where the table and OneFlow differ:
- padding that differs in front and behind, windows by ceil and dilation of means are declined;
- the axes of a reduction are a list, those of prod, argmax and argmin one: the reduced ones are brought
  together;
- var and std correct by 0 or 1 only (unbiased); atan2 does not repeat operands;
- results are there when they are asked for (numpy()): an operation may run in a thread of its own."""
import os

os.environ.setdefault('GLOG_minloglevel', '3')

import numpy as np
import oneflow as flow
from oneflow.nn import functional as F

from . import programs
from .adapter import (BOOLEAN, INTEGER, NUMPY, REAL, Differentiable, axes_of, axis_order, binary,
                      copies_of, decline, settings_of, unary, with_activation)
from .torch_like import adaptive, batch_norm_train, gather, of_flat, same_both_sides, strided

NUMBERS = REAL + INTEGER
ANY = NUMBERS + BOOLEAN
# What is said of kernels that a type lacks.
MISSING = ('Cannot find the kernel',)


def reduction(function):
    return lambda p, x: function(x, list(axes_of(p, x.dim())), p.flag('keepdims'))


def spread(function):
    def run(p, x):
        correction = p.integer('correction', 0)
        decline(correction > 1, 'another correction')
        axes = list(axes_of(p, x.dim()))
        return function(x, axes[0] if len(axes) == 1 else axes, bool(correction), p.flag('keepdims'))
    return run


def norm(order):
    def run(p, x):
        which = p.real('alpha') if order is None else order
        return flow.linalg.vector_norm(x, which, axes_of(p, x.dim()), p.flag('keepdims'))
    return run


def atan2(p, a, b):
    decline(a.shape != b.shape, 'atan2 does not repeat operands')
    return flow.atan2(a, b)


def running(function):
    def run(p, x):
        axis = p.integer('axis')
        decline(p.flag('exclusive'), 'without the element itself')
        x = x.flip([axis]) if p.flag('backwards') else x
        y = function(x, axis)
        return y.flip([axis]) if p.flag('backwards') else y
    return run


activated = with_activation(F.relu, F.relu6)


def scatter_with(function):
    return lambda p, x, i, u: function(x, p.integer('axis'), i, u)


def conv(axes):
    function = (F.conv1d, F.conv2d, F.conv3d)[axes - 1]

    def run(p, x, w, bias=None):
        decline(not same_both_sides(p), 'padding that differs in front and behind')
        return activated(p, function(x, w, bias, p.shape('stride'), p.shape('before'),
                                     p.shape('dilation'), p.integer('groups')))
    return run


def conv_transpose(axes):
    function = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)[axes - 1]

    def run(p, x, w, bias=None):
        decline(not same_both_sides(p), 'padding that differs in front and behind')
        return activated(p, function(x, w, bias, p.shape('stride'), p.shape('before'),
                                     p.shape('extra'), p.integer('groups'), p.shape('dilation')))
    return run


def pool_window(p):
    decline(not same_both_sides(p), 'padding that differs in front and behind')
    decline(p.flag('ceil_mode'), 'windows by ceil')
    decline(any(2 * pad > kernel for pad, kernel in zip(p.shape('before'), p.shape('kernel'))),
            'more padding than half a kernel')
    return p.shape('kernel'), p.shape('stride'), p.shape('before')


def max_pool(axes):
    function = (F.max_pool1d, F.max_pool2d, F.max_pool3d)[axes - 1]
    return lambda p, x: function(x, *pool_window(p), dilation=p.shape('dilation'))


def avg_pool(axes):
    function = (F.avg_pool1d, F.avg_pool2d, F.avg_pool3d)[axes - 1]

    def run(p, x):
        decline(any(gap != 1 for gap in p.shape('dilation')), 'dilation')
        return function(x, *pool_window(p), False, p.flag('count_pads'))
    return run


def layer_norm(p, x, scale, bias):
    decline(p.integer('axis') == 0, 'a layer of all axes')
    return F.layer_norm(x, tuple(x.shape[p.integer('axis'):]), scale, bias, p.real('epsilon'))


def group_norm(p, x, scale, bias):
    return flow._C.group_norm(x, scale, bias, True, p.integer('groups'), p.real('epsilon'))


def loss(function):
    return lambda p, x, target: function(x, target, reduction=p.word('mode'))


def interpolate2d(p, x):
    mode, at = p.word('mode'), p.word('transformation')
    decline(mode == 'nearest', 'another nearest element')
    decline(at == 'asymmetric', 'coordinates from the corner')
    return F.interpolate(x, p.shape('extra'), mode={'linear': 'bilinear', 'cubic': 'bicubic'}[mode],
                         align_corners=at == 'align_corners')


def grid_sample(p, x, grid):
    mode = {'linear': 'bilinear', 'cubic': 'bicubic', 'nearest': 'nearest'}[p.word('mode')]
    return F.grid_sample(x, grid, mode, p.word('padding'), p.flag('align_corners'))


SAME = ('abs acos acosh asin asinh atan atanh ceil cos cosh erf erfc exp expm1 floor log log10 log1p log2 '
        'reciprocal round rsqrt sigmoid sign sin sinh sqrt square tan tanh trunc').split()
FUNCTIONAL = 'relu gelu silu mish logsigmoid hardswish relu6 softsign'.split()
PAIRS = {'add': flow.add, 'sub': flow.sub, 'mul': flow.mul, 'maximum': flow.maximum,
         'minimum': flow.minimum}
REAL_PAIRS = {'div': flow.div, 'pow': flow.pow, 'fmod': flow.fmod}
COMPARISONS = 'eq ne lt le gt ge'.split()
LOGIC = 'logical_and logical_or logical_xor'.split()
LOSSES = {'mse_loss': F.mse_loss, 'l1_loss': F.l1_loss, 'kl_div': F.kl_div,
          'bce_with_logits': F.binary_cross_entropy_with_logits}


def elementwise():
    table = {name: (REAL, unary(getattr(flow, name))) for name in SAME}
    table.update({name: (REAL, unary(getattr(F, name))) for name in FUNCTIONAL})
    table.update({name: (NUMBERS, binary(f)) for name, f in PAIRS.items()})
    table.update({name: (REAL, binary(f)) for name, f in REAL_PAIRS.items()})
    table['atan2'] = (REAL, atan2)
    table.update({name: (NUMBERS, binary(getattr(flow, name))) for name in COMPARISONS})
    table.update({name: (BOOLEAN, binary(getattr(flow, name))) for name in LOGIC})
    table.update({
        'elu': (REAL, lambda p, x: F.elu(x, p.real('alpha'))),
        'celu': (REAL, lambda p, x: F.celu(x, alpha=p.real('alpha'))),
        'leaky_relu': (REAL, lambda p, x: F.leaky_relu(x, p.real('alpha'))),
        'hardshrink': (REAL, lambda p, x: F.hardshrink(x, lambd=p.real('alpha'))),
        'softshrink': (REAL, lambda p, x: F.softshrink(x, alpha=p.real('alpha'))),
        'hardtanh': (REAL, lambda p, x: F.hardtanh(x, -1.0, 1.0)),
        'neg': (NUMBERS, unary(flow.neg)),
        'softplus': (REAL, lambda p, x: F.softplus(x, threshold=40 if x.dtype == flow.float64
                                                   else 20)),
        'isnan': (REAL, unary(flow.isnan)), 'isinf': (REAL, unary(flow.isinf)),
        'logical_not': (BOOLEAN, unary(flow.logical_not)),
        'clamp': (REAL, lambda p, x: flow.clamp(x, p.real('alpha'), p.real('beta'))),
        'where': (NUMBERS, lambda p, c, a, b: flow.where(c, a, b)),
    })
    return table


def reductions():
    return {
        'sum': (REAL, reduction(flow.sum)), 'mean': (REAL, reduction(flow.mean)),
        'amax': (NUMBERS, reduction(flow.amax)), 'amin': (NUMBERS, reduction(flow.amin)),
        'logsumexp': (REAL, reduction(flow.logsumexp)),
        'all': (BOOLEAN, reduction(flow.all)), 'any': (BOOLEAN, reduction(flow.any)),
        'prod': (REAL, of_flat(lambda x: flow.prod(x, -1))),
        'argmax': (NUMBERS, of_flat(lambda x: flow.argmax(x, -1))),
        'argmin': (NUMBERS, of_flat(lambda x: flow.argmin(x, -1))),
        'var': (REAL, spread(flow.var)), 'std': (REAL, spread(flow.std)),
        'norm1': (REAL, norm(1)), 'norm2': (REAL, norm(2)), 'norm': (REAL, norm(None)),
        'cumsum': (REAL, running(flow.cumsum)), 'cumprod': (REAL, running(flow.cumprod)),
        'softmax': (REAL, lambda p, x: flow.softmax(x, p.integer('axis'))),
        'log_softmax': (REAL, lambda p, x: flow.log_softmax(x, p.integer('axis'))),
    }


def moves():
    return {
        'transpose': (ANY, lambda p, x: x.permute(*axis_order(p, x.dim()))), 'slice': (ANY, strided),
        'tile': (ANY, lambda p, x: x.tile(copies_of(p, x.dim()))),
        'flip': (ANY, lambda p, x: x.flip([p.integer('axis')])),
        'roll': (ANY, lambda p, x: flow.roll(x, p.integer('start'), p.integer('axis'))),
        'expand': (ANY, lambda p, x: x.expand(*p.shape('shape'))),
        'tril': (NUMBERS, lambda p, x: flow.tril(x, p.integer('diagonal'))),
        'triu': (NUMBERS, lambda p, x: flow.triu(x, p.integer('diagonal'))),
        'concat': (ANY, lambda p, a, b: flow.cat((a, b), p.integer('axis'))),
        'split': (ANY, lambda p, x: tuple(flow.split(
            x, [p.integer('k'), x.shape[p.integer('axis')] - p.integer('k')], p.integer('axis')))),
        'gather': (ANY, gather),
        'index_select': (ANY, lambda p, x, i: flow.index_select(x, p.integer('axis'), i)),
        'embedding': (REAL, lambda p, x, i: F.embedding(i, x)),
        'take_along_axis': (ANY, lambda p, x, i: flow.gather(x, p.integer('axis'), i)),
        'scatter': (NUMBERS, scatter_with(flow.scatter)),
        'scatter_add': (REAL, scatter_with(flow.scatter_add)),
    }


def batch_norm(p, x, scale, bias, mean, variance):
    return F.batch_norm(x, mean, variance, scale, bias, False, 0.1, p.real('epsilon'))


def layers():
    table = {
        'matmul': (REAL, lambda p, a, b: activated(p, flow.matmul(a, b))),
        'linear': (REAL, lambda p, x, w, bias=None: activated(p, F.linear(x, w, bias))),
        'batch_norm': (REAL, batch_norm), 'batch_norm_train': (REAL, batch_norm_train(F.batch_norm)),
        'layer_norm': (REAL, layer_norm), 'group_norm': (REAL, group_norm),
        'grid_sample': (REAL, grid_sample), 'interpolate2d': (REAL, interpolate2d),
        'smooth_l1_loss': (REAL, lambda p, x, t: F.smooth_l1_loss(
            x, t, reduction=p.word('mode'), beta=p.real('beta'))),
    }
    table.update({name: (REAL, loss(function)) for name, function in LOSSES.items()})
    for axes in (1, 2, 3):
        table.update({
            f'conv{axes}d': (REAL, conv(axes)), f'conv_transpose{axes}d': (REAL, conv_transpose(axes)),
            f'max_pool{axes}d': (REAL, max_pool(axes)), f'avg_pool{axes}d': (REAL, avg_pool(axes)),
            f'adaptive_avg_pool{axes}d': (REAL, adaptive(
                (F.adaptive_avg_pool1d, F.adaptive_avg_pool2d, F.adaptive_avg_pool3d))),
        })
    return table


class Adapter(programs.Programs, Differentiable):
    framework = 'oneflow'
    operators = {**elementwise(), **reductions(), **moves(), **layers()}
    missing = MISSING
    asynchronous = True

    def __init__(self, mode):
        self.compiles = programs.compiler_of(settings_of(mode, programs.modes('oneflow')), 'oneflow')

    def warm_up(self):
        """The first operation starts the threads that compute.  This one waits for them in a loop, which
        a scheduler that takes it for a batch job interrupts more readily."""
        flow.ones(2, 2).matmul(flow.ones(2, 2)).numpy()
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))

    @staticmethod
    def facts():
        return {'version': flow.__version__, 'build': 'OneFlow, eager', 'core': 'x86-64',
                'path': flow.__file__}

    def zeros(self, operand):
        return flow.tensor(np.zeros(operand.shape, NUMPY[operand.dtype]))

    def differentiate(self, function, values, dy):
        leaves = [value.detach().requires_grad_() for value in values]
        return flow.autograd.grad(function(*leaves), leaves, dy)

    def read(self, memory, operand):
        return flow.from_numpy(self.array(memory, operand))

    def write(self, memory, operand, result):
        self.put(memory, operand, result.detach().numpy())

    def forward_only(self):
        return flow.no_grad()
