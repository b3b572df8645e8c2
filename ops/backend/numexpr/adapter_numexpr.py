"""numexpr: what numexpr.bindings asks for, in one thread."""
import numexpr

from .adapter import Library, settings_of


def evaluate(text, **operands):
    return numexpr.evaluate(text, local_dict=operands)


class Adapter(Library):
    rows = 'numexpr'

    def __init__(self, mode):
        settings_of(mode, ())
        numexpr.set_num_threads(1)

    @staticmethod
    def facts():
        return {'version': numexpr.__version__, 'build': 'numexpr', 'core': 'x86-64',
                'path': numexpr.__file__}
