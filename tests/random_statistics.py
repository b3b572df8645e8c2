"""For each statistic of random draws that a judge knows: the lines of a program tell draws that are wrong from ones that are
right.  Ends with 1 where lines do not, or where a judge has words that no program has."""
import pathlib
import re
import sys

import numpy as np

sys.path.insert(0, 'ops/backend/framework/python')
from opconform_worker import brief_random

RNG = np.random.default_rng(26)
JUDGES, PICKS = ('reference/chance.c', 'ops/nn/nn_random.c'), 'ops/nn/ops_pick.c'
WORDS = {words for name in JUDGES for words in re.findall(r'"([a-z][^"]* [^"]*)"', pathlib.Path(name).read_text())} | \
    set(re.findall(r'chance_judge_count\(\s*[^,]*, "([^"]*)"', pathlib.Path(PICKS).read_text()))
N = 4000
NORMAL, UNIFORM = RNG.normal(2, 3, (N // 40, 40)), RNG.uniform(0, 1, (N // 40, 40))
PERMUTED = np.stack([RNG.permutation(6) for _ in range(600)]).astype(float)
LONG = RNG.permutation(400).astype(float)[None]
COINS = RNG.integers(0, 2, (N // 40, 40)).astype(float)
PLACES = RNG.integers(0, 4, (500, 2)).astype(float)


def matches(flat, middle, apart):
    first = np.arange(flat.size - apart)
    first = first[first // apart % 2 == 0]
    return ((flat[first] > middle) == (flat[first + apart] > middle)).sum()


def case(line, what, wrong, right, found, expected, bound, **more):
    return line, what, {'y': wrong, **more}, {'y': right, **more}, float(found), float(expected), float(bound)


def cases():
    normal = 'normal/1 dtype=f64 rows=100 columns=40 seed=0 place=0x1p+1 scale=0x1.8p+1'
    shifted, wide, doubled = NORMAL + 1, NORMAL * 1.5 - 1, np.repeat(UNIFORM, 2, axis=1)[:, :40]
    rows = np.repeat(UNIFORM, 2, axis=0)[:len(UNIFORM)]
    low = UNIFORM * 0.5
    yield case(normal, 'distribution function: too few draws below some value', shifted, NORMAL, (shifted < np.sort(
        shifted.reshape(-1))[1200]).mean(), 0.43, 0.06)
    yield case('rand/1', 'distribution function: too many draws up to some value', low, UNIFORM, (low <= np.sort(
        low.reshape(-1))[1999]).mean(), np.sort(low.reshape(-1))[1999], 0.06)
    yield case(normal, 'mean of normal numbers, in deviations', shifted, NORMAL, ((shifted - 2) / 3).mean(), 0, 0.15)
    yield case(normal, 'sum of squares of normal numbers', wide, NORMAL, (((wide - 2) / 3) ** 2).sum(), N, 900)
    yield case('rand/1', 'draws some places apart are not independent', doubled, UNIFORM,
               matches(doubled.reshape(-1), np.median(doubled), 1), N / 4, 200)
    yield case('rand/1', 'draws of neighbouring rows are not independent', rows, UNIFORM,
               matches(rows.reshape(-1), np.median(rows), 40), N / 4, 200)
    yield case('rand/1', 'another seed gives the same draws', UNIFORM, 1 - UNIFORM, N, 0, 0, other=UNIFORM)
    biased = np.where(PLACES == 3, 2, PLACES)
    yield case('multinomial/1', 'how often a place is drawn', biased, PLACES, (biased == 2).sum(), 250, 90)
    same = np.repeat(PLACES[::2], 2, axis=0)
    yield case('multinomial/1', 'rows of draws are not independent', same, PLACES, same.size / 2, 125, 70)
    chances = np.full(COINS.shape, 0.5)
    ones = np.maximum(COINS, np.roll(COINS, 1))
    yield case('bernoulli_each/1', 'how many ones are drawn', ones, COINS, ones.sum(), N / 2, 280, x=chances)
    stays, rotated = np.arange(400.0)[None], np.roll(np.arange(400.0), 1)[None]
    yield case('permutations/1', 'elements that a permutation leaves in their places', stays, LONG, 400, 1, 30)
    yield case('permutations/1', 'elements that a permutation leaves side by side', rotated, LONG, 398, 1, 30)
    yield case('permutations/1', 'elements of the second half in the first', stays, LONG, 0, 100, 63)
    held = np.tile(np.arange(6.0), (600, 1))
    yield case('permutations/1', 'how often a number is in one place of permutations', held, PERMUTED, 600, 100, 75)


def ends(lines, draws):
    try:
        exec('\n'.join(lines), {'np': np, 'sys': sys, 'print': lambda *words: None, **draws})
    except SystemExit as end:
        return bool(end.code)
    return None


def main():
    failed, known = 0, set()
    for line, what, wrong, right, found, expected, bound in cases():
        known.add(what)
        flaw = {'operand': 'y', 'what': what, 'found': found, 'expected': expected, 'bound': bound}
        lines = brief_random.flaw_lines(flaw, wrong, brief_random.Given(line))
        told = ends(lines, wrong), ends(lines, right)
        if told != (True, False):
            print(f'{what}: {told}', *lines, sep='\n    ')
            failed = 1
    for line, wrong, right in (
            ('uniform/1 place=0x1p+1 end=0x1.8p+1 end_included=no', 3.0, 2.0), ('rand/1', 1.0, 0.0), ('geometric/1', 0.5, 1.0),
            ('bernoulli/1 chance=0x1p+0', 0.0, 1.0), ('randint/1 low=3 high=5', 5.0, 3.0), ('poisson/1', 1.5, 2.0),
            ('exponential/1 scale=0x1p+0 zero_included=no', 0.0, 0.5), ('binomial/1 trials=4', 5.0, 4.0),
            ('normal/1', np.nan, 1.0), ('trunc_normal/1 place=0x0p+0 scale=0x1p+0 end=0x1p+1', 2.5, 2.0)):
        draws = [{'y': np.array([[value]]), 'again': np.array([[value]]), 'other': np.array([[1.0 if 'binom' in line else right]])}
                 for value in (wrong, right)]
        lines = brief_random.element_lines(draws[0], brief_random.Given(line))
        told = tuple(ends(lines, each) for each in draws)
        if told != (True, False):
            print(f'{line}: {told}', *lines, sep='\n    ')
            failed = 1
    for what in sorted(WORDS ^ known):
        print(f'{what}: words of a judge without a case here, or the other way round')
        failed = 1
    return failed


sys.exit(main())
