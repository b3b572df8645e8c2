# The plug-in of pytest: functions and bodies of test files are collected, fail with what is minimal and the line that runs it
# again, and pytest's own options and exit statuses are as ever.
. tests/lib.sh
root=$PWD
/usr/bin/python3 -m pytest --version >/dev/null 2>&1 || skip_all "pytest is not installed"
export PYTHONPATH=$root/python OPCONFORM=$opconform PYTHONDONTWRITEBYTECODE=1
cd "$scratch" || exit 2
tests() { /usr/bin/python3 -m pytest -p opconform.pytest_plugin -p no:cacheprovider "$@"; }
cat >test_mine.py <<'PY'
import numpy as np
import opconform

@opconform.kernel('exp')
def right(x):
    return np.exp(x)

@opconform.kernel('sqrt')
@opconform.kernel('square', requires='elements')
def wrong(x):
    return np.where(x == 4, np.float32(2.5), np.sqrt(x)).astype(x.dtype)

def test_usual():
    assert right(0) == 1
PY
expect 1 tests -q
grep -q '1 failed, 2 passed' out || fail "$(tail -n 3 out)"
grep -q '^sqrt: wrong value$' out && grep -q "^    expected 0x1p+1 (2), got 0x1.4p+1 (2.5)$" out || fail "$(cat out)"
line=$(sed -n "s/^  python -m opconform replay '\(sqrt.*\)' --backend python@test_mine.py/\1/p" out)
expect 1 /usr/bin/python3 -m opconform replay "$line" --backend python@test_mine.py
cp out first && expect 1 tests -q && [ ! -e findings.db ] || fail "a test leaves a database"
expect 0 tests -q -k right --opconform-cases 50
expect 0 tests -q -k right --opconform-time 1s
grep -q '1 passed' out || fail "$(cat out)"
expect 4 tests -q -k right --opconform-cases many
expect 1 tests -q -k right --opconform-time soon
grep -q -- '--opconform-time soon: expected a time such as 30s or 5m' out || fail "$(cat out)"
expect 5 tests -q -k nothing
expect 0 tests -q --collect-only
grep -q 'test_mine.py::wrong' out || fail "$(cat out)"
printf 'import opconform\n@opconform.kernel("softmx")\ndef f(x): pass\n' >test_mistake.py
expect 1 tests -q test_mistake.py
grep -q 'there is no operator softmx; did you mean softmax?' out || fail "$(cat out)"
rm test_mistake.py

cat >test_bodies.py <<'PY'
from opconform.autotest import autotest, random, random_tensor, torch

@autotest(n=5, backends='torch')
def agrees():
    return torch.tanh(random_tensor(ndim=1, dim0=random(1, 5)))

@autotest(n=5, backends='torch', rtol=0, atol=0)
def too_strict():
    return torch.exp(random_tensor(ndim=1, dim0=random(1, 5)))

@autotest(n=5, backends='torch')
def mistaken():
    return undefined

@autotest(n=5, backends='nowhere')
def absent():
    return torch.ones(1)
PY
if compgen -G "${OPCONFORM_DEPS:-$root/.deps}/torch-*" >/dev/null; then
    export OPCONFORM_DEPS=${OPCONFORM_DEPS:-$root/.deps}
    expect 1 tests -q -rs test_bodies.py
    grep -q '2 failed, 1 passed, 1 skipped' out || fail "$(tail -n 3 out)"
    grep -q 'nowhere is not installed' out || fail "why it is skipped: $(cat out)"
    grep -q "name 'undefined' is not defined" out || fail "a mistake: $(cat out)"
    grep -q 'results are compared with binary64 alone' out || fail "notes: $(cat out)"
    replay=$(sed -n 's/^  python -m opconform \(test_bodies.py --replay .*\)/\1/p' out)
    expect 1 /usr/bin/python3 -m opconform $replay
    expect 0 tests -q test_bodies.py -k agrees --opconform-cases 2 --opconform-seed 5
else
    skip "bodies: PyTorch is not fetched"
fi
finish
