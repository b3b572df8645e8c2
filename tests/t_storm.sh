# Crashes and hangs by the hundred in one run: each is counted, none ends the run.
. tests/lib.sh
cases=${STORM_CASES:-400}
expect 1 "$opconform" fuzz --engine random --backend planted:storm --op gemm --cases "$cases" --no-avoid \
    --deadline 60ms --db "$scratch/s.db" --quiet --json
sql "$scratch/s.db" "SELECT hits, signature FROM finding"
declined=$(sql "$scratch/s.db" "SELECT sum(declined) FROM coverage")
# An illegal argument that is refused as it should be is no fault.
refused=$(sql "$scratch/s.db" "SELECT coalesce(sum(executions), 0) FROM policy_count WHERE policy = 'illegal-argument'")
cases=$((cases - declined - refused))
[ "$(sql "$scratch/s.db" "SELECT sum(hits) FROM finding WHERE kind = 'FAULT'")" = "$cases" ] ||
    fail "$(sql "$scratch/s.db" "SELECT sum(hits) FROM finding") of $cases faults were filed"
hangs=$(sql "$scratch/s.db" "SELECT sum(hits) FROM finding WHERE detail = 'hang'")
[ "${hangs:-0}" -ge $((cases / 200)) ] || fail "only $hangs hangs"
[ "$(sql "$scratch/s.db" "SELECT restarts FROM run")" = "$cases" ] || fail "restarts"
# Candidates of a minimisation that never return are given up, and the others are tried.
expect 1 "$opconform" fuzz --engine random --backend planted:trap --op gemm --cases 60 --seed 3 --deadline 200ms \
    --db "$scratch/t.db" --quiet
[ "$(sql "$scratch/t.db" "SELECT count(*) FROM finding WHERE kind = 'DIVERGE' AND min_line LIKE '% k=9 %'")" -ge 1 ] ||
    fail "a minimisation was not finished: $(sql "$scratch/t.db" "SELECT signature, min_line FROM finding")"
# All kinds in one run, as many of each as the seeds say: every one is counted under its own signature.
crashes=$((${MIXED_CASES:-200} / 2)) others=$((${MIXED_CASES:-200} / 100))
mixed() { # k number
    seq "$2" | sed "s|.*|gemm/1 m=2 n=2 k=$1 \| a=int:& b=int c=int \| exec=guard:end|"
}
{ mixed 1 "$crashes"; mixed 2 "$crashes"; mixed 3 "$others"; mixed 4 "$others"; mixed 5 "$others"; } |
    awk 'BEGIN { srand(1) } { print rand() "\t" $0 }' | sort -n | cut -f 2 >"$scratch/mixed"
expect 1 "$opconform" fuzz --engine random --backend planted:mixed-storm --op gemm --seeds "$scratch/mixed" --cases 1 --no-avoid \
    --deadline 60ms --db "$scratch/m.db" --quiet
counted() { # detail number
    local hits
    hits=$(sql "$scratch/m.db" "SELECT coalesce(sum(hits), 0) FROM finding WHERE kind IN ('FAULT', 'CONTRACT') AND detail = '$1'")
    [ "$hits" -ge "$2" ] && [ "$hits" -le $(($2 + 1)) ] || fail "$hits of $2 calls that end by $1: $(sql "$scratch/m.db" "SELECT hits, kind, detail FROM finding")"
}
counted SIGSEGV "$crashes"
counted SIGABRT "$crashes"
counted hang "$others"
counted 'SIGABRT at the end of memory' "$others"
counted 'writes outside the elements: a' "$others"
# A kernel that overwrites the heap of its process, which dies of that outside of any kernel, or in a later call.
for engine in random libfuzzer random-inside; do
    inside=0
    [ "$engine" != random-inside ] || inside=64
    "${CC:-cc}" -std=c17 -O1 -w -shared -fPIC -DFAULTY=$((32 + inside)) -DVERSION='"1.0"' -o "$scratch/heap.so" \
        tests/faulty_blas.c -lm || fail "compiler"
    db=$scratch/heap-$engine.db engine=${engine%-inside}
    expect 1 "$opconform" fuzz --engine "$engine" --op gemm --dtype c64 --backend "cblas@$scratch/heap.so" --cases 3000 --seed 1 \
        --db "$db" --quiet --json
    grep -q '"overwritten":[1-9]' "$scratch/out" || fail "$engine: no death that was explained: $(cat "$scratch/out")"
    [ "$(sql "$db" "SELECT count(*) FROM finding WHERE kind = 'FAULT' AND NOT flaky AND min_line LIKE '% k=5 %'")" -ge 1 ] ||
        fail "$engine: the kernel that overwrites the heap was not found: $(sql "$db" "SELECT signature, min_line FROM finding")"
    # A death of a heap that does not show it again is said to be of no call, which blames no case.
    [ "$(sql "$db" "SELECT count(*) FROM finding WHERE kind = 'FAULT' AND op = '-'")" -le 1 ] || fail "$engine: deaths of no call"
    [ "$(sql "$db" "SELECT count(*) FROM finding WHERE kind = 'FAULT' AND op != '-' AND coalesce(min_line, line) NOT LIKE '% k=5 %'")" = 0 ] ||
        fail "$engine: another case is blamed: $(sql "$db" "SELECT signature, flaky, coalesce(min_line, line) FROM finding")"
done
# Two crashes of one operator that end its process alike: both get their minimal cases, and the many others of them cost
# few processes, are counted, and are run with --no-avoid.
"${CC:-cc}" -std=c17 -O1 -w -shared -fPIC -DFAULTY=128 -DVERSION='"1.0"' -o "$scratch/two.so" tests/faulty_blas.c -lm || fail "compiler"
two() { # database option...
    expect 1 "$opconform" fuzz --engine random --op gemm --dtype f32 --backend "cblas@$scratch/two.so" --seed 1 --quiet --json \
        --db "$scratch/$1" "${@:2}"
}
two two.db --cases 1200
for facet in ta tb; do
    [ "$(sql "$scratch/two.db" "SELECT count(*) FROM finding WHERE signature LIKE '%(SIGSEGV) | $facet=% n>16'")" -ge 1 ] ||
        fail "the crash where $facet is transposed was not found: $(sql "$scratch/two.db" "SELECT signature FROM finding")"
done
restarts=$(sql "$scratch/two.db" "SELECT restarts FROM run")
[ "$restarts" -le 60 ] || fail "$restarts processes for two crashes"
grep -q '"avoided":[1-9][0-9]*,"avoided_early":[1-9]' "$scratch/out" || fail "nothing was avoided: $(cat "$scratch/out")"
two all.db --cases 200 --no-avoid
grep -q '"avoided":0,"avoided_early":0' "$scratch/out" || fail "avoided with --no-avoid: $(cat "$scratch/out")"
[ "$(sql "$scratch/all.db" "SELECT restarts FROM run")" -ge 30 ] || fail "few crashes with --no-avoid"
# Workers that take the place of others are forks of a process that has the library open, but for the first ones, for which
# it was not ready; a library that starts a thread as it loads lets none be forked.
reopened() {
    grep -o '"reopened":[0-9]*' "$scratch/out" | grep -o '[0-9]*$'
}
[ "$(reopened)" -le 15 ] || fail "$(reopened) workers opened the library"
cat >"$scratch/thread.c" <<'END'
#include <pthread.h>
#include <unistd.h>
static void *rest(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}
__attribute__((constructor)) static void begin(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, rest, 0);
}
END
"${CC:-cc}" -std=gnu17 -O1 -w -shared -fPIC -DFAULTY=128 -DVERSION='"1.0"' -o "$scratch/two.so" tests/faulty_blas.c \
    "$scratch/thread.c" -lm -lpthread || fail "compiler"
two thread.db --cases 100 --no-avoid
[ "$(reopened)" = "$(sql "$scratch/thread.db" "SELECT restarts FROM run")" ] && [ "$(reopened)" -ge 10 ] ||
    fail "$(reopened) workers opened a library with a thread"
finish
