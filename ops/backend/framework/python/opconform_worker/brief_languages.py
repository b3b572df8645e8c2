"""How a brief program of each library makes its tensors and differentiates its call."""
import shlex

import numpy as np

from . import own_file

TYPES = {'f32': 'float32', 'f64': 'float64', 'f16': 'float16', 'bf16': 'bfloat16', 'i8': 'int8', 'u8': 'uint8',
         'i32': 'int32', 'i64': 'int64', 'bool': 'bool', 'c64': 'complex64', 'c128': 'complex128',
         'e4m3': 'float8_e4m3fn', 'e5m2': 'float8_e5m2', 'i16': 'int16', 'u16': 'uint16', 'u32': 'uint32',
         'u64': 'uint64'}
# Types of the parts of complex ones.
PARTS = {'c64': 'f32', 'c128': 'f64'}
DOCUMENTED = ('ValueError', 'TypeError', 'IndexError', 'RuntimeError', 'NotImplementedError')


class Language:
    """name: of the module in programs.  package: that is installed.  imports: by the names that programs have for
    modules.  make: what makes a tensor of a list.  own: types that need no mention there.  leaf: what a tensor that
    is differentiated is made with besides."""
    name = package = make = full = ''
    imports, own, leaf = {}, ('f32', 'i64', 'bool'), ''
    # Settings that programs need in any case, by how their lines begin.
    needed = ()
    documented = DOCUMENTED
    # What makes lists of a tensor's numbers.
    to_list = '.tolist()'

    def how(self, version, file):
        """The first line of a program: how it is run."""
        return f'pip install {self.package}=={version}; python {file}'

    def head(self, description):
        """The comment on top of a program.  The texts of the description are of one line each."""
        version = description['library'].split(' ')[-1].split('+')[0]
        return [f'# {self.how(version, description["file"])}', f'# {description["title"]}']

    def dtype(self, dtype):
        return f'{self.name}.{TYPES[dtype]}'

    def tensor(self, dtype, values, leaf):
        named = '' if dtype in self.own else f', dtype={self.dtype(dtype)}'
        return f'{self.make}({values}{named}{self.leaf if leaf else ""})'

    def constant(self, dtype, shape, value, leaf):
        named = '' if dtype in self.own else f', dtype={self.dtype(dtype)}'
        return f'{self.full}({shape}, {value}{named}{self.leaf if leaf else ""})'

    def before(self, description):
        """Lines before the tensors."""
        return []

    def leaves(self, names):
        """Lines that make existing tensors differentiable."""
        return []

    def gradient(self, lines, result, names, target, is_complex):
        """The lines of the call, what follows, and the text of the gradient by the target."""
        return [*lines, f'{result}.backward(dy)'], f'{target}.grad'


class Torch(Language):
    name = package = 'torch'
    make, full, leaf = 'torch.tensor', 'torch.full', ', requires_grad=True'
    imports = {'torch': 'import torch', 'np': 'import numpy as np'}


class Paddle(Language):
    name, package = 'paddle', 'paddlepaddle'
    make, full = 'paddle.to_tensor', 'paddle.full'
    imports = {'paddle': 'import paddle', 'np': 'import numpy as np'}

    def leaves(self, names):
        return [f'{name}.stop_gradient = False' for name in names]


class OneFlow(Language):
    name, package = 'flow', 'oneflow'
    make, full, leaf = 'flow.tensor', 'flow.full', ', requires_grad=True'
    imports = {'flow': 'import oneflow as flow', 'np': 'import numpy as np'}


class TensorFlow(Language):
    name, package = 'tf', 'tensorflow'
    make, own = 'tf.constant', ('f32', 'i32', 'bool')
    imports = {'tf': 'import tensorflow as tf', 'ml_dtypes': 'import ml_dtypes', 'np': 'import numpy as np'}
    documented = (*DOCUMENTED, 'tf.errors.InvalidArgumentError')
    to_list = '.numpy().tolist()'

    def constant(self, dtype, shape, value, leaf):
        return f'tf.constant({value}, {self.dtype(dtype)}, {shape})'

    def gradient(self, lines, result, names, target, is_complex):
        watched = names[0] if len(names) == 1 else f'[{", ".join(names)}]'
        inside = [f'    {line}' for line in (f'tape.watch({watched})', *lines)]
        return ['with tf.GradientTape() as tape:', *inside], f'tape.gradient({result}, {target}, dy)'


class Jax(Language):
    name, package = 'jnp', 'jax'
    make, full, own = 'jnp.array', 'jnp.full', ()
    imports = {'jax': 'import jax', 'lax': 'from jax import lax', 'jnp': 'import jax.numpy as jnp', 'np': 'import numpy as np'}
    needed = ('jax.config.update',)

    def dtype(self, dtype):
        return f'jnp.{TYPES[dtype].replace("bool", "bool_")}'

    def gradient(self, lines, result, names, target, is_complex):
        inside = [f'    {line}' for line in (*lines, f'return {result}')]
        given, at = ', '.join(names), names.index(target)
        return [f'def function({given}):', *inside, f'y, gradients = jax.vjp(function, {given})'], \
            f'gradients(dy.conj())[{at}].conj()' if is_complex else f'gradients(dy)[{at}]'


class NumPy(Language):
    name, package = 'np', 'numpy'
    make, full, own = 'np.array', 'np.full', ('f64', 'i64', 'bool')
    to_list = ''
    imports = {'np': 'import numpy as np'}

    def dtype(self, dtype):
        return f'np.{TYPES[dtype].replace("bool", "bool_")}'


class NumExpr(NumPy):
    package = 'numexpr'
    imports = {'np': 'import numpy as np', 'ne': 'import numexpr as ne'}


class SciPy(NumPy):
    package = 'scipy'
    imports = {'np': 'import numpy as np', 'scipy': 'import scipy'}
    documented = (*DOCUMENTED, 'np.linalg.LinAlgError')


class Onnx(NumPy):
    package = 'onnx onnxruntime'
    imports = {'np': 'import numpy as np', 'onnx': 'import onnx', 'ort': 'import onnxruntime as ort'}
    own = ('f64', 'i64', 'bool')
    documented = (*DOCUMENTED, 'Exception')

    def before(self, description):
        return [f"model = onnx.parser.parse_model('''{description['model']}''')"]


class OwnFile(NumPy):
    """Functions of a user's file, which stands beside what is imported."""

    def how(self, version, file):
        return f'PYTHONPATH={shlex.quote(":".join(own_file.path_of_programs()))} python3 {file}'

    def before(self, description):
        function = description['call'].split('\ncall ')[1].split('(')[0]
        return [*own_file.imports_of(function), '']


LANGUAGES = {'torch': Torch(), 'paddle': Paddle(), 'oneflow': OneFlow(), 'tensorflow': TensorFlow(), 'jax': Jax(),
             'numpy': NumPy(), 'numexpr': NumExpr(), 'scipy': SciPy(), 'ort': Onnx(),
             'python': OwnFile()}


def number(value, dtype):
    """The shortest decimal that is the element of this type, as Python reads it."""
    if dtype in ('bool',):
        return repr(bool(value))
    if dtype in PARTS:
        return f'complex({number(value.real, PARTS[dtype])}, {number(value.imag, PARTS[dtype])})'
    if dtype[0] in 'iu':
        return repr(int(value))
    kind = {'f64': np.float64, 'f16': np.float16}.get(dtype, np.float32)
    return repr(float(str(kind(value))))
