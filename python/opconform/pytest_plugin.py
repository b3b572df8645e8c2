"""pytest collects the bodies and the functions of test files that opconform's decorators know.

A body fails with its simplest choices and the line that runs it again; a function is fuzzed by the program opconform, and fails
with the bugs that it found."""
import json
import os
import re
import subprocess
import tempfile

import pytest

from . import kernels, tool
from .autotest import campaign, processes
from .autotest.body import Autotest, Failed

SECONDS = {'': 1, 's': 1, 'm': 60, 'h': 3600}
# Cases of a function where no option says how many.
CASES = 300


def duration(text):
    match = re.fullmatch(r'(\d+(?:\.\d+)?)([smh]?)', text)
    if not match:
        raise pytest.UsageError(f'--opconform-time {text}: expected a time such as 30s or 5m')
    return float(match[1]) * SECONDS[match[2]]


def pytest_addoption(parser):
    group = parser.getgroup('opconform')
    group.addoption('--opconform-cases', type=int, metavar='N', help='cases of each body and function')
    group.addoption('--opconform-time', metavar='T', help='time for each body and function, in place of cases: 30s, 5m')
    group.addoption('--opconform-seed', type=int, metavar='N', help='of the draws, in place of one that is the same each time')


def pytest_pycollect_makeitem(collector, name, obj):
    if isinstance(obj, Autotest):
        return BodyItem.from_parent(collector, name=name, test=obj)
    mine = [kernel for kernel in kernels.registered if kernel.function is obj]
    return FunctionItem.from_parent(collector, name=name, kernels=mine) if mine else None


class Wrong(Exception):
    """What a report says in place of a traceback."""


class Item(pytest.Item):
    def option(self, name):
        return self.config.getoption(f'opconform_{name}')

    def seconds(self):
        text = self.option('time')
        return None if text is None else duration(text)

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, (Wrong, Failed, campaign.BodyError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, None, self.name


class BodyItem(Item):
    def __init__(self, *, test, **rest):
        super().__init__(**rest)
        self.test = test

    def runtest(self):
        try:
            result = campaign.run(self.test, self.option('cases'), self.option('seed'), self.seconds())
        except processes.Absent as why:
            pytest.skip(str(why))
        for words in [f'{result.cases} cases', *result.notes]:
            self.add_report_section('call', 'opconform', words)
        if result.failures:
            raise Failed(result.failures[0].text())


class FunctionItem(Item):
    def __init__(self, *, kernels, **rest):
        super().__init__(**rest)
        self.kernels = kernels

    def command(self, database):
        seconds = self.seconds()
        much = ['--cases', str(self.option('cases') or CASES)] if seconds is None else ['--time', f'{seconds:g}s']
        seed = self.option('seed')
        # Campaigns by a number of cases are the same each time.
        return [*tool.command(os.path.relpath(self.path), []), '--op', ','.join(self.operators()), '--db', database, '--engine', 'random',
                '--seed', str(1 if seed is None else seed), *much]

    def operators(self):
        return [name for kernel in self.kernels for name in kernel.operators.split()]

    def runtest(self):
        try:
            program = tool.program()
        except tool.Missing as why:
            pytest.skip(str(why))
        with tempfile.TemporaryDirectory() as folder:
            database = os.path.join(folder, 'findings.db')
            run = subprocess.run([program, *self.command(database), '--quiet'], env=tool.environment(), text=True,
                                 check=False, capture_output=True)
            if run.returncode == 1:
                raise Wrong(self.findings(program, database))
        if run.returncode not in (0, 5):
            raise Wrong(run.stderr.strip())

    def findings(self, program, database):
        """Each bug with its smallest case."""
        sql = ('SELECT b.title, coalesce(f.min_line, f.line) AS line, f.expected, f.got, f.detail '
               'FROM bug b JOIN finding f ON f.bug = b.id WHERE b.part_of IS NULL GROUP BY b.id ORDER BY b.severity, b.id')
        rows = subprocess.run([program, 'query', '--sql', sql, '--json', '--db', database], text=True, check=True,
                              stdout=subprocess.PIPE).stdout
        lines = []
        for row in json.loads(rows):
            what = row['detail'] or f'expected {row["expected"]}, got {row["got"]}'
            lines += [row['title'], f'    {row["line"]}', f'    {what}',
                      f"  python -m opconform replay '{row['line']}' --backend python@{os.path.relpath(self.path)}"]
        return '\n'.join(lines)
