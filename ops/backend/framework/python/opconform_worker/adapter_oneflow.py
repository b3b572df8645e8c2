"""OneFlow, eager: what oneflow.bindings asks for, and gradients by oneflow.autograd.grad.  Results are
there when they are asked for (numpy()): an operation may run in a thread of its own."""
import os

os.environ.setdefault('GLOG_minloglevel', '3')

import numpy as np
import oneflow as flow
from oneflow.nn import functional as F

from . import programs
from .adapter import NUMPY, Differentiable, decline, settings_of
from .draws import by_global_seed, with_seeds
from .torch_calls import batch_norm_train, gather, strided, with_activation

activated = with_activation(F)
drawn = with_seeds(by_global_seed(flow.manual_seed), flow.Tensor.clone)


def typed(word):
    return getattr(flow, NUMPY[word].__name__)


def atan2(a, b):
    decline(a.shape != b.shape, 'atan2 does not repeat operands')
    return flow.atan2(a, b)


class Adapter(programs.Programs, Differentiable):
    framework = 'oneflow'
    rows = 'oneflow'
    missing = ('Cannot find the kernel',)
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
