# Hangs are told by processor time: endless loops and deadlocks are found, and a library that is stopped, starved, or slow
# once is left alone.  A wrong value that shows only after many calls ends a campaign in 1.
. tests/lib.sh
# Where a library may leave a mark, to hang once only.
export OPCONFORM_WRITABLE=$scratch
: "${CC:=cc}"
line="gemm/1 m=2 n=2 k=3 | a=int b=int c=int"
library() { # NAME TIMING
    "$CC" -std=gnu17 -O1 -w -shared -fPIC -DFAULTY=0 -DTIMING="$2" -DMARK="\"$scratch/$1.mark\"" -o "$scratch/$1.so" \
        tests/timing_blas.c -lm -lpthread || fail "compiler"
}
campaign() { # NAME STATUS OPTION...: of the line, several times
    local name=$1 status=$2
    shift 2
    printf '%s\n' "$line" "$line" "$line" >"$scratch/seeds"
    expect "$status" "$opconform" fuzz --engine random --op gemm --backend "cblas@$scratch/$name.so" --seeds "$scratch/seeds" \
        --cases 1 --deadline 300ms --no-avoid --db "$scratch/$name.db" "$@"
}
hangs() {
    sql "$scratch/$1.db" "SELECT count(*) FROM finding WHERE detail = 'hang'"
}
library loop LOOP
library deadlock DEADLOCK
library stopped STOPPED
library work WORK
library once LOOP_ONCE
for name in loop deadlock; do
    campaign "$name" 1 --quiet
    # The case that is drawn may be made of a seed, and hangs as well.
    [ "$(sql "$scratch/$name.db" "SELECT sum(hits) IN (3, 4), count(*) FROM finding WHERE min_line LIKE '% m=1 n=1 k=3 %' AND detail = 'hang'")" = "$(
        printf '1\t1')" ] ||
        fail "$name: $(sql "$scratch/$name.db" "SELECT hits, detail, min_line FROM finding")"
done
# Ten times as long as a call may take, but stopped; then on one processor with four that are busy.
campaign stopped 0 --quiet
[ "$(hangs stopped)" = 0 ] || fail "a stopped process was taken for one that hangs"
spinners=()
for _ in 1 2 3 4; do
    taskset -c 0 sh -c 'while :; do :; done' &
    spinners+=($!)
done
expect 0 taskset -c 0 "$opconform" replay "$line" --backend "cblas@$scratch/work.so" --deadline 300ms
kill "${spinners[@]}"
wait "${spinners[@]}" 2>/dev/null
expect 1 "$opconform" replay "$line" --backend "cblas@$scratch/work.so" --deadline 100ms
grep -q hang "$scratch/out" || fail "a call of 150 ms is none of 100"
# A call that returns when it is made again is said, and not filed.
campaign once 0
says "not filed: cblas@$scratch/once.so"
[ "$(hangs once)" = 0 ] || fail "what did not hang again was filed"
# A kernel that is wrong, or writes beside C, after a thousand calls does not reproduce, and still counts for the exit status.
# A related call may be the one that is wrong.
late() { # TIMING KIND
    library "$1" "$1"
    expect 1 "$opconform" fuzz --engine random --op gemm --dtype f32 --backend "cblas@$scratch/$1.so" --cases 1400 --db "$scratch/$1.db" --quiet
    [ "$(sql "$scratch/$1.db" "SELECT group_concat(DISTINCT kind || flaky) FROM finding WHERE kind != 'INVARIANCE' OR flaky = 0")" = "$2"1 ] || fail "$1: $(sql "$scratch/$1.db" "SELECT kind, flaky, hits FROM finding")"
}
late LATE DIVERGE
late LATE_BESIDE CONTRACT
finish
