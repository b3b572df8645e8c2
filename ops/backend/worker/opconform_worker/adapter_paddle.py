"""PaddlePaddle, eager (dynamic): the operators of the common table by their documented names, and their
gradients by paddle.grad.

Conventions, where the table and Paddle differ:
- linear takes its weights transposed (nn.functional.linear);
- var and std correct by 0 or 1 only (unbiased);
- means over windows count padding unless exclusive (nn.functional.avg_pool2d); pooling has no dilation,
  and its windows by ceil may begin beyond the input: those are declined;
- a layer is not all of a tensor (nn.functional.layer_norm), kl_div takes positive targets only;
- softplus is the identity above a threshold, which is put where the two agree;
- argmax and argmin take one axis: the reduced ones are brought together."""
import numpy as np

import paddle
from paddle.nn import functional as F

from . import programs
from .adapter import (BOOLEAN, INTEGER, NUMPY, REAL, Differentiable, axes_of, axis_order, binary,
                      copies_of, decline, einsum_equation, reduced_last, settings_of, unary,
                      with_activation, with_alpha)
from .protocol import Different

NUMBERS = REAL + ('i32', 'i64')
ANY = NUMBERS + BOOLEAN


def reduction(function):
    return lambda p, x: function(x, list(axes_of(p, x.ndim)), keepdim=p.flag('keepdims'))


def of_flat(function):
    def run(p, x):
        order, flat, result = reduced_last(p, x.shape)
        return function(x.transpose(order).reshape(flat)).reshape(result)
    return run


def spread(function):
    def run(p, x):
        correction = p.integer('correction', 0)
        decline(correction > 1, 'another correction')
        return function(x, list(axes_of(p, x.ndim)), bool(correction), p.flag('keepdims'))
    return run


def norm(order):
    def run(p, x):
        which = p.real('alpha') if order is None else order
        return paddle.linalg.vector_norm(x, float(which), list(axes_of(p, x.ndim)),
                                         p.flag('keepdims'))
    return run


def running(function):
    def run(p, x):
        axis = p.integer('axis')
        decline(p.flag('exclusive'), 'without the element itself')
        x = x.flip(axis) if p.flag('backwards') else x
        y = function(x, axis)
        return y.flip(axis) if p.flag('backwards') else y
    return run


activated = with_activation(F.relu, F.relu6)


def split(p, x):
    axis, front = p.integer('axis'), p.integer('k')
    return (paddle.slice(x, [axis], [0], [front]),
            paddle.slice(x, [axis], [front], [x.shape[axis]]))


def ordered(p, x):
    axis, descending = p.integer('axis'), p.word('mode') == 'greatest'
    places = paddle.argsort(x, axis, descending, stable=True)
    return paddle.take_along_axis(x, places, axis), places


def gather(p, x, indices):
    axis = p.integer('axis')
    y = paddle.index_select(x, indices.reshape([-1]), axis)
    return y.reshape(x.shape[:axis] + indices.shape + x.shape[axis + 1:])


def scatter_with(how):
    return lambda p, x, indices, updates: paddle.put_along_axis(
        x, indices, updates, p.integer('axis'), how, True, False)


def padded_window(p):
    """Front and behind of each axis, as pairs."""
    return [side for pair in zip(p.shape('before'), p.shape('after')) for side in pair]


def conv(axes):
    function = (F.conv1d, F.conv2d, F.conv3d)[axes - 1]

    def run(p, x, w, bias=None):
        return activated(p, function(x, w, bias, list(p.shape('stride')), padded_window(p),
                                     list(p.shape('dilation')), p.integer('groups')))
    return run


def conv_transpose(axes):
    function = (F.conv1d_transpose, F.conv2d_transpose, F.conv3d_transpose)[axes - 1]

    def run(p, x, w, bias=None):
        return activated(p, function(x, w, bias, stride=list(p.shape('stride')),
                                     padding=padded_window(p), output_padding=list(p.shape('extra')),
                                     groups=p.integer('groups'), dilation=list(p.shape('dilation'))))
    return run


def pool(axes, kind):
    maximum = (F.max_pool1d, F.max_pool2d, F.max_pool3d)[axes - 1]
    mean = (F.avg_pool1d, F.avg_pool2d, F.avg_pool3d)[axes - 1]

    def run(p, x):
        decline(any(d != 1 for d in p.shape('dilation')), 'dilation')
        decline(p.shape('before') != p.shape('after'), 'padding that differs in front and behind')
        decline(p.flag('ceil_mode'), 'windows by ceil, which may begin beyond the input there')
        how = {'kernel_size': list(p.shape('kernel')), 'stride': list(p.shape('stride')),
               'padding': list(p.shape('before')), 'ceil_mode': p.flag('ceil_mode')}
        if kind == 'max':
            return maximum(x, **how)
        return mean(x, exclusive=not p.flag('count_pads'), **how)
    return run


def adaptive(functions):
    return lambda p, x: functions[x.ndim - 3](x, list(p.shape('extra')) if x.ndim > 3 else
                                              p.shape('extra')[0])


def layer_norm(p, x, scale, bias):
    decline(p.integer('axis') == 0, 'a layer of all axes')
    return F.layer_norm(x, x.shape[p.integer('axis'):], scale, bias, p.real('epsilon'))


def batch_norm(p, x, scale, bias, mean, variance):
    return F.batch_norm(x, mean, variance, scale, bias, False, 0.9, p.real('epsilon'))


def batch_norm_train(p, x, scale, bias, mean, variance):
    decline(p.integer('correction') == 1, 'a running variance over n - 1')
    decline(x.size == x.shape[1], 'one element for each channel, which its kernel leaves as it is')
    mean, variance = mean.clone(), variance.clone()
    y = F.batch_norm(x, mean, variance, scale, bias, True, p.real('alpha'), p.real('epsilon'))
    return y, mean, variance


def loss(function):
    return lambda p, x, target: function(x, target, reduction=p.word('mode'))


def kl_div(p, x, target):
    decline(bool((target <= 0).any()), 'targets that are not positive')
    return F.kl_div(x, target, reduction=p.word('mode'))


def nll_loss(p, x, target, weight=None):
    return F.nll_loss(x, target, weight, reduction=p.word('mode'))


def grid_sample(p, x, grid):
    decline(p.word('mode') == 'cubic', 'cubic')
    mode = {'linear': 'bilinear', 'nearest': 'nearest'}[p.word('mode')]
    return F.grid_sample(x, grid, mode, p.word('padding'), p.flag('align_corners'))


UNARY = ('abs acos acosh asin asinh atan atanh ceil cos cosh erf exp expm1 floor log log10 log1p log2 neg '
         'reciprocal rsqrt sign sin sinh sqrt square tan tanh trunc').split()
FUNCTIONAL = 'relu gelu silu mish softsign sigmoid hardswish relu6 hardtanh'.split()
PAIRS = {'add': paddle.add, 'sub': paddle.subtract, 'mul': paddle.multiply,
         'maximum': paddle.maximum, 'minimum': paddle.minimum}
REAL_PAIRS = {'div': paddle.divide, 'pow': paddle.pow, 'atan2': paddle.atan2,
              'remainder': paddle.remainder}
COMPARISONS = {'eq': 'equal', 'ne': 'not_equal', 'lt': 'less_than', 'le': 'less_equal',
               'gt': 'greater_than', 'ge': 'greater_equal'}
LOGIC = 'logical_and logical_or logical_xor'.split()
BITS = 'bitwise_and bitwise_or bitwise_xor'.split()


def elementwise():
    table = {name: (REAL, unary(getattr(paddle, name))) for name in UNARY}
    table.update({name: (REAL, unary(getattr(F, name))) for name in FUNCTIONAL})
    table.update({name: (NUMBERS, binary(f)) for name, f in PAIRS.items()})
    table.update({name: (REAL, binary(f)) for name, f in REAL_PAIRS.items()})
    table.update({name: (NUMBERS, binary(getattr(paddle, f))) for name, f in COMPARISONS.items()})
    table.update({name: (BOOLEAN, binary(getattr(paddle, name))) for name in LOGIC})
    table.update({name: (INTEGER + BOOLEAN, binary(getattr(paddle, name))) for name in BITS})
    table.update({name: (REAL, with_alpha(getattr(F, name)))
                  for name in ('elu', 'celu', 'leaky_relu', 'hardshrink', 'thresholded_relu')})
    table.update({
        'logsigmoid': (REAL, unary(F.log_sigmoid)),
        'gelu_tanh': (REAL, unary(lambda x: F.gelu(x, approximate=True))),
        'softplus': (REAL, unary(lambda x: F.softplus(x, threshold=40 if x.dtype == paddle.float64
                                                      else 20))),
        'isnan': (REAL, unary(paddle.isnan)), 'isinf': (REAL, unary(paddle.isinf)),
        'logical_not': (BOOLEAN, unary(paddle.logical_not)),
        'clamp': (REAL, lambda p, x: paddle.clip(x, p.real('alpha'), p.real('beta'))),
        'where': (NUMBERS, lambda p, c, a, b: paddle.where(c, a, b)),
    })
    return table


def reductions():
    return {
        'sum': (REAL, reduction(paddle.sum)), 'mean': (REAL, reduction(paddle.mean)),
        'prod': (REAL, reduction(paddle.prod)), 'amax': (NUMBERS, reduction(paddle.amax)),
        'amin': (NUMBERS, reduction(paddle.amin)), 'all': (BOOLEAN, reduction(paddle.all)),
        'any': (BOOLEAN, reduction(paddle.any)), 'logsumexp': (REAL, reduction(paddle.logsumexp)),
        'argmax': (NUMBERS, of_flat(lambda x: paddle.argmax(x, -1))),
        'argmin': (NUMBERS, of_flat(lambda x: paddle.argmin(x, -1))),
        'var': (REAL, spread(paddle.var)), 'std': (REAL, spread(paddle.std)),
        'norm1': (REAL, norm(1)), 'norm2': (REAL, norm(2)), 'norm': (REAL, norm(None)),
        'sum_squares': (REAL, reduction(lambda x, axes, keepdim: paddle.sum(x * x, axes,
                                                                            keepdim=keepdim))),
        'cumsum': (REAL, running(paddle.cumsum)), 'cumprod': (REAL, running(paddle.cumprod)),
        'softmax': (REAL, lambda p, x: F.softmax(x, p.integer('axis'))),
        'log_softmax': (REAL, lambda p, x: F.log_softmax(x, p.integer('axis'))),
    }


def moves():
    return {
        'transpose': (ANY, lambda p, x: x.transpose(axis_order(p, x.ndim))),
        'tile': (ANY, lambda p, x: paddle.tile(x, copies_of(p, x.ndim))), 'split': (ANY, split),
        'flip': (ANY, lambda p, x: x.flip(p.integer('axis'))),
        'roll': (NUMBERS, lambda p, x: x.roll(p.integer('start'), p.integer('axis'))),
        'expand': (ANY, lambda p, x: paddle.expand(x, list(p.shape('shape')))),
        'tril': (NUMBERS, lambda p, x: paddle.tril(x, p.integer('diagonal'))),
        'triu': (NUMBERS, lambda p, x: paddle.triu(x, p.integer('diagonal'))),
        'pixel_shuffle': (REAL, lambda p, x: F.pixel_shuffle(x, p.integer('step'))),
        'concat': (ANY, lambda p, a, b: paddle.concat((a, b), p.integer('axis'))),
        'sort': (NUMBERS, ordered), 'gather': (NUMBERS, gather),
        'searchsorted': (NUMBERS, lambda p, line, x: paddle.searchsorted(
            line, x, right=p.word('mode') == 'right')),
        'index_select': (NUMBERS, lambda p, x, i: paddle.index_select(x, i, p.integer('axis'))),
        'embedding': (REAL, lambda p, x, i: F.embedding(i, x)),
        'take': (NUMBERS, lambda p, x, i: paddle.take(x, i)),
        'take_along_axis': (NUMBERS, lambda p, x, i: paddle.take_along_axis(
            x, i, p.integer('axis'), False)),
        'scatter': (NUMBERS, scatter_with('assign')), 'scatter_add': (REAL, scatter_with('add')),
        'scatter_mul': (REAL, scatter_with('mul')), 'scatter_max': (REAL, scatter_with('amax')),
        'scatter_min': (REAL, scatter_with('amin')),
        'index_add': (REAL, lambda p, x, i, u: paddle.index_add(x, i, p.integer('axis'), u)),
    }


def layers():
    table = {
        'matmul': (REAL, lambda p, a, b: activated(p, a @ b)),
        'linear': (REAL, lambda p, x, w, bias=None: activated(p, F.linear(x, w.t(), bias))),
        'linear_gelu': (('f32',), lambda p, x, w, bias=None: F.gelu(
            F.linear(x, w.t(), bias), approximate=True)),
        'relu_linear': (REAL, lambda p, z, w, bias: F.linear(F.relu(z + bias), w.t())),
        'gelu_linear': (('f32',), lambda p, z, w, bias: F.linear(
            F.gelu(z + bias, approximate=True), w.t())),
        'einsum': (REAL, lambda p, a, b: paddle.einsum(einsum_equation(p), a, b)),
        'layer_norm': (REAL, layer_norm), 'batch_norm': (REAL, batch_norm),
        'batch_norm_train': (REAL, batch_norm_train),
        'grid_sample': (REAL, grid_sample), 'nll_loss': (REAL, nll_loss),
        'mse_loss': (REAL, loss(F.mse_loss)), 'l1_loss': (REAL, loss(F.l1_loss)),
        'bce_with_logits': (REAL, loss(F.binary_cross_entropy_with_logits)),
        'kl_div': (REAL, kl_div),
    }
    for axes in (1, 2, 3):
        table.update({
            f'conv{axes}d': (REAL, conv(axes)),
            f'conv_transpose{axes}d': (REAL, conv_transpose(axes)),
            f'max_pool{axes}d': (REAL, pool(axes, 'max')),
            f'avg_pool{axes}d': (REAL, pool(axes, 'mean')),
            f'adaptive_avg_pool{axes}d': (REAL, adaptive(
                (F.adaptive_avg_pool1d, F.adaptive_avg_pool2d, F.adaptive_avg_pool3d))),
            f'adaptive_max_pool{axes}d': (REAL, adaptive(
                (F.adaptive_max_pool1d, F.adaptive_max_pool2d, F.adaptive_max_pool3d))),
        })
    return table


class Adapter(programs.Programs, Differentiable):
    framework = 'paddle'
    operators = {**elementwise(), **reductions(), **moves(), **layers()}
    missing = ('not registered',)

    def __init__(self, mode):
        self.compiles = programs.compiler_of(settings_of(mode, programs.modes('paddle')), 'paddle')
        paddle.disable_signal_handler()
        paddle.set_device('cpu')

    @staticmethod
    def facts():
        return {'version': paddle.__version__, 'build': 'PaddlePaddle, eager', 'core': 'x86-64',
                'path': paddle.__file__}

    def warm_up(self):
        paddle.ones([2, 2]).matmul(paddle.ones([2, 2]))

    def differentiate(self, function, values, dy):
        leaves = [value.detach() for value in values]
        for leaf in leaves:
            leaf.stop_gradient = False
        return paddle.grad(function(*leaves), leaves, dy, allow_unused=True)

    def zeros(self, operand):
        return paddle.to_tensor(np.zeros(operand.shape, NUMPY[operand.dtype]))

    def read(self, memory, operand):
        return paddle.to_tensor(np.ascontiguousarray(self.array(memory, operand)).reshape(
            operand.shape))

    def write(self, memory, operand, result):
        shape = list(result.shape)
        if shape != list(operand.shape):
            raise Different(f'gives {result.dtype}{shape}, not {list(operand.shape)}')
        self.put(memory, operand, result.detach().numpy())

    def forward_only(self):
        return paddle.no_grad()
