# An array of shards on a Slurm of one node: of four tasks one is killed and one queued again while they work; the merge behind them submits
# what was lost, and all is as if nothing had happened.  SLURM_LIMIT=yes (minutes): Slurm's limit of time ends a task too, and the daemon
# of the node is killed.
. tests/lib.sh
PATH=$PATH:/usr/sbin:/sbin
limit=${SLURM_LIMIT:-no} cases=700 patience=100
[ "$limit" = no ] || cases=100000 patience=600
cluster=$scratch/cluster fleet=$scratch/fleet
bash tests/slurm/up.sh "$cluster" >"$scratch/up" 2>&1
case $? in
0) ;;
77) cat "$scratch/up" && exit 77 ;;
*) cat "$scratch/up" && exit 1 ;;
esac
trap 'bash tests/slurm/down.sh "$cluster"; rm -rf "$scratch"' EXIT
export SLURM_CONF=$cluster/slurm.conf
options=(--cases "$cases" --backend "planted:drop-last-k,planted:nan-dropped" --op "gemm,gemv,dot,axpy,scal")

await() { # WHAT COMMAND...: until it holds
    local end=$((SECONDS + patience))
    until "${@:2}"; do
        [ $SECONDS -lt $end ] || { fail "waited in vain for $1"; squeue; return 1; }
        sleep 0.2
    done
}
published() { # COUNT
    [ "$(find "$fleet" -name 'shard-?????-of-00004.db' | wc -l)" -ge "$1" ]
}
# The process of a task, whose parent is none of it, once a campaign of it has begun.
process_of() { # TASK
    local job all
    job=$(scontrol show job "${array}_$1" -o 2>/dev/null | sed -n 's/^JobId=\([0-9]*\) .*/\1/p')
    all=$(scontrol listpids "$job" 2>/dev/null | awk '$1 ~ /^[0-9]+$/ { print $1 }' | paste -sd,)
    [ -n "$all" ] || return
    process=$(ps -o pid=,ppid= -p "$all" | awk '{ parent[$1] = $2 } END { for (each in parent) if (!(parent[each] in parent)) print each }' | head -1)
    [ -n "$process" ] && compgen -G "$fleet/work/shard-0000$1-of-00004/slice-*.stats" >/dev/null
}
# A task that was queued again runs: a daemon that ends while it starts one has the task held.
runs_again() { # TASK
    scontrol show job "${array}_$1" -o | grep -q 'JobState=RUNNING .* Restarts=1 '
}
contents() { # DATABASE
    sql "$1" "SELECT r.uuid, r.seed, r.cases, r.executions, r.end_reason FROM run r ORDER BY 1"
    sql "$1" "SELECT r.uuid, op, dtype, fill, backend, c.executions, declined, vacuous, undecided FROM coverage c JOIN run r ON r.id = c.run ORDER BY 1, 2, 3, 4, 5"
    sql "$1" "SELECT signature, min_line, needed, hits FROM finding ORDER BY 1"
}

expect 0 "$opconform" fleet slurm --array 0-3 --time 30m --out "$fleet" "${options[@]}" -- --comment="it's one"
array=$(sed -n 's/.* as job \([0-9]*\), their merge as job .*/\1/p' "$scratch/out")
check "no array: $(cat "$scratch/out")" [ -n "$array" ]
check "the scripts are no scripts" bash -n "$fleet/slurm-worker.sh" "$fleet/slurm-merge.sh"
if await "task 1" process_of 1; then kill -9 "$process"; fi
if [ "$limit" = yes ] && await "task 2" process_of 2; then expect 0 scontrol update JobId="${array}_2" TimeLimit=1; fi
if await "task 3" process_of 3; then expect 0 scontrol requeue "${array}_3"; fi
if [ "$limit" = yes ]; then
    await "task 3 again" runs_again 3
    kill -9 "$(cat "$cluster/slurmd.pid")"
    sleep 2
    expect 0 slurmd -N localhost -f "$SLURM_CONF"
    await "the limit" test -e "$fleet/shard-00002-of-00004.part.db"
    expect 0 "$opconform" fleet status --out "$fleet" --verbose
    grep -q '^stopped  *2 ' "$scratch/out" || fail "status: $(cat "$scratch/out")"
fi
expect 0 "$opconform" fleet status --out "$fleet" --json
await "shards" published 4
merged() { [ -z "$(squeue -h)" ] && [ -e "$fleet/findings.db" ]; }
await "the merge" merged
grep -qs "1 of 4 shards submitted\|2 of 4 shards submitted" "$fleet"/work/slurm-*.log || fail "nothing was submitted again: $(cat "$fleet"/work/slurm-*.log)"
expect 0 "$opconform" fleet merge --out "$fleet"
expect 0 "$opconform" fsck --db "$fleet/findings.db"
expect 0 "$opconform" fleet slurm --array 0-3 --time 30m --out "$fleet" "${options[@]}"
grep -q "all 4 shards are published" "$scratch/out" || fail "says: $(cat "$scratch/out")"

for shard in 0 1 2 3; do "$opconform" worker --shard $shard/4 --out "$scratch/undisturbed" "${options[@]}" --quiet & done
wait
expect 0 "$opconform" fleet merge --out "$scratch/undisturbed"
contents "$scratch/undisturbed/findings.db" >"$scratch/undisturbed.txt"
[ "$(grep -c . "$scratch/undisturbed.txt")" -gt 20 ] || fail "nothing to compare"
contents "$fleet/findings.db" | diff - "$scratch/undisturbed.txt" >"$scratch/diff" || fail "differs: $(head -5 "$scratch/diff")"

for wrong in 1-3 0 0-3%0 0-3x; do expect 2 "$opconform" fleet slurm --array $wrong --time 1m --out "$scratch/wrong"; done
expect 2 "$opconform" fleet slurm --array 0-3 --out "$scratch/wrong"
finish
