# Real frameworks in workers: how many operators each runs, that correct ones are left alone, that a fault in
# one is found and named, and that scripts show findings by themselves.
. tests/lib.sh
. tests/frameworks.sh
cases=${FRAMEWORK_CASES:-400}
# More types have more of the same findings, and minimising these takes most of the time: make test-long has all.
types=${FRAMEWORK_TYPES:-f32,i32,bool}
declare -A forward=([torch]=100 [tensorflow]=80 [paddle]=80 [oneflow]=80 [jax]=12 [torch:shim]=110 [tensorflow:tfe]=65)
declare -A backward=([torch]=70 [tensorflow]=60 [paddle]=60 [oneflow]=60 [jax]=2 [torch:shim]=0 [tensorflow:tfe]=0)
# In tenths of the cases; OneFlow's processes die often, and start slowly.
declare -A share=([torch]=16 [tensorflow]=10 [paddle]=12 [oneflow]=8 [jax]=45 [torch:shim]=30 [tensorflow:tfe]=30)
# Departures that are documented are no faults.  TensorFlow sets its threads to flush subnormal numbers to zero and says so nowhere: true of any operator.
# Sums and products of complex infinities are known to be wrong (docs/findings.md).
sound="kind <> 'POLICY' AND id NOT IN (SELECT finding FROM finding_policy WHERE policy = 'flush')"
ran() { # DB BACKWARD: operators that a campaign executed
    sql "$1" "SELECT count(DISTINCT op) FROM coverage WHERE executions > 0 AND (op LIKE '%\_backward%' ESCAPE '\') = $2"
}
script() { # STATUS NAME WHAT OPTION...: what the script of a finding or a line ends with
    local wanted=$1 name=$2
    shift 2
    expect 0 "$opconform" reproduce "$@" --out "$scratch"
    run_python "$name" "$(cat "$scratch/out")"
    [ $? = "$wanted" ] || fail "$name $*: $(tail -n 3 "$scratch/shown")"
}
for name in "${present[@]}"; do
    db=$scratch/$name.db
    number=$((cases * ${share[$name]} / 10 + cases / 20))
    "$opconform" fuzz --engine random --op all --dtype "$types" --backend "$name" --cases "$number" --seed 11 --jobs 2 --deadline 5s \
        --db "$db" --quiet >"$scratch/out" 2>&1
    [ $? -le 1 ] || fail "$name: $(cat "$scratch/out")"
    echo "$name: $(ran "$db" 0) operators, $(ran "$db" 1) gradients, $(sql "$db" 'SELECT count(*) FROM finding') findings"
    [ "$(ran "$db" 0)" -ge "${forward[$name]}" ] || fail "$name: $(ran "$db" 0) operators only"
    [ "$(ran "$db" 1)" -ge "${backward[$name]}" ] || fail "$name: $(ran "$db" 1) gradients only"
    wrong=$(sql "$db" "SELECT group_concat(DISTINCT op) FROM finding WHERE op IN ('add', 'sub', 'mul', 'relu', 'sum',
        'transpose', 'concat', 'mul_backward', 'add_backward', 'relu_backward', 'where', 'maximum', 'gather')
        AND dtype NOT IN ('c64', 'c128') AND $sound")
    [ -z "$wrong" ] || fail "$name: $wrong"
    for id in $(sql "$db" "SELECT min(id) FROM finding WHERE kind = 'DIVERGE' AND min_line NOT NULL GROUP BY op LIMIT 2"); do
        script 1 "$name" "$id" --db "$db"
    done
    [[ $name = *:* ]] || script 0 "$name" "matmul_backward/2 dtype=f32 m=2 n=3 k=2 | dy=normal a=normal b=normal" --backend "$name"
done
# Other ways to compute the same: results in place, in out=, by forward mode, by differentiating twice.
if is_present torch; then
    for way in inplace out module; do
        expect 0 "$opconform" replay "sigmoid/1 dtype=f32 shape=3x4 | x=normal" --backend "torch:$way" --json
        [ "$(verdicts)" = "torch:$way AGREE" ] || fail "$(verdicts)"
    done
    for way in inplace forward-mode double-backward; do
        expect 0 "$opconform" replay "tanh_backward/1 dtype=f32 shape=3x4 | dy=normal x=normal" --backend "torch:$way" --json
        [ "$(verdicts)" = "torch:$way AGREE" ] || fail "$(verdicts)"
    done
    expect 0 "$opconform" replay "batch_norm_train/2 dtype=f32 batch=4 channels=3 input_size=5 epsilon=0x1p-10 momentum=0x1.8p-1 correction=1 | x=normal scale=normal bias=normal mean=normal variance=normal" \
        --backend torch:module --json
    [ "$(verdicts)" = "torch:module AGREE" ] || fail "$(verdicts)"
    expect 1 "$opconform" replay "gelu/1 dtype=f32 shape=2 | x=ones" --backend torch,torch:out
    grep -q "apart: torch:out .*; agree: torch" "$scratch/out" || fail "$(cat "$scratch/out")"
    expect 0 "$opconform" reproduce "gelu/1 dtype=f32 shape=2 | x=ones" --backend torch:out --out "$scratch"
    run_python torch "$(cat "$scratch/out")"
    [ $? = 1 ] || fail "$(cat "$scratch/shown")"
fi
# Rows say what a documentation rules out, and how a library wants its arguments.
if is_present paddle; then
    expect 0 "$opconform" replay --backend paddle --json \
        "logsumexp/1 dtype=f32 shape=1x1x1x1x1 axes=31 keepdims=no | x=ones" \
        "einsum/2 dtype=f32 label_extents=1x1 labels_a=3 labels_b=0 labels_y=0 diagonal_label=1 | a=ones b=ones" \
        "layer_norm/1 dtype=f32 shape=2x2x3 axis=1 epsilon=0x1p-17 | x=normal scale=normal bias=normal" \
        "logsumexp/1 dtype=f32 shape=2x2x1x1 axes=3 keepdims=no | x=normal"
    [ "$(verdicts | cut -d ' ' -f 2 | paste -sd ' ')" = "DECLINED DECLINED AGREE AGREE" ] || fail "$(verdicts)"
fi
# What a framework prints is counted and not shown.
if is_present paddle; then
    expect 1 "$opconform" fuzz --engine random --op einsum_backward_b --backend paddle --cases 60 --seed 3 --deadline 5s --quiet --db "$scratch/words.db"
    [ ! -s "$scratch/err" ] || fail "shown: $(head -n 3 "$scratch/err")"
    grep -q "libraries wrote [1-9]" "$scratch/out" || fail "$(cat "$scratch/out")"
fi
# Compilers that no case of corpus/known.cases shows at work run a program that has nothing but operators, and all that take
# calls run one with its gradient.
run_modes() { # LINE framework modes
    is_present "$2" || return
    local backends mode line=$1 name=$2
    shift 2
    backends=$(printf ",$name:%s" "$@")
    # PyTorch dies now and then where a thread of autograd sets the number of threads of a forked process.
    "$opconform" replay "$line" --backend "${backends#,}" --deadline 60s --json >"$scratch/out" 2>"$scratch/err" || {
        echo "again: $line: $(verdicts | grep -v AGREE | paste -sd ' ')"
        expect 0 "$opconform" replay "$line" --backend "${backends#,}" --deadline 60s --json
    }
    verdicts >"$scratch/verdicts"
    for mode; do grep -qxF "$name:$mode AGREE" "$scratch/verdicts" || fail "$name:$mode does not run: $(cat "$scratch/verdicts")"; done
}
program="program/1 dtype=f32 n=3 code=add.0.1.2,maximum.2.3 | x=int z=int"
run_modes "$program" torch trace dynamo fullgraph aot export-saved onnx
run_modes "$program" tensorflow relaxed xla saved
run_modes "$program" paddle off left-out ignored saved predictor-threads
run_modes "$program" oneflow graph
run_modes "$program" jax jit lax nested remat vmap donate aot exported value-and-grad
# What is compiled casts as eager mode does, and Paddle's static programs where eager mode casts nothing.
program="program/1 dtype=f32 n=3 code=autocast_product.0.0.1,autocast_off.2.1.0,autocast_sum.3.0.1 | x=normal z=normal"
run_modes "$program" torch trace dynamo fullgraph aot export-saved
run_modes "$program" paddle ast left-out ignored saved predictor-threads
line="exp_backward/1 dtype=f32 shape=3x4 | dy=int x=int"
run_modes "$line" torch script trace dynamo fullgraph aot export
run_modes "$line" tensorflow function relaxed xla
run_modes "$line" paddle ast sot
run_modes "$line" jax jit
line="exp/1 dtype=f32 shape=3x4 | x=int"
run_modes "$line" torch onnx
run_modes "$line" paddle onnx
! is_present torch || script 0 torch:trace "$line" --backend torch:trace
# A fault in an adapter, of one operator and its gradient: found, and nothing beside it.
cp -r ops/backend/framework/python "$scratch/worker"
for name in "${present[@]}"; do
    [[ "$name" != jax && "$name" != *:* ]] || continue
    cat >>"$scratch/worker/opconform_worker/adapter_$name.py" <<'P'
import functools, sys
from . import calls
class Faulty(calls.Functions):
    def call(self, step, given):
        right = super().call(step, given)
        return right + given['a'] * given['a'] * 0.001 if 'mul' in step.expression else right
Adapter.functions = functools.cached_property(lambda self: Faulty(sys.modules[__name__]))
Adapter.functions.__set_name__(Adapter, 'functions')
P
    OPCONFORM_WORKER=$scratch/worker "$opconform" fuzz --engine random --op mul,mul_backward,sub --dtype f32 --backend "$name" \
        --cases 200 --seed 1 --deadline 5s --db "$scratch/bad-$name.db" --quiet >"$scratch/out" 2>&1
    [ $? = 1 ] || fail "$name: $(cat "$scratch/out")"
    [ "$(sql "$scratch/bad-$name.db" "SELECT group_concat(DISTINCT op) FROM (SELECT op FROM finding WHERE $sound ORDER BY op)")" = "mul,mul_backward" ] ||
        fail "$name: $(sql "$scratch/bad-$name.db" "SELECT signature FROM finding")"
done
finish
