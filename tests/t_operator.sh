# Operators of a user's own in Python: what a description becomes, ten faults that are found and two correct ways that are left
# alone, a bound without an analysis, programs, and one line for each mistake.
. tests/lib.sh
root=$PWD
export OPCONFORM_PYTHON=/usr/bin/python3
cd "$scratch" || exit 2

cat >fused.py <<'PY'
import os
import numpy as np
import opconform
from opconform import Choice, Index, Integer, Real, Tensor

@opconform.operator(sizes={'n': (1, 9), 'k': (1, 12), 'm': (1, 9)})
def fused(x: Tensor["n k"], w: Tensor["k m"], p: Choice["relu", "gelu"]):
    """A product with an activation."""
    z = x @ w
    return np.maximum(z, 0) if p == 'relu' else 0.5 * z * (1 + np.tanh(0.7978845608028654 * (z + 0.044715 * z ** 3)))

fault = os.environ.get('FAULT', '')
f32 = np.float32

def gelu(z):
    return f32(0.5) * z * (1 + np.tanh(f32(0.7978845608028654) * (z + f32(0.044715) * z * z * z)))

@fused.kernel
def mine(x, w, p):
    if fault == 'blocks':
        z = sum((x[:, i:i + 4] @ w[i:i + 4] for i in range(0, x.shape[1], 4)), np.zeros((len(x), w.shape[1]), x.dtype))
    else:
        z = x @ (w if fault != 'half' else w.astype(np.float16).astype(f32))
    if fault == 'last' and x.shape[1] % 4 == 3:
        z = z - x[:, -1:] * w[-1:]
    if fault == 'first':
        z = z - x[:, :1] * w[:1]
    if fault == 'row' and len(x) > 4:
        z[4] = 0
    if fault == 'twice' and w.shape[1] == 1:
        z = z * 2
    y = np.maximum(z, 0) if p == 'relu' else gelu(z)
    if fault == 'constant' and p == 'gelu':
        y = f32(0.5) * z * (1 + np.tanh(f32(0.79788) * (z + f32(0.0447) * z * z * z)))
    if fault == 'leaky' and p == 'relu':
        y = np.where(z > 0, z, z * f32(1e-4))
    if fault == 'nan':
        y = np.where(z == 0, f32('nan'), y)
    if fault == 'swapped':
        y = gelu(z) if p == 'relu' else np.maximum(z, 0)
    if fault == 'narrow':
        y = (y * f32(1.00001))
    return y.astype(x.dtype)

@opconform.operator(legal='size<=rows', sizes={'rows': (1, 8), 'cols': (1, 8)})
def picked(x: Tensor["rows cols"], places: Index["size", "rows"], scale: Real, turn: Integer[0, 3]) -> Tensor["size cols"]:
    return np.roll(x[places] * scale, turn, 1)

@opconform.kernel('picked')
def picks(x, places, scale, turn):
    return np.roll(x[places] * np.float32(scale), turn, 1)

@opconform.operator
def flattened(x: Tensor["a b"], y: Tensor["b"]):
    return (x * y).reshape(-1), (x + y).sum()

@flattened.kernel
def flat(x, y):
    return (x * y).reshape(-1), (x + y).sum()
PY
expect 0 "$opconform" fuzz --engine random --seed 7 --backend python@fused.py --cases 900 --db g.db
[ "$(sql g.db "SELECT count(DISTINCT op), sum(declined) * 20 <= sum(executions) FROM coverage WHERE executions > 0")" = $'3\t1' ] ||
    fail "what is drawn: $(sql g.db "SELECT op, dtype, sum(executions), sum(declined) FROM coverage GROUP BY 1, 2")"
expect 0 env FAULT=blocks "$opconform" fuzz --engine random --seed 7 --backend python@fused.py --op fused --cases 600 --db g.db --quiet
for fault in last first row twice constant leaky nan swapped narrow half; do
    rm -f f.db
    expect 1 env FAULT=$fault "$opconform" fuzz --engine random --seed 7 --backend python@fused.py --op fused --cases 250 --db f.db --quiet
    [ "$(sql f.db "SELECT count(DISTINCT op || kind) FROM finding WHERE op = 'fused' AND kind = 'DIVERGE'")" = 1 ] ||
        fail "$fault: $(sql f.db 'SELECT signature FROM finding')"
done
# The smallest case, its replay, and a program.
rm -f f.db
expect 1 env FAULT=last "$opconform" fuzz --engine random --seed 7 --backend python@fused.py --op fused --cases 300 --db f.db --quiet
line=$(sql f.db "SELECT min_line FROM finding LIMIT 1")
case $line in *' n=1 k=3 m=1 '*) ;; *) fail "not minimal: $line" ;; esac
expect 1 env FAULT=last "$opconform" replay "$line" --backend python@fused.py
expect 0 "$opconform" replay "$line" --backend python@fused.py
expect 0 env FAULT=last "$opconform" reproduce 1 --db f.db --out . --backend python@fused.py
expect 1 env FAULT=last PYTHONPATH="$scratch:$root/python" /usr/bin/python3 finding-1.py
expect 0 env PYTHONPATH="$scratch:$root/python" /usr/bin/python3 finding-1.py

# The bound holds what NumPy computes in another precision, and more than that is found: the ratio of the worst error to it.
PYTHONPATH=$root/python /usr/bin/python3 - <<'PY' || fail "the bound"
import numpy as np
from opconform import rounding
worst = {}
for name, function in {'softmax': lambda x: np.exp(x - x.max(-1, keepdims=True)) / np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True),
                       'norm': lambda x: (x - x.mean(-1, keepdims=True)) / np.sqrt(((x - x.mean(-1, keepdims=True)) ** 2).mean(-1, keepdims=True) + 1e-5),
                       'product': lambda x: x @ x.T, 'difference': lambda x: (x ** 3).sum(-1) - x.sum(-1)}.items():
    worst[name] = 0
    for seed in range(300):
        x = np.random.RandomState(seed).standard_normal((5, 40)).astype(np.float32)
        (right, bound), = rounding.bounded(function, {'x': x.astype(np.float64)}, 'f32')
        worst[name] = max(worst[name], float((np.abs(function(x) - right) / bound).max()))
print(worst)
assert all(0.005 < each < 0.7 for each in worst.values()), worst
PY

# Mistakes.
wrong() { # words, lines of a file
    printf 'import numpy as np\nimport opconform\nfrom opconform import Choice, Index, Integer, Real, Tensor\n%b\n' "$2" >bad.py
    expect 3 "$opconform" fuzz --cases 1 --db w.db --backend python@bad.py
    says "$1"
    one_line
}
wrong "there is an operator softmax already" "@opconform.operator\ndef softmax(x: Tensor['n']): return x"
wrong "bad.py, line 4: TypeError: own: what is y? Annotate it" "@opconform.operator\ndef own(x: Tensor['n'], y): return x"
wrong "own: no operand has the extent q" "@opconform.operator(sizes={'q': (1, 2)})\ndef own(x: Tensor['n']): return x"
wrong "own: the extents of its output are not clear" "@opconform.operator\ndef own(x: Tensor['n']): return x[x.shape[0] // 2:]"
wrong "bad.py, line 5: NameError: name 'undefined' is not defined" "@opconform.operator\ndef own(x: Tensor['n']): return undefined"
wrong "z is no operand and no attribute of own" "@opconform.operator\ndef own(x: Tensor['n']): return x\n@own.kernel\ndef f(x, z): return x"
wrong "f is not told p of own" "@opconform.operator\ndef own(x: Tensor['n'], p: Index['n', '4']): return x\n@own.kernel\ndef f(x): return x"
finish
