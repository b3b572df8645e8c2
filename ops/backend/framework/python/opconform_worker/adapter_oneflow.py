"""OneFlow, eager: what oneflow.bindings asks for, and gradients by oneflow.autograd.grad.  Results are
there when they are asked for (numpy()): an operation may run in a thread of its own."""
import os

os.environ.setdefault('GLOG_minloglevel', '3')

import numpy as np
import oneflow as flow
from oneflow.nn import functional as F

from . import programs
from .adapter import NUMPY, Differentiable, decline, settings_of
from .draws import by_global_seed, dropping, stacked, with_seeds
from .torch_calls import batch_norm_train, channelwise, gather, strided, with_activation, with_gates

activated = with_activation(F)
drawn = with_seeds(by_global_seed(flow.manual_seed), flow.Tensor.clone)
dropped = dropping(flow.manual_seed, flow.ones_like)
recurrent = with_gates(flow.cat)[1]
NORMS = {3: flow.nn.InstanceNorm1d, 4: flow.nn.InstanceNorm2d, 5: flow.nn.InstanceNorm3d}


def typed(word):
    return getattr(flow, NUMPY[word].__name__)


def atan2(a, b):
    decline(a.shape != b.shape, 'atan2 does not repeat operands')
    return flow.atan2(a, b)


def padded(x, count):
    """What a call found, with zeros behind it."""
    rest = x.new_zeros((count - len(x), *x.shape[1:]))
    return flow.cat((x, rest), 0) if len(x) else rest


def decline_ties(x, axis):
    values = np.sort(x.detach().numpy(), axis)
    ties = np.diff(values, axis=axis) == 0
    decline(bool(ties.any()) or int((values != values).sum(axis).max(initial=0)) > 1,
            'equal elements, of whose order nothing is promised')


def ordered(x, axis, descending):
    decline_ties(x, axis)
    values, places = flow.sort(x, axis, descending)
    return values, places.to(flow.int64)


def argsorted(x, axis, descending):
    decline_ties(x, axis)
    places = flow.argsort(x, axis, descending).to(flow.int64)
    return flow.gather(x, axis, places), places


def topk(x, count, axis, largest):
    decline_ties(x, axis)
    values, places = flow.topk(x, count, axis, largest)
    return values, places.to(flow.int64)


def shuffled(rows, columns, dtype):
    """So many permutations, one after the other."""
    return stacked(flow.stack, flow.randperm, rows)(columns, dtype=dtype)


def instance_norm(x, scale, bias, epsilon):
    """By a module without parameters, through which gradients flow to them."""
    spread = (1, -1, *[1] * (x.dim() - 2))
    return NORMS[x.dim()](x.shape[1], epsilon)(x) * scale.reshape(spread) + bias.reshape(spread)


class Adapter(programs.Programs, Differentiable):
    framework = 'oneflow'
    rows = 'oneflow'
    missing = ('Cannot find the kernel',)
    asynchronous = True

    def __init__(self, mode):
        self.compiles = programs.compiler_of(settings_of(mode, programs.modes('oneflow')), 'oneflow')

    def warm_up(self):
        """The first operation starts the threads that compute.  This one waits for them in a loop, which
        a scheduler that takes it for a batch job interrupts more readily; a policy that the user chose stays."""
        flow.ones(2, 2).matmul(flow.ones(2, 2)).numpy()
        if os.sched_getscheduler(0) == os.SCHED_OTHER:
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
