"""PyTorch, eager: the operators of the common table by their documented names, and their gradients by
autograd.

Conventions, where the table and PyTorch differ:
- padding that differs in front and behind is added by functional.pad first (its documentation), which
  windows by ceil would count otherwise: those are declined;
- pooling takes at most half a kernel of padding, means no dilation (nn.functional);
- weights of LSTM and GRU have their gates in the order i, f, g, o and r, z, n (nn.LSTM, nn.GRU), the
  table's are i, o, f, c and z, r, h; GRU resets after the product only;
- prod, argmax and argmin take one axis: the reduced ones are brought together;
- sort and topk say where equal elements came from only with stable=True; topk does not: of it the
  values are taken, and the places from a stable sort;
- softplus is the identity above a threshold (nn.Softplus), which is put where the two agree."""
import importlib

import numpy as np
import torch
from torch.nn import functional as F

from . import programs, torch_modules, torch_variants
from .adapter import (BOOLEAN, INTEGER, NUMPY, Differentiable, axes_of, axis_order, binary, copies_of,
                      decline, einsum_equation, settings_of, shape_count, unary, with_activation,
                      with_alpha)
from .protocol import Different
from .torch_like import (adaptive, batch_norm_train, gather, of_flat, reduction, same_both_sides,
                         space_to_depth, strided)

FLOAT = ('f32', 'f64', 'f16', 'bf16')
ANY = FLOAT + INTEGER + BOOLEAN
TORCH = {'f32': torch.float32, 'f64': torch.float64, 'f16': torch.float16, 'bf16': torch.bfloat16,
         'i8': torch.int8, 'u8': torch.uint8, 'i32': torch.int32, 'i64': torch.int64,
         'bool': torch.bool, 'e4m3': torch.float8_e4m3fn, 'e5m2': torch.float8_e5m2}
SETTINGS = ('nomkldnn', 'channels-last', 'flush', 'deterministic', 'threads2', 'module',
            *torch_variants.RESULTS, *torch_variants.DERIVATIVES)
CHANNELS_LAST = {4: torch.channels_last, 5: torch.channels_last_3d}
# Types that NumPy lacks go through integers of their width.
WIDTHS = {'bf16': np.int16, 'e4m3': np.int8, 'e5m2': np.int8}


def spread(function):
    return lambda p, x: function(x, axes_of(p, x.dim()), correction=p.integer('correction', 0),
                                 keepdim=p.flag('keepdims'))


def norm(order):
    def run(p, x):
        which = p.real('alpha') if order is None else order
        return torch.linalg.vector_norm(x, which, axes_of(p, x.dim()), p.flag('keepdims'))
    return run


def running(function, start):
    def run(p, x):
        axis = p.integer('axis')
        if p.flag('backwards'):
            x = x.flip(axis)
        y = function(x, axis)
        if p.flag('exclusive'):
            first = torch.full_like(y.narrow(axis, 0, min(1, y.shape[axis])), start)
            y = torch.cat((first, y.narrow(axis, 0, max(0, y.shape[axis] - 1))), axis)
        return y.flip(axis) if p.flag('backwards') else y
    return run


activated = with_activation(F.relu, F.relu6)


def pad(p, x):
    """functional.pad takes the last axes of batches for all modes but the constant one."""
    mode, axis = p.word('mode'), p.integer('axis')
    widths = (p.integer('start'), p.integer('step'))
    if mode == 'constant':
        return F.pad(x, (0, 0) * (x.dim() - 1 - axis) + widths)
    name = {'reflect': 'reflect', 'edge': 'replicate', 'wrap': 'circular'}[mode]
    decline(x.numel() == 0, 'padding of nothing')
    moved = x.movedim(axis, -1)
    shape = moved.shape
    y = F.pad(moved.reshape(1, -1, shape[-1]), widths, name)
    return y.reshape(*shape[:-1], y.shape[-1]).movedim(-1, axis)


def ordered(p, x):
    descending = p.word('mode') == 'greatest'
    return tuple(torch.sort(x, dim=p.integer('axis'), descending=descending, stable=True))


def topk(p, x):
    axis, count = p.integer('axis'), p.integer('k')
    values = torch.topk(x, count, axis, p.word('mode') == 'greatest', True)[0]
    return values, ordered(p, x)[1].narrow(axis, 0, count)


def unique(p, x):
    values, places = torch.unique(x, sorted=True, return_inverse=True)
    whole = torch.zeros_like(x)
    whole[:len(values)] = values
    return whole, places


def scatter_with(how):
    return lambda p, x, indices, updates: x.scatter_reduce(
        p.integer('axis'), indices, updates, how, include_self=True)


def einsum(p, a, b):
    return torch.einsum(einsum_equation(p), a, b)


def padded(p, x, value=0.0):
    """Padding of its own, the innermost axis first, and none left for the operator."""
    widths = []
    for front, behind in zip(reversed(p.shape('before')), reversed(p.shape('after'))):
        widths += [front, behind]
    return F.pad(x, widths, value=value)


def conv(axes):
    function = (F.conv1d, F.conv2d, F.conv3d)[axes - 1]

    def run(p, x, w, bias=None):
        padding = p.shape('before')
        if not same_both_sides(p):
            x, padding = padded(p, x), (0,) * axes
        return activated(p, function(x, w, bias, p.shape('stride'), padding, p.shape('dilation'),
                                     p.integer('groups')))
    return run


def conv_transpose(axes):
    function = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)[axes - 1]

    def run(p, x, w, bias=None):
        decline(not same_both_sides(p), 'padding that differs in front and behind')
        y = function(x, w, bias, p.shape('stride'), p.shape('before'), p.shape('extra'),
                     p.integer('groups'), p.shape('dilation'))
        return activated(p, y)
    return run


def pool_padding(p, x, value):
    if same_both_sides(p) and all(2 * pad <= kernel for pad, kernel
                                  in zip(p.shape('before'), p.shape('kernel'))):
        return x, p.shape('before')
    decline(p.flag('ceil_mode'), 'windows by ceil over padding of its own')
    return padded(p, x, value), (0,) * len(p.shape('before'))


def max_pool(axes):
    function = (F.max_pool1d, F.max_pool2d, F.max_pool3d)[axes - 1]

    def run(p, x):
        x, padding = pool_padding(p, x, float('-inf'))
        return function(x, p.shape('kernel'), p.shape('stride'), padding, p.shape('dilation'),
                        p.flag('ceil_mode'))
    return run


def avg_pool(axes):
    function = (F.avg_pool1d, F.avg_pool2d, F.avg_pool3d)[axes - 1]

    def run(p, x):
        decline(any(d != 1 for d in p.shape('dilation')), 'dilation')
        pads = x
        x, padding = pool_padding(p, x, 0.0)
        decline(x is not pads and not p.flag('count_pads'), 'padding that does not count')
        return function(x, p.shape('kernel'), p.shape('stride'), padding, p.flag('ceil_mode'),
                        p.flag('count_pads'))
    return run


def layer_norm(p, x, scale, bias):
    return F.layer_norm(x, x.shape[p.integer('axis'):], scale, bias, p.real('epsilon'))


def rms_norm(p, x, scale):
    return F.rms_norm(x, x.shape[p.integer('axis', x.dim() - 1):], scale, p.real('epsilon'))


def instance_norm(p, x, scale, bias):
    decline(shape_count(x.shape[2:]) == 1, 'one element for each channel')
    return F.instance_norm(x, weight=scale, bias=bias, eps=p.real('epsilon'))


def group_norm(p, x, scale, bias):
    return F.group_norm(x, p.integer('groups'), scale, bias, p.real('epsilon'))


def batch_norm(p, x, scale, bias, mean, variance):
    return F.batch_norm(x, mean, variance, scale, bias, False, 0.0, p.real('epsilon'))


def loss(function):
    return lambda p, x, target: function(x, target, reduction=p.word('mode'))


def bce_loss(p, x, target):
    decline(bool(((x < 0) | (x > 1) | (target < 0) | (target > 1) | target.isnan() |
                  x.isnan()).any()),
            'no probabilities')
    decline(bool((torch.minimum(x, 1 - x) < 1e-37).any()), 'logarithms that are cut at -100')
    return F.binary_cross_entropy(x, target, reduction=p.word('mode'))


def softplus(p, x):
    return F.softplus(x, threshold=40 if x.dtype == torch.float64 else 20)


def class_loss(function):
    return lambda p, x, target, weight=None: function(x, target, weight, reduction=p.word('mode'))


def attention(p, q, k, v):
    decline(p.flag('causal') and p.integer('m') != p.integer('n'), 'a causal mask that is not square')
    return F.scaled_dot_product_attention(q, k, v, is_causal=p.flag('causal'),
                                          enable_gqa=p.integer('groups') > 1)


RESIZE_MODES = {'linear': ('linear', 'bilinear', 'trilinear'), 'cubic': (None, 'bicubic', None)}


def interpolate(axes):
    def run(p, x):
        mode, at = p.word('mode'), p.word('transformation')
        if mode == 'nearest':
            decline(at != 'asymmetric' or p.word('rounding') != 'floor', 'another nearest element')
            return F.interpolate(x, p.shape('extra'), mode='nearest')
        decline(at == 'asymmetric', 'coordinates from the corner')
        return F.interpolate(x, p.shape('extra'), mode=RESIZE_MODES[mode][axes - 1],
                             align_corners=at == 'align_corners')
    return run


def grid_sample(p, x, grid):
    mode = {'linear': 'bilinear', 'cubic': 'bicubic', 'nearest': 'nearest'}[p.word('mode')]
    return F.grid_sample(x, grid, mode, p.word('padding'), p.flag('align_corners'))


def regated(t, order, units):
    """Gates of one axis in another order."""
    return torch.cat([t[gate * units:(gate + 1) * units] for gate in order])


def recurrent(kind, order):
    """The layer of torch._VF with the weights of the table; y gets the directions in its second axis."""
    def run(p, x, w, r, bias, h0, c0=None):
        decline(p.word('mode') == 'reverse', 'the reverse direction alone')
        decline(kind is torch.gru and not p.flag('late_reset'), 'a reset before the product')
        units, both = p.integer('m'), p.word('mode') == 'bidirectional'
        weights = []
        for d in range(w.shape[0]):
            weights += [regated(w[d], order, units), regated(r[d], order, units)]
            if bias is not None:
                half = bias.shape[1] // 2
                weights += [regated(bias[d][:half], order, units),
                            regated(bias[d][half:], order, units)]
        state = (h0, c0) if c0 is not None else h0
        results = kind(x, state, weights, bias is not None, 1, 0.0, False, both, False)
        y = results[0].reshape(x.shape[0], x.shape[1], w.shape[0], units).permute(0, 2, 1, 3)
        return (y, *results[1:])
    return run


def cast(p, x):
    decline(p.word('to') not in TORCH, 'that type')
    decline(p.word('to') in ('e4m3', 'e5m2') and p.flag('saturate'), 'a cast that saturates')
    return x.to(TORCH[p.word('to')])


def prelu(a, b):
    return torch.where(a > 0, a, a * b)


SAME = ('abs acos acosh asin asinh atan atanh ceil cos cosh erf erfc exp exp2 expm1 floor log log10 '
        'log1p log2 neg reciprocal round rsqrt sigmoid sign sin sinh sqrt square tan tanh trunc').split()
FUNCTIONAL = 'relu gelu silu mish logsigmoid hardswish relu6 hardtanh'.split()
PAIRS = {'add': torch.add, 'sub': torch.sub, 'mul': torch.mul, 'maximum': torch.maximum,
         'minimum': torch.minimum}
REAL_PAIRS = {'div': torch.div, 'pow': torch.pow, 'fmod': torch.fmod, 'remainder': torch.remainder,
              'atan2': torch.atan2, 'prelu': prelu}
COMPARISONS = 'eq ne lt le gt ge'.split()
LOGIC = 'logical_and logical_or logical_xor'.split()
BITS = 'bitwise_and bitwise_or bitwise_xor'.split()
LOSSES = {'mse_loss': F.mse_loss, 'l1_loss': F.l1_loss,
          'bce_with_logits': F.binary_cross_entropy_with_logits, 'kl_div': F.kl_div}


def elementwise():
    whole = {'abs', 'neg', 'sign', 'square'}
    table = {name: (FLOAT + INTEGER if name in whole else FLOAT, unary(getattr(torch, name)))
             for name in SAME}
    table.update({name: (FLOAT, unary(getattr(F, name))) for name in FUNCTIONAL})
    table.update({name: (FLOAT + INTEGER, binary(f)) for name, f in PAIRS.items()})
    table.update({name: (FLOAT, binary(f)) for name, f in REAL_PAIRS.items()})
    table.update({name: (FLOAT + INTEGER, binary(getattr(torch, name))) for name in COMPARISONS})
    table.update({name: (BOOLEAN, binary(getattr(torch, name))) for name in LOGIC})
    table.update({name: (INTEGER + BOOLEAN, binary(getattr(torch, name))) for name in BITS})
    table.update({name: (FLOAT, with_alpha(getattr(F, name)))
                  for name in ('elu', 'celu', 'leaky_relu', 'hardshrink', 'softshrink')})
    table.update({
        'softplus': (FLOAT, softplus),
        'softsign': (FLOAT, unary(F.softsign)),
        'gelu_tanh': (FLOAT, unary(lambda x: F.gelu(x, approximate='tanh'))),
        'thresholded_relu': (FLOAT, lambda p, x: F.threshold(x, p.real('alpha'), 0.0)),
        'isnan': (FLOAT, unary(torch.isnan)),
        'isinf': (FLOAT, unary(torch.isinf)),
        'logical_not': (BOOLEAN, unary(torch.logical_not)),
        'clamp': (FLOAT, lambda p, x: torch.clamp(x, p.real('alpha'), p.real('beta'))),
        'where': (ANY, lambda p, c, a, b: torch.where(c, a, b)),
        'cast': (ANY + ('e4m3', 'e5m2'), cast),
    })
    return table


def reductions():
    return {
        'sum': (FLOAT, reduction(torch.sum)), 'mean': (FLOAT, reduction(torch.mean)),
        'amax': (FLOAT + INTEGER, reduction(torch.amax)),
        'amin': (FLOAT + INTEGER, reduction(torch.amin)),
        'logsumexp': (FLOAT, reduction(torch.logsumexp)),
        'all': (BOOLEAN, reduction(torch.all)), 'any': (BOOLEAN, reduction(torch.any)),
        'prod': (FLOAT, of_flat(lambda x: x.prod(-1))),
        'argmax': (FLOAT + INTEGER, of_flat(lambda x: x.argmax(-1))),
        'argmin': (FLOAT + INTEGER, of_flat(lambda x: x.argmin(-1))),
        'var': (FLOAT, spread(torch.var)), 'std': (FLOAT, spread(torch.std)),
        'norm1': (FLOAT, norm(1)), 'norm2': (FLOAT, norm(2)), 'norm': (FLOAT, norm(None)),
        'sum_squares': (FLOAT, reduction(lambda x, axes, keep: torch.sum(x * x, axes, keep))),
        'cumsum': (FLOAT, running(torch.cumsum, 0)), 'cumprod': (FLOAT, running(torch.cumprod, 1)),
        'softmax': (FLOAT, lambda p, x: torch.softmax(x, p.integer('axis'))),
        'log_softmax': (FLOAT, lambda p, x: torch.log_softmax(x, p.integer('axis'))),
    }


def moves():
    return {
        'transpose': (ANY, lambda p, x: x.permute(axis_order(p, x.dim()))), 'slice': (ANY, strided),
        'tile': (ANY, lambda p, x: x.tile(copies_of(p, x.dim()))),
        'pad': (FLOAT, pad), 'space_to_depth': (ANY, space_to_depth),
        'flip': (ANY, lambda p, x: x.flip(p.integer('axis'))),
        'roll': (ANY, lambda p, x: x.roll(p.integer('start'), p.integer('axis'))),
        'expand': (ANY, lambda p, x: x.expand(p.shape('shape'))),
        'tril': (ANY, lambda p, x: x.tril(p.integer('diagonal'))),
        'triu': (ANY, lambda p, x: x.triu(p.integer('diagonal'))),
        'pixel_shuffle': (ANY, lambda p, x: F.pixel_shuffle(x, p.integer('step'))),
        'concat': (ANY, lambda p, a, b: torch.cat((a, b), p.integer('axis'))),
        'split': (ANY, lambda p, x: tuple(x.tensor_split((p.integer('k'),), p.integer('axis')))),
        'sort': (FLOAT + INTEGER, ordered), 'topk': (FLOAT + INTEGER, topk),
        'unique': (FLOAT + INTEGER, unique), 'gather': (ANY, gather),
        'searchsorted': (FLOAT + INTEGER, lambda p, line, x: torch.searchsorted(
            line, x, right=p.word('mode') == 'right')),
        'index_select': (ANY, lambda p, x, i: x.index_select(p.integer('axis'), i)),
        'embedding': (ANY, lambda p, x, i: F.embedding(i, x)),
        'take': (ANY, lambda p, x, i: x.take(i)),
        'take_along_axis': (ANY, lambda p, x, i: x.take_along_dim(i, p.integer('axis'))),
        'scatter': (ANY, lambda p, x, i, u: x.scatter(p.integer('axis'), i, u)),
        'scatter_add': (FLOAT + INTEGER,
                        lambda p, x, i, u: x.scatter_add(p.integer('axis'), i, u)),
        'scatter_mul': (FLOAT, scatter_with('prod')), 'scatter_max': (FLOAT, scatter_with('amax')),
        'scatter_min': (FLOAT, scatter_with('amin')),
        'index_add': (FLOAT + INTEGER,
                      lambda p, x, i, u: x.index_add(p.integer('axis'), i, u)),
    }


def layers():
    table = {
        'matmul': (FLOAT, lambda p, a, b: activated(p, a @ b)),
        'linear': (FLOAT, lambda p, x, w, bias=None: activated(p, F.linear(x, w, bias))),
        'linear_gelu': (('f32',), lambda p, x, w, bias=None: F.gelu(
            F.linear(x, w, bias), approximate='tanh')),
        'relu_linear': (('f32', 'f64'), lambda p, z, w, bias: F.linear(F.relu(z + bias), w)),
        'gelu_linear': (('f32',), lambda p, z, w, bias: F.linear(
            F.gelu(z + bias, approximate='tanh'), w)),
        'einsum': (FLOAT, einsum), 'attention': (FLOAT, attention),
        'layer_norm': (FLOAT, layer_norm), 'rms_norm': (FLOAT, rms_norm),
        'instance_norm': (FLOAT, instance_norm), 'group_norm': (FLOAT, group_norm),
        'batch_norm': (FLOAT, batch_norm), 'batch_norm_train': (FLOAT, batch_norm_train(F.batch_norm)),
        'grid_sample': (FLOAT, grid_sample), 'bce_loss': (FLOAT, bce_loss),
        'nll_loss': (FLOAT, class_loss(F.nll_loss)),
        'cross_entropy': (FLOAT, class_loss(F.cross_entropy)),
        'smooth_l1_loss': (FLOAT, lambda p, x, t: F.smooth_l1_loss(
            x, t, reduction=p.word('mode'), beta=p.real('beta'))),
        'huber_loss': (FLOAT, lambda p, x, t: F.huber_loss(
            x, t, reduction=p.word('mode'), delta=p.real('beta'))),
        'rnn': (FLOAT, recurrent(torch.rnn_tanh, (0,))),
        'lstm': (FLOAT, recurrent(torch.lstm, (0, 2, 3, 1))),
        'gru': (FLOAT, recurrent(torch.gru, (1, 0, 2))),
    }
    table.update({name: (FLOAT, loss(function)) for name, function in LOSSES.items()})
    for axes in (1, 2, 3):
        table.update({
            f'conv{axes}d': (FLOAT, conv(axes)),
            f'conv_transpose{axes}d': (FLOAT, conv_transpose(axes)),
            f'max_pool{axes}d': (FLOAT, max_pool(axes)), f'avg_pool{axes}d': (FLOAT, avg_pool(axes)),
            f'adaptive_avg_pool{axes}d': (FLOAT, adaptive(
                (F.adaptive_avg_pool1d, F.adaptive_avg_pool2d, F.adaptive_avg_pool3d))),
            f'adaptive_max_pool{axes}d': (FLOAT, adaptive(
                (F.adaptive_max_pool1d, F.adaptive_max_pool2d, F.adaptive_max_pool3d))),
            f'interpolate{axes}d': (FLOAT, interpolate(axes)),
        })
    return table


def import_early():
    """What autograd imports when it is first called, half a second for each worker."""
    for name in ('torch.fx.experimental.symbolic_shapes', 'torch.nested._internal.nested_tensor'):
        try:
            importlib.import_module(name)
        except ImportError:
            pass


ELEMENTWISE = elementwise()


class Adapter(programs.Programs, Differentiable):
    framework = 'torch'
    operators = {**ELEMENTWISE, **reductions(), **moves(), **layers()}
    arrays = {**NUMPY, **WIDTHS}
    missing = ('not implemented for', "the derivative for 'inplace version of")

    def __init__(self, mode):
        self.settings = settings_of(mode, SETTINGS + programs.modes('torch'))
        self.compiles = programs.compiler_of(self.settings, 'torch')
        import_early()
        torch.set_num_threads(2 if 'threads2' in self.settings else 1)
        torch.set_flush_denormal('flush' in self.settings)
        if 'nomkldnn' in self.settings:
            torch.backends.mkldnn.set_flags(False)
        if 'deterministic' in self.settings:
            torch.use_deterministic_algorithms(True)

        if 'module' in self.settings:
            self.operators = torch_modules.modules(FLOAT, regated)
        self.result = self.variant(torch_variants.RESULTS, type(None))()
        self.derivative = self.variant(torch_variants.DERIVATIVES, None)

        if self.derivative:  # compiles what it needs when it is first called
            self.derivative(F.softsign, [torch.ones(2)], torch.ones(2))

    def variant(self, known, default):
        return next((known[word] for word in sorted(self.settings) if word in known), default)

    def preamble(self):
        """What scripts do first."""
        return torch_variants.quoted(self.result) if self.result else []

    def compute(self, memory, p, operands):
        decline(self.derivative is not None and '_backward' not in p.name, 'a derivative is asked for')
        decline(isinstance(self.result, torch_variants.ResultOut) and '_backward' in p.name,
                'out= is not differentiated')
        if self.result is None:
            return super().compute(memory, p, operands)
        self.result.used = 0
        with self.result:
            results = super().compute(memory, p, operands)
        decline(self.result.used == 0, 'computed in one way only')
        return results

    def warm_up(self):
        torch.ones(2, 2).matmul(torch.ones(2, 2))

    def differentiate(self, function, values, dy):
        if self.derivative:
            decline(any(value.shape != dy.shape for value in values), 'operands that are repeated')
            return self.derivative(function, values, dy)
        leaves = [value.detach().requires_grad_() for value in values]
        return torch.autograd.grad(function(*leaves), leaves, dy, allow_unused=True)

    def run_backward(self, memory, p, operands):
        decline(self.derivative is not None and p.name[:p.name.index('_backward')] not in ELEMENTWISE,
                'not element-wise')
        return super().run_backward(memory, p, operands)

    def zeros(self, operand):
        return torch.zeros(operand.shape, dtype=TORCH[operand.dtype])

    def forward_only(self):
        return torch.no_grad()

    def facts(self):
        capability = torch.backends.cpu.get_cpu_capability()
        return {'version': torch.__version__, 'core': capability, 'path': torch.__file__,
                'build': ', '.join(['PyTorch, eager', *sorted(self.settings)])}

    def read(self, memory, operand):
        tensor = torch.from_numpy(self.array(memory, operand))
        if operand.dtype in WIDTHS:
            tensor = tensor.view(TORCH[operand.dtype])
        if 'channels-last' in self.settings and tensor.dim() in CHANNELS_LAST:
            tensor = tensor.contiguous(memory_format=CHANNELS_LAST[tensor.dim()])
        return tensor

    def write(self, memory, operand, result):
        if result.dtype != TORCH[operand.dtype]:
            raise Different(f'gives {result.dtype}, not {TORCH[operand.dtype]}')
        result = result.detach().resolve_conj().contiguous()
        if operand.dtype in WIDTHS:
            result = result.view(torch.int16 if operand.dtype == 'bf16' else torch.int8)
        self.put(memory, operand, result.numpy())
