# A thousand shards with synthetic bugs (FLEET_SHARDS, at least 100), merged in five orders: equal answers byte by byte, processor time that grows no faster
# than the shards do, memory that hardly grows.
. tests/lib.sh
shards=${FLEET_SHARDS:-1000}
expect 0 "$opconform" worker --shard 0/1 --cases 600 --out "$scratch/template" --backend planted:drop-last-k,planted:nan-dropped \
    --op gemm,gemv,dot,axpy,scal --quiet
template=$scratch/template/shard-00000-of-00001.db
answers() { # DATABASE
    local table name
    for table in run backend finding hit raw_signature observation event coverage decline redraw finding_peer; do sql "$1" "SELECT * FROM $table"; done
    for name in $("$opconform" list queries | awk '{print $1}'); do "$opconform" query "$name" --plain --db "$1"; done
}
measure() { # NAME COMMAND...: its processor time and memory as a line "NAME SECONDS KILOBYTES"
    python3 -c 'import resource, subprocess, sys
status = subprocess.call(sys.argv[2:], stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(sys.argv[1], round(used.ru_utime + used.ru_stime, 2), used.ru_maxrss)
sys.exit(status)' "$@" | tee -a "$scratch/figures"
}
for few in $((shards / 100)) $((shards / 10)) $((shards / 2)); do
    expect 0 python3 tests/shards.py "$template" "$scratch/part" "$few"
    measure "$few" "$opconform" fleet merge --out "$scratch/part" || fail "$few of them are not merged"
    ls -l "$scratch/part/findings.db" | awk '{ print $5, "bytes" }'
    rm -r "$scratch/part"
done
expect 0 python3 tests/shards.py "$template" "$scratch/all" "$shards"
measure "$shards" "$opconform" fleet merge --out "$scratch/all" || fail "not all are merged"
first=$scratch/all/findings.db
ls -l "$first" | awk '{ print $5, "bytes" }'
sql "$first" "SELECT count(*) || ' findings, ' || sum(hits) || ' hits, ' || (SELECT sum(cases) FROM run) || ' cases, ' || (SELECT count(*) FROM bug) || ' bugs' FROM finding"
expect 0 "$opconform" fsck --db "$first"
answers "$first" | sha256sum >"$scratch/first"
# Under the names of others, a third of them first.
link() { # FIRST: those of $shuffled from there on
    local number
    for ((number = $1; number < ${#shuffled[@]}; number++)); do
        ln -s "${shuffled[number]}" "$(printf '%s/shard-%05d-of-%05d.db' "$scratch/order" "$number" "$shards")"
    done
}
for order in 1 2 3 4; do
    mapfile -t shuffled < <(printf '%s\n' "$scratch"/all/shard-*.db | shuf --random-source=<(yes $order))
    mkdir "$scratch/order" && touch "$scratch/order/shards-$(printf %05d "$shards")"
    link $((2 * shards / 3))
    expect 75 "$opconform" fleet merge --out "$scratch/order"
    rm "$scratch"/order/shard-*
    link 0
    expect 0 "$opconform" fleet merge --out "$scratch/order"
    answers "$scratch/order/findings.db" | sha256sum | cmp -s - "$scratch/first" || fail "order $order differs"
    rm -r "$scratch/order"
done
# Twice the shards: at most 2.4 times the processor time.  Ten times the shards: less than twice the memory.
check "growth: $(cat "$scratch/figures")" awk '{ t[NR] = $2; m[NR] = $3 } END { exit !(t[4] < 2.4 * t[3] && m[4] < 2 * m[2]) }' "$scratch/figures"
finish
