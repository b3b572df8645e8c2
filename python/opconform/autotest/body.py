"""The decorator, and what it makes of a body."""
import sys

from . import loading

BACKENDS = 'torch,oneflow,paddle'
# Calls of an operator that is checked.
CHECKED = 10


class Failed(AssertionError):
    """Frameworks differ; the text says in what, with the body made simple."""


class Autotest:
    """A body with its settings; calling it runs n cases, or the one of these choices, and raises Failed at the first
    difference."""

    def __init__(self, body, n, backends, auto_backward, check_graph, rtol, atol):
        self.body, self.n, self.auto_backward, self.check_graph = body, n, auto_backward, check_graph
        self.rtol, self.atol = rtol, atol
        self.backends = [name.strip() for name in backends.split(',')]
        self.name, self.file = body.__name__, body.__code__.co_filename
        self.__name__, self.__doc__, self.__module__ = body.__name__, body.__doc__, body.__module__

    def campaign(self):
        from . import campaign
        return campaign.Campaign(self)

    def __call__(self, *choices):
        from . import campaign
        if choices:
            failure = campaign.replay(self, choices)
            if failure:
                raise Failed(failure.text())
            return
        result = campaign.run(self)
        if result.failures:
            raise Failed(result.failures[0].text())
        for words in result.notes:
            print(f'opconform: {self.name}: {words}', file=sys.stderr)


def autotest(n=20, backends=BACKENDS, auto_backward=True, check_graph=False, rtol=None, atol=None):
    """n: cases.  backends: the first is the one whose body draws.  auto_backward: gradients by random gradients of the outputs
    are compared as well.  check_graph: static modes too.  rtol and atol: in place of the computed tolerance."""
    def register(body):
        test = Autotest(body, n, backends, auto_backward, check_graph, rtol, atol)
        loading.registered.append(test)
        return test
    return register


class OperatorCheck(Autotest):
    """operator: as operator_checks.overload_of takes it.  The body returns the arguments of a call: one, or a tuple of them whose
    last may be a dictionary of those that have names."""

    def __init__(self, body, operator, n):
        super().__init__(body, n, 'torch', False, False, None, None)
        self.operator = operator

    def campaign(self):
        from . import campaign
        return campaign.OperatorCampaign(self)


def opcheck(operator, n=CHECKED):
    """What must hold of an operator that is registered with PyTorch (operator_checks.py) is asked of n calls, whose arguments the
    body draws.  operator: 'my::scale', torch.ops.my.scale, or what torch.library.custom_op returned."""
    def register(body):
        test = OperatorCheck(body, operator, n)
        loading.registered.append(test)
        return test
    return register
