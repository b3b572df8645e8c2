"""Which exceptions are no answer of the library: what a row or an adapter asks for, and the installed version
has not."""
import os
import re

# Where the calls of rows come from, in tracebacks.
ROWS = '<bindings>'
FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep
UNKNOWN_KEYWORD = re.compile(r"unexpected keyword argument '(\w+)'")
# Of PyTorch's parser of arguments, which knows their types.
UNKNOWN_ARGUMENTS = 'received an invalid combination of arguments'


def codes_of(why):
    """The code of each frame that the exception went through, the outermost first, but for functions that look up
    names."""
    trace, codes = why.__traceback__, []
    while trace:
        codes.append(trace.tb_frame.f_code)
        trace = trace.tb_next
    while codes and codes[-1].co_name == '__getattr__':
        codes.pop()
    return codes


def is_own(code):
    return code.co_filename == ROWS or code.co_filename.startswith(FOLDER)


def names_keyword(code, keyword):
    """Calls keep the names of their keywords in tuples."""
    return any(isinstance(value, tuple) and keyword in value for value in code.co_consts)


def unknown_call(why):
    """Whether the exception says that a name, a keyword or arguments of ours do not exist."""
    codes = codes_of(why)
    own = [code for code in codes if is_own(code)]
    if isinstance(why, AttributeError) or isinstance(why, TypeError) and UNKNOWN_ARGUMENTS in str(why):
        return bool(own) and codes[-1] is own[-1]
    keyword = isinstance(why, TypeError) and UNKNOWN_KEYWORD.search(str(why))
    # Forms of calls hand the keywords of a row on.
    return bool(keyword) and any(names_keyword(code, keyword[1]) for code in own)
