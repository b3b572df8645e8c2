"""PyTorch, eager: what torch.bindings asks for, and gradients by autograd.

Conventions, where the operators and PyTorch differ:
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
import re

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from . import compilers, programs, torch_compilers, torch_variants
from .adapter import NUMPY, Differentiable, decline, settings_of
from .draws import by_global_seed, dropping, stacked, with_seeds
from .protocol import Different, Types
from .torch_calls import batch_norm_train, channelwise, gather, space_to_depth, strided, with_activation, with_gates
from .torch_modules import (batch_norm_module, batch_norm_train_module, convolution, embedding_module,
                            group_norm_module, instance_norm_module, layer_norm_module, linear_module,
                            recurrent_module, transposed_convolution)

TORCH = Types({'f32': torch.float32, 'f64': torch.float64, 'f16': torch.float16, 'bf16': torch.bfloat16,
               'i8': torch.int8, 'u8': torch.uint8, 'i32': torch.int32, 'i64': torch.int64, 'bool': torch.bool,
               'c64': torch.complex64, 'c128': torch.complex128, 'i16': torch.int16})
# Since versions 2.1 and 2.3.
TORCH.update({name: getattr(torch, theirs) for name, theirs in
              (('e4m3', 'float8_e4m3fn'), ('e5m2', 'float8_e5m2'), ('u16', 'uint16'), ('u32', 'uint32'),
               ('u64', 'uint64')) if hasattr(torch, theirs)})
SETTINGS = ('nomkldnn', 'channels-last', 'flush', 'deterministic', 'threads2', 'module',
            *torch_variants.RESULTS, *torch_variants.DERIVATIVES)
CHANNELS_LAST = {4: torch.channels_last, 5: torch.channels_last_3d}
# Types that NumPy lacks go through integers of their width.
WIDTHS = {'bf16': np.int16, 'e4m3': np.int8, 'e5m2': np.int8}

activated = with_activation(F)
regated, recurrent = with_gates(torch.cat)
drawn = with_seeds(by_global_seed(torch.manual_seed), torch.Tensor.clone)
dropped = dropping(torch.manual_seed, torch.ones_like)
drawn_by = with_seeds(lambda seed: ((), {'generator': torch.Generator().manual_seed(seed)}), torch.Tensor.clone)


def saturates(dtype):
    """Whether conversions give the largest number for larger ones: to float8_e4m3fn they do since 2026 (pull
    request 178817 of PyTorch), and gave NaN before."""
    return bool(torch.tensor(1e6).to(dtype).isfinite())


def cast(x, to, saturate):
    decline(to in ('e4m3', 'e5m2') and saturate != saturates(TORCH[to]),
            f'its version {"does not saturate" if saturate else "saturates"} {to}')
    return x.to(TORCH[to])


def softplus(x):
    return F.softplus(x, threshold=40 if x.dtype == torch.float64 else 20)


def scan(function, x, axis, start, backwards, exclusive):
    """function along an axis; an exclusive one begins with start and leaves out the last element."""
    if backwards:
        x = x.flip(axis)
    if exclusive:
        first = torch.full_like(x.narrow(axis, 0, min(1, x.shape[axis])), start)
        y = torch.cat((first, function(x.narrow(axis, 0, max(0, x.shape[axis] - 1)), axis)), axis)
    else:
        y = function(x, axis)
    return y.flip(axis) if backwards else y


def exponents(b):
    """As integers of 32 bits; beyond these any power of two is 0 or infinite."""
    decline(bool(((b < b.trunc()) | (b > b.trunc())).any()), 'exponents that are not whole')
    return b.clamp(-16384, 16384).int()


def angle(a, b):
    decline(a.requires_grad or b.requires_grad, 'the gradient of torch.angle is that of complex numbers')
    return torch.angle(torch.complex(b, a))


def shifted_pad(x, axis, front, behind, mode):
    """functional.pad takes the last axes of batches for all modes but the constant one."""
    name = {'reflect': 'reflect', 'edge': 'replicate', 'wrap': 'circular'}[mode]
    moved = x.movedim(axis, -1)
    shape = moved.shape
    y = F.pad(moved.reshape(1, -1, shape[-1]), (front, behind), name)
    return y.reshape(*shape[:-1], y.shape[-1]).movedim(-1, axis)


def ordered(x, axis, descending):
    return tuple(torch.sort(x, dim=axis, descending=descending, stable=True))


def topk(x, count, axis, descending):
    values = torch.topk(x, count, axis, descending, True)[0]
    return values, ordered(x, axis, descending)[1].narrow(axis, 0, count)


def unique(x):
    values, places = torch.unique(x, sorted=True, return_inverse=True)
    whole = torch.zeros_like(x)
    whole[:len(values)] = values
    return whole, places


def bag_layer(indices, x, offsets, **options):
    """What F.embedding_bag computes, by the layer, which has the table."""
    weights = options.pop('per_sample_weights')
    layer = torch.nn.EmbeddingBag.from_pretrained(x, freeze=False, **options)
    if x.requires_grad:
        return torch.func.functional_call(layer, {'weight': x}, (indices, offsets, weights))
    return layer(indices, offsets, weights)


def bagged(function, indices, x, offsets, weights, mode, last, padding, norm):
    """Bags of a line of indices; scaling rows writes the table."""
    return function(indices, x.clone() if norm > 0 else x, offsets, mode=mode, per_sample_weights=weights,
                    include_last_offset=last, padding_idx=padding if padding >= 0 else None,
                    max_norm=norm if norm > 0 else None)


def stored(values, mask, layout):
    """The elements of a matrix at which a mask is set, by rows, by columns, as blocks of one
    element, or with their places: in order, or from the last to the first."""
    places, elements = mask.nonzero().t(), values[mask]
    if layout == 'reversed':
        return torch.sparse_coo_tensor(places.flip(1), elements.flip(0), mask.shape)
    matrix = torch.sparse_coo_tensor(places, elements, mask.shape, is_coalesced=True)
    if layout == 'coo':
        return matrix
    if layout == 'csc':
        return matrix.to_sparse_csc()
    rows = matrix.to_sparse_csr()
    return rows.to_sparse_bsr((1, 1)) if layout == 'bsr' else rows


def transposed_by(matrix, operation):
    return matrix if operation == 'n' else matrix.t() if operation == 't' else matrix.conj().t()


def batch_norm_with_update(x, mean, variance, scale, bias, _, momentum, epsilon):
    return torch.ops.aten._batch_norm_with_update(x, scale, bias, mean, variance, momentum, epsilon)[0]


def typed(word):
    return TORCH[word]


def shaped(shape, word='f32'):
    """A tensor of which the extents and the type alone matter."""
    return torch.empty(shape, dtype=TORCH[word])


def complex_type(word):
    """The complex numbers whose parts have this type."""
    return {'f32': torch.complex64, 'f64': torch.complex128}[word]


def complex_shaped(rows, columns, word):
    """A tensor of complex numbers, which have so many parts in a row."""
    return torch.empty((rows, columns // 2), dtype=complex_type(word))


def paired(x):
    """The complex numbers of the pairs along the last axis.  Strides of what has no elements say nothing, and contiguous()
    leaves them as they are."""
    return torch.view_as_complex(torch.empty_like(x, memory_format=torch.contiguous_format) if 0 in x.shape
                                 else x.contiguous())


def parts_of(function, *given, **named):
    """The parts of complex numbers in a row, real and imaginary ones by turns."""
    return torch.view_as_real(function(*given, **named)).flatten(-2)


def unit_parts_of(function, *given, **named):
    """The parts of complex numbers of variance 1, each of which has half of it (torch.randn), brought to that of 1."""
    return parts_of(function, *given, **named) * 2 ** 0.5


def turned(value):
    return complex(0, value)


def padded(x, count):
    """What a call found, with zeros behind it: results of which values decide how many there are."""
    y = x.new_zeros((count, *x.shape[1:]))
    y[:len(x)] = x
    return y


def shuffled(rows, columns, dtype):
    """So many permutations, one after the other."""
    return stacked(torch.stack, torch.randperm, rows)(columns, dtype=dtype)


def bce_loss(x, target, reduction):
    decline(bool(((x < 0) | (x > 1) | (target < 0) | (target > 1) | target.isnan() |
                  x.isnan()).any()),
            'no probabilities')
    decline(bool((torch.minimum(x, 1 - x) < 1e-37).any()), 'logarithms that are cut at -100')
    return F.binary_cross_entropy(x, target, reduction=reduction)


def import_early():
    """Imports the modules that autograd would import at its first call, which takes half a second in each worker."""
    for name in ('torch.fx.experimental.symbolic_shapes', 'torch.nested._internal.nested_tensor'):
        try:
            importlib.import_module(name)
        except ImportError:
            pass


def logdet(a):
    """The sign of a determinant, and its logarithm, for which a row changes its sign where it is below 0."""
    sign = torch.linalg.slogdet(a)[0]
    turned = a.clone()
    turned[..., :1, :] *= torch.where(sign < 0, -1, 1)[..., None, None].to(a.dtype)
    return sign, torch.logdet(turned)


class Adapter(compilers.Compiles, programs.Programs, Differentiable):
    framework = 'torch'
    compilers = torch_compilers.COMPILERS
    rows = 'torch'
    arrays = {**NUMPY, **WIDTHS}
    missing = ('not implemented for', 'does not support automatic differentiation for outputs with complex dtype',
               "the derivative for 'inplace version of",
               # Of versions 1.13 to 2.1.
               'derivative for channel_shuffle is not implemented', 'Unsupported input type encountered for isin()',
               'Tensor must have a stride divisible by 2 for all but last dimension')
    missing_type = re.compile(r"not implemented for '(\w+)'")

    def __init__(self, mode):
        self.settings = settings_of(mode, SETTINGS + programs.modes('torch'))
        self.compiles = self.compiler_of(self.settings)
        import_early()
        if self.compiles in torch_compilers.BY_DYNAMO:
            torch_compilers.import_dynamo()
        torch.set_num_threads(2 if 'threads2' in self.settings else 1)
        torch.set_flush_denormal('flush' in self.settings)
        if 'nomkldnn' in self.settings:
            torch.backends.mkldnn.set_flags(False)
        if 'deterministic' in self.settings:
            torch.use_deterministic_algorithms(True)

        if 'module' in self.settings:
            self.rows = 'torch_module'
        self.result = self.variant(torch_variants.RESULTS, type(None))()
        self.derivative = self.variant(torch_variants.DERIVATIVES, None)

        if self.compiles in torch_compilers.BY_DYNAMO:
            torch_compilers.prepare_dynamo(self.compiler)
        if self.derivative:  # compiles what it needs when it is first called
            self.derivative(F.softsign, [torch.ones(2)], torch.ones(2))

    def forget(self):
        if self.compiles in torch_compilers.BY_DYNAMO:
            torch_compilers.forget()

    def may_join(self, p):
        return super().may_join(p) and self.result is None and self.derivative is None

    def kept(self, tensor):
        return tensor.clone()

    def variant(self, known, default):
        return next((known[word] for word in sorted(self.settings) if word in known), default)

    def preamble(self):
        """Lines that stand first in a reproducer."""
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
        """The first who asks for the pool of threads behind a fork makes it anew; who asks meanwhile finds none."""
        torch.set_num_threads(torch.get_num_threads())
        torch.ones(2, 2).matmul(torch.ones(2, 2))

    def differentiate(self, function, values, dy):
        if self.derivative:
            decline(any(value.shape != dy.shape for value in values), 'operands that are repeated')
            return self.derivative(function, values, dy)
        leaves = [value.detach().requires_grad_() for value in values]
        return torch.autograd.grad(function(*leaves), leaves, dy, allow_unused=True)

    def run_backward(self, memory, p, operands):
        decline(self.derivative is not None and not p.pointwise, 'not element-wise')
        return super().run_backward(memory, p, operands)

    def zeros(self, operand):
        return torch.zeros(operand.shape, dtype=TORCH[operand.dtype])

    def forward_only(self):
        return torch.no_grad()

    def facts(self):
        capability = re.search('CPU capability usage: (.*)', torch.__config__.show())
        return {'version': torch.__version__, 'core': capability[1] if capability else '-', 'path': torch.__file__,
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
        result = result.detach().resolve_conj().resolve_neg().contiguous()
        if operand.dtype in WIDTHS:
            result = result.view(torch.int16 if operand.dtype == 'bf16' else torch.int8)
        self.put(memory, operand, result.numpy())
