# Bodies that are run in several frameworks: a planted difference of each kind is found under its name, made simple and replayed;
# what is correct is left alone; draws are shared, dependent, left out and typed as bodies say.
. tests/lib.sh
root=$PWD
deps=${OPCONFORM_DEPS:-$root/.deps}
compgen -G "$deps/torch-*" >/dev/null || skip_all "PyTorch is not fetched"
cd "$scratch" || exit 2
export PYTHONPATH=$root/python OPCONFORM=$opconform
python=/usr/bin/python3

# A module with PyTorch's interface, which is PyTorch but for one fault.
mkdir deps
for folder in "$deps"/torch-* "$deps"/oneflow-* "$deps"/paddle-*; do [ -e "$folder" ] && ln -s "$(realpath "$folder")" deps/; done
link() { # name: the folder of PyTorch under another name costs no copy
    mkdir -p "deps/$1-1"
    for entry in "$(realpath "$deps"/torch-*)"/* "$(realpath "$deps"/torch-*)"/.python; do [ -e "$entry" ] && ln -s "$entry" "deps/$1-1/"; done
}
planted() { # name, lines
    link "$1"
    mkdir "deps/$1-1/$1"
    printf '%s\n' 'import torch as pytorch' 'from torch import *' 'from torch import nn as real_nn, autograd, jit, set_num_threads, from_numpy, no_grad, Tensor' \
        '__version__ = "1"' 'class nn:' '    Module, Linear, BatchNorm1d = real_nn.Module, real_nn.Linear, real_nn.BatchNorm1d' "${@:2}" >"deps/$1-1/$1/__init__.py"
}
export OPCONFORM_DEPS=$scratch/deps
planted same 'pass'
planted output 'def tanh(x): return pytorch.tanh(x) * (1.001 if x.numel() > 2 else 1)'
planted intermediate 'def exp(x): return pytorch.exp(x) * (1.001 if x.numel() > 2 else 1)'
planted gradient 'class Off(autograd.Function):' \
    '    @staticmethod' '    def forward(c, x): return x.tanh()' \
    '    @staticmethod' '    def backward(c, g): return g' 'def tanh(x): return Off.apply(x)'
planted wrongdtype 'def tanh(x): return pytorch.tanh(x).double()'
planted wrongshape 'def tanh(x): return pytorch.tanh(x)[:1]'
planted raising 'def tanh(x):' '    if x.shape[0] > 1: raise ValueError("no rows")' '    return pytorch.tanh(x)'
planted lenient 'def cat(x, dim=0): return pytorch.cat(x, dim if dim < 2 else 0)'
planted dying 'import os' 'def tanh(x):' '    if x.numel() > 4: os.abort()' '    return pytorch.tanh(x)'
planted parameter 'class Own(real_nn.Linear):' '    def forward(self, x):' '        with no_grad(): self.weight.add_(1)' \
    '        return super().forward(x) * 0 + real_nn.functional.linear(x, self.weight - 1, self.bias)' 'nn.Linear = Own'
planted buffer 'class Own(real_nn.BatchNorm1d):' '    def forward(self, x):' '        y = super().forward(x)' \
    '        if self.training: self.running_mean.data.add_(0.01)' '        return y' 'nn.BatchNorm1d = Own'

planted static 'class jit:' '    @staticmethod' '    def trace(body, inputs, check_trace):' \
    '        return lambda *x: tuple(y * 1.001 for y in body(*x))'

cat >bodies.py <<'PY'
from opconform.autotest import *
import os
other = os.environ.get('OTHER', 'same')

@autotest(n=60, backends=f'torch,{other}')
def plain():
    x = random_tensor(ndim=2, dim0=random(1, 5), dim1=random(1, 5))
    y = torch.exp(x) * 0.5
    return torch.tanh(y - 1)

@autotest(n=60, backends=f'torch,{other}')
def layers():
    features = random(1, 6)
    m = torch.nn.Linear(features, random(2, 4), bias=random_bool() | nothing())
    n = torch.nn.BatchNorm1d(features)
    n.train(random_bool())
    return m(n(random_tensor(ndim=2, dim0=random(2, 5), dim1=features)))

@autotest(n=20, backends=f'torch,{other}', check_graph=True)
def compiled():
    features = random(1, 6)
    n = torch.nn.BatchNorm1d(features)
    n.train(random_bool())
    return torch.tanh(n(random_tensor(ndim=2, dim0=random(2, 5), dim1=features)))

@autotest(n=40, backends=f'torch,{other}')
def refuses():
    return torch.cat((random_tensor(2), random_tensor(2)), dim=random(0, 3))
PY
run() { OTHER=$1 "$python" -m opconform bodies.py "${@:2}"; }
expect 0 run same --cases 100
grep -c 'cases agree' out | grep -qx 4 || fail "$(cat out)"
finds() { # fault, body, what the first line says
    expect 1 run "$1" --only "$2"
    head -n 1 out | grep -q "^$2: $1 1: $3" || fail "$1: $(cat out)"
    cp out before
}
finds output plain 'output: element .* is .*, expected .*, may be off by .* (calibrated)'
grep -qx '    x1 = torch.ones(1, 3)\|    x1 = torch.ones(3, 1)' before || fail "not minimal: $(cat before)"
replay=$(sed -n 's/.*--replay //p' before)
expect 1 run output --replay "$replay"
cmp -s out before || fail "a replay says something else: $(cat out)"
expect 0 run same --replay "$replay"
finds intermediate plain 'intermediate t2 = torch.exp(x1): '
finds gradient plain 'gradient of x1: '
finds wrongdtype plain 'output: is float64, expected float32'
finds wrongshape plain 'output: has the shape \[1, .*\], expected \[[2-4], '
finds raising plain 'error: raises ValueError: no rows'
finds lenient refuses 'error: raises nothing; the first framework IndexError'
finds dying plain 'error: SIGABRT'
finds parameter layers 'parameter weight of Linear 1: '
finds buffer layers 'buffer running_mean of BatchNorm1d 2: '
expect 1 run static --only compiled
head -n 1 out | grep -q '^compiled: static:trace 1: output: element .* is .*, expected ' || fail "a static mode: $(cat out)"

# The same bodies by the engine: choices are parameters of cases, with minimal lines, a database, replays and programs.
export OPCONFORM_PYTHON=$python
expect 0 env OTHER=same "$opconform" fuzz --engine random --seed 3 --backend python@bodies.py --cases 60 --db e.db --quiet
[ "$(sql e.db "SELECT count(DISTINCT op), sum(declined) FROM coverage")" = $'4\t0' ] || fail "bodies: $(sql e.db 'SELECT op, executions, declined FROM coverage')"
expect 1 env OTHER=output "$opconform" fuzz --engine random --seed 3 --backend python@bodies.py --op body_plain --cases 20 --db e.db --quiet
line=$(sql e.db "SELECT min_line FROM finding LIMIT 1")
[ "$(sql e.db "SELECT detail LIKE '%output: output: element % is %, expected %' FROM finding LIMIT 1")" = 1 ] || fail "$(sql e.db 'SELECT detail FROM finding')"
expect 1 env OTHER=output "$opconform" replay "$line" --backend python@bodies.py
expect 0 env OTHER=same "$opconform" replay "$line" --backend python@bodies.py
expect 0 env OTHER=output "$opconform" reproduce 1 --db e.db --out . --backend python@bodies.py
expect 1 env OTHER=output PYTHONPATH="$scratch:$root/python" "$python" finding-1.py
grep -q '^    t2 = torch.exp(x1)$' out err || fail "the body: $(cat out err)"
expect 0 env OTHER=same PYTHONPATH="$scratch:$root/python" "$python" finding-1.py

# The algebra.
cat >algebra.py <<'PY'
from opconform.autotest import *
from opconform.autotest import choices, running, run as runs
from opconform.autotest.generators import NOTHING, value_of
import collections

def values(make, count=400):
    seen = []
    for seed in range(count):
        with running.entered(runs.Run(None, choices.Choices([], seed))):
            seen.append(make())
    return seen

def shared():
    a = random(1, 6)
    return value_of(a), value_of(a), value_of(a * 2 + 1), value_of(10 - a), value_of([a, 3])

for a, again, double, rest, inside in values(shared):
    assert a == again and double == 2 * a + 1 and rest == 10 - a and inside == [a, 3] and 1 <= a < 6
assert set(values(lambda: value_of(random(1, 6)))) == {1, 2, 3, 4, 5}
assert set(values(lambda: value_of(random(1, 3).to(int)))) == {1, 2}
assert all(isinstance(x, float) and 1 <= x < 3 for x in values(lambda: value_of(random(1, 3).to(float))))
assert set(values(lambda: value_of(random() | nothing()))) == {1, 2, 3, 4, 5, NOTHING}
assert set(values(lambda: value_of(random_bool()))) == {False, True}
count = collections.Counter(values(lambda: value_of(oneof('a', 'b', 'c', weights=[0.8, 0.1, 0.1])), 2000))
assert set(count) == {'a', 'b', 'c'} and 0.7 < count['a'] / 2000 < 0.9, count
count = collections.Counter(values(lambda: value_of(random(1, 2) | constant(7) | nothing()), 3000))
assert all(0.22 < each / 3000 < 0.48 for each in count.values()), count
# The simplest of all: what is left out, 0 or the lowest.
with running.entered(runs.Run(None, choices.Choices([]))):
    assert value_of(random(2, 6) | nothing()) is NOTHING and value_of(random(2, 6)) == 2 and value_of(random_bool()) is False
PY
expect 0 "$python" algebra.py
[ ! -s err ] || fail "$(cat err)"

# Mistakes.
expect 0 run none --only plain --cases 1
says "none is left out: none is not installed"
says "results are compared with binary64 alone"
expect 1 run same --only nobody; says "there is no body nobody: known are compiled, layers, plain, refuses"
printf 'from opconform.autotest import *\n@autotest(backends="torch")\ndef wrong():\n    return undefined\n' >wrong.py
expect 2 "$python" -m opconform wrong.py; says "the body itself is wrong: NameError: name 'undefined' is not defined"; one_line
printf 'from opconform.autotest import *\n@autotest(backends="torch")\ndef wrong():\n    return torch.no_such(1)\n' >wrong.py
expect 2 "$python" -m opconform wrong.py; says "torch has no no_such"; one_line
printf 'from opconform.autotest import *\n@autotest()\ndef wrong():\n    return 1\ntorch.ones(1)\n' >wrong.py
expect 1 "$python" -m opconform wrong.py; says "only in the body"
if compgen -G "deps/oneflow-*" >/dev/null; then
    # The body of OneFlow's documentation; PaddlePaddle gives an empty result where the others refuse the extents.
    cat >deconv.py <<'PY'
from opconform.autotest import *

@autotest(n=20, backends="torch,oneflow,paddle")
def deconv2d():
    channels = random(1, 6)
    m = torch.nn.ConvTranspose2d(in_channels=channels, out_channels=random(1, 20), kernel_size=random(1, 4),
                                 stride=random() | nothing(), padding=random(1, 3).to(int) | nothing(),
                                 dilation=random(1, 5) | nothing(), groups=random(1, 5) | nothing())
    m.train(random_bool())
    return m(random_tensor(ndim=4, dim1=channels))
PY
    if compgen -G "deps/paddle-*" >/dev/null; then
        expect 1 "$python" -m opconform deconv.py
        grep -q '^deconv2d: paddle .*: error: raises nothing; the first framework RuntimeError: ' out || fail "$(cat out)"
    fi
    sed -i 's/,paddle"/"/' deconv.py
    expect 0 "$python" -m opconform deconv.py --cases 60
    # The same in a graph of it.
    sed -i 's/oneflow"/oneflow", check_graph=True/' deconv.py
    expect 0 "$python" -m opconform deconv.py --cases 20
else
    skip "OneFlow is not fetched"
fi
if compgen -G "deps/paddle-*" >/dev/null; then
    # Layers with other names and arguments, a weight that lies the other way round, and what has no translation.
    cat >paddle.bodies.py <<'PY'
from opconform.autotest import *

@autotest(n=12, backends="torch,paddle")
def linear():
    features = random(1, 6)
    m = torch.nn.Linear(features, random(2, 6), bias=random_bool())
    n = torch.nn.BatchNorm1d(features, affine=random_bool())
    n.train(False)
    return torch.relu(m(n(random_tensor(ndim=2, dim0=random(1, 4), dim1=features))))

@autotest(n=2, backends="torch,paddle")
def other():
    return torch.split(random_tensor(1, 4), 2)
PY
    expect 0 "$python" -m opconform paddle.bodies.py
    says "other: paddle is left out: split is another function there"
    grep -q '^opconform: linear: ' err && fail "$(cat err)"
else
    skip "PaddlePaddle is not fetched"
fi
finish
