"""Bodies that are run in several frameworks on the same random arguments, in the style of OneFlow's AutoTest.

    from opconform.autotest import *

    @autotest(n=20, backends='torch,oneflow')
    def linear():
        features = random(1, 6)
        m = torch.nn.Linear(features, random(1, 6))
        return m(random_tensor(ndim=2, dim1=features))

`torch` is no import: it is whatever the framework of a run has under PyTorch's names."""
from .body import Failed, autotest, opcheck
from .generators import (constant, nothing, oneof, random, random_bool, random_device, random_or_nothing, random_tensor)
from .run import Name

torch = Name()

__all__ = ['Failed', 'autotest', 'constant', 'nothing', 'oneof', 'opcheck', 'random', 'random_bool', 'random_device',
           'random_or_nothing', 'random_tensor', 'torch']
