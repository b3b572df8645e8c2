# Single calls through compilers: each planted fault is found within a few calls and shrunk, correct variants are left
# alone, refusals are declined with their reason, a failure of the compiler is a finding, and a brief program shows it.
. tests/lib.sh
if ! /usr/bin/python3 -c "import numpy" 2>"$scratch/err"; then
    skip_all "the system's Python has no NumPy: $(tail -n 1 "$scratch/err")"
fi
campaign() { # fault, operators, more options
    "$opconform" fuzz --op "$2" --backend "numpy:planted-$1" --cases 320 --seed 3 --db "$scratch/$1.db" --quiet "${@:3}"
}
illegal='count_nonzero/1 dtype=i32 shape=scalar axes=0 keepdims=no | x=ones y=ones | exec=illegal:1'
for row in tail:exp promote:add lose-nan:amax,maximum first-extent:exp fold-scalar:mul fail:add fail-first:exp; do
    expect 1 campaign "${row%:*}" "${row#*:}" --fix dtype=f32
done
expect 0 campaign widen exp,add,softmax,conv2d,sort --json
joined=$(sed -n 's/.*"joined":\([0-9]*\),.*/\1/p' "$scratch/out")
check "$joined calls of 320 were compiled with others" test "${joined:-0}" -ge 200
expect 0 campaign refuse exp,add,rand
# Random numbers are compiled without what sets their seed, so that a compiler that keeps what it draws first is found.
"$opconform" query modes --db "$scratch/refuse.db" --csv >"$scratch/modes"
check "$(cat "$scratch/modes")" grep -q '^numpy:planted-refuse,3,2,66.7,1,.*functions of several operands' "$scratch/modes"
expect 1 campaign keep-draws rand
# What is compiled is the call as its row writes it: one with an illegal argument, which another form has, is declined.
expect 0 "$opconform" replay "$illegal" --backend numpy:planted-widen
check "$(cat "$scratch/out")" grep -q 'DECLINED: is compiled as the row writes it' "$scratch/out"
# Forms that are other arguments are compiled as such; what only they show is found by them.  Other forms, and those that a
# call has not, are declined, also beside NaN, where the call is made without the compiler as well.
expect 1 campaign names sum,mean --fix dtype=f32,exec.form=named
lines=$(sql "$scratch/names.db" "SELECT group_concat(min_line, '; ') FROM finding WHERE min_line NOT NULL")
check "operands by their names are shown by $lines" test -n "$lines" -a -z "$(tr ';' '\n' <<<"$lines" | grep -v 'form:named')"
expect 0 campaign widen sum,mean,remainder,flip,softmax --fix dtype=f32
for form in omitted view; do
    line="remainder/2 dtype=f32 shape=4 broadcast_a=0 broadcast_b=0 | a=int b=int,special:inf,place:all y=ones | exec=relation:plain,form:$form"
    expect 0 "$opconform" replay "$line" --backend numpy:planted-widen
    check "$form: $(cat "$scratch/out")" grep -q "DECLINED: .* has no form $form" "$scratch/out"
done
# Calls by turns are compiled as one function, what fails of several is tried of fewer, and alone: it shows nothing wrong.
expect 0 campaign fail-several exp,add,softmax --json
check "$(cat "$scratch/out")" grep -q '"joined":0,' "$scratch/out"
# What shows where calls are compiled together only is filed with the names of the others, since the case alone agrees.
expect 1 campaign mix exp,cos --fix dtype=f32
check "no finding names the other call: $(sql "$scratch/mix.db" "SELECT detail FROM finding")" \
    test "$(sql "$scratch/mix.db" "SELECT count(*) FROM finding WHERE detail GLOB 'only in one function with *' AND flaky")" -gt 0
# Where NaN is admitted beside a number, what the library gives without its compiler decides.
expect 0 campaign widen remainder,div,maximum
expect 1 campaign divisor remainder --fix dtype=f32
check "another class than without the compiler: $(sql "$scratch/divisor.db" "SELECT detail FROM finding")" \
    test "$(sql "$scratch/divisor.db" "SELECT count(*) FROM finding WHERE detail GLOB 'without its compiler it is *' AND NOT flaky")" -gt 0
expect 1 campaign double add,mul,exp --fix dtype=f32
check "another type is no refusal of it: $(sql "$scratch/double.db" "SELECT DISTINCT op FROM finding")" \
    test "$(sql "$scratch/double.db" "SELECT count(*) FROM finding WHERE op = 'exp'")" = 0
says_why() { sql "$1" "SELECT count(*) FROM v_decline WHERE reason LIKE '%$2%'"; }
check "no refusal was counted: $(sql "$scratch/refuse.db" 'SELECT reason FROM v_decline')" \
    test "$(says_why "$scratch/refuse.db" 'functions of several operands')" -gt 0
check "a failure of the compiler is no refusal" test "$(sql "$scratch/fail.db" "SELECT kind FROM finding LIMIT 1")" = STATUS
# The same call runs on many data before the next: few calls are compiled for all cases.
calls=$(sql "$scratch/widen.db" "SELECT sum(executions) FROM coverage")
check "$calls judged executions of 320 cases" test "$calls" -ge 250
# What the library shows without its compiler is filed there, and says through which compiler it shows; what it does not
# is the compiler's.
mkdir -p "$scratch/venv/bin" "$scratch/wrong"
cat >"$scratch/wrong/sitecustomize.py" <<'END'
import numpy
right = numpy.exp
numpy.exp = lambda x: right(x) * x.dtype.type(1.25)
END
printf '#!/bin/sh\nPYTHONPATH=%s:$PYTHONPATH exec /usr/bin/python3 "$@"\n' "$scratch/wrong" >"$scratch/venv/bin/python3"
chmod +x "$scratch/venv/bin/python3"
compiled=numpy:planted-tail@$scratch/venv uncompiled=numpy@$scratch/venv both=$scratch/both.db
expect 1 "$opconform" fuzz --op exp,cos --backend "$compiled" --cases 320 --seed 3 --db "$both" --quiet --fix dtype=f32
check "exp is filed on $(sql "$both" "SELECT group_concat(DISTINCT backend) FROM finding WHERE op = 'exp' AND min_line NOT NULL")" \
    test "$(sql "$both" "SELECT count(*) FROM finding WHERE op = 'exp' AND backend = '$uncompiled'")" -gt 0
check "cos is filed on $(sql "$both" "SELECT group_concat(DISTINCT backend) FROM finding WHERE op = 'cos'")" \
    test "$(sql "$both" "SELECT group_concat(DISTINCT backend) FROM finding WHERE op = 'cos'")" = "$compiled"
bug=$(sql "$both" "SELECT bug FROM finding WHERE op = 'exp' AND backend = '$uncompiled' LIMIT 1")
"$opconform" bugs show "$bug" --db "$both" >"$scratch/bug"
check "$(cat "$scratch/bug")" grep -q "also through $compiled" "$scratch/bug"
# A brief program has the function, what compiles it, and where it keeps something of its first call, another call.
for row in 'tail:^def function(x)' 'first-extent:compiled(x\[1:\])' 'fail-first:compiled(x \* 0)'; do
    db=$scratch/${row%%:*}.db
    id=$(sql "$db" "SELECT id FROM finding WHERE min_line NOT NULL ORDER BY length(min_line) LIMIT 1")
    for kind in '' --harness; do
        PYTHONPATH=ops/backend/framework/python expect 0 "$opconform" reproduce "$id" $kind --db "$db" --out "$scratch"
        program=$(cat "$scratch/out")
        check "$row: $(cat "$program")" grep -q "${row#*:}\|    def function" "$program"
        PYTHONPATH=ops/backend/framework/python expect 1 /usr/bin/python3 "$program"
    done
done
finish
