# Libraries in worker processes: NumPy beside the references, then a library that dies, hangs, lies and raises.
. tests/lib.sh
if ! /usr/bin/python3 -c 'import numpy' 2>"$scratch/err"; then
    skip_all "the system's Python has no NumPy: $(tail -n 1 "$scratch/err")"
fi
# A result that is a number of NumPy is written down as the call that gives it; the one of binary64 is a float of Python too.
for how in --harness ""; do
    expect 0 "$opconform" reproduce "sum/1 dtype=f64 shape=3 axes=1 keepdims=no | x=ones" --backend numpy $how --out "$scratch/number$how"
    ! grep -q "the harness" "$scratch/err" || fail "no brief program: $(cat "$scratch/err")"
    program=$(tail -n 1 "$scratch/out")
    expect 0 /usr/bin/python3 "$program"
    check "$how: $(cat "$program")" grep -q "np.sum(" "$program"
done
"$opconform" fuzz --engine random --op 'nn/*' --backend numpy --cases "${WORKER_CASES:-9000}" --seed 4 --jobs 2 \
    --deadline 20s --db "$scratch/np.db" --quiet >"$scratch/out" 2>&1
[ $? -le 1 ] || fail "$(cat "$scratch/out")"
# Its log1p, pow, sinc and quotients of complex numbers are known to be wrong (docs/findings.md).
others="FROM finding WHERE NOT (op IN ('log1p', 'pow', 'div', 'sinc') AND dtype IN ('c64', 'c128'))"
[ "$(sql "$scratch/np.db" "SELECT count(*) $others")" = 0 ] ||
    fail "$(sql "$scratch/np.db" "SELECT signature, coalesce(min_line, line) $others")"
[ "$(sql "$scratch/np.db" "SELECT count(DISTINCT op) FROM coverage WHERE executions > 0")" -ge 95 ] ||
    fail "fewer than 95 operators ran"
# What has no such form, or no function for it in this version, is asked for before it is a case.
[ "$(sql "$scratch/np.db" "SELECT sum(declined) * 200 <= sum(executions) FROM coverage")" = 1 ] ||
    fail "what is declined: $("$opconform" query declined --db "$scratch/np.db" --plain)"
# That they gave way to other draws is counted, by what the rows say and by what a worker said.
for reason in "its call has no form %" "numpy % has no %"; do
    [ "$(sql "$scratch/np.db" "SELECT sum(redrawn) > 0 FROM redraw WHERE reason LIKE '$reason'")" = 1 ] ||
        fail "$reason: $("$opconform" query redrawn --db "$scratch/np.db" --plain)"
done
# An adapter whose operators each fail in another way.
cp -r ops/backend/framework/python "$scratch/worker"
cat >>"$scratch/worker/opconform_worker/adapter_numpy.py" <<'P'
import ctypes, os, signal, time
def ends(action):
    def run(x):
        action()
        return x
    return run
def raises(x):
    raise ValueError('a text with\nlines and \x01')
def step_by_step(a, b):
    y = np.zeros(np.broadcast_shapes(a.shape[:-2], b.shape[:-2]) + (a.shape[-2], b.shape[-1]), a.dtype)
    for k in range(a.shape[-1]):
        y = y + a[..., k, None] * b[..., k, None, :]
    return y
counter = iter(range(1000000))
def counts(x):
    raise ValueError(f'node {next(counter)} at {next(counter)}, {next(counter)}: no conv2d')
def exhausts(x):
    raise MemoryError
FAULTS = {
    'flip': ends(lambda: os.kill(os.getpid(), signal.SIGKILL)),
    'roll': ends(os.abort),
    'neg': ends(lambda: os._exit(3)),
    'square': ends(lambda: time.sleep(100)),
    'transpose': ends(lambda: ctypes.string_at(0)),
    'tile': exhausts,
    'matmul': step_by_step,
    'sub': lambda a, b: (a - b) * a.dtype.type(1.0625),
    'abs': lambda x: x[..., :-1],
    'exp': lambda x: np.exp(x) * (1 + 2.0 ** -18),
    'sin': lambda x: np.sin(x).astype(np.float16),
    'cos': raises,
    'atan': counts,
    'tan': lambda x: x.__setitem__(Ellipsis, 5) or np.tan(x),
}
class Adapter(Adapter):
    def call(self, memory, request, operands):
        if request.name not in FAULTS:
            return super().call(memory, request, operands)
        y = FAULTS[request.name](*self.inputs(memory, operands))
        return activated(y, request.steps[0].attributes.get('activation', 'none'))
P
export OPCONFORM_WORKER=$scratch/worker
found() { # OP KIND DETAIL: a finding of this kind with this text
    [ "$(sql "$scratch/bad.db" "SELECT count(*) > 0 FROM finding WHERE op = '$1' AND kind = '$2' AND detail LIKE '%$3%'")" = 1 ] ||
        fail "$1: $(sql "$scratch/bad.db" "SELECT kind, detail FROM finding WHERE op = '$1'")"
}
"$opconform" fuzz --engine random --op flip,roll,neg,abs,exp,sin,cos,tan,atan,add --backend numpy --cases 450 --seed 1 \
    --jobs 2 --db "$scratch/bad.db" --quiet >"$scratch/out" 2>&1
[ $? = 1 ] || fail "$(cat "$scratch/out")"
found flip FAULT SIGKILL
# Of an operator whose question killed a worker nothing is asked any more, which is counted as well.
[ "$(sql "$scratch/bad.db" "SELECT sum(unasked) > 0, sum(redrawn) FROM redraw WHERE op = 'flip' AND reason LIKE '%died%'")" = $'1\t0' ] ||
    fail "unasked: $(sql "$scratch/bad.db" "SELECT * FROM redraw")"
grep -qE '^[0-9]+ cases were run without asking for them' "$scratch/out" || fail "$(cat "$scratch/out")"
found roll FAULT SIGABRT
found neg FAULT "status 3"
found abs STATUS "gives float"
found exp DIVERGE ""
found sin STATUS "gives float16"
found cos STATUS "ValueError: a text with"
found tan CONTRACT x
found atan STATUS "node "
# Numbers in messages make no signatures, those in names do not go.
[ "$(sql "$scratch/bad.db" "SELECT count(*) FROM finding WHERE op = 'atan' AND signature NOT LIKE '%node # at #: no conv2d)%'")" = 0 ] ||
    fail "$(sql "$scratch/bad.db" "SELECT hits, signature FROM finding WHERE op = 'atan'")"
[ -z "$(sql "$scratch/bad.db" "SELECT 1 FROM finding WHERE op = 'add'")" ] || fail "add has a finding"
expect 1 "$opconform" replay "square/1 dtype=f32 shape=2 | x=ones" --backend numpy
grep -q hang "$scratch/out" || fail "$(cat "$scratch/out")"
# Half precision that rounds at every step is told from half precision that is wrong.
"$opconform" fuzz --engine random --op matmul,sub --dtype f16 --backend numpy --cases 300 --seed 1 --db "$scratch/half.db" \
    --quiet >"$scratch/out" 2>&1
[ "$(sql "$scratch/half.db" "SELECT count(*) FROM finding WHERE op = 'matmul' AND kind = 'POLICY' AND signature LIKE '%narrow-arithmetic%'")" -ge 1 ] ||
    fail "no sum of half precision under its name"
[ "$(sql "$scratch/half.db" "SELECT count(*) FROM finding WHERE op = 'matmul' AND kind = 'DIVERGE'")" = 0 ] ||
    fail "$(sql "$scratch/half.db" "SELECT min_line FROM finding WHERE op = 'matmul' AND kind = 'DIVERGE'")"
[ "$(sql "$scratch/half.db" "SELECT count(*) FROM finding WHERE op = 'sub' AND kind = 'DIVERGE'")" -ge 1 ] ||
    fail "a sixteenth too much in half precision was not found"
# In chains a step is blamed given what came before it, and what a step does to the results of others shows.
chains() { # OPERATOR CHANGE CONDITION: cases over an adapter with one change, and what one of its findings must be
    rm -rf "$scratch/chains" "$scratch/chain.db"*
    cp -r ops/backend/framework/python "$scratch/chains"
    cat >>"$scratch/chains/opconform_worker/adapter_numpy.py" <<P
from . import calls
class Functions(calls.Functions):
    def call(self, step, operands):
        """A step of a chain knows which values it takes."""
        x, alone = operands.get('x'), step.taken is None
        return $2 if step.expression == 'np.$1(x)' else super().call(step, operands)
class Adapter(Adapter):
    functions = property(lambda self: Functions(sys.modules[__name__]))
P
    OPCONFORM_WORKER=$scratch/chains "$opconform" fuzz --engine random --op chain,abs,tanh --dtype f32,f64,f16 --backend numpy --cases 1500 --seed 1 \
        --db "$scratch/chain.db" --quiet >"$scratch/out" 2>&1
    [ "$(sql "$scratch/chain.db" "SELECT count(*) FROM finding WHERE op = 'chain' AND $3")" -ge 1 ] ||
        fail "$3: $(sql "$scratch/chain.db" "SELECT kind, min_line FROM finding")"
    [ "$(sql "$scratch/chain.db" "SELECT count(*) FROM finding WHERE op != 'chain' OR min_line NOT LIKE '%=abs%' AND min_line NOT LIKE '%=tanh%'")" = 0 ] ||
        fail "$(sql "$scratch/chain.db" "SELECT kind, min_line FROM finding")"
}
chains abs "np.abs(x, out=None if alone else x)" \
    "kind = 'DIVERGE' AND min_line LIKE '%step2=abs%' AND min_line NOT LIKE '%step3=%'"
chains tanh "np.tanh(x) * x.dtype.type(1 if alone else 1.001)" \
    "kind = 'DIVERGE' AND min_line LIKE '%step1=tanh |%'"
# Illegal arguments: refused by what is documented, or a finding.
cp -r ops/backend/framework/python "$scratch/illegal"
cat >>"$scratch/illegal/opconform_worker/adapter_numpy.py" <<'P'
def breaks(a, b):
    raise KeyError('axis')
FAULTS = {
    'concat': breaks,
    'sub': lambda a, b: np.subtract(a, b) if a.shape == b.shape else __import__('os').abort(),
    'mul': lambda a, b: a[..., :b.shape[-1]] * b,
    'maximum': lambda a, b: np.maximum(a, b) + a.dtype.type(0 in a.strides),
}
class Adapter(Adapter):
    def call(self, memory, request, operands):
        if request.name == 'index_select':
            x, indices = self.inputs(memory, operands)
            return x.take(indices, request.steps[0].attributes['axis'], mode='clip')
        if request.name not in FAULTS:
            return super().call(memory, request, operands)
        return FAULTS[request.name](*self.inputs(memory, operands))
P
illegal() { # VERDICT TEXT LINE
    OPCONFORM_WORKER=$scratch/illegal expect "$([ "$1" = AGREE ] && echo 0 || echo 1)" "$opconform" replay "$3" --backend numpy
    grep -q "numpy  *$1.*$2" "$scratch/out" || fail "$(cat "$scratch/out")"
}
illegal AGREE "" "add/2 dtype=f32 shape=3x4 | a=normal | exec=illegal:1"
illegal AGREE "" "matmul/2 dtype=f32 m=3 n=3 k=4 | a=normal | exec=illegal:1"
illegal AGREE "" "gather/2 dtype=f32 shape=3x4 indices_shape=2 | x=normal | exec=illegal:2"
illegal STATUS "accepts an illegal index" "index_select/2 dtype=f32 shape=3x4 num_indices=2 | x=normal | exec=illegal:2"
illegal STATUS "accepts an illegal extent" "mul/2 dtype=f32 shape=3x4 | a=normal | exec=illegal:1"
illegal STATUS "illegal axis by an exception that is not documented: KeyError" "concat/2 dtype=f32 shape=3x4 extent_b=2 | a=normal | exec=illegal:1"
illegal FAULT "SIGABRT on an illegal extent" "sub/2 dtype=f32 shape=3x4 | a=normal | exec=illegal:1"
# What a row or an adapter asks for and the installed version has not is declined; what fails inside of the library is not.
cp -r ops/backend/framework/python "$scratch/versions"
cat >"$scratch/versions/library.py" <<'P'
def inside(x):
    return x.nothing
def old(x):
    return x
def wrapped(x, keyword):
    return old(x, keyword=keyword)
P
cat >>"$scratch/versions/opconform_worker/adapter_numpy.py" <<'P'
import library
from .protocol import Types
CALLS = {
    'floor': lambda x: x.astype(Types()['f64']),
    'exp': lambda x: np.no_such_function(x),
    'log': lambda x: x.no_such_method(),
    'sin': lambda x: library.old(x, keyword=1),
    'cos': lambda x: library.inside(x),
    'tan': lambda x: library.wrapped(x, 1),
    'tanh': lambda x: library.old(),
}
class Adapter(Adapter):
    def read(self, memory, operand):
        if operand.shape == (7,):
            raise TypeError('no conversion')
        return super().read(memory, operand)
    def call(self, memory, request, operands):
        own = CALLS.get(request.name)
        return own(*self.inputs(memory, operands)) if own else super().call(memory, request, operands)
P
version() { # STATUS VERDICT LINE
    OPCONFORM_WORKER=$scratch/versions expect "$1" "$opconform" replay "$3" --backend numpy
    grep -q "numpy  *$2" "$scratch/out" || fail "$(cat "$scratch/out")"
}
for op in exp log sin; do
    version 0 "DECLINED: numpy [0-9.]* has no such call: .*Error: " "$op/1 dtype=f32 shape=2 | x=ones"
done
version 0 "DECLINED: numpy [0-9.]* takes no elements of f32: TypeError" "abs/1 dtype=f32 shape=7 | x=ones"
version 0 "DECLINED: numpy [0-9.]* has no elements of f64" "floor/1 dtype=f32 shape=2 | x=ones"
version 0 AGREE "abs/1 dtype=f32 shape=6 | x=ones"
version 1 "STATUS .*AttributeError: " "cos/1 dtype=f32 shape=2 | x=ones"
version 1 "STATUS .*TypeError: .*unexpected keyword" "tan/1 dtype=f32 shape=2 | x=ones"
version 1 "STATUS .*TypeError: .*missing 1 required" "tanh/1 dtype=f32 shape=2 | x=ones"
# Inputs that repeat elements by strides of 0 reach the library as such.
line="maximum/2 dtype=f32 shape=3x4 | a=normal b=normal"
illegal AGREE "" "$line"
illegal DIVERGE "" "$line | exec=layout:expanded"
expect 0 "$opconform" replay "matmul/2 dtype=f32 m=3 n=4 k=5 | a=normal b=normal | exec=layout:expanded" --backend numpy
# Which one is apart is said by name.
expect 1 "$opconform" replay "exp/1 dtype=f32 shape=3 | x=ones" --backend libm,numpy
grep -q "apart: numpy (DIVERGE, ratio .*; agree: libm" "$scratch/out" || fail "$(cat "$scratch/out")"
"$opconform" fuzz --engine random --op exp --dtype f32 --backend libm,numpy --cases 60 --seed 1 --verbose --db "$scratch/peers.db" >"$scratch/out" 2>&1
grep -qx "    agree: libm" "$scratch/out" || fail "$(cat "$scratch/out")"
expect 0 "$opconform" query outliers --plain --db "$scratch/peers.db"
grep -q "exp.*numpy.*libm" "$scratch/out" || fail "$(cat "$scratch/out")"
# Scripts show what is wrong by themselves, and that nothing is.
script() { # STATUS ARGUMENT...: writes a script, which ends with this status
    local wanted=$1
    shift
    expect 0 "$opconform" reproduce "$@" --out "$scratch/scripts"
    (cd / && PYTHONPATH='' /usr/bin/python3 "$(cat "$scratch/out")" >"$scratch/err" 2>&1)
    [ $? = "$wanted" ] || fail "$*: $(cat "$scratch/err")"
}
script 1 "$(sql "$scratch/bad.db" "SELECT id FROM finding WHERE op = 'exp' LIMIT 1")" --db "$scratch/bad.db"
script 2 "flip/1 dtype=f32 shape=2 axis=0 | x=ones" --backend numpy
OPCONFORM_WORKER=$scratch/chains script 0 "chain/1 dtype=f32 n=3 step1=transpose step2=add with2=2 step3=matmul from3=2 with3=3 step4=cumsum from4=3 | x=normal z=normal" --backend numpy
OPCONFORM_WORKER=$scratch/chains script 0 "chain/1 dtype=f32 n=3 step1=transpose step2=add with2=2 step3=matmul from3=2 with3=3 step4=cumsum from4=3 | x=normal z=normal" \
    --backend numpy
OPCONFORM_WORKER=$scratch/chains script 1 "$(sql "$scratch/chain.db" "SELECT id FROM finding WHERE min_line LIKE '%step1=tanh |%' LIMIT 1")" \
    --db "$scratch/chain.db"
OPCONFORM_WORKER=$scratch/illegal script 1 "index_select/2 dtype=f32 shape=3x4 num_indices=2 | x=normal | exec=illegal:2" --backend numpy
OPCONFORM_WORKER=$scratch/illegal script 0 "add/2 dtype=f32 shape=3x4 | a=normal | exec=illegal:1" --backend numpy
script 0 "add/2 dtype=f32 shape=3x4 | a=normal b=normal | exec=layout:strided" --backend numpy
script 0 "floor/1 dtype=f16 shape=3 | x=normal,special:nan" --backend numpy
# A template whose places are not those of the values ends the program.
PYTHONPATH=ops/backend/framework/python /usr/bin/python3 - <<'P' || fail "templates"
from opconform_worker.script import fill
assert fill('@A@ a@b @B@@A@', A=1, B='@C@') == '1 a@b @C@1'
for template, values in ('@A@', {}), ('@A@', {'A': 1, 'B': 2}), ('@A@ @B@', {'A': 1}):
    try:
        fill(template, **values)
        raise SystemExit(f'{template} with {values}')
    except KeyError:
        pass
P
# Hundreds of deaths of five kinds, and some hangs: none is lost, the operator beside them is left alone.
die() { # CASES OPERATORS OPTION...
    local cases=$1 operators=$2
    shift 2
    rm -f "$scratch/deaths.db"
    "$opconform" fuzz --engine random --op "$operators,add" --fix exec.illegal=0 --no-avoid --backend numpy --cases "$cases" --seed 2 \
        --db "$scratch/deaths.db" --quiet --json "$@" >"$scratch/out" 2>&1
    [ $? = 1 ] || fail "$(cat "$scratch/out")"
    deaths=$(sql "$scratch/deaths.db" "SELECT sum(hits) FROM finding WHERE op != 'add' AND kind = 'FAULT'")
    ran=$(sql "$scratch/deaths.db" "SELECT sum(executions) FROM coverage WHERE op != 'add'")
    echo "$operators: $deaths deaths of $ran calls"
    [ "$deaths" = "$ran" ] || fail "$deaths deaths of $ran calls were filed"
    [ -z "$(sql "$scratch/deaths.db" "SELECT 1 FROM finding WHERE op = 'add'")" ] || fail "add has a finding"
}
die "${WORKER_DEATHS:-800}" flip,roll,neg,transpose,tile
for end in flip:SIGKILL roll:SIGABRT neg:"status 3" transpose:SIGSEGV tile:SIGABRT; do
    [ -z "$(sql "$scratch/deaths.db" "SELECT 1 FROM finding WHERE op = '${end%%:*}' AND detail NOT LIKE '%${end#*:}%'")" ] ||
        fail "${end%%:*} did not only end with ${end#*:}"
done
die 6 square --deadline 1s --dtype f32
# Where calls return before they are computed, a worker may die of any that was started.
cp -r "$scratch/worker" "$scratch/asynchronous"
echo 'Adapter.asynchronous = True' >>"$scratch/asynchronous/opconform_worker/adapter_numpy.py"
export OPCONFORM_WORKER=$scratch/asynchronous
die 250 flip,roll,neg,transpose,tile
die 3 square --deadline 1s --dtype f32
export OPCONFORM_WORKER=$scratch/worker
export OPCONFORM_WRITABLE=$scratch
# A worker whose asker was killed in the middle of a call does not stay, and one that is told to end with all others of its
# job goes on: whoever asked ends it.
cp -r ops/backend/framework/python "$scratch/ends"
cat >>"$scratch/ends/opconform_worker/adapter_numpy.py" <<P
import os, signal, time
def stays(x):
    with open('$scratch/stays', 'w') as file:
        file.write(f'{os.getpid()}')
    time.sleep(100)
def told(x):
    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        os.kill(os.getpid(), each)
    return np.sign(x)
class Adapter(Adapter):
    def call(self, memory, request, operands):
        own = {'square': stays, 'sign': told}.get(request.name)
        return own(*self.inputs(memory, operands)) if own else super().call(memory, request, operands)
P
export OPCONFORM_WORKER=$scratch/ends
expect 0 "$opconform" replay "sign/1 dtype=f32 shape=2 | x=normal" --backend numpy
"$opconform" fuzz --engine random --op square --dtype f32 --backend numpy --cases 20 --deadline 100s --db "$scratch/stays.db" --quiet \
    >/dev/null 2>&1 &
tool=$!
wait_for() { # COMMAND...: until it holds, for half a minute at most
    for _ in $(seq 300); do
        "$@" && return
        sleep 0.1
    done
    fail "$*"
}
is_gone() { ! kill -0 "$1" 2>/dev/null; }
wait_for test -s "$scratch/stays"
stays=$(cat "$scratch/stays")
for job in $(pgrep -P "$tool"); do # but the server, which is Python
    [[ $(tr '\0' ' ' <"/proc/$job/cmdline") != *start.py* ]] && kill -9 "$job"
done
wait_for is_gone "$stays"
is_gone "$tool" && fail "the tool has ended, and its workers with it"
kill -9 "$tool"
wait "$tool" 2>/dev/null
export OPCONFORM_WORKER=$scratch/worker
# fuzz says in one line why a framework is absent.
expect 3 "$opconform" fuzz --op add --backend torch@/nowhere --cases 1 --db "$scratch/x.db"
one_line
finish
