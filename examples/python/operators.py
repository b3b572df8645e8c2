"""Operators of PyTorch and OneFlow as bodies, written from PyTorch's documentation:

    python -m opconform examples/python/operators.py [--only NAME]

Of the files of OneFlow's own tests of modules (python/oneflow/test/modules of its repository) these have no counterpart here:

- global_*, allreduce, comm_ops, ddp, eager_boxing, reshape_sbp, sync_batchnorm: they need several processes.
- bernoulli, dropout, gumbel_softmax, multinomial, rand*, rrelu, normal, initializer: each framework draws its own numbers.
- fused_*, batchnorm_add_relu, broadcast_like, batch_gather, combined_margin_loss, grouped_matmul_bias, in_top_k, quick_gelu,
  reduce_sum_like, scatter_nd, skip_layer_norm, sparse_softmax_cross_entropy, square_relu, tensor_scatter_nd_update: OneFlow alone has
  them under these names.
- *_quantization, *_observer, qat_conv_modules: quantised training.
- optim_*, one_embedding_*, lr_scheduler, clip_grad, pruning, checkpointing: steps of training.
- coco_reader, ofrecord_reader, gpt_data_loader, image_*, dataset: files.
- nms, roi_align, deform_conv2d: PyTorch has them in another package.
- ctc_loss, ctc_greedy_decoder, fft, stft, hann_window, maxunpool, unique, median, roc_auc_score: not written yet.
- higher_derivative_*: gradients of gradients are not compared.
- autograd*, dlpack, module*, save_load, tensor_buffer, to_torch, utils and the like: no operators."""
from opconform.autotest import *

BACKENDS = 'torch,oneflow'


def body(function, name, **settings):
    function.__name__ = name
    return autotest(n=10, backends=BACKENDS, **settings)(function)


def operator(function):
    """A body of its own name."""
    return autotest(n=10, backends=BACKENDS)(function)


def sizes(rank=None, **rest):
    """A tensor of 1 to 4 axes, or of so many."""
    rank = random(1, 5).to(int) if rank is None else rank
    return random_tensor(ndim=rank, dim0=random(1, 5), **rest)


def unary(name, **range_of):
    body(lambda: getattr(torch, name)(sizes(**range_of)), name)


def layer(name, **range_of):
    body(lambda: getattr(torch.nn, name)()(sizes(**range_of)), name)


# Functions of one tensor, with the range in which they are smooth where they have one.
for each in ('abs atan ceil cos erf erfc exp expm1 floor neg round sigmoid sign sin sinh square tanh relu selu softplus '
             'asinh cosh').split():
    if each in ('softplus',):
        body(lambda each=each: getattr(torch.nn.functional, each)(sizes()), each)
    else:
        unary(each)
for each in 'log log1p log2 sqrt rsqrt reciprocal'.split():
    unary(each, low=0.5, high=4)
for each in 'asin acos atanh erfinv'.split():
    unary(each, low=-0.75, high=0.75)
unary('acosh', low=1.5, high=4)
unary('tan', low=-1, high=1)
for each in ('ReLU6 Hardswish Hardsigmoid Hardtanh ELU CELU LeakyReLU Mish SiLU Softsign LogSigmoid GELU Tanhshrink').split():
    if each != 'Tanhshrink':
        layer(each)


@operator
def hardshrink():
    return torch.nn.Hardshrink(random(0, 2).to(float))(sizes())


@operator
def softshrink():
    return torch.nn.Softshrink(random(0, 2).to(float))(sizes())


@operator
def threshold():
    return torch.nn.Threshold(random(0, 2).to(float), random(0, 3).to(float))(sizes())


@operator
def glu():
    return torch.nn.functional.glu(random_tensor(ndim=2, dim0=random(1, 4), dim1=random(1, 4) * 2), dim=-1)


@operator
def prelu():
    channels = random(1, 5)
    return torch.nn.PReLU(channels | constant(1))(random_tensor(ndim=3, dim0=2, dim1=channels))


# Of two tensors, with axes that repeat.
def binary(name, **range_of):
    def both():
        rows, columns = random(1, 5), random(1, 5)
        a = random_tensor(ndim=2, dim0=rows, dim1=columns, **range_of)
        b = random_tensor(ndim=2, dim0=rows | constant(1), dim1=columns | constant(1), **range_of)
        return getattr(torch, name)(a, b)
    body(both, name)


for each in 'add sub mul maximum minimum eq ne lt le gt ge'.split():
    binary(each)
for each in 'div pow atan2 fmod'.split():
    binary(each, low=0.5, high=3)


@operator
def floor_divide():
    return torch.floor_divide(sizes(2, requires_grad=False, low=1, high=9, dtype=int), 3)


@operator
def where():
    shape = {'dim0': random(1, 4), 'dim1': random(1, 4)}
    a, b = random_tensor(ndim=2, **shape), random_tensor(ndim=2, **shape)
    return torch.where(a > b, a, b)


@operator
def lerp():
    rows = random(1, 5)
    return torch.lerp(random_tensor(1, rows), random_tensor(1, rows), random(0, 2).to(float))


@operator
def addcmul():
    rows = random(1, 5)
    x, a, b = (random_tensor(2, rows, 3) for _ in range(3))
    return torch.addcmul(x, a, b, value=random(1, 4).to(float))


@operator
def addcdiv():
    rows = random(1, 5)
    x, a, b = random_tensor(2, rows, 3), random_tensor(2, rows, 3), random_tensor(2, rows, 3, low=1, high=3)
    return torch.addcdiv(x, a, b, value=random(1, 4).to(float))


@operator
def clamp():
    return torch.clamp(sizes(), min=random(-2, 0).to(float) | nothing(), max=random(0, 2).to(float))


@operator
def logical_and():
    rows = random(1, 5)
    return torch.logical_and(random_tensor(1, rows, dtype=bool), random_tensor(1, rows, dtype=bool))


@operator
def logical_not():
    return torch.logical_not(sizes(dtype=bool))


# Reductions.
def reduction(name, **range_of):
    def reduced():
        rank = random(1, 5).to(int)
        x = sizes(rank, **range_of)
        return getattr(torch, name)(x, dim=random(0, rank).to(int), keepdim=random_bool())
    body(reduced, name)


for each in 'sum mean amax amin argmax argmin max min cumsum prod logsumexp'.split():
    if each == 'cumsum':
        body(lambda: torch.cumsum(sizes(3), dim=random(0, 3)), each)
    else:
        reduction(each)


def variance(name):
    def reduced():
        x = random_tensor(ndim=2, dim0=random(2, 6), dim1=random(2, 6))
        return getattr(torch, name)(x, dim=random(0, 2).to(int), unbiased=random_bool(), keepdim=random_bool())
    body(reduced, name)


variance('var')
variance('std')


@operator
def norm():
    return torch.linalg.norm(sizes(2), ord=oneof(1, 2, float('inf')), dim=random(0, 2).to(int), keepdim=random_bool())


@operator
def cumprod():
    return torch.cumprod(sizes(2, low=0.5, high=2), dim=random(0, 2))


@operator
def all_of():
    return torch.all(sizes(2, dtype=bool), dim=random(0, 2).to(int))


@operator
def any_of():
    return torch.any(sizes(2, dtype=bool), dim=random(0, 2).to(int))


# Order.
@operator
def sort():
    columns = random(1, 6)
    distinct = random_tensor(2, random(1, 4), columns) - torch.arange(0, columns) * 5
    return torch.sort(distinct, dim=1, descending=random_bool())[0]


@operator
def topk():
    columns = random(2, 6)
    distinct = random_tensor(2, random(1, 4), columns) - torch.arange(0, columns) * 5
    return torch.topk(distinct, k=random(1, columns).to(int), dim=1)[0]


@operator
def flip():
    return torch.flip(sizes(3), dims=oneof([0], [1, 2], [0, 2]))


# Moves.
@operator
def permute():
    return torch.permute(sizes(3), oneof((0, 1, 2), (2, 0, 1), (1, 0, 2)))


@operator
def transpose():
    return torch.transpose(sizes(3), random(0, 3).to(int), random(0, 3).to(int))


@operator
def reshape():
    rows, columns = random(1, 5), random(1, 5)
    return torch.reshape(random_tensor(2, rows, columns), (rows * columns,))


@operator
def flatten():
    return torch.flatten(sizes(4), start_dim=random(0, 2).to(int), end_dim=random(2, 4).to(int))


@operator
def squeeze():
    return torch.squeeze(random_tensor(3, random(1, 3), 1), dim=oneof(0, 1, 2))


@operator
def unsqueeze():
    return torch.unsqueeze(sizes(2), dim=random(-3, 3).to(int))


@operator
def expand():
    rows = random(1, 5)
    return random_tensor(2, rows, 1).expand(rows, random(1, 5))


@operator
def repeat():
    return sizes(2).repeat(random(1, 4), random(1, 4))


@operator
def tile():
    return torch.tile(sizes(2), (random(1, 4), random(1, 4)))


@operator
def roll():
    return torch.roll(sizes(2), random(-3, 4).to(int), random(0, 2).to(int))


@operator
def cat():
    rows = random(1, 4)
    return torch.cat((random_tensor(2, rows, random(1, 4)), random_tensor(2, rows, random(1, 4))), dim=oneof(1, -1))


@operator
def stack():
    rows = random(1, 4)
    return torch.stack((random_tensor(2, rows, 3), random_tensor(2, rows, 3)), dim=random(-3, 3).to(int))


@operator
def chunk():
    return torch.chunk(random_tensor(2, random(1, 4), 6), random(1, 5).to(int), dim=1)


@operator
def split():
    return torch.split(random_tensor(2, random(1, 4), 6), random(1, 7).to(int), dim=1)


@operator
def narrow():
    return torch.narrow(random_tensor(2, random(1, 4), 6), 1, random(0, 3).to(int), random(1, 4).to(int))


@operator
def tril():
    return torch.tril(sizes(2), random(-2, 3).to(int))


@operator
def triu():
    return torch.triu(sizes(2), random(-2, 3).to(int))


@operator
def diagonal():
    return torch.diagonal(sizes(3), random(-1, 2).to(int), 0, 1)


@operator
def diag():
    return torch.diag(sizes(2), random(-2, 3).to(int))


@operator
def movedim():
    return torch.movedim(sizes(3), random(0, 3).to(int), random(0, 3).to(int))


@operator
def item():
    return sizes(3)[0, :, 0:1]


# Indices.
@operator
def gather():
    return torch.gather(random_tensor(2, 3, 4), 1, random_tensor(2, 3, random(1, 5), low=0, high=4, dtype=int))


@operator
def index_select():
    return torch.index_select(random_tensor(2, 3, 4), 1, random_tensor(1, random(1, 6), low=0, high=4, dtype=int))


@operator
def embedding():
    words = random(2, 6)
    return torch.nn.Embedding(words, random(1, 5))(random_tensor(2, random(1, 4), 3, low=0, high=words, dtype=int))


@operator
def masked_fill():
    x = sizes(2)
    return x.masked_fill(x > 0, random(-3, 3).to(float))


@operator
def scatter():
    return torch.scatter(random_tensor(2, 3, 4), 0, random_tensor(2, 1, 4, low=0, high=3, dtype=int), random_tensor(2, 1, 4))


# Products.
@operator
def matmul():
    inner = random(1, 9)
    return torch.matmul(random_tensor(2, random(1, 6), inner), random_tensor(2, inner, random(1, 6)))


@operator
def bmm():
    inner, batch = random(1, 9), random(1, 4)
    return torch.bmm(random_tensor(3, batch, random(1, 6), inner), random_tensor(3, batch, inner, random(1, 6)))


@operator
def addmm():
    rows, inner, columns = random(1, 6), random(1, 6), random(1, 6)
    return torch.addmm(random_tensor(2, rows, columns), random_tensor(2, rows, inner), random_tensor(2, inner, columns),
                       beta=random(1, 3).to(float) | nothing(), alpha=random(1, 3).to(float) | nothing())


@operator
def dot():
    count = random(1, 9)
    return torch.dot(random_tensor(1, count), random_tensor(1, count))


@operator
def mv():
    columns = random(1, 9)
    return torch.mv(random_tensor(2, random(1, 6), columns), random_tensor(1, columns))


@operator
def einsum():
    i, j, k = random(1, 5), random(1, 5), random(1, 5)
    return torch.einsum('ij,jk->ik', random_tensor(2, i, j), random_tensor(2, j, k))


@operator
def linear():
    features = random(1, 9)
    return torch.nn.Linear(features, random(1, 6), bias=random_bool() | nothing())(random_tensor(2, random(1, 4), features))


# Layers of images.
def convolution(name, rank, transposed):
    def convolved():
        channels = random(1, 6)
        settings = {'stride': random(1, 4) | nothing(), 'padding': random(0, 3).to(int) | nothing(),
                    'dilation': random(1, 3) | nothing(), 'groups': random(1, 3) | nothing(), 'bias': random_bool() | nothing()}
        m = getattr(torch.nn, name)(channels, random(1, 6), random(1, 4), **settings)
        extents = {f'dim{axis}': random(3, 7) for axis in range(2, 2 + rank)}
        return m(random_tensor(ndim=2 + rank, dim0=random(1, 3), dim1=channels, **extents))
    body(convolved, name)


for axes in (1, 2, 3):
    convolution(f'Conv{axes}d', axes, False)
    convolution(f'ConvTranspose{axes}d', axes, True)


def pooling(name, rank, **settings):
    def pooled():
        m = getattr(torch.nn, name)(random(1, 4), stride=random(1, 4) | nothing(), padding=random(0, 2).to(int) | nothing(),
                                    **{key: make() for key, make in settings.items()})
        extents = {f'dim{axis}': random(4, 8) for axis in range(2, 2 + rank)}
        return m(random_tensor(ndim=2 + rank, dim0=random(1, 3), dim1=random(1, 3), **extents))
    body(pooled, name)


for axes in (1, 2, 3):
    pooling(f'MaxPool{axes}d', axes, ceil_mode=random_bool)
    pooling(f'AvgPool{axes}d', axes, ceil_mode=random_bool, count_include_pad=random_bool)


def adaptive(name, rank):
    def pooled():
        extents = {f'dim{axis}': random(2, 8) for axis in range(2, 2 + rank)}
        return getattr(torch.nn, name)(random(1, 4).to(int))(random_tensor(ndim=2 + rank, dim0=2, dim1=random(1, 3), **extents))
    body(pooled, name)


for axes in (1, 2, 3):
    adaptive(f'AdaptiveAvgPool{axes}d', axes)


def padding(name, rank):
    def padded():
        extents = {f'dim{axis}': random(3, 6) for axis in range(2, 2 + rank)}
        return getattr(torch.nn, name)(random(0, 3).to(int))(random_tensor(ndim=2 + rank, dim0=1, dim1=random(1, 3), **extents))
    body(padded, name)


for each in 'ReflectionPad2d ReplicationPad2d ZeroPad2d'.split():
    padding(each, 2)


@operator
def constant_pad():
    return torch.nn.functional.pad(sizes(2), (random(0, 3).to(int), random(0, 3).to(int)), value=random(0, 3).to(float))


@operator
def pixel_shuffle():
    factor = random(1, 4)
    return torch.nn.PixelShuffle(factor)(random_tensor(4, 1, factor * factor, random(1, 4), random(1, 4)))


@operator
def interpolate():
    x = random_tensor(4, 1, random(1, 3), random(2, 6), random(2, 6))
    return torch.nn.functional.interpolate(x, size=(random(1, 9).to(int), random(1, 9).to(int)),
                                           mode=oneof('nearest', 'bilinear', 'bicubic'))


@operator
def unfold():
    return torch.nn.Unfold(random(1, 4).to(int), stride=random(1, 3).to(int))(random_tensor(4, 1, 2, random(4, 7), random(4, 7)))


# Normalisations.
def batch_norm(name, rank):
    def normed():
        channels = random(1, 5)
        m = getattr(torch.nn, name)(channels, eps=random(1, 3).to(float) | nothing(), affine=random_bool(),
                                    track_running_stats=random_bool())
        m.train(random_bool())
        return m(random_tensor(ndim=rank, dim0=random(2, 5), dim1=channels, dim2=random(2, 4)))
    body(normed, name)


batch_norm('BatchNorm1d', 3)
batch_norm('BatchNorm2d', 4)
batch_norm('BatchNorm3d', 5)


@operator
def layer_norm():
    columns = random(2, 8)
    return torch.nn.LayerNorm(columns, elementwise_affine=random_bool())(random_tensor(2, random(1, 4), columns))


@operator
def group_norm():
    groups = random(1, 4)
    return torch.nn.GroupNorm(groups, groups * 2, affine=random_bool())(random_tensor(4, random(1, 3), groups * 2, 2, random(1, 4)))


@operator
def instance_norm():
    channels = random(1, 4)
    return torch.nn.InstanceNorm2d(channels, affine=random_bool())(random_tensor(4, random(1, 3), channels, 2, random(2, 4)))


@operator
def softmax():
    return torch.nn.functional.softmax(sizes(2), dim=random(0, 2).to(int))


@operator
def log_softmax():
    return torch.nn.functional.log_softmax(sizes(2), dim=random(0, 2).to(int))


@operator
def normalize():
    return torch.nn.functional.normalize(sizes(2, low=0.5, high=2), p=oneof(1.0, 2.0), dim=random(0, 2).to(int))


# Losses.
def loss(name, target=None, **range_of):
    def lost():
        rows, columns = random(1, 5), random(1, 5)
        x = random_tensor(2, rows, columns, **range_of)
        y = random_tensor(2, rows, columns, requires_grad=False, **(target or range_of))
        return getattr(torch.nn, name)(reduction=oneof('mean', 'sum', 'none'))(x, y)
    body(lost, name)


for each in 'MSELoss L1Loss SmoothL1Loss'.split():
    loss(each)
loss('BCELoss', low=0.1, high=0.9)
loss('BCEWithLogitsLoss', {'low': 0, 'high': 1})
loss('KLDivLoss', {'low': 0.1, 'high': 1})


@operator
def cross_entropy():
    rows, classes = random(1, 5), random(2, 6)
    labels = random_tensor(1, rows, low=0, high=classes, dtype=int)
    return torch.nn.CrossEntropyLoss(reduction=oneof('mean', 'sum', 'none'))(random_tensor(2, rows, classes), labels)


@operator
def nll_loss():
    rows, classes = random(1, 5), random(2, 6)
    labels = random_tensor(1, rows, low=0, high=classes, dtype=int)
    return torch.nn.NLLLoss(reduction=oneof('mean', 'sum', 'none'))(random_tensor(2, rows, classes), labels)


@operator
def cosine_similarity():
    rows = random(1, 5)
    a, b = (random_tensor(2, rows, 4, low=0.5, high=2) for _ in range(2))
    return torch.nn.functional.cosine_similarity(a, b, dim=1)


# More of two and several tensors.
for each in 'logaddexp'.split():
    binary(each)


def logical(name):
    def both():
        rows = random(1, 5)
        return getattr(torch, name)(random_tensor(1, rows, dtype=bool), random_tensor(1, rows, dtype=bool))
    body(both, name)


logical('logical_or')
logical('logical_xor')


@operator
def isclose():
    rows = random(1, 5)
    return torch.isclose(random_tensor(1, rows), random_tensor(1, rows), atol=random(0, 2).to(float))


@operator
def baddbmm():
    batch, rows, inner, columns = random(1, 4), random(1, 4), random(1, 4), random(1, 4)
    return torch.baddbmm(random_tensor(3, batch, rows, columns), random_tensor(3, batch, rows, inner),
                         random_tensor(3, batch, inner, columns), beta=random(1, 3).to(float) | nothing())


@operator
def tensordot():
    inner = random(1, 5)
    return torch.tensordot(random_tensor(3, 2, random(1, 4), inner), random_tensor(2, inner, random(1, 4)), dims=1)


@operator
def einsum_batched():
    b, i, j, k = random(1, 4), random(1, 4), random(1, 4), random(1, 4)
    return torch.einsum('bij,bjk->bik', random_tensor(3, b, i, j), random_tensor(3, b, j, k))


@operator
def einsum_outer():
    return torch.einsum('i,j->ij', random_tensor(1, random(1, 6)), random_tensor(1, random(1, 6)))


@operator
def inv():
    return torch.linalg.inv(random_tensor(2, 3, 3, low=-0.2, high=0.2) + torch.eye(3))


@operator
def det():
    return torch.linalg.det(random_tensor(2, 3, 3, low=-0.2, high=0.2) + torch.eye(3))


@operator
def linalg_cross():
    rows = random(1, 5)
    return torch.linalg.cross(random_tensor(2, rows, 3), random_tensor(2, rows, 3), dim=1)


@operator
def pairwise_distance():
    rows = random(1, 5)
    return torch.nn.functional.pairwise_distance(random_tensor(2, rows, 4), random_tensor(2, rows, 4, low=3, high=4), p=oneof(1.0, 2.0))


@operator
def triplet_margin_loss():
    rows = random(1, 5)
    a, p, n = random_tensor(2, rows, 4), random_tensor(2, rows, 4, low=3, high=4), random_tensor(2, rows, 4, low=-4, high=-3)
    return torch.nn.TripletMarginLoss(margin=random(1, 3).to(float), reduction=oneof('mean', 'sum', 'none'))(a, p, n)


# More moves and indices.
def parts(name, axis):
    def cut():
        extents = {f'dim{i}': 6 if i == axis else random(1, 4) for i in range(2)}
        return getattr(torch, name)(random_tensor(ndim=2, **extents), oneof(1, 2, 3))
    body(cut, name)


parts('hsplit', 1)
parts('vsplit', 0)
parts('tensor_split', 0)


@operator
def unbind():
    return torch.unbind(sizes(3), dim=random(0, 3).to(int))


@operator
def select():
    return torch.select(random_tensor(2, 4, random(1, 4)), 0, random(0, 4).to(int))


@operator
def swapaxes():
    return torch.swapaxes(sizes(3), random(0, 3).to(int), random(0, 3).to(int))


@operator
def t():
    return torch.t(sizes(2))


@operator
def view():
    rows, columns = random(1, 5), random(1, 5)
    return random_tensor(2, rows, columns).view(columns, rows)


@operator
def as_strided():
    return torch.as_strided(random_tensor(2, 4, 5), (2, 3), (random(1, 5).to(int), random(1, 3).to(int)), random(0, 3).to(int))


@operator
def unfold_tensor():
    return random_tensor(2, 3, random(4, 8)).unfold(1, random(1, 4).to(int), random(1, 3).to(int))


@operator
def fold():
    return torch.nn.Fold((4, 4), 2, stride=2)(random_tensor(3, random(1, 3), 8, 4))


@operator
def repeat_interleave():
    return torch.repeat_interleave(sizes(2), random(1, 4).to(int), dim=random(0, 2).to(int))


@operator
def meshgrid():
    return torch.meshgrid(random_tensor(1, random(1, 5)), random_tensor(1, random(1, 5)))


@operator
def one_hot():
    return torch.nn.functional.one_hot(random_tensor(1, random(1, 5), low=0, high=4, dtype=int), 5)


@operator
def masked_select():
    x = sizes(2)
    return torch.masked_select(x, x > 0)


@operator
def nonzero():
    return torch.nonzero(sizes(2, dtype=bool))


@operator
def argwhere():
    return torch.argwhere(sizes(2, dtype=bool))


@operator
def argsort():
    columns = random(1, 6)
    distinct = random_tensor(2, random(1, 4), columns) - torch.arange(0, columns) * 5
    return torch.argsort(distinct, dim=1, descending=random_bool())


@operator
def searchsorted():
    return torch.searchsorted(torch.arange(0, 6) * 1.0, sizes(1, requires_grad=False, low=-1, high=7), right=random_bool())


@operator
def index_add():
    return torch.index_add(random_tensor(2, 4, 3), 0, random_tensor(1, 2, low=0, high=4, dtype=int), random_tensor(2, 2, 3))


@operator
def scatter_add():
    return torch.scatter_add(random_tensor(2, 3, 4), 0, random_tensor(2, 2, 4, low=0, high=3, dtype=int), random_tensor(2, 2, 4))


@operator
def cast():
    return sizes(2, requires_grad=False).to(oneof(torch.float64, torch.int32, torch.int64))


@operator
def ones_like():
    return torch.ones_like(sizes())


@operator
def full_like():
    return torch.full_like(sizes(), random(-3, 3).to(float))


@operator
def linspace():
    return torch.linspace(random(-3, 3).to(float), random(3, 9).to(float), random(1, 9).to(int))


@operator
def eye():
    return torch.eye(random(1, 6).to(int), random(1, 6).to(int))


@operator
def trunc():
    return torch.trunc(sizes())


@operator
def frac():
    return torch.frac(sizes(low=-5, high=5))


@operator
def nansum():
    return torch.nansum(sizes(2), dim=random(0, 2).to(int), keepdim=random_bool())


@operator
def quantile():
    return torch.quantile(sizes(2, requires_grad=False), oneof(0.0, 0.5, 1.0), dim=random(0, 2).to(int))


@operator
def affine_grid():
    batch = random(1, 3)
    return torch.nn.functional.affine_grid(random_tensor(3, batch, 2, 3), (batch, 1, 3, 4), align_corners=random_bool())


@operator
def grid_sample():
    grid = random_tensor(4, 1, random(1, 4), random(1, 4), 2, low=-0.9, high=0.9)
    return torch.nn.functional.grid_sample(random_tensor(4, 1, 2, 4, 5), grid, mode=oneof('bilinear', 'nearest'),
                                           padding_mode=oneof('zeros', 'border'), align_corners=random_bool())


# Recurrent layers.
def cell(name):
    def stepped():
        features, hidden = random(1, 5), random(1, 5)
        m = getattr(torch.nn, name)(features, hidden, bias=random_bool() | nothing())
        return m(random_tensor(2, random(1, 4), features))
    body(stepped, name)


for each in 'RNNCell LSTMCell GRUCell'.split():
    cell(each)


def recurrent(name):
    def run():
        features, hidden = random(1, 4), random(1, 4)
        m = getattr(torch.nn, name)(features, hidden, num_layers=random(1, 3), bidirectional=random_bool(), batch_first=random_bool())
        return m(random_tensor(3, random(1, 4), random(1, 4), features))
    body(run, name)


for each in 'RNN LSTM GRU'.split():
    recurrent(each)
