# Shards in any order, any number of times; histories that meet; databases of every earlier schema.
. tests/lib.sh
fuzz() { # FILE SEED OPERATORS BACKENDS
    "$opconform" fuzz --engine random --op "$3" --backend "$4" --cases 250 --seed "$2" --db "$scratch/$1.db" --quiet >/dev/null 2>&1
}
fuzz a 1 gemm,gemv,dot planted:drop-last-k,planted:nan-dropped
fuzz b 2 gemm,axpy planted:drop-last-k
fuzz b 3 gemm planted:drop-last-k
fuzz c 4 gemm,dot planted:nan-dropped
# Everything that can be asked, without what a file says of itself.
contents() {
    for table in run backend finding hit raw_signature observation event artifact coverage ladder policy policy_count construct decline redraw \
        finding_policy finding_peer known suppression outcome night; do
        "$opconform" query --sql "SELECT '$table', * FROM $table" --plain --db "$1"
    done
    for name in $("$opconform" list queries | awk '{print $1}'); do
        "$opconform" query "$name" --plain --db "$1"
    done
}
merge() { # OUT IN... OPTION...
    local out=$1 files=() options=() each
    shift
    for each; do [[ $each == --* ]] && options+=("$each") || files+=("$scratch/$each"); done
    expect 0 "$opconform" merge "${options[@]}" "$scratch/$out.db" "${files[@]}"
}
merge one a.db b.db c.db
merge two c.db a.db b.db a.db
merge three b.db
merge three c.db b.db
merge three a.db
merge three three.db c.db
contents "$scratch/one.db" >"$scratch/one"
for other in two three; do
    contents "$scratch/$other.db" | cmp -s - "$scratch/one" || fail "$other differs"
    expect 0 "$opconform" fsck --db "$scratch/$other.db"
done
[ "$(sql "$scratch/one.db" "SELECT count(*) FROM run")" = 4 ] || fail "runs"
total=$(for shard in a b c; do sql "$scratch/$shard.db" "SELECT sum(hits) FROM finding"; done | awk '{ n += $1 } END { print n }')
[ "$(sql "$scratch/one.db" "SELECT sum(hits) FROM finding")" = "$total" ] || fail "hits"
[ "$(sql "$scratch/one.db" "SELECT count(*) FROM observation")" = \
    "$(for shard in a b c; do sql "$scratch/$shard.db" "SELECT count(*) FROM observation"; done | awk '{ n += $1 } END { print n }')" ] ||
    fail "observations"

# Archives that hold the runs of some days: together they are the whole, in any order, and one that is there keeps all that it has.
dated() { # FILE DAY: as if all of it had happened then
    local table
    cp "$scratch/$1.db" "$scratch/$1-$2.db"
    for table in "run SET started" "run SET ended" "finding SET first_seen" "finding SET last_seen" "hit SET first_seen" "hit SET last_seen" \
        "observation SET seen"; do
        sqlite3 "$scratch/$1-$2.db" "UPDATE $table = strftime('%s', '$2') + 100"
    done
}
dated a 2026-01-05
dated b 2026-02-07
dated c 2026-02-09
merge days a-2026-01-05.db b-2026-02-07.db c-2026-02-09.db
merge january days.db --until=2026-02-01
merge february days.db --since=2026-02-01 --until=2026-02-09
merge rest days.db --since=2026-02-09
sql "$scratch/february.db" "SELECT date(started, 'unixepoch') FROM run" | sort -u | cmp -s - <(echo 2026-02-07) || fail "runs of February"
[ "$(sql "$scratch/january.db" "SELECT count(*) FROM run")" = 1 ] || fail "runs of January"
merge joined rest.db january.db february.db
contents "$scratch/days.db" >"$scratch/days"
contents "$scratch/joined.db" | cmp -s - "$scratch/days" || fail "archives are not the whole: $(contents "$scratch/joined.db" | diff - "$scratch/days" | head -n 4)"
merge january days.db --since=2026-02-09
[ "$(sql "$scratch/january.db" "SELECT group_concat(day) FROM (SELECT DISTINCT date(started, 'unixepoch') AS day FROM run ORDER BY 1)")" = 2026-01-05,2026-02-09 ] ||
    fail "an archive that was there"
for day in 2026-02-30 2026-2-1 today 2026-01-011; do
    expect 2 "$opconform" merge "$scratch/none.db" "$scratch/days.db" --since "$day"
    one_line; says "'$day' is no day: expected one like 2027-01-31"
done

# Counts that are added up over runs on the same libraries answer as before, in any order and with their own parts again.
fuzz d 5 dot planted:drop-last-k
fuzz e 6 gemv planted:drop-last-k
answers() {
    for name in $("$opconform" list queries | awk '{print $1}'); do "$opconform" query "$name" --plain --db "$1"; done
}
tables() {
    for table in run coverage ladder agreement policy_count construct decline redraw hit; do sql "$1" "SELECT * FROM $table"; done
}
fold() { merge "$@" --fold; }
merge apart a.db b.db c.db d.db
fold folded a.db b.db c.db d.db
fold steps d.db b.db
fold steps c.db b.db a.db
merge again folded.db d.db b.db
answers "$scratch/apart.db" >"$scratch/apart"
tables "$scratch/folded.db" >"$scratch/folded"
for each in folded steps again; do
    answers "$scratch/$each.db" | cmp -s - "$scratch/apart" || fail "counts that are added up answer otherwise: $each"
    tables "$scratch/$each.db" | cmp -s - "$scratch/folded" || fail "counts that are added up depend on the order: $each"
    expect 0 "$opconform" fsck --db "$scratch/$each.db"
done
# Which of them leads is left open: runs of one second are ordered by their uuid.
[ "$(sql "$scratch/folded.db" "SELECT group_concat(seed, ' ') FROM (SELECT coalesce(counts_of, id) AS leader, seed FROM run ORDER BY seed)
    GROUP BY leader HAVING count(*) > 1")" = "2 3 5" ] ||
    fail "runs on the same library do not count together: $(tables "$scratch/folded.db" | head -n 4)
$("$opconform" query --sql "SELECT run, name, version, build, core, threads FROM backend" --plain --db "$scratch/folded.db")"
[ "$(sql "$scratch/folded.db" "SELECT count(*) FROM coverage")" -lt "$(sql "$scratch/apart.db" "SELECT count(*) FROM coverage")" ] ||
    fail "nothing was added up"
# Sums that each have a run which the other lacks cannot be parted.
fold torn b.db e.db
expect 3 "$opconform" merge "$scratch/torn.db" "$scratch/folded.db"
one_line
says "together with other runs"
merge whole torn.db b.db e.db
tables "$scratch/whole.db" | cmp -s - <(tables "$scratch/torn.db") || fail "a refused merge changed something"
sqlite3 "$scratch/whole.db" "INSERT INTO coverage SELECT 2, 'dot', 'f32', 'ones', 'x', 1, 0, 0, 0, 0, 0"
expect 1 "$opconform" fsck --db "$scratch/whole.db"
grep -q "run 2 counts with run 1" "$scratch/out" || fail "fsck of sums: $(cat "$scratch/out")"

# A bug that shows on one processor and not in many executions on another one says so; not where these are few, or where it shows on both.
processor() { # FILE CORE [SQL]: a database of runs as on a processor, without findings
    cp "$scratch/b.db" "$scratch/$1.db"
    sqlite3 "$scratch/$1.db" "UPDATE run SET uuid = '$2' || uuid; UPDATE backend SET core = '$2'; ${3-}"
}
nothing=$(printf 'DELETE FROM %s; ' hit observation event raw_signature finding_peer finding_policy probe artifact tie suppression finding bug)
processor wide SkylakeX
processor narrow Haswell "$nothing; UPDATE coverage SET executions = 1000 * executions"
processor few Haswell "$nothing; UPDATE coverage SET executions = 0"
processor same Haswell
for each in narrow few same; do
    fold "on-$each" wide.db "$each.db"
    expect 0 "$opconform" bugs show "$(sql "$scratch/on-$each.db" "SELECT min(id) FROM v_bug WHERE kind = 'DIVERGE'")" --db "$scratch/on-$each.db"
    grep '^  only on' "$scratch/out"
done >"$scratch/processors"
check "processors of a bug: $(cat "$scratch/processors")" grep -qE 'AVX-512: SkylakeX; not in [0-9]+000 executions on Haswell$' "$scratch/processors"
check "processors where nothing is known: $(cat "$scratch/processors")" [ "$(wc -l <"$scratch/processors")" = 1 ]

# A decision in one database holds in the merged one; a fixed finding that was seen later is reopened.
shared=$(sql "$scratch/b.db" "SELECT f.id FROM finding f WHERE first_run = 1 AND last_run = 2 LIMIT 1")
signature=$(sql "$scratch/b.db" "SELECT signature FROM finding WHERE id = $shared")
state() { sql "$scratch/$1.db" "SELECT state FROM finding WHERE signature = '${signature//\'/\'\'}'"; }
expect 0 "$opconform" findings note "$shared" "seen by <b>me</b>" --actor tester --db "$scratch/b.db"
expect 0 "$opconform" findings set "$shared" invalid --reason "no bug" --db "$scratch/b.db"
merge one b.db
merge two b.db b.db
[ "$(state one)" = invalid ] || fail "a decision is lost: $(state one)"
contents "$scratch/one.db" >"$scratch/one"
contents "$scratch/two.db" | cmp -s - "$scratch/one" || fail "decisions differ"
expect 0 "$opconform" findings undo "$shared" --db "$scratch/b.db"
[ "$(state b)" = new ] || fail "undo"
OPCONFORM_NOW=4000000000 expect 0 "$opconform" findings set "$shared" fixed --db "$scratch/b.db"
merge one b.db
[ "$(state one)" = fixed ] || fail "fixed in one: $(state one)"
cp "$scratch/b.db" "$scratch/later.db"
OPCONFORM_NOW=4000000100 fuzz later 3 gemm planted:drop-last-k
[ "$(state later)" = reopened ] || fail "a fixed finding came back: $(state later)"
OPCONFORM_NOW=4000000100 fuzz apart 3 gemm planted:drop-last-k
[ "$(state apart)" = new ] || fail "a shard knows nothing of other ones"
merge one apart.db
merge two apart.db b.db
[ "$(state one)" = reopened ] || fail "seen again after it was fixed: $(state one)"
contents "$scratch/one.db" >"$scratch/one"
contents "$scratch/two.db" | cmp -s - "$scratch/one" || fail "what came back differs"
expect 0 "$opconform" fsck --db "$scratch/one.db"

# What is later than all that a database has comes behind it, in the same file, and the answers are those of a new one; what is earlier makes
# the file anew.
OPCONFORM_NOW=4200000000 fuzz night 1 gemm,gemv,dot,scal planted:drop-last-k,planted:nan-dropped
OPCONFORM_NOW=4200000001 fuzz night 7 gemm planted:drop-last-k
sqlite3 "$scratch/night.db" "UPDATE finding SET tier = 'a' WHERE id % 2 = 0"
merge grown one.db
merge anew grown.db night.db c.db
merge both grown.db c.db
file=$(stat -c %i "$scratch/both.db")
[ "$(sql "$scratch/night.db" "SELECT count(*) FROM finding" | head -1)" -gt 2 ] || fail "a night without findings"
merge both night.db
[ "$(stat -c %i "$scratch/both.db")" = "$file" ] || fail "a database that only grows was written anew"
contents "$scratch/anew.db" | sort >"$scratch/anew"
contents "$scratch/both.db" | sort | diff - "$scratch/anew" >"$scratch/diff" || fail "a database that grew differs: $(head -5 "$scratch/diff")"
expect 0 "$opconform" fsck --db "$scratch/both.db"
merge both a.db night.db
contents "$scratch/both.db" | sort | diff - "$scratch/anew" >"$scratch/diff" || fail "a night that comes again counts twice: $(head -5 "$scratch/diff")"
fuzz late 8 gemm planted:drop-last-k
file=$(stat -c %i "$scratch/both.db")
merge both late.db
[ "$(stat -c %i "$scratch/both.db")" != "$file" ] || fail "an earlier run came behind"
expect 0 "$opconform" fsck --db "$scratch/both.db"

# Damage is told in words, and nothing is lost where a source is bad.
echo nonsense >"$scratch/bad.db"
expect 3 "$opconform" merge "$scratch/one.db" "$scratch/a.db" "$scratch/bad.db"
one_line
expect 3 "$opconform" merge "$scratch/one.db" "$scratch/absent.db"
one_line
contents "$scratch/one.db" | cmp -s - "$scratch/one" || fail "a failed merge changed something"
compgen -G "$scratch/*merging*" >/dev/null && fail "a failed merge left something behind"
expect 2 "$opconform" merge "$scratch/one.db"
sqlite3 "$scratch/one.db" "UPDATE finding SET hits = hits + 1 WHERE id = 1; UPDATE finding SET state = 'open' WHERE id = 2;
    UPDATE finding SET min_line = 'nonsense' WHERE id = 3"
expect 1 "$opconform" fsck --db "$scratch/one.db"
[ "$(wc -l <"$scratch/out")" -ge 3 ] || fail "fsck: $(cat "$scratch/out")"

# Databases of every earlier schema come up to date with all that they hold.
for version in 1 2 3 4; do
    old=$scratch/old$version.db
    rm -f "$old"
    cat reports/store/schema.sql >"$scratch/old.sql" || fail "no schema"
    for step in $(seq 2 $version); do cat "reports/store/schema_$step.sql" >>"$scratch/old.sql" || fail "no schema $step"; done
    cat >>"$scratch/old.sql" <<'S'
INSERT INTO run (uuid, tool_version, arguments, engine, seed, jobs, started) VALUES
    ('r1', '0.1', 'fuzz', 'random', 1, 1, 100), ('r2', '0.1', 'fuzz', 'random', 2, 1, 200);
INSERT INTO finding (signature, signature_version, op, dtype, kind, backend, state, tier, defect, pattern, detail, line,
    min_line, ratio, ulps, expected, got, bound, first_run, last_run, first_seen, last_seen, hits) VALUES
    ('s1', 1, 'dot', 'f32', 'DIVERGE', 'blis', 'fixed', 'exact', 'value', 'one', '', 'dot/1 dtype=f32 n=1 | x=ones y=ones result=ones',
    NULL, 2.0, 3, '1', '2', '0', 1, 2, 110, 210, 7);
INSERT INTO observation (run, finding, backend, raw, line, ratio, expected, got, seen) VALUES
    (1, 1, 'blis', 'raw', 'dot/1 dtype=f32 n=1 | x=ones y=ones result=ones', 2.0, '1', '2', 110),
    (2, 1, 'blis', 'raw', 'dot/1 dtype=f32 n=1 | x=ones y=ones result=ones', 2.0, '1', '2', 210);
S
    [ $version -lt 4 ] || cat >>"$scratch/old.sql" <<'S'
INSERT INTO hit VALUES (1, 1, 1, 110, 110), (1, 2, 6, 210, 210);
INSERT INTO event (finding, actor, kind, payload, at, uuid, sequence) VALUES (1, 'me', 'state', '{"state":"fixed"}', 210, 'e1', 1);
S
    sqlite3 "$old" <"$scratch/old.sql" || fail "schema $version"
    expect 3 "$opconform" query open --db "$old"
    one_line
    expect 0 "$opconform" findings note 1 "brought up" --db "$old"
    expect 0 "$opconform" fsck --db "$old"
    [ "$(sql "$old" "SELECT state, hits, (SELECT group_concat(hits) FROM hit WHERE finding = 1) FROM finding")" = "fixed	7	1,6" ] ||
        fail "schema $version: $(sql "$old" "SELECT state, hits FROM finding")"
    expect 0 "$opconform" merge "$scratch/new$version.db" "$old"
done
# A newer one is neither read, since its tables may mean something else, nor written to.
sqlite3 "$scratch/old3.db" "PRAGMA user_version = 99"
expect 3 "$opconform" findings list --db "$scratch/old3.db"
one_line
expect 3 "$opconform" findings note 1 "not here" --db "$scratch/old3.db"
one_line
finish
