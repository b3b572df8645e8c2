# All inputs of exp in binary16 on kernels whose results are known: the counts, the findings, a kill at any instant and what a
# later run makes of it, and shards.
. tests/lib.sh
cc -g -O2 -shared -fPIC -o "$scratch/libex.so" tests/exhaust_kernels.c -lm
root=$PWD
cd "$scratch" || exit 2

exhaust() { # STATUS KERNEL DB WORDS...
    expect "$1" "$opconform" exhaust exp --dtype f16 --backend "kernel@./libex.so:exp=k_$2(x, y, n)" --db "$3" --quiet "${@:4}"
}
counts() { # DB
    sql "$1" "SELECT inputs || ' ' || wrong || ' ' || undecided || ' ' || open || ' ' || unjudged || ' ' || departures FROM v_exhaustive"
}
is() { # WHAT GOT WANTED
    check "$1: $2 instead of $3" [ "$2" = "$3" ]
}
blocks() { # DB: all that does not depend on time
    sql "$1" "SELECT block, inputs, correct, wrong, undecided, open, unjudged, bins, worst_ulps, worst_input FROM sweep_block ORDER BY block"
    sql "$1" "SELECT block, what, kind, count, first, worst, ulps FROM sweep_departure ORDER BY block, what"
}

exhaust 0 right right.db
is "correctly rounded" "$(counts right.db)" "65536 0 0 0 0 0"
# One wrong result of all, with the case that shows it.
exhaust 1 once once.db
is "one wrong" "$(counts once.db)" "65536 1 0 0 0 1"
is "its input" "$(sql once.db "SELECT worst_input FROM v_exhaustive")" 0x3e01
is "its findings" "$(sql once.db "SELECT count(*) || ' ' || min(kind) FROM finding")" "1 DIVERGE"
check "no values in the line" grep -q 'x=list.*values' <(sql once.db "SELECT min_line FROM finding")
expect 1 "$opconform" replay "$(sql once.db "SELECT min_line FROM finding")" --backend "kernel@./libex.so:exp=k_once(x, y, n)"
# Again: nothing new, and nothing is counted twice.
exhaust 0 once once.db --json
is "again" "$(counts once.db)" "65536 1 0 0 0 1"
is "rows" "$(python3 -c 'import json, sys; print([r["wrong"] for r in json.loads(sys.stdin.readline())])' <out)" "[1]"
# A binade is one ulp off: 1024 results that are not rounded correctly, which a function that is computed in binary32 has not.
exhaust 1 above above.db
is "one ulp above" "$(sql above.db "SELECT wrong || ' ' || max(worst_ulps < 1.5) FROM v_exhaustive")" "1024 1"
is "beyond the bound" "$(sql above.db "SELECT group_concat(DISTINCT kind) FROM sweep_departure")" DIVERGE
# NaN of 2046 inputs become numbers.
exhaust 1 nan_lost lost.db
is "NaN lost" "$(sql lost.db "SELECT what || ' ' || results FROM v_departure")" "NaN lost 2046"
# One input ends the process: the others are judged.
exhaust 1 crash crash.db
is "a crash" "$(counts crash.db)" "65536 0 0 0 1 1"
is "its finding" "$(sql crash.db "SELECT kind || ' ' || symptom FROM finding")" "FAULT segmentation fault"

# kill -9, as often as it takes: the counts are those of one run.
killed=0
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
    timeout -s KILL 0.7 "$opconform" exhaust exp --dtype f16 --backend "kernel@./libex.so:exp=k_late(x, y, n)" --db late.db --quiet >out 2>err && break
    killed=$((killed + 1))
done
check "never killed" [ "$killed" -gt 0 ]
exhaust 0 late late.db
is "after kills" "$(blocks late.db)" "$(blocks right.db)"
# Two shards that are merged are one run; a shard alone is not whole.
exhaust 0 once first.db --shard 1/2
is "a shard" "$(sql first.db "SELECT inputs FROM v_exhaustive")" 32768
exhaust 1 once second.db --shard 2/2 --jobs 2
expect 0 "$opconform" merge both.db first.db second.db first.db
is "shards" "$(blocks both.db)" "$(blocks once.db)"
exhaust 0 once both.db
is "shards, gone on" "$(blocks both.db)" "$(blocks once.db)"

# Binary32, of which single blocks are tried here (tests/long_exhaust.sh has all): fast values decide as exactly.
single() { # STATUS OP KERNEL DB WORDS...
    expect "$1" "$opconform" exhaust "$2" --dtype f32 --backend "kernel@./libex.so:$2=k_$3(x, y, n)" --db "$4" --quiet "${@:5}"
}
for shard in 1 1009 1010 1060 3060 3100; do
    single 0 exp exp32 single.db --shard $shard/4096
done
is "binary32" "$(counts single.db)" "6291456 0 0 0 0 0"
single 0 exp once32 once32.db --shard 1009/4096
is "one ulp at one input" "$(counts once32.db) $(sql once32.db "SELECT bins FROM sweep_block")" \
    "1048576 1 0 0 0 0 [0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0]"
single 1 sqrt sign32 sign.db --shard 1/2048
single 1 sqrt sign32 sign.db --shard 1009/4096
is "the sign of a zero, once" "$(sql sign.db "SELECT group_concat(what || ' ' || results || ' ' || first, ', ') FROM v_departure")" \
    "wrong sign of zero 1 0x80000000, wrong value 1 0x3f012345"

# The page has them, with a plot of one result that is between 1 and 1.5 ulp off.
expect 0 "$opconform" report --db once32.db --out report
check "no table" grep -q '<h2>All inputs</h2>' report/coverage.html
check "no plot" grep -q '<figcaption>exp in f32 on kernel@./libex.so:exp=k_once32(x, y, n) libex.so: 1 of 1048576, 1.' report/coverage.html
check "no bar" grep -q '<tr><td>&lt; 1.5</td><td class=n>1</td></tr>' report/coverage.html

# Wrong use.
expect 2 "$opconform" exhaust
one_line
expect 2 "$opconform" exhaust exq --backend libm
says "did you mean exp?"
expect 2 "$opconform" exhaust exp
one_line
for shard in 0/2 3/2 1/ /2 1 a/b 1/2/3; do
    exhaust 2 right never.db --shard "$shard"
    says "expected I/N"
done
expect 2 "$opconform" exhaust softmax --dtype f32 --backend libm --db never.db
cd "$root" || exit 2
finish
