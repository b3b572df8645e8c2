# The output of a library is kept with the findings of its cases and shown with --verbose only.  --time is kept, however
# many findings wait to be minimised.
. tests/lib.sh
: "${CC:=cc}"
"$CC" -std=gnu17 -O1 -w -shared -fPIC -DFAULTY=1 -DTIMING=NOTICES -DMARK="\"\"" -o "$scratch/loud.so" tests/timing_blas.c -lm -lpthread ||
    fail "compiler"
for engine in random libfuzzer; do
    expect 1 "$opconform" fuzz --engine $engine --op gemm --dtype f32 --backend "cblas@$scratch/loud.so" --cases 300 --db "$scratch/$engine.db"
    ! grep -q "^notice" "$scratch/out" "$scratch/err" || fail "$engine: what a library wrote was shown"
    [ $engine != random ] || grep -q "^libraries wrote [1-9]" "$scratch/out" || fail "what is not shown is not said: $(cat "$scratch/out")"
    [ "$(sql "$scratch/$engine.db" "SELECT count(*) FROM finding WHERE output = 'notice of n=3' || char(10) || 'notice on the other one'")" -ge 1 ] ||
        fail "$engine: $(sql "$scratch/$engine.db" "SELECT min_line, output FROM finding")"
done
expect 1 "$opconform" fuzz --engine random --op gemm --dtype f32 --backend "cblas@$scratch/loud.so" --cases 300 --verbose --db "$scratch/v.db"
grep -q "^notice" "$scratch/err" || fail "--verbose does not show what a library wrote"
# Beside the results of a replay it goes to the standard error.
line=$(sql "$scratch/random.db" "SELECT min_line FROM finding WHERE output != '' LIMIT 1")
expect 1 "$opconform" replay "$line" --backend "cblas@$scratch/loud.so" --json
[ "$(verdicts | wc -l)" = 1 ] || fail "a library's words stand beside results: $(cat "$scratch/out")"
grep -q "^notice" "$scratch/err" || fail "what a library wrote is not shown: $(cat "$scratch/err")"
# Lines that processes run side by side give what one process gives, in the order of the lines, also where kernels crash.
for m in $(seq 300); do echo "gemm/1 dtype=f32 m=$m n=1 k=1"; done >"$scratch/lines.cases"
for jobs in 1 3; do
    expect 1 "$opconform" replay "$scratch/lines.cases" --backend planted:segfault,planted:ok-reference --jobs $jobs
    cp "$scratch/out" "$scratch/jobs$jobs"
done
cmp "$scratch/jobs1" "$scratch/jobs3" || fail "three jobs print something else than one"
[ "$(grep -c "planted:segfault  *FAULT" "$scratch/jobs3")" = 37 ] || fail "not each crash: $(grep -c FAULT "$scratch/jobs3")"
# Nothing of a terminal where there is none.
! grep -q $'\033' "$scratch/err" || fail "a terminal's codes in a file"
for backends in planted:drop-last-k,planted:beta-twice,planted:nan-dropped,planted:flush,planted:hang "cblas@$scratch/loud.so"; do
    start=$(date +%s%N)
    expect 1 "$opconform" fuzz --backend "$backends" --op gemm --time 8s --quiet --db "$scratch/t.db"
    taken=$((($(date +%s%N) - start) / 1000000))
    [ "$taken" -lt 11000 ] || fail "$taken ms instead of 8 s: $backends"
done
# What backends do not offer is counted by reasons, which account for all of it.
"$opconform" fuzz --engine random --op 'nn/*' --backend libm,planted:ok-reference --cases 2000 --seed 1 --db "$scratch/d.db" >"$scratch/out" 2>&1
declined=$(sql "$scratch/d.db" "SELECT sum(declined) FROM coverage")
grep -qF "$declined times a backend did not offer a case: opconform query declined --db $scratch/d.db" "$scratch/out" || fail "$(cat "$scratch/out")"
[ "$(sql "$scratch/d.db" "SELECT sum(cases) FROM decline")" = "$declined" ] || fail "reasons do not account for $declined cases"
[ "$(sql "$scratch/d.db" "SELECT count(*) FROM decline WHERE reason = ''")" = 0 ] || fail "declined without a reason"
expect 0 "$opconform" query declined --plain --db "$scratch/d.db"
grep -qP '^libm\tnot offered in this element type\t' "$scratch/out" || fail "$(cat "$scratch/out")"
# What a library does not take is drawn again, which is counted once for each draw: the same with several jobs, beside workers that
# are killed, and in a merged database.
expect 0 "$opconform" fuzz --engine random --op 'nn/*' --backend libm --cases 2000 --seed 1 --jobs 1 --db "$scratch/w1.db"
redrawn=$(sql "$scratch/w1.db" "SELECT sum(redrawn) FROM redraw")
check "draws that gave way: $redrawn" test "${redrawn:-0}" -gt 100
grep -qF "$redrawn draws gave way to others, which the library whose turn it was does not take: opconform query redrawn --db $scratch/w1.db" \
    "$scratch/out" || fail "$(cat "$scratch/out")"
check "draws that gave way without a reason" [ "$(sql "$scratch/w1.db" "SELECT count(*) FROM redraw WHERE length(reason) < 5 OR unasked > 0")" = 0 ]
expect 0 "$opconform" query redrawn --plain --db "$scratch/w1.db"
grep -qP '^libm\toperands with gaps\t' "$scratch/out" || fail "$(cat "$scratch/out")"
of_all() { sql "$1" "SELECT backend, op, reason, sum(redrawn) FROM redraw WHERE backend = 'libm' GROUP BY 1, 2, 3"; }
of_all "$scratch/w1.db" >"$scratch/w1"
for jobs in 2 3; do
    expect 0 "$opconform" fuzz --engine random --op 'nn/*' --backend libm --cases 2000 --seed 1 --jobs $jobs --db "$scratch/w$jobs.db"
    of_all "$scratch/w$jobs.db" | diff "$scratch/w1" - || fail "$jobs jobs count other draws"
done
for jobs in 1 2; do
    expect 1 "$opconform" fuzz --engine random --op gemm,pow,fmod,hypot,copysign --backend libm,planted:segfault --cases 500 --seed 1 --jobs $jobs --no-avoid --json \
        --db "$scratch/s$jobs.db"
    grep -q '"restarts":[1-9]' "$scratch/out" || fail "no worker died: $(cat "$scratch/out")"
    check "$jobs jobs: not all that is stored is told" \
        grep -q "\"redrawn\":$(sql "$scratch/s$jobs.db" "SELECT sum(redrawn) FROM redraw")," "$scratch/out"
    of_all "$scratch/s$jobs.db" >"$scratch/s$jobs"
done
cmp "$scratch/s1" "$scratch/s2" || fail "what is counted depends on jobs where workers die"
check "nothing was counted beside workers that die" [ -s "$scratch/s1" ]
expect 0 "$opconform" merge "$scratch/m.db" "$scratch/w1.db" "$scratch/s1.db"
of_all "$scratch/m.db" >"$scratch/m"
check "a merged database lost counts" [ "$(awk '{ n += $NF } END { print n }' "$scratch/m")" = "$(cat "$scratch/w1" "$scratch/s1" | awk '{ n += $NF } END { print n }')" ]
expect 0 "$opconform" report --out "$scratch/report" --no-programs --db "$scratch/m.db"
grep -q 'operands with gaps' "$scratch/report/coverage.html" || fail "the report does not say what was drawn again"
finish
