"""What must hold of each call of an operator that is registered with PyTorch, whatever it computes.

schema: operands that the schema does not mark as written keep their elements and their shape, and results have memory of their
own unless the schema says whose.  repeat: a second call gives the same bits.  layout: operands of other strides give the same, as
far as four runs with operands that are off by a rounding tell (judging.py has the rule).  fake: the kernel for shapes gives the
extents, types and strides that the real one gives.  autograd: what has no kernel for a gradient gives results without one.
gradient: it agrees with differences in binary64, by torch.autograd.gradcheck and its tolerance.  compiled: torch.compile with
extents that are not fixed gives the same bits."""
import numpy as np
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd.gradcheck import GradcheckError, gradcheck

from . import data
from .judging import RELATIVE, ROUNDINGS, SPREAD

DISPATCH_KEYS = ('Autograd', 'AutogradCPU', 'CompositeImplicitAutograd')
# What PyTorch itself says of a result that shares memory.
NO_ALIAS = 'may not alias any inputs'
FLOATS = (torch.float32, torch.float64)


class Failed(Exception):
    """check: its name; where: an operand or a result."""

    def __init__(self, check, where, words):
        super().__init__(words)
        self.check, self.where, self.words = check, where, words


def overload_of(operator):
    """Of a name such as my::scale or my::scale.out, of torch.ops.my.scale, or of what torch.library.custom_op returned."""
    if isinstance(operator, str):
        library, _, name = operator.partition('::')
        operator = getattr(getattr(torch.ops, library), name.partition('.')[0])
        name = name.partition('.')[2]
        return getattr(operator, name) if name else overload_of(operator)
    operator = getattr(operator, '_opoverload', operator)
    return getattr(operator, operator.overloads()[0]) if hasattr(operator, 'overloads') else operator


def tensors_of(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [each for part in value for each in tensors_of(part)] if isinstance(value, (tuple, list)) else []


def replaced(value, change):
    if isinstance(value, torch.Tensor):
        return change(value)
    return type(value)(replaced(each, change) for each in value) if isinstance(value, (tuple, list)) else value


def result_name(results, i):
    return f'result {i + 1}' if len(results) > 1 else 'result'


def parts(tensor):
    """In binary64, the parts of a complex number as two."""
    return (torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor).double()


def bits(tensor):
    return tensor.detach().resolve_conj().resolve_neg().contiguous().cpu().numpy().tobytes()


def described(tensor):
    return f'{str(tensor.dtype)[6:]}{list(tensor.shape)}'


def strided(tensor):
    """The same elements, every second one of a larger tensor, with the last two axes exchanged in memory."""
    if tensor.dim() == 0:
        return torch.stack((tensor, tensor))[1]
    axes = list(range(tensor.dim()))
    axes[-2:] = reversed(axes[-2:])
    large = torch.full([2 * tensor.shape[axis] for axis in axes], 7, dtype=tensor.dtype)
    view = large[tuple(slice(None, None, 2) for _ in axes)].permute(axes)
    return view.copy_(tensor)


class Checks:
    """The checks of one call.  notes: what could not be checked, and why."""

    def __init__(self, overload, values):
        self.overload, self.schema, self.notes = overload, overload._schema, []
        named = dict(values.pop()) if values and isinstance(values[-1], dict) else {}
        self.values = {**dict(zip((each.name for each in self.schema.arguments), values)), **named}

    def copies(self, change=torch.clone):
        return {name: replaced(value, lambda tensor: change(tensor.detach())) for name, value in self.values.items()}

    def call(self, values):
        positional = [values[each.name] for each in self.schema.arguments if not each.kwarg_only and each.name in values]
        named = {each.name: values[each.name] for each in self.schema.arguments if each.kwarg_only and each.name in values}
        return self.overload(*positional, **named)

    def observed(self, values):
        """Results and operands that the schema marks as written, by their names."""
        results = tensors_of(self.call(values))
        named = [(result_name(results, i), each) for i, each in enumerate(results)]
        return named + [(name, each) for name in self.written() for each in tensors_of(values.get(name))]

    def written(self):
        return [each.name for each in self.schema.arguments if each.alias_info is not None and each.alias_info.is_write]

    def run(self):
        """Each check, which raises Failed.  What else raises on a plain call is the answer to these arguments."""
        try:
            self.plain = self.observed(self.copies())
        except RuntimeError as why:
            if NO_ALIAS in str(why):
                raise Failed('schema', 'result', 'shares the memory of an operand, and its schema does not say so') from why
            raise
        checks = [self.schema_holds, self.shapes_are_known, self.gradients_agree]
        if torch.Tag.nondeterministic_seeded not in self.overload.tags:
            checks += [self.repeats, self.takes_any_strides, self.compiles]
        else:
            self.notes.append('draws random numbers: calls are not compared')
        for check in checks:
            check()

    def schema_holds(self):
        values = self.copies()
        before = [(name, each, bits(each), described(each)) for name in values for each in tensors_of(values[name])]
        results = tensors_of(self.call(values))
        for name, tensor, content, form in before:
            if name in self.written():
                continue
            if described(tensor) != form:
                raise Failed('schema', name, f'becomes {described(tensor)}, and its schema does not say that it is written')
            if bits(tensor) != content:
                raise Failed('schema', name, 'is changed, and its schema does not say that it is written')
        self.memory_is_own(values, results)

    def memory_is_own(self, values, results):
        returned = [each.alias_info for each in self.schema.returns]
        for i, result in enumerate(results):
            info = returned[min(i, len(returned) - 1)] if returned else None
            for name in values:
                argument = next(each for each in self.schema.arguments if each.name == name)
                allowed = info is not None and argument.alias_info is not None and \
                    set(info.before_set) & set(argument.alias_info.before_set)
                for tensor in tensors_of(values[name]):
                    if result.untyped_storage()._cdata == tensor.untyped_storage()._cdata and not allowed:
                        raise Failed('schema', result_name(results, i),
                                     f'shares the memory of {name}, and its schema does not say so')

    def equal_bits(self, check, found, how):
        for (name, right), (_, each) in zip(self.plain, found):
            if described(right) != described(each):
                raise Failed(check, name, f'is {described(each)} {how}, and {described(right)} without')
            if bits(right) != bits(each):
                raise Failed(check, name, f'has other elements {how}')

    def repeats(self):
        self.equal_bits('repeat', self.observed(self.copies()), 'in a second call')

    def slack(self, number, others):
        """How far elements of a result may be off where another order of operations is right; others: what the operator gives
        for operands that are off by a rounding."""
        right = parts(self.plain[number][1])
        change = torch.zeros_like(right)
        for found in others:
            off = found[number][1]
            if off.shape == self.plain[number][1].shape:
                change = torch.maximum(change, (parts(off) - right).abs())
        unit, size = torch.finfo(self.plain[number][1].dtype).eps / 2, right.abs().nan_to_num(0, 0, 0).amax() if right.numel() else 0
        return SPREAD * change.nan_to_num(torch.inf, torch.inf) + RELATIVE * unit * size

    def takes_any_strides(self):
        try:
            found = self.observed(self.copies(strided))
        except Exception as why:
            raise Failed('layout', 'operands', f'of other strides are refused: {type(why).__name__}: {first_line(why)}') from why
        others = [self.observed(self.copies(lambda tensor, seed=i: rounded(tensor, seed))) for i in range(ROUNDINGS)]
        for number, ((name, right), (_, each)) in enumerate(zip(self.plain, found)):
            if described(right) != described(each):
                raise Failed('layout', name, f'is {described(each)} of operands with other strides, and {described(right)} of dense ones')
            if bits(right) != bits(each) and not self.is_near(number, each, others):
                raise Failed('layout', name, 'has other elements of operands with other strides')

    def is_near(self, number, tensor, others):
        """Whether it may be the result: equal, both NaN, or near it."""
        right = self.plain[number][1]
        if not right.is_floating_point() and not right.is_complex():
            return torch.equal(tensor, right)
        a, b = parts(tensor), parts(right)
        return bool(((a == b) | (a.isnan() & b.isnan()) | ((a - b).abs() <= self.slack(number, others))).all())

    def shapes_are_known(self):
        values = self.copies()
        with FakeTensorMode(allow_non_fake_inputs=False) as mode:
            values = {name: replaced(value, mode.from_tensor) for name, value in values.items()}
            try:
                found = tensors_of(self.call(values))
            except Exception as why:
                raise Failed('fake', 'operator', f'has no kernel for shapes, or one that raises: {type(why).__name__}: '
                             f'{first_line(why)}') from why
        real = [each for name, each in self.plain if name.startswith('result')]
        if len(found) != len(real):
            raise Failed('fake', 'operator', f'has {len(found)} results by its kernel for shapes, and {len(real)}')
        for (name, right), each in zip(self.plain, found):
            if described(right) != described(each):
                raise Failed('fake', name, f'is {described(each)} by the kernel for shapes, and {described(right)}')
            if right.numel() > 1 and strides(right) != strides(each):
                raise Failed('fake', name, f'has strides {each.stride()} by the kernel for shapes, and {right.stride()}')

    def gradients_agree(self):
        if self.written():
            return
        values = self.copies(lambda tensor: tensor.requires_grad_() if tensor.is_floating_point() else tensor.clone())
        if not any(tensor.requires_grad for name in values for tensor in tensors_of(values[name])):
            return
        before = torch._C._get_autograd_fallback_mode()
        torch._C._set_autograd_fallback_mode('nothing')  # by which results without a kernel for a gradient would have one that raises
        try:
            asked = [each for each in tensors_of(self.call(values)) if each.requires_grad]
        finally:
            torch._C._set_autograd_fallback_mode(before)
        known = any(torch._C._dispatch_has_kernel_for_dispatch_key(self.overload.name(), key) for key in DISPATCH_KEYS)
        if asked and not known:
            raise Failed('autograd', 'result', 'requires a gradient, and no kernel is registered for one: gradients below the '
                         'dispatcher are lost to its transforms')
        if asked:
            self.differences_agree()

    def differences_agree(self):
        wide = self.copies(lambda tensor: tensor.double().requires_grad_() if tensor.is_floating_point() else tensor.clone())
        names = [name for name in wide if any(each.requires_grad for each in tensors_of(wide[name]))]
        operands = [each for name in names for each in tensors_of(wide[name])]

        def function(*given):
            left = iter(given)
            return tuple(each for each in tensors_of(self.call(
                {name: replaced(value, lambda _: next(left)) if name in names else value for name, value in wide.items()}))
                if each.is_floating_point())
        try:
            function(*operands)
        except Exception as why:
            self.notes.append(f'gradients are not compared: binary64 is refused: {first_line(why)}')
            return
        try:
            gradcheck(function, operands)
        except GradcheckError as why:
            raise Failed('gradient', 'operator', f'differs from differences: {first_line(why)}') from why
        except Exception as why:
            self.notes.append(f'gradients are not compared: {first_line(why)}')

    def compiles(self):
        torch._dynamo.reset()  # which gives up where it has compiled one function many times
        function = torch.compile(lambda values: self.call(values), backend='aot_eager', fullgraph=True, dynamic=True)
        values = self.copies()
        try:
            results = tensors_of(function(values))
        except Exception as why:
            raise Failed('compiled', 'operator', f'is not compiled: {type(why).__name__}: {first_line(why)}') from why
        named = [(name, each) for (name, _), each in zip(self.plain, results)]
        self.equal_bits('compiled', named + [(name, each) for name in self.written() for each in tensors_of(values.get(name))],
                        'by torch.compile')


def strides(tensor):
    """Of axes with more than one place."""
    return [stride for stride, extent in zip(tensor.stride(), tensor.shape) if extent > 1]


def rounded(tensor, seed):
    """Each element off by a rounding, up or down."""
    if tensor.dtype not in FLOATS:
        return tensor.clone()
    signs = torch.from_numpy(np.ascontiguousarray(data.signs(tuple(tensor.shape), seed + 1, 0)))
    return (tensor * (1 + torch.finfo(tensor.dtype).eps / 2 * signs)).to(tensor.dtype)


def first_line(why):
    return next((line.strip() for line in str(why).splitlines() if line.strip()), '')[:160]


def check(operator, values):
    """(check, where, words) of what fails first, or None; and notes."""
    checks = Checks(overload_of(operator), list(values))
    try:
        checks.run()
    except Failed as why:
        return (why.check, why.where, why.words), checks.notes
    return None, checks.notes
