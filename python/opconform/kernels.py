"""Functions of a user's own that compute operators of `opconform list ops`."""
import dataclasses
import inspect

# How arrays of NumPy become those of another library, as an expression over one of its modules.
ARRAYS = {'numpy': '{}', 'torch': 'torch.from_numpy({})', 'jax': 'jax.numpy.asarray({})',
          'tensorflow': 'tensorflow.convert_to_tensor({})', 'paddle': 'paddle.to_tensor({})',
          'oneflow': 'oneflow.from_numpy({})'}


@dataclasses.dataclass
class Kernel:
    """A function with the operators that it computes.  dtypes and requires are texts as in bindings; call is how it is
    called."""
    function: object
    operators: str
    dtypes: str
    requires: str
    call: str
    arrays: str

    @property
    def name(self):
        return self.function.__name__

    def row(self):
        """The line of a greeting (ops/backend/python/rows.h)."""
        return f'kernel {self.operators} | {self.dtypes} | {self.call} | {self.requires}'


# Those of the file that is loaded, in their order.
registered = []


def usual_call(function):
    """The function on parameters that have the names of operands and attributes; one with a default may be left out."""
    words = []
    for each in inspect.signature(function).parameters.values():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            raise TypeError(f'{function.__name__} takes *{each.name}: say call="{function.__name__}(x, axis)"')
        named = each.kind == each.KEYWORD_ONLY or each.default is not each.empty
        words.append(f'{each.name}={each.name}' if named else each.name)
        words[-1] += '?' if each.default is not each.empty else ''
    return f'{function.__name__}({", ".join(words)})'


def one_line(words):
    """A text as part of a row, which ends of lines would cut."""
    return ' '.join(words.split())


def kernel(operators, *, dtypes='', requires='', call=None, arrays='numpy'):
    """The function computes an operator, or each of several with spaces between.

    Its parameters have the names of operands and attributes (`opconform list ops`, `opconform list bindings`); or call
    says how it is called: 'mine(x, dim=axis)'.  It returns the output, or a tuple of them.  dtypes: element types, of
    which f32 and f64 are the default; requires: conditions of the cases that it takes, as 'rank=2, cols%8=0'; arrays: the
    library of the arrays that it is given, one of ARRAYS."""
    if arrays not in ARRAYS:
        raise ValueError(f'there are no arrays of {arrays!r}: known are {", ".join(ARRAYS)}')

    def register(function):
        registered.append(Kernel(function, one_line(operators), one_line(dtypes), one_line(requires),
                                 one_line(call or usual_call(function)), arrays))
        return function
    return register
