"""The frameworks that bodies run on, by name."""
from .paddle_names import Paddle
from .torch_names import OneFlow, Torch

FRAMEWORKS = {'torch': Torch, 'oneflow': OneFlow, 'paddle': Paddle}


def framework(name):
    """The class of a framework; any other module has the interface of PyTorch."""
    return FRAMEWORKS.get(name) or type(name, (Torch,), {'module': name})
