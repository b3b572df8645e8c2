"""What a brief program says of draws that are random: a statistic of them, what is expected of it, and the bound that chance
keeps to (reference/chance.h).

A statistic is known by the words with which the judge names it, and is found again in the draws by its value."""
import math
import re

import numpy as np

from . import brief_data, protocol, script

# Statements that set the seed of all that is drawn behind them.
SEED = re.compile(r'^t\d+ = (?=[\w.]+\.(?:manual_seed|seed|set_seed)\()')
SEED_SET = re.compile(r'[\w.]+\.(?:manual_seed|seed|set_seed)\(')
# The names of draws in programs.
NAMES = ('y', 'again', 'other', 'mask', 'x')


class Unknown(Exception):
    """There are no words for what is wrong."""


def short(value):
    return repr(float(f'{value:.6g}'))


def two_sided(flaw, what, value):
    """The lines for a statistic that is too far from what is expected, on either side."""
    expected, bound = short(flaw['expected']), short(flaw['bound'])
    return [f'got, expected, bound = {value}, {expected}, {bound}',
            f"print('{what}', got, 'expected', expected, 'and by chance at most', bound, 'from that')",
            'sys.exit(not abs(got - expected) <= bound)']


def function_lines(flaw, y, name, sign):
    """The distribution function at the draw where it is farthest off."""
    ordered, n = np.sort(y.reshape(-1)), y.size
    at = min(max(round(flaw['found'] * n) - (sign == '<='), 0), n - 1)
    side = 'most' if sign == '<=' else 'least'
    wrong = 'got > expected + bound' if sign == '<=' else 'got < expected - bound'
    return [f'got, expected, bound = ({name} {sign} {ordered[at]!r}).mean(), {short(flaw["expected"])}, {short(flaw["bound"])}',
            f"print('share of draws {sign} {ordered[at]!r}:', got, 'expected at {side}', expected, 'and by chance', bound)",
            f'sys.exit(bool({wrong}))']


def normal_of(given):
    """Mean and deviation of a normal law."""
    rows, columns, scale = given('rows'), given('columns'), given('scale', 1.0)
    deviation = {'xavier_normal': scale * math.sqrt(2 / max(rows + columns, 1)), 'kaiming_normal': math.sqrt(2 / max(columns, 1))}
    return given('place', 0.0), deviation.get(given.operator, scale)


def pairs_lines(flaw, y, name, apart):
    """Pairs so many places apart that lie on one side of a number: by it and the distance that give the count."""
    flat = y.reshape(-1)
    distances = [apart] if apart else [2 ** i for i in range(40) if 2 ** i < flat.size]
    middles = np.unique(flat)
    middles = middles[np.argsort(abs(np.searchsorted(np.sort(flat), middles, 'right') - flat.size / 2), kind='stable')]
    for middle in middles[:64]:
        for distance in distances:
            first = np.arange(max(flat.size - distance, 0))
            first = first[first // distance % 2 == 0]
            if ((flat[first] > middle) == (flat[first + distance] > middle)).sum() == flaw['found']:
                return [f'i = np.arange({name}.size - {distance})', f'i = i[i // {distance} % 2 == 0]',
                        f'above = {name}.reshape(-1) > {float(middle)!r}',
                        *two_sided(flaw, f'pairs {distance} apart on one side, of {len(first)}:',
                                   f'int((above[i] == above[i + {distance}]).sum())')]
    raise Unknown('the pairs that are alike are not found again')


def places_lines(flaw, y, name):
    """How often one place is drawn: of all draws, or of the first ones of rows."""
    for part, text in ((y, name), (y[:, :1], f'{name}[:, 0]')):
        for place in np.unique(part):
            if (part == place).sum() == flaw['found']:
                return two_sided(flaw, f'how often {int(place)} is drawn:', f'int(({text} == {int(place)}).sum())')
    raise Unknown('the place is not found again')


def rows_lines(flaw, y, name):
    half = len(y) // 2 * 2
    for end, text in ((None, ''), (1, ', :1')):
        if (y[0:half:2, :end] == y[1:half:2, :end]).sum() == flaw['found']:
            return two_sided(flaw, 'draws that are those of the row before:',
                             f'int(({name}[0:{half}:2{text}] == {name}[1:{half}:2{text}]).sum())')
    raise Unknown('the rows that agree are not found again')


def permutation_lines(flaw, y, name, value, what):
    """The value of one of the permutations, a text in p."""
    for row, p in enumerate(y):
        if eval(value, {'p': p, 'np': np}) == flaw['found']:
            bound = short(flaw['bound'])
            return [f'p = {name}[{row}]', f'got = int({value})', f"print('{what}', got, 'by chance at most', {bound})",
                    f'sys.exit(got > {bound})'] if what != 'crossing' else \
                [f'p = {name}[{row}]', *two_sided(flaw, 'elements of the second half in the first:', f'int({value})')]
    raise Unknown('the permutation is not found again')


def cells_lines(flaw, y, name):
    for column in range(y.shape[1]):
        for number in range(y.shape[1]):
            if (y[:, column] == number).sum() == flaw['found']:
                return two_sided(flaw, f'how often {number} is in place {column}:', f'int(({name}[:, {column}] == {number}).sum())')
    raise Unknown('the place is not found again')


def flaw_lines(flaw, draws, given):
    """The lines for what all draws show together, by the words of the judge."""
    name, what = flaw['operand'], flaw['what']
    y = draws[name]
    if what == 'another seed gives the same draws':
        return ["print('draws that the next seed gives as well:', int((y == other).sum()), 'of', y.size)",
                'sys.exit(bool((y == other).all()))']
    if what.startswith('distribution function'):
        return function_lines(flaw, y, name, '<=' if 'too many' in what else '<')
    if 'of normal numbers' in what:
        place, deviation = normal_of(given)
        z = f'(({name} - {place!r}) / {deviation!r})'
        return two_sided(flaw, 'mean, in deviations:', f'{z}.mean()') if what.startswith('mean') else \
            two_sided(flaw, f'sum of the squares of {y.size} deviations:', f'({z} ** 2).sum()')
    if 'draws' in what and what.endswith('not independent'):
        if what.startswith('rows'):
            return rows_lines(flaw, y, name)
        return pairs_lines(flaw, y, name, y.shape[-1] if 'neighbouring' in what and y.ndim else 0)
    if what == 'how often a place is drawn':
        return places_lines(flaw, y, name)
    if what == 'how many ones are drawn':
        return two_sided(flaw, 'ones where the chance is between 0 and 1:', f'int({name}[(x > 0) & (x < 1)].sum())')
    if what.startswith('how often a number is in one place'):
        return cells_lines(flaw, y, name)
    permuted = {'elements that a permutation leaves in their places': ('(p == np.arange(p.size)).sum()', 'elements left in place:'),
                'elements that a permutation leaves side by side': ('(p[1:] == p[:-1] + 1).sum()', 'elements left side by side:'),
                'elements of the second half in the first': ('(p[:p.size // 2] >= p.size // 2).sum()', 'crossing')}
    if what in permuted:
        return permutation_lines(flaw, y, name, *permuted[what])
    raise Unknown(f'no program says: {what}')


def range_of(given):
    """What numbers the law has, as a condition on d."""
    place, end, scale = given('place', 0.0), given('end', 1.0), given('scale', 1.0)
    known = {'rand': '(d >= 0) & (d < 1)',
             'uniform': f'(d >= {place!r}) & (d {"<=" if given("end_included") else "<"} {end!r})',
             'exponential': 'd >= 0' if given('zero_included') else 'd > 0',
             'geometric': '(d >= 1) & (d == np.floor(d))', 'poisson': '(d >= 0) & (d == np.floor(d))',
             'binomial': f'(d >= 0) & (d <= {given("trials")}) & (d == np.floor(d))',
             'bernoulli': '(d == 0) | (d == 1)', 'bernoulli_each': '((d == 0) | (d == 1)) & (d >= (x == 1)) & (d <= (x > 0))',
             'randint': f'(d >= {given("low")}) & (d < {given("high")}) & (d == np.floor(d))',
             'trunc_normal': f'abs(d - {place!r}) <= {end * scale * 1.01!r}',
             'log_normal': 'd >= 0', 'rayleigh': 'd >= 0', 'weibull': 'd >= 0',
             'xavier_uniform': f'abs(d) <= {scale * math.sqrt(6 / max(given("rows") + given("columns"), 1)) * 1.01!r}',
             'kaiming_uniform': f'abs(d) <= {math.sqrt(6 / max(given("columns"), 1)) * 1.01!r}',
             'multinomial': f'(d >= 0) & (d < {given("columns")})'}
    if given.operator == 'bernoulli' and given('chance') in (0, 1):
        return f'd == {given("chance")}'
    return known.get(given.operator, 'np.isfinite(d)')


def element_lines(draws, given):
    """The lines where single draws are wrong: outside of the law's range, or others of the same seed."""
    condition = range_of(given)
    for name in ('y', 'other'):
        d = draws[name]
        if not np.all(eval(condition, {'d': d, 'np': np, 'x': draws.get('x')})):
            inside = re.sub(r'\bd\b', name, condition)
            return [f'outside = {name}[~({inside})]', f"print('draws that are not {inside}:', outside)",
                    'sys.exit(outside.size > 0)']
    if not np.array_equal(draws['y'], draws['again'], equal_nan=True):
        return ["print('other draws with the same seed:', int((y != again).sum()), 'of', y.size)",
                'sys.exit(bool((y != again).any()))']
    raise Unknown('no program says what is wrong with single draws')


class Given:
    """The operator and the parameters of a case's line."""

    def __init__(self, line):
        operator, *words = line.split('|')[0].split()
        self.operator = operator.split('/')[0]
        self.fields = dict(word.split('=', 1) for word in words)

    def __call__(self, name, otherwise=0):
        text = self.fields.get(name)
        if text is None or text in ('yes', 'no'):
            return otherwise if text is None else text == 'yes'
        return float.fromhex(text) if 'x' in text or '.' in text else int(text)


def observed(results, description):
    """As brief.observed, with the lines that judge the draws."""
    draws = {}
    for operand in description['operands']:
        array = script.array_of(operand) if operand['role'] == protocol.INPUT else results.get(operand['name'])
        if array is not None:
            array = brief_data.decoded(np.ascontiguousarray(array), operand['dtype'])
            draws[operand['name']] = np.asarray(array, np.float64)
    given, flaw = Given(description['case']), description['flaw']
    flaw = {**flaw, **{key: float.fromhex(flaw[key]) for key in ('expected', 'found', 'bound')}}
    lines = flaw_lines(flaw, draws, given) if flaw['what'] else element_lines(draws, given)
    text = '\n'.join(lines)
    return {'wrong': True, 'lines': lines, 'used': [name for name in draws if re.search(rf'\b{name}\b', text)]}


def without_idle_seeds(lines):
    """Statements without seeds that nothing is drawn behind."""
    idle = [SEED_SET.match(line) and (not behind or SEED_SET.match(behind))
            for line, behind in zip(lines, [*lines[1:], ''])]
    return [line for line, drop in zip(lines, idle) if not drop]


def draws_lines(language, used, results):
    """The draws that are judged, as arrays of NumPy."""
    return [f'{name} = np.array({results.get(name, name)}{language.to_list}, float)' for name in used]


def right_lines(description, used):
    """Draws of our own in place of the library's."""
    lines = []
    for operand in description['operands']:
        if operand['name'] in used and operand['role'] == protocol.OUTPUT:
            values = brief_data.decoded(script.right_array(operand), operand['dtype']).astype(np.float64)
            lines.append(f"{operand['name']} = np.frombuffer(bytes.fromhex('{values.tobytes().hex()}')).reshape({values.shape})")
    return lines
