"""run_one.py BODY SECONDS: runs one body by the tester that AUTOTEST names until it rejects a case or the time is over.  Prints the
cases, the seconds, and whether one was rejected."""
import os
import sys
import time
import unittest

import bodies

name, seconds = sys.argv[1], float(sys.argv[2])


def oneflow():
    body, case, cases = getattr(bodies, name), unittest.TestCase(), 0
    start()
    begin = time.monotonic()
    while time.monotonic() - begin < seconds:
        cases += 1
        try:
            body(case)
        except AssertionError as why:
            return cases, time.monotonic() - begin, str(why)
    return cases, time.monotonic() - begin, ''


def start():
    """The first call of a body starts both frameworks: that is no case of either tester."""
    try:
        bodies.relu(unittest.TestCase())
    except AssertionError:
        pass


def opconform():
    from opconform.autotest import campaign
    test = getattr(bodies, name)
    run = campaign.Campaign(test)
    run.case([0])
    begin = time.monotonic()
    result = run.run(None, campaign.seed_of(test), seconds)
    return result.cases, time.monotonic() - begin, result.failures[0].text() if result.failures else ''


cases, taken, why = (oneflow if os.environ.get('AUTOTEST') == 'oneflow' else opconform)()
print(name, cases, f'{taken:.2f}', 'rejected' if why else 'none')
sys.stderr.write(why)
