"""python -m opconform FILE.py, of a file with bodies: runs them, or one case again."""
import argparse
import sys

from . import campaign, processes


def parser(path):
    words = argparse.ArgumentParser(prog=f'python -m opconform {path}', description='Runs the bodies of the file.')
    words.add_argument('--cases', type=int, metavar='N', help='of each body, in place of its own n')
    words.add_argument('--seed', type=int, metavar='N', help='of the draws, in place of one that follows from the name')
    words.add_argument('--only', metavar='NAME', help='this body')
    words.add_argument('--replay', metavar='NAME:CHOICES', help='one case, as a failure prints it')
    return words


def found(tests, name):
    if name in tests:
        return tests[name]
    raise SystemExit(f'opconform: there is no body {name}: known are {", ".join(sorted(tests))}')


def replay(tests, text):
    name, _, numbers = text.partition(':')
    choices = [int(each) for each in numbers.split('.') if each.isdigit()]
    failure = campaign.replay(found(tests, name), choices)
    print(failure.text() if failure else f'{name}: agrees')
    return 1 if failure else 0


def run_one(test, options):
    try:
        result = campaign.run(test, options.cases, options.seed)
    except campaign.BodyError as why:
        print(f'opconform: {test.name}: the body itself is wrong: {why}', file=sys.stderr)
        return 2
    for words in result.notes:
        print(f'opconform: {test.name}: {words}', file=sys.stderr)
    for failure in result.failures:
        print(failure.text())
    if not result.failures:
        print(f'{test.name}: {result.cases} cases agree, in {result.refused} of them all frameworks raise')
    return 1 if result.failures else 0


def run_all(tests, options):
    """The status of a body that is wrong comes before that of a difference."""
    return max([run_one(test, options) for test in ([found(tests, options.only)] if options.only else tests.values())])


def main(path, tests, words):
    options = parser(path).parse_args(words)
    try:
        return replay(tests, options.replay) if options.replay else run_all(tests, options)
    except processes.Absent as why:
        print(f'opconform: {why}', file=sys.stderr)
        return 3
    except campaign.BodyError as why:
        print(f'opconform: the body itself is wrong: {why}', file=sys.stderr)
        return 2
