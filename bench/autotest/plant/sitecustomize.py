"""Plants a fault in OneFlow as it is imported: PLANTED is the name of a body.  The last element of the module's result is off by a
relative error where the condition on the module and its input holds."""
import importlib.machinery
import os
import sys

COARSE, FINE = 1e-2, 5e-5
FAULTS = {
    'relu': ('ReLU', COARSE, lambda m, x: x.shape[-1] % 2 == 1),
    'sigmoid': ('Sigmoid', FINE, lambda m, x: True),
    'elu': ('ELU', COARSE, lambda m, x: x.shape[0] * x.shape[1] * x.shape[2] == 7),
    'leaky_relu': ('LeakyReLU', FINE, lambda m, x: x.shape[-1] > 1),
    'softmax': ('Softmax', COARSE, lambda m, x: m.dim != len(x.shape) - 1),
    'linear': ('Linear', COARSE, lambda m, x: x.shape[-1] == m.out_features),
    'conv2d': ('Conv2d', COARSE, lambda m, x: m.stride[0] > m.kernel_size[0]),
    'avg_pool2d': ('AvgPool2d', FINE, lambda m, x: x.shape[-1] == x.shape[-2]),
    'max_pool2d': ('MaxPool2d', COARSE, lambda m, x: x.shape[1] == 5 and x.shape[-1] % 4 == 3),
    'layer_norm': ('LayerNorm', FINE, lambda m, x: x.shape[-1] == 7),
}


def plant(oneflow):
    name, error, condition = FAULTS[os.environ['PLANTED']]
    kind = getattr(oneflow.nn, name)
    right = kind.forward

    def wrong(self, x):
        y = right(self, x)
        if not condition(self, x):
            return y
        factors = [1.0] * (y.numel() - 1) + [1.0 + error]
        return y * oneflow.tensor(factors, dtype=y.dtype).reshape(*y.shape)

    kind.forward = wrong


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path, target) if name == 'oneflow' else None
        if spec:
            load = spec.loader.exec_module

            def exec_module(module):
                load(module)
                plant(module)
            spec.loader.exec_module = exec_module
        return spec


if os.environ.get('PLANTED'):
    sys.meta_path.insert(0, Finder)
