# Shards of a fleet: they take all strata and no stratum twice, go on after any end, are published whole and once, and make the same
# database in any order.
. tests/lib.sh
fleet=$scratch/fleet
backends=planted:drop-last-k,planted:nan-dropped
work() { # FOLDER SHARD/COUNT OPTIONS...
    "$opconform" worker --shard "$2" --out "$1" --backend $backends --op gemm,gemv,dot,axpy,scal "${@:3}"
}
# What a database says of cases and findings, without times and paths.
contents() { # DATABASE
    sql "$1" "SELECT r.uuid, r.seed, r.cases, r.executions, r.end_reason, b.name FROM run r JOIN backend b ON b.run = r.id ORDER BY 1, 6"
    sql "$1" "SELECT r.uuid, op, dtype, fill, backend, c.executions, declined, vacuous, undecided FROM coverage c JOIN run r ON r.id = c.run ORDER BY 1, 2, 3, 4, 5"
    sql "$1" "SELECT signature, min_line, needed, hits FROM finding ORDER BY 1"
}

# Every shard of five: what it takes is what no other takes, and together it is all.
for shard in 0 1 2 3 4; do expect 0 work "$fleet" $shard/5 --cases 400 --quiet; done
strata() { sql "$1" "SELECT DISTINCT op, dtype, backend FROM coverage ORDER BY 1, 2, 3"; }
for shard in "$fleet"/shard-*.db; do
    strata "$shard" >>"$scratch/strata"
    [ "$(sql "$shard" "SELECT sum(cases) FROM run")" = 400 ] || fail "cases of $shard"
done
sort "$scratch/strata" | uniq -d | grep . && fail "strata of several shards"
expect 0 "$opconform" worker --shard 0/1 --cases 3000 --out "$scratch/whole" --backend $backends --op gemm,gemv,dot,axpy,scal --quiet
strata "$scratch/whole/shard-00000-of-00001.db" | sort >"$scratch/all"
sort "$scratch/strata" | diff - "$scratch/all" >"$scratch/diff" || fail "not all strata: $(head -5 "$scratch/diff")"
compgen -G "$fleet/work/shard-*[0-9]" && fail "databases are left"
compgen -G "$fleet/work/closing*" && fail "a merge is left"

# Lines that shards publish are distilled to a set that does not grow when they come again, and are seeds of the next fleet.
for shard in 0 1; do expect 0 work "$scratch/lines" $shard/2 --cases 1500 --lines --quiet; done
mapfile -t published < <(ls "$scratch"/lines/shard-*.cases)
check "files of lines: ${published[*]}" [ ${#published[@]} = 2 ]
distilled() { # OUT FILE...
    expect 0 "$opconform" corpus distil "${@:2}" --backend "$backends" --out "$scratch/$1"
    grep -vc '^#' "$scratch/$1"
}
once=$(distilled once.cases "${published[@]}")
check "$once lines of $(cat "${published[@]}" | wc -l)" [ "$once" -lt "$(cat "${published[@]}" | wc -l)" ]
check "$once lines of operators" [ "$once" -ge 20 ]
twice=$(distilled twice.cases "$scratch/once.cases" "${published[@]}")
check "$once lines, and $twice with the shards once more" [ "$twice" = "$once" ]
expect 0 work "$scratch/seeded" 0/2 --cases 400 --seeds "$scratch/once.cases" --quiet
compgen -G "$scratch/lines/work/shard-*[0-9]" && fail "files of lines are left"

# What is published is left alone, byte by byte; another number of shards is refused.
sum=$(sha256sum <"$fleet/shard-00001-of-00005.db")
expect 0 work "$fleet" 1/5 --cases 400
says "published before"
[ "$(sha256sum <"$fleet/shard-00001-of-00005.db")" = "$sum" ] || fail "a published shard was changed"
expect 3 work "$fleet" 1/6 --cases 400
one_line
for wrong in 5/5 -1/5 1 x/5 1/0 1/5x; do expect 2 work "$fleet" "$wrong" --cases 400; done
expect 2 work "$fleet" 1/5
expect 2 work "$fleet" 1/5 --cases 400 --time 1s

# A shard that is killed at any instant, and does its work later, has the same contents; while one works no other one does.
start() { # FOLDER SHARD/COUNT OPTIONS...: in the background, its number in $process
    work "$@" >"$scratch/log" 2>&1 &
    process=$!
}
kill_worker() { # SIGNAL: to the program, of which the function is the parent
    kill -"$1" "$(pgrep -P $process -x opconform)" 2>/dev/null
}
begun() { # FOLDER: a campaign has run some cases
    local tries
    for ((tries = 0; tries < 600; tries++)); do
        ! grep -qsE '^cases=[0-9]{2}' "$1"/work/shard-*/slice-*.stats || return 0
        sleep 0.1
    done
    fail "no campaign began in $1: $(cat "$scratch/log")"
}
for delay in 0.05 0.4 0.9 1.5; do
    start "$scratch/killed" 1/5 --cases 400
    sleep $delay
    kill_worker KILL
    wait $process 2>/dev/null
done
exec 9>>"$scratch/killed/work/shard-00001-of-00005.lock"
flock 9
expect 75 work "$scratch/killed" 1/5 --cases 400
exec 9>&-
expect 0 work "$scratch/killed" 1/5 --cases 400
contents "$fleet/shard-00001-of-00005.db" >"$scratch/undisturbed"
[ "$(grep -c . "$scratch/undisturbed")" -gt 10 ] || fail "a shard has nothing to compare"
contents "$scratch/killed/shard-00001-of-00005.db" | diff - "$scratch/undisturbed" >"$scratch/diff" ||
    fail "a shard that was killed differs: $(head -5 "$scratch/diff")"

# One that is told to stop does so soon, with what there is in a closed database; later it goes on.  With a budget of time, what was done counts.
for signal in TERM USR1; do
    start "$scratch/stopped" 2/5 --cases 100000
    begun "$scratch/stopped"
    since=$SECONDS
    kill_worker $signal
    wait $process
    [ $? = 75 ] || fail "status after $signal: $(cat "$scratch/log")"
    [ $((SECONDS - since)) -le 10 ] || fail "$signal took $((SECONDS - since)) s"
    part=$scratch/stopped/shard-00002-of-00005.part.db
    expect 0 "$opconform" fsck --db "$part"
    [ "$(sql "$part" "SELECT sum(cases) >= 10 FROM run")" = 1 ] || fail "nothing in $part"
    [ -e "$part-wal" ] && fail "$part is open"
    rm "$scratch"/stopped/work/shard-*/*.stats
done
start "$scratch/timed" 2/5 --time 6s
begun "$scratch/timed"
kill_worker TERM
wait $process
expect 0 "$opconform" fleet status --out "$scratch/timed" --verbose
grep -q '^stopped  *2 ' "$scratch/out" || fail "status of one that was stopped: $(cat "$scratch/out")"
expect 75 "$opconform" fleet merge --out "$scratch/timed"
expect 0 work "$scratch/timed" 2/5 --time 6s
timed=$scratch/timed/shard-00002-of-00005.db
[ -e "$scratch/timed/shard-00002-of-00005.part.db" ] && fail "a part is left"
[ "$(sql "$timed" "SELECT count(*) > 1 AND count(DISTINCT seed) = count(*) AND sum(coalesce(end_reason, '') != 'budget') = 1 FROM run")" = 1 ] ||
    fail "attempts: $(sql "$timed" "SELECT seed, seconds, end_reason FROM run")"

# With more shards than strata, several have the same one with seeds of their own.
for shard in 0 1; do expect 0 "$opconform" worker --shard $shard/30 --cases 30 --out "$scratch/many" --backend planted:drop-last-k --op dot --quiet; done
[ "$(for shard in "$scratch"/many/shard-*.db; do sql "$shard" "SELECT DISTINCT c.op, c.dtype FROM coverage c"; done | sort -u | wc -l)" = 1 ] ||
    fail "strata of two of thirty shards"
[ "$(for shard in "$scratch"/many/shard-*.db; do sql "$shard" "SELECT seed FROM run"; done | sort -u | wc -l)" = 2 ] || fail "seeds of two of thirty shards"
# A function's name stands for one type of its operator.
expect 0 "$opconform" worker --shard 0/1 --cases 20 --out "$scratch/named" --backend planted:drop-last-k --op ddot --quiet
[ "$(sql "$scratch/named/shard-00000-of-00001.db" "SELECT DISTINCT dtype FROM coverage")" = f64 ] || fail "types of ddot"

# Twenty shards in five orders, some of them twice and in two steps.
for shard in 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 4 3 2 1 0; do
    work "$scratch/twenty" $shard/20 --cases 60 --quiet 2>>"$scratch/errors" || fail "shard $shard of 20"
done
everything() {
    local table name
    for table in run backend finding hit raw_signature observation event coverage decline redraw finding_peer; do sql "$1" "SELECT * FROM $table"; done
    for name in $("$opconform" list queries | awk '{print $1}'); do "$opconform" query "$name" --plain --db "$1"; done
}
expect 0 "$opconform" fleet merge --out "$scratch/twenty" --db "$scratch/order0.db"
everything "$scratch/order0.db" >"$scratch/order0"
[ "$(sql "$scratch/order0.db" "SELECT count(*) > 0 FROM finding")" = 1 ] || fail "no findings in twenty shards"
for order in 1 2 3 4; do
    mapfile -t shuffled < <(printf '%s\n' "$scratch"/twenty/shard-*.db | shuf --random-source=<(yes $order))
    expect 0 "$opconform" merge --fold "$scratch/order$order.db" "${shuffled[@]:0:7}"
    expect 0 "$opconform" merge --fold "$scratch/order$order.db" "${shuffled[@]:4}"
    everything "$scratch/order$order.db" | cmp -s - "$scratch/order0" || fail "order $order differs"
done
# A shard done again, on a machine that knows nothing of the first time, counts once in any order.
mkdir -p "$scratch/again"
expect 0 work "$scratch/again" 4/20 --cases 60 --quiet
again=$scratch/again/shard-00004-of-00020.db
expect 0 "$opconform" merge --fold "$scratch/first.db" "$again" "$scratch"/twenty/shard-*.db
expect 0 "$opconform" merge --fold "$scratch/last.db" "$scratch"/twenty/shard-*.db "$again"
[ "$(sql "$scratch/first.db" "SELECT sum(hits) FROM finding")" = "$(sql "$scratch/order0.db" "SELECT sum(hits) FROM finding")" ] || fail "hits count twice"
everything "$scratch/first.db" >"$scratch/first"
everything "$scratch/last.db" | cmp -s - "$scratch/first" || fail "a shard that was done twice depends on the order"

# The table of a fleet, and what is not published.
rm "$scratch/twenty/shard-00007-of-00020.db"
expect 75 "$opconform" fleet merge --out "$scratch/twenty"
grep -q "19 of 20 shards are in .*; not published: 7" "$scratch/out" || fail "merge says: $(cat "$scratch/out")"
expect 0 "$opconform" fleet status --out "$scratch/twenty" --json
check "the table" python3 -c 'import json, sys
rows = {row["state"]: row for row in json.load(open(sys.argv[1]))}
assert rows["published"]["shards"] == 19 and rows["published"]["cases"] == 19 * 60 and rows["waiting"]["shards"] == 1, rows' "$scratch/out"
expect 3 "$opconform" fleet status --out "$scratch/absent"
expect 2 "$opconform" fleet

# By a plan, strata that cost much have shards of their own, and all are taken.
expect 0 "$opconform" fleet merge --out "$fleet" --db "$scratch/night.db"
[ "$(sql "$scratch/night.db" "SELECT count(*) FROM coverage WHERE (nanoseconds > 0) <> (executions + declined > 0)")" = 0 ] || fail "cases without their time"
sqlite3 "$scratch/night.db" "UPDATE coverage SET nanoseconds = executions * 1000; UPDATE finding SET hits = 2;
    UPDATE coverage SET nanoseconds = executions * 200000 WHERE op = 'gemv' AND dtype = 'f32' AND backend = 'planted:drop-last-k'"
make_plan() { # FILE ARRAY OPERATORS
    "$opconform" fleet plan --db "$scratch/night.db" --array "$2" --plan "$1" --backend $backends --op "$3"
}
expect 0 make_plan "$scratch/plan" 0-4 gemm,gemv,dot,axpy,scal
expect 0 make_plan "$scratch/plan.again" 0-4 gemm,gemv,dot,axpy,scal
cmp -s "$scratch/plan" "$scratch/plan.again" || fail "a plan differs from its like"
check "the plan: $(cat "$scratch/plan")" awk '/^[0-9]/ { time += $3; cases += $4; own += $2 - $1
    if ($0 ~ / planted:drop-last-k gemv f32$/) dear = $2 - $1 + 1; else if ($1 != $2) cheap = 1 }
    END { exit !(time > 0.999 && time < 1.001 && cases > 0.999 && cases < 1.001 && dear > 2 && !cheap) }' "$scratch/plan"
for shard in 0 1 2 3 4; do
    expect 0 work "$scratch/planned" $shard/5 --cases 200 --quiet --plan "$scratch/plan"
    strata "$scratch/planned/shard-0000$shard-of-00005.db" >"$scratch/has"
    awk -v shard=$shard '/^[0-9]/ && $1 <= shard && shard <= $2 { print $7 "\t" $8 "\t" $6 }' "$scratch/plan" | sort | diff - <(sort "$scratch/has") >"$scratch/diff" ||
        fail "strata of shard $shard by the plan: $(head -5 "$scratch/diff")"
    cat "$scratch/has" >>"$scratch/planned.strata"
    [ "$(sql "$scratch/planned/shard-0000$shard-of-00005.db" "SELECT sum(cases) FROM run")" = 200 ] || fail "cases of shard $shard by the plan"
done
sort -u "$scratch/planned.strata" | diff - "$scratch/all" >"$scratch/diff" || fail "not all strata by the plan: $(head -5 "$scratch/diff")"
[ "$(for shard in "$scratch"/planned/shard-*.db; do sql "$shard" "SELECT r.seed FROM run r"; done | sort | uniq -d)" = "" ] || fail "seeds by the plan"
expect 0 work "$scratch/replanned" 1/5 --cases 200 --quiet --plan "$scratch/plan"
contents "$scratch/planned/shard-00001-of-00005.db" >"$scratch/planned.1"
contents "$scratch/replanned/shard-00001-of-00005.db" | diff - "$scratch/planned.1" >"$scratch/diff" || fail "a planned shard that is done again: $(head -5 "$scratch/diff")"
# A folder has shards of one plan; a plan is of its strata, of its number of shards, and of nights that were timed.
expect 3 work "$scratch/planned" 1/5 --cases 200
one_line
sed 's/^\([0-9]* [0-9]*\) [^ ]*/\1 0.1/' "$scratch/plan" >"$scratch/other"
expect 3 work "$scratch/planned" 1/5 --cases 200 --plan "$scratch/other"
expect 2 work "$scratch/six" 1/6 --cases 200 --plan "$scratch/plan"
one_line
expect 0 make_plan "$scratch/fewer" 0-4 gemm,dot
expect 2 work "$scratch/fewer.out" 1/5 --cases 200 --plan "$scratch/fewer"
sqlite3 "$scratch/night.db" "UPDATE coverage SET nanoseconds = 0"
expect 3 make_plan "$scratch/untimed" 0-4 gemm
one_line
finish
