"""Operators that are registered with PyTorch, right ones and some with one fault each, for tests/t_opcheck.sh."""
import torch

from opconform.autotest import opcheck, random, random_bool, random_tensor

state = []


def operator(name, written=()):
    def register(function):
        made = torch.library.custom_op(f'checked::{name}', function, mutates_args=written)
        return made
    return register


def vector():
    return random_tensor(ndim=1, dim0=random(0, 6))


def matrix():
    return random_tensor(ndim=2, dim0=random(1, 5), dim1=random(1, 5))


@operator('scaled')
def scaled(x: torch.Tensor, factor: float) -> torch.Tensor:
    return x * factor


scaled.register_fake(lambda x, factor: torch.empty_like(x))
scaled.register_autograd(lambda ctx, dy: (dy * ctx.factor, None),
                         setup_context=lambda ctx, inputs, output: setattr(ctx, 'factor', inputs[1]))


@opcheck(scaled)
def test_right():
    return matrix(), random(1, 4).to(float)


@operator('summed')
def summed(x: torch.Tensor, axis: int) -> torch.Tensor:
    return x.sum(axis)


summed.register_fake(lambda x, axis: x.new_empty([each for i, each in enumerate(x.shape) if i != axis]))


@opcheck('checked::summed')
def test_right_sum():
    """Another order of its additions is right with other strides."""
    return random_tensor(ndim=2, dim0=random(1, 40), dim1=random(1, 5)), {'axis': random(0, 2)}


@operator('turned')
def turned(x: torch.Tensor) -> torch.Tensor:
    return torch.complex(x, x * 0.1).sum(0)


turned.register_fake(lambda x: x.new_empty(x.shape[1:], dtype=torch.complex64))


@opcheck(turned)
def test_right_complex():
    return random_tensor(ndim=2, dim0=random(1, 40), dim1=random(1, 5))


@operator('added', written=('x',))
def added(x: torch.Tensor, y: torch.Tensor) -> None:
    x += y


added.register_fake(lambda x, y: None)


@opcheck(torch.ops.checked.added)
def test_right_written():
    n = random(1, 5)
    return random_tensor(ndim=1, dim0=n), random_tensor(ndim=1, dim0=n)


@operator('refusing')
def refusing(x: torch.Tensor, k: int) -> torch.Tensor:
    if k > 1:
        raise ValueError('k is too large')
    return x + k


refusing.register_fake(lambda x, k: torch.empty_like(x))


@opcheck(refusing)
def test_refuses():
    return vector(), random(0, 4)


@operator('changes')
def changes(x: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    if x.numel() > 3:
        x[3] = 0
    return y


changes.register_fake(lambda x: torch.empty_like(x))


@opcheck(changes)
def test_changes_an_operand():
    return vector()


library = torch.library.Library('checked', 'FRAGMENT')
library.define('shares(Tensor x, bool copies) -> Tensor')
library.impl('shares', lambda x, copies: x.detach().clone() if copies else x.detach()[1:], 'CPU')
library.impl('shares', lambda x, copies: torch.empty_like(x if copies else x[1:]), 'Meta')


@opcheck('checked::shares')
def test_shares_memory():
    return vector(), random_bool()


@operator('shares_at_times')
def shares_at_times(x: torch.Tensor) -> torch.Tensor:
    """What is contiguous already is no copy."""
    return x.t().contiguous()


shares_at_times.register_fake(lambda x: x.t().contiguous())


@opcheck(shares_at_times)
def test_shares_memory_at_times():
    return matrix()


@operator('shaped')
def shaped(x: torch.Tensor) -> torch.Tensor:
    return x.t().clone(memory_format=torch.contiguous_format)


shaped.register_fake(lambda x: torch.empty_like(x))


@opcheck(shaped)
def test_fake_shape():
    return matrix()


@operator('counted')
def counted(x: torch.Tensor) -> torch.Tensor:
    return (x > 0).sum().to(torch.int32)


counted.register_fake(lambda x: x.new_empty((), dtype=torch.int64))


@opcheck(counted)
def test_fake_type():
    return vector()


@operator('dense')
def dense(x: torch.Tensor) -> torch.Tensor:
    """Takes the first numbers of the memory for the elements."""
    return torch.as_strided(x, x.shape, torch.empty(x.shape).stride()) * 2


dense.register_fake(lambda x: x.new_empty(x.shape))


@opcheck(dense)
def test_layout():
    return matrix()


@operator('counting')
def counting(x: torch.Tensor) -> torch.Tensor:
    state.append(1)
    return x + (len(state) % 2) * 2.0 ** -20


counting.register_fake(lambda x: torch.empty_like(x))


@opcheck(counting)
def test_state():
    return vector()


@operator('squared')
def squared(x: torch.Tensor) -> torch.Tensor:
    return x * x


squared.register_fake(lambda x: torch.empty_like(x))
squared.register_autograd(lambda ctx, dy: dy * ctx.x,
                          setup_context=lambda ctx, inputs, output: setattr(ctx, 'x', inputs[0]))


@opcheck(squared)
def test_gradient():
    return vector()


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x * 2

    @staticmethod
    def backward(context, dy):
        return dy * 2


library.define('below(Tensor x) -> Tensor')
library.impl('below', Doubled.apply, 'CPU')
library.impl('below', torch.empty_like, 'Meta')


@opcheck('checked::below')
def test_gradient_below():
    return vector()


@operator('without')
def without(x: torch.Tensor) -> torch.Tensor:
    return x + 1


@opcheck(without)
def test_no_kernel_for_shapes():
    return vector()
