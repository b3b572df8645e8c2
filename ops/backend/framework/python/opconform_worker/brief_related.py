"""Programs of two related calls, which a library answers otherwise: each is a function, and what they give is compared."""
import math
import textwrap

# What may differ of two answers, and the expression of each that must then be the same.
CLASSES = ((math.isnan, 'math.isnan({})'), (math.isinf, 'math.isinf({})'))
# An expectation that every number meets.
ANYTHING = ['0x0p+0', '0x0p+0', 'inf', 15, 0]


def numbers(description, *names):
    return [float.fromhex(description['second'][name]) for name in names]


def calls(description):
    """The names of the functions, with the description of each call, of which one element alone is asked, and that."""
    second = description['second']
    for name, part, component in (('first', description, second['image']),
                                  ('second', {**description, 'operands': second['operands'], 'call': second['call']},
                                   second['component'])):
        operands = [{**each, 'rows': [[component, *ANYTHING]] if each['name'] == second['output'] else []}
                    for each in part['operands']]
        yield name, ({**part, 'operands': operands}, component)


def shown(part):
    """The operand that is compared."""
    return next(each for each in part['operands'] if each['name'] == part['second']['output'])


def definition(name, lines):
    return f'def {name}():\n' + textwrap.indent('\n'.join(lines), '    ')


def right_functions(description):
    """Functions that give what the first call gave, and what must follow from it."""
    expected, factor = numbers(description, 'expected', 'factor')
    return [definition(name, [f'return {value!r}' if math.isfinite(value) else f"return float('{value}')"])
            for name, value in (('first', expected / factor), ('second', expected))]


def judgement(description):
    """The lines that compare what both functions give: the class, the sign of zeros, or the number."""
    expected, got, factor = numbers(description, 'expected', 'got', 'factor')
    first = 'first()' if factor == 1 else f'{factor:g} * first()'
    same = next((text for differs, text in CLASSES if differs(expected) != differs(got)),
                'math.copysign(1, {})' if expected == got == 0 else '{}')
    return [f'got, expected = second(), {first}', "print('got', got, 'expected', expected)",
            f'sys.exit({same.format("got")} != {same.format("expected")})']
