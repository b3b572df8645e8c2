# Programs through compilers: each planted fault is found and shrunk to the lines that matter, compilers
# that change nothing, or only how it is written, are left alone, scripts show what was found, and constructs are counted.
. tests/lib.sh
if ! /usr/bin/python3 -c "import numpy" 2>"$scratch/err"; then
    skip_all "the system's Python has no NumPy: $(tail -n 1 "$scratch/err")"
fi
cases=${PROGRAM_CASES:-8000}
faults=$(PYTHONPATH=ops/backend/framework/python /usr/bin/python3 -c 'from opconform_worker.programs import planted_compiler; print(*planted_compiler.FAULTS)')
lengths=()
campaign() { # fault
    OPENBLAS_NUM_THREADS=1 "$opconform" fuzz --engine random --op program --backend "numpy:$1" --seed 2 --deadline 1s --db "$scratch/$1.db" --quiet \
        --first --cases "$cases" >"$scratch/$1.out" 2>&1
    echo $? >"$scratch/$1.status"
}
export -f campaign
export opconform cases scratch
printf '%s\n' $faults | xargs -P 2 -I FAULT bash -c 'campaign FAULT'
for fault in $faults; do
    db=$scratch/$fault.db
    status=$(cat "$scratch/$fault.status")
    [ "$fault" = planted-view-of-base ] && continue
    if [[ "$fault" = planted-nothing* ]]; then
        [ "$status" = 0 ] || fail "$fault: $(cat "$scratch/$fault.out")"
        continue
    fi
    [ "$status" = 1 ] || fail "$fault: not found in $cases cases: $(cat "$scratch/$fault.out")"
    lengths+=("$(sql "$db" "SELECT min(1 + length(code) - length(replace(code, ',', ''))) FROM
        (SELECT substr(min_line, instr(min_line, 'code=') + 5, instr(min_line, ' | ') - instr(min_line, 'code=') - 5) AS code
         FROM finding WHERE min_line NOT NULL)")")
done
median=$(printf '%s\n' "${lengths[@]}" | sort -n | sed -n "$((${#lengths[@]} / 2 + 1))p")
[ "$median" -le 4 ] || fail "minimal programs have $median statements: ${lengths[*]}"
# Views of views are too rare for a campaign as short.
for code in view,view_view,view_add.0.0.3:1 view,view_add.0.0.3:0; do
    expect "${code#*:}" "$opconform" replay "program/1 dtype=f32 n=4 code=${code%:*} | x=ones z=ones" --backend numpy:planted-view-of-base
done
# Calls are dropped that a fault does not need: two are enough for what is kept of the first.
db=$scratch/planted-extent-kept.db
sql "$db" "SELECT min_line FROM finding WHERE min_line NOT NULL" | grep -Eq ' extents=[0-9]x[0-9] ' || fail "$(sql "$db" "SELECT min_line FROM finding")"
id=$(sql "$db" "SELECT id FROM finding WHERE min_line NOT NULL ORDER BY length(min_line) LIMIT 1")
expect 0 "$opconform" reproduce "$id" --harness --db "$db" --out "$scratch"
PYTHONPATH=ops/backend/framework/python /usr/bin/python3 "$(cat "$scratch/out")" >"$scratch/shown" 2>&1
[ $? = 1 ] && grep -q 'the bug is there' "$scratch/shown" || fail "$(cat "$scratch/shown")"
agrees() { # what stands behind dtype= in a program's line
    expect 0 "$opconform" replay "program/1 dtype=$1" --backend numpy
    grep -q AGREE "$scratch/out" || fail "$(cat "$scratch/out")"
}
# Each call has an extent of its own, and arguments that a call writes to are those of the next ones.
for line in 'n=5 extents=5x0x1x5 signature=open code=view_input,view_add.0.0.3,set.0.1,buffer_set,buffer_get.1.1,extent.2.0' \
    'n=1 extents=0 signature=first code=slice.0.1,slice_set.1.0.2,for_rows,plus_e.0.0,end,view_turned.0,view_add.0.0.1'; do
    agrees "f32 $line | x=int z=int"
done
# Gradients of data that round, with equal elements, and of no elements.
for line in 'n=5 code=slope_twice.0.0.1,slope_product.1.0.2,slope_square.2.1.0,slope_loop.3.2.2 | x=normal z=normal' \
    'n=5 code=slope_maximum.0.0.0,slope_slice.1.1.2,i_set.0.0.2,slope_branch.2.2.1 | x=ones z=normal' \
    'n=2 extents=0x2x1 signature=open code=slope_twice.0.0.1,slope_product.1.1,slope_slice.2.1,slope_maximum.3.0.1 | x=int z=int'; do
    agrees "f32 $line"
done
# A NaN stays in its own place of a gradient.
expect 0 "$opconform" replay 'program/1 dtype=f64 n=2 code=slope_twice,slope_square.1.0.1 | x=ones,special:nan z=ones' --backend numpy
# Autocast: what is not representable, types that stay, and no elements.
for line in 'f32 n=5 code=autocast_product.0.0.1,plus_i.1.1,autocast_off.2.1.0,plus_i.3.3 | x=normal z=normal' \
    'f64 n=3 code=autocast_product.0.0.1,plus_i.1.1,autocast_sum.2.1.0,plus_i.3.3 | x=normal z=normal' \
    'f32 n=2 extents=0x2 signature=open code=autocast_product.0.0.1,autocast_sum.1.0.1 | x=int z=int'; do
    agrees "$line"
done
# The smallest program of a fault, and a script that needs NumPy and the compiler only.
db=$scratch/planted-drop-loop-else.db
id=$(sql "$db" "SELECT id FROM finding WHERE min_line NOT NULL ORDER BY length(min_line) LIMIT 1")
sql "$db" "SELECT min_line FROM finding WHERE id = $id" | grep -q 'else' || fail "no else in $(sql "$db" "SELECT min_line FROM finding WHERE id = $id")"
expect 0 "$opconform" reproduce "$id" --harness --db "$db" --out "$scratch"
PYTHONPATH=ops/backend/framework/python /usr/bin/python3 "$(cat "$scratch/out")" >"$scratch/shown" 2>&1
[ $? = 1 ] && grep -q 'the bug is there' "$scratch/shown" || fail "$(cat "$scratch/shown")"
# All constructs were met by as many cases, each is run by NumPy, and what is not is in the table as well.
db=$scratch/all.db
expect 0 "$opconform" fuzz --engine random --op program --backend numpy --cases 2000 --seed 1 --db "$db" --quiet
[ "$(sql "$db" "SELECT count(*) FROM v_construct WHERE status <> 'run'")" = 0 ] ||
    fail "not run: $(sql "$db" "SELECT construct FROM v_construct WHERE status <> 'run'")"
[ "$(sql "$db" "SELECT count(*) FROM v_construct")" -ge 55 ] || fail "constructs"
expect 0 "$opconform" query constructs --db "$db"
# A branch on a number that is within its bound of the threshold decides nothing; one beside it does.
close="third.1,add.2.1.1,add.2.2.1,sub.2.2"
expect 0 "$opconform" replay "program/1 dtype=f32 n=1 code=$close,if.1.2,plus.0.0.1 | x=ones z=ones" --backend numpy:planted-nothing
grep -q VACUOUS "$scratch/out" || fail "$(cat "$scratch/out")"
expect 0 "$opconform" replay "program/1 dtype=f32 n=1 code=$close,if.1.2.1,plus.0.0.1 | x=ones z=ones" --backend numpy:planted-nothing
grep -q AGREE "$scratch/out" || fail "$(cat "$scratch/out")"
# Beside a faster backend a slow one has a sample, the same programs each time.
for run in 1 2; do
    expect 0 "$opconform" fuzz --engine random --op program --backend numpy,numpy:planted-nothing --cases 400 --db "$scratch/sample.$run.db" --quiet
    sampled=$(sql "$scratch/sample.$run.db" "SELECT sum(executions) FROM coverage WHERE backend LIKE '%nothing'")
    [ "$sampled" -ge 50 ] && [ "$sampled" -le 200 ] || fail "$sampled of 400 programs"
done
[ "$sampled" = "$(sql "$scratch/sample.1.db" "SELECT sum(executions) FROM coverage WHERE backend LIKE '%nothing'")" ] || fail "another sample"
# Code that a line must refuse.
for code in nonsense add.1.2.3.4 add.9 add,,add ''; do
    expect 2 "$opconform" replay "program/1 dtype=f32 n=1 code=$code | x=ones" --backend numpy
    one_line
done
# A gradient may be as far off as eager mode is by its own measure, not by 2^-16 in binary32 or 2^-40 in binary64.
cat >"$scratch/gradient.py" <<'PY'
import types

import numpy as np
from opconform_worker.programs import running


def verdict(dtype, factor):
    program = types.SimpleNamespace(
        make=lambda n, dtype: 1.0, convert=lambda made, example: factor, tensor=np.array, array=np.array,
        gradient=lambda scale, x, z: np.cumsum(np.exp(x * x.dtype.type(0.37)) * z)[::-1] * z.dtype.type(scale))
    x, z = np.linspace(-1, 1, 9).astype(dtype), np.linspace(0.3, 1, 9).astype(dtype)
    try:
        running.check_gradient(program, (9, x.dtype), x, z)
    except RuntimeError:
        return 'wrong'
    return 'right'


print([verdict(*each) for each in (('f4', 1), ('f4', 1 + 2**-23), ('f4', 1 + 2**-16), ('f8', 1), ('f8', 1 + 2**-52), ('f8', 1 + 2**-40))])
PY
PYTHONPATH=ops/backend/framework/python /usr/bin/python3 "$scratch/gradient.py" >"$scratch/out" 2>&1
grep -qx "\['right', 'right', 'wrong', 'right', 'right', 'wrong'\]" "$scratch/out" || fail "$(cat "$scratch/out")"
finish
