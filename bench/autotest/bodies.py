"""Ten bodies in AutoTest's style, which OneFlow's own AutoTest and opconform run as they stand: AUTOTEST=oneflow chooses."""
import os

if os.environ.get('AUTOTEST') == 'oneflow':
    from oneflow.test_utils.automated_test_util import autotest, random, random_tensor, torch

    def body(f):
        return autotest(n=1, check_graph=False)(lambda case: f())
else:
    from opconform.autotest import autotest, random, random_tensor, torch
    body = autotest(backends='torch,oneflow')


def image(channels):
    return random_tensor(ndim=4, dim1=channels, dim2=random(8, 12).to(int), dim3=random(8, 12).to(int))


@body
def relu():
    return torch.nn.ReLU()(random_tensor(ndim=3))


@body
def sigmoid():
    return torch.nn.Sigmoid()(random_tensor(ndim=3))


@body
def elu():
    return torch.nn.ELU(alpha=random(1, 3).to(float))(random_tensor(ndim=3))


@body
def leaky_relu():
    return torch.nn.LeakyReLU(negative_slope=random(1, 3).to(float))(random_tensor(ndim=3))


@body
def softmax():
    return torch.nn.Softmax(dim=random(0, 3).to(int))(random_tensor(ndim=3))


@body
def linear():
    features = random(1, 8).to(int)
    return torch.nn.Linear(features, random(1, 8).to(int))(random_tensor(ndim=2, dim1=features))


@body
def conv2d():
    channels = random(1, 6).to(int)
    return torch.nn.Conv2d(channels, random(1, 6).to(int), kernel_size=random(1, 4).to(int), stride=random(1, 4).to(int))(image(channels))


@body
def avg_pool2d():
    return torch.nn.AvgPool2d(kernel_size=random(2, 5).to(int), stride=random(1, 5).to(int), padding=random(0, 2).to(int))(
        image(random(1, 6).to(int)))


@body
def max_pool2d():
    return torch.nn.MaxPool2d(kernel_size=random(2, 5).to(int), stride=random(1, 5).to(int), padding=random(0, 2).to(int))(
        image(random(1, 6).to(int)))


@body
def layer_norm():
    width = random(2, 8).to(int)
    return torch.nn.LayerNorm(width)(random_tensor(ndim=2, dim1=width))
