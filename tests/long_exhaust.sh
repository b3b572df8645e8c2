# All 2^32 inputs of binary32: a kernel that is one ulp off at a single input is found to be so, and one that rounds correctly to
# have none wrong; in shards, with a kill in each, which are the same as one run.
. tests/lib.sh
cc -g -O2 -shared -fPIC -o "$scratch/libex.so" tests/exhaust_kernels.c -lm
cd "$scratch" || exit 2

exhaust() { # STATUS KERNEL DB WORDS...
    expect "$1" "$opconform" exhaust exp --dtype f32 --backend "kernel@./libex.so:exp=k_$2(x, y, n)" --db "$3" --quiet --jobs "$(nproc)" "${@:4}"
}
counts() { # DB
    sql "$1" "SELECT inputs || ' ' || wrong || ' ' || undecided || ' ' || open || ' ' || unjudged || ' ' || departures FROM v_exhaustive"
}
blocks() { # DB: all that does not depend on time
    sql "$1" "SELECT block, inputs, correct, wrong, undecided, open, unjudged, bins, worst_ulps, worst_input FROM sweep_block ORDER BY block"
}

exhaust 0 exp32 right.db
check "correctly rounded: $(counts right.db)" [ "$(counts right.db)" = "4294967296 0 0 0 0 0" ]
exhaust 0 once32 once.db
check "one wrong: $(counts once.db)" [ "$(counts once.db)" = "4294967296 1 0 0 0 0" ]
for shard in 1 2; do
    for _ in 1 2 3; do
        timeout -s KILL 5 "$opconform" exhaust exp --dtype f32 --backend "kernel@./libex.so:exp=k_once32(x, y, n)" --db $shard.db --quiet --shard $shard/2
    done
    exhaust 0 once32 $shard.db --shard $shard/2
done
expect 0 "$opconform" merge both.db 1.db 2.db
check "shards differ" [ "$(blocks both.db)" = "$(blocks once.db)" ]
seconds=$(sql right.db "SELECT round(core_seconds) FROM v_exhaustive")
echo "$seconds core-seconds"
finish
