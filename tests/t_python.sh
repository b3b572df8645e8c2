# Functions of a user's own in Python: what they are told, what is drawn, what is found, programs that call them, one line for
# each mistake, and the module as a wheel installs it.
. tests/lib.sh
root=$PWD
# The system's Python, for which there is NumPy.
export OPCONFORM_PYTHON=/usr/bin/python3
cd "$scratch" || exit 2

cat >right.py <<'PY'
import sys
import numpy as np
import opconform
print('what a file prints is no data')

@opconform.kernel('softmax', requires='elements')
def softmax(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

@opconform.kernel('gemm')
def gemm(a, b, c, alpha, beta):
    print('what a function prints is none either')
    product = alpha * (a @ b)
    return product.astype(c.dtype) if beta == 0 else (product + beta * c).astype(c.dtype)

@opconform.kernel('relu sign', dtypes='f32 f16', call="unary(x, kind='relu')")
@opconform.kernel('abs square', call='unary(x, other=x)')
def unary(x, kind=None, other=None):
    raise RuntimeError('takes no such case')

@opconform.kernel('sum', requires='elements')
def total(x): return x.sum()

@opconform.kernel('add mul')
def plus(a, b, scale=1): return a + b

@opconform.kernel('linear')
def linear(x, w, bias=None):
    return x @ w.T + (0 if bias is None else bias)

@opconform.kernel('concat', call='joined((a, b), axis)')
def joined(parts, axis): return np.concatenate(parts, axis)

@opconform.kernel('sort', requires='elements, descending=no, x=int')
def ordered(x, axis): return np.sort(x, axis, 'stable'), np.argsort(x, axis, kind='stable')
PY
# Without those that are wrong on purpose.
sed -e '/^@opconform.kernel(.relu sign/,/^    raise/d' -e "s/'add mul'/'add'/" right.py >good.py
expect 0 "$opconform" fuzz --engine random --backend python@good.py --cases 1200 --db g.db
grep -q 'no data\|none either' out && fail "a file's words are among the data"
[ "$(sql g.db "SELECT count(DISTINCT op), sum(declined) * 20 <= sum(executions) FROM coverage WHERE executions > 0")" = $'7\t1' ] ||
    fail "what is drawn: $(sql g.db "SELECT op, dtype, sum(executions), sum(declined) FROM coverage GROUP BY 1, 2")"
[ "$(sql g.db "SELECT count(*) FROM (SELECT 1 FROM coverage GROUP BY op HAVING sum(declined) * 20 > sum(executions))")" = 0 ] ||
    fail "an operator that is declined"
expect 0 "$opconform" doctor python@good.py
grep -q 'linear f32 f64 where activation=none, exec.illegal=0, exec.threads=1$' out || fail "a default: $(cat out)"
grep -q 'sum f32 f64 where elements, all-axes, keepdims=no' out || fail "no axes: $(cat out)"
grep -q 'gemm f32 f64 where ta=n|t, tb=n|t, alpha!=0, exec' out || fail "strides are told: $(cat out)"
grep -q 'add f32 f64 where exec.illegal=0' out || fail "shapes are told: $(cat out)"
# What raises, and what computes something else.
expect 1 "$opconform" fuzz --engine random --backend python@right.py --op relu,mul --cases 200 --db r.db --quiet
[ "$(sql r.db "SELECT DISTINCT op, kind FROM finding ORDER BY 1")" = $'mul\tDIVERGE\nrelu\tSTATUS' ] || fail "$(sql r.db 'SELECT signature FROM finding')"
# Eigenvalues of ones exist; those of a matrix of the largest numbers may leave the range, so that they may be refused.
cat >refuses.py <<'PY'
import opconform

@opconform.kernel('eigvals')
def eigenvalues(a): raise ValueError('no convergence')
PY
eigvals="eigvals/1 dtype=f32 batch_shape=scalar n=2 matrix=free"
expect 1 "$opconform" replay --backend python@refuses.py "$eigvals | a=ones"
expect 0 "$opconform" replay --backend python@refuses.py "$eigvals | a=ones,scale:128"
grep -q 'DECLINED: it refuses operands of which nothing is known' out || fail "$(cat out)"
# So may a batch in which that is so of one matrix, since a call is refused as a whole; not one of which all is known.
eigvals="eigvals/1 dtype=f32 batch_shape=3 n=2 matrix=free"
expect 1 "$opconform" replay --backend python@refuses.py "$eigvals | a=int"
expect 0 "$opconform" replay --backend python@refuses.py "$eigvals | a=int,special:nan"
grep -q 'DECLINED: it refuses operands of which nothing is known' out || fail "$(cat out)"
# A case that it is not told is declined, with the reason.
expect 0 "$opconform" replay --backend python@good.py "sum/1 dtype=f32 shape=2x3 axes=1"
grep -q 'DECLINED: a reduction over some axes only' out || fail "$(cat out)"

# Programs: brief, and the harness; both end with 1, and with 0 once the function is right.
cp "$root/examples/python/soft.py" .
expect 1 "$opconform" fuzz --engine random --backend python@soft.py --cases 300 --db s.db --quiet
id=$(sql s.db "SELECT id FROM finding WHERE kind = 'DIVERGE' LIMIT 1")
# One cause is one bug, on whatever axis it was met.
[ "$(sql s.db "SELECT count(*), max(title) FROM bug WHERE part_of IS NULL")" = $'1\tsoftmax: wrong value' ] ||
    fail "several bugs: $(sql s.db "SELECT bug, signature, min_line FROM finding")"
expect 3 "$opconform" reproduce "$id" --db s.db --out p; says "only a database names it"; one_line
expect 0 "$opconform" reproduce "$id" --db s.db --out p --backend python@soft.py
grep -qx 'y = softmax(x, [0-9])' "p/finding-$id.py" || fail "$(cat "p/finding-$id.py")"
expect 0 "$opconform" reproduce "$id" --db s.db --out h --harness --backend python@soft.py
export PYTHONPATH=$scratch:$root/python
expect 1 /usr/bin/python3 "p/finding-$id.py"
expect 1 /usr/bin/python3 "h/finding-$id.py"
# Where the function is not there, whether it is right is not known.
expect 2 env PYTHONPATH="$root/python" /usr/bin/python3 "h/finding-$id.py"
mkdir none && echo 'raise ModuleNotFoundError("there is none", name="numpy")' >none/numpy.py
echo 'from opconform.autotest import *' >body.py
expect 3 env PYTHONPATH="none:$root/python" /usr/bin/python3 -m opconform body.py; one_line; says 'pip install numpy'
sed -i 's/total = total + np/total = total * np.exp(greatest - higher) + np/' soft.py
expect 0 /usr/bin/python3 "p/finding-$id.py"
expect 0 /usr/bin/python3 "h/finding-$id.py"
unset PYTHONPATH
expect 0 "$opconform" fuzz --engine random --backend python@soft.py --cases 1000 --db t.db --quiet

# Crashes and hangs are findings, and the rest goes on.
cat >fatal.py <<'PY'
import os, signal, time
import opconform

@opconform.kernel('exp')
def dies(x):
    if x.ndim == 2:
        os.kill(os.getpid(), signal.SIGSEGV)
    while x.ndim == 3:
        pass
    return x
PY
expect 1 "$opconform" replay --backend python@fatal.py --deadline 1s "exp/1 dtype=f32 shape=2x2" "exp/1 dtype=f32 shape=1x2x2" "exp/1 dtype=f32 shape=0"
grep -c 'FAULT' out | grep -qx 2 || fail "$(cat out)"

# Mistakes.
wrong() { # words, lines of a file
    printf 'import numpy as np\nimport opconform\n%b\n' "$2" >bad.py
    expect 3 "$opconform" fuzz --cases 1 --db w.db --backend python@bad.py
    says "$1"
    one_line
}
wrong "there is no operator softmx; did you mean softmax?" "@opconform.kernel('softmx')\ndef f(x): pass"
wrong "axs is no operand and no attribute of softmax; did you mean axis?" "@opconform.kernel('softmax')\ndef f(x, axs): pass"
wrong "y of softmax is what f returns, not what it takes" "@opconform.kernel('softmax')\ndef f(x, y): pass"
wrong "f is not told bias of layer_norm: take it as a parameter, or require bias=ones" "@opconform.kernel('layer_norm')\ndef f(x, scale): pass"
wrong "f is not told side of trsm" "@opconform.kernel('trsm')\ndef f(a, b): pass"
wrong "f: there is no element type f31" "@opconform.kernel('exp', dtypes='f31')\ndef f(x): pass"
wrong "there is no condition luck" "@opconform.kernel('exp', requires='luck')\ndef f(x): pass"
wrong "f takes *x" "@opconform.kernel('exp')\ndef f(*x): pass"
wrong "bad.py, line 3: ValueError: there are no arrays of 'cupy'" "@opconform.kernel('exp', arrays='cupy')\ndef f(x): pass"
wrong "bad.py, line 4: NameError: name 'nothing' is not defined" "x = 1\nnothing"
wrong "bad.py, line 3: SyntaxError" "def f(:"
wrong "no function is decorated" "def f(x): pass"
expect 3 "$opconform" fuzz --cases 1 --backend python; says "name a file with functions"; one_line
expect 3 "$opconform" fuzz --cases 1 --backend python@none.py; says "none.py: No such file"; one_line
# Arithmetic that flushes may do so for one part of a complex number: a modulus of 0 beside the angle of what was flushed.
cat >parts.py <<'PY'
import numpy as np
import opconform

@opconform.kernel('log', dtypes='c64 c128')
def log(x):
    least = np.finfo(x.dtype).tiny
    size = np.maximum(np.abs(x.real), np.abs(x.imag))
    tiny = (size > 0) & (size < least)
    y = np.array(np.log(x))
    y.real = np.where(tiny, -np.inf, y.real)
    return y
PY
sed 's/    return y/    y.imag = np.where(tiny, 1, y.imag)\n&/' parts.py >angle.py
subnormal='log/1 dtype=c128 shape=2 | x=list,values:0x0p+0;0x0.0000000000001p-1022 y=ones'
expect 0 "$opconform" replay "$subnormal" --backend python:flush@parts.py
expect 1 "$opconform" replay "$subnormal" --backend python@parts.py
expect 1 "$opconform" replay "$subnormal" --backend python:flush@angle.py
expect 3 "$opconform" fuzz --cases 1 --backend python:fast@soft.py; says "no mode 'fast': expected flush"; one_line
expect 3 env OPCONFORM_PYTHON=/nowhere "$opconform" fuzz --cases 1 --backend python@soft.py; says "no answer from Python"; one_line

# By the module: in the clone, and as pip installs it.
expect 0 env -u OPCONFORM_PYTHON OPCONFORM="$opconform" PYTHONPATH="$root/python" /usr/bin/python3 -m opconform soft.py --cases 50 --db m.db --quiet
expect 3 env OPCONFORM=/nowhere PYTHONPATH="$root/python" /usr/bin/python3 -m opconform soft.py
says "/nowhere is not there"; one_line
printf '\nif __name__ == "__main__":\n    sys.exit(opconform.run(None, "--cases", "50", "--db", "n.db", "--quiet"))\n' >>good.py
expect 0 env -u OPCONFORM_PYTHON OPCONFORM="$opconform" PYTHONPATH="$root/python" /usr/bin/python3 good.py
if /usr/bin/python3 -m pip --version >/dev/null 2>&1; then
    expect 0 env -u CI /usr/bin/python3 -m pip install --quiet --no-index --no-deps --root-user-action ignore --target site "$root"
    expect 0 env -u OPCONFORM_PYTHON PYTHONPATH=site /usr/bin/python3 -m opconform soft.py --cases 50 --db i.db --quiet
    expect 0 env -u OPCONFORM_PYTHON PYTHONPATH=site site/bin/opconform list backends
else
    skip "the wheel: pip is not installed"
fi
finish
