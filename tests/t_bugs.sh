# Findings of planted causes become bugs by evidence; what people decide holds for findings that come later.
. tests/lib.sh
[ -e /usr/lib/x86_64-linux-gnu/blas/libblas.so.3 ] || skip_all "the reference BLAS is not installed"
expect 0 bench/triage/plant build
db=$scratch/quick.db
expect 0 bench/triage/plant file quick "$db"
expect 0 bench/triage/measure "$db" bench/triage/planted.labels quick
check "$(cat "$scratch/out")" grep -qx 'precision 1.0000   recall 1.0000' "$scratch/out"

# partition DATABASE: a line for each bug, with the signatures of its findings.
partition() {
    sql "$1" "SELECT group_concat(signature, ' & ') FROM (SELECT bug, signature FROM finding ORDER BY signature) GROUP BY bug" | sort
}
partition "$db" >"$scratch/bugs"

# Without what the probes showed, there are more; they come again, and the bugs with them.
cp "$db" "$scratch/unprobed.db"
sqlite3 "$scratch/unprobed.db" "DELETE FROM probe"
expect 0 "$opconform" bugs group --db "$scratch/unprobed.db"
check "bugs without probes" [ "$(partition "$scratch/unprobed.db" | wc -l)" -gt "$(wc -l <"$scratch/bugs")" ]
expect 0 bench/triage/plant run quick bugs probe --time 0.001ms --db "$scratch/unprobed.db"
check "probes without time: $(cat "$scratch/out")" grep -q '^0 probes, .* out of time, more are asked for' "$scratch/out"
expect 0 bench/triage/plant run quick bugs probe --db "$scratch/unprobed.db"
check "probes find other bugs" diff -q "$scratch/bugs" <(partition "$scratch/unprobed.db")

# One operator has two causes, by what they show.
check "wrong values and reads of one operator" [ "$(sql "$db" "SELECT count(DISTINCT bug) FROM finding WHERE op = 'dot'")" = 2 ]
bug() { # symptom
    sql "$db" "SELECT min(bug) FROM finding WHERE symptom = '$1'"
}
value=$(bug 'wrong value') nan=$(bug 'NaN lost')
expect 0 "$opconform" bugs show "$value" --db "$db"
check "$(cat "$scratch/out")" grep -q '^  joined by .*probe' "$scratch/out"
expect 0 "$opconform" bugs why "$value" --db "$db" --plain
check "ties: $(cat "$scratch/out")" [ "$(wc -l <"$scratch/out")" = "$(($(sql "$db" "SELECT count(*) FROM finding WHERE bug = $value") - 1))" ]

# A report has the program and what it prints; what is none is refused, unless it is asked for.
expect 0 bench/triage/plant run quick issue "$value" --db "$db"
for part in '## Program' '## Expected' '## Versions and environment' '## What else is affected' 'exit status: 1'; do
    check "no $part: $(cat "$scratch/out")" grep -qF "$part" "$scratch/out"
done
cp "$scratch/out" "$scratch/out.before"
expect 0 bench/triage/plant run quick issue "$value" --db "$db" --out "$scratch/issue.md"
check "the file differs" diff -q "$scratch/out.before" "$scratch/issue.md"
cp "$db" "$scratch/refused.db"
sqlite3 "$scratch/refused.db" "UPDATE bug SET kind = 'POLICY' WHERE id = $value; UPDATE finding SET flaky = 1 WHERE bug = $nan"
for refused in "$value" "$nan" 9999; do
    expect 2 bench/triage/plant run quick issue "$refused" --db "$scratch/refused.db"
    one_line
done
expect 0 bench/triage/plant run quick issue "$value" --force --db "$scratch/refused.db"

# What speaks for a bug is a finding of few numbers, though the line of one of many is shorter.
shown=$(sql "$db" "SELECT finding FROM v_bug WHERE id = $value")
cp "$db" "$scratch/large.db"
sqlite3 "$scratch/large.db" "UPDATE finding SET total = iif(id = $shown, 4096, 64) WHERE bug = $value"
check "a finding of many numbers" [ "$(sql "$scratch/large.db" "SELECT finding = $shown FROM v_bug WHERE id = $value")" = 0 ]

# People join and set apart; each takes the other back, and a number that is gone leads to what it became.
expect 0 "$opconform" bugs join "$value" "$nan" --reason "one kernel" --db "$db"
check "joined" [ "$(sql "$db" "SELECT count(DISTINCT bug) FROM finding WHERE symptom IN ('wrong value', 'NaN lost')")" = 1 ]
expect 0 "$opconform" bugs members "$nan" --db "$db" --plain
check "members by the old number" grep -q 'dot/1' "$scratch/out"
expect 0 "$opconform" bugs join "$value" "$(bug 'reads outside')" --reason "no" --db "$db" --dry-run
check "a dry run joins" [ "$(bug 'reads outside')" != "$(bug 'wrong value')" ]
expect 2 "$opconform" bugs join "$value" "$value" --reason "itself" --db "$db"
one_line
last=$(sql "$db" "SELECT max(id) FROM finding WHERE symptom = 'wrong value'")
expect 0 "$opconform" bugs apart "$last" --reason "another kernel" --db "$db"
check "apart" [ "$(sql "$db" "SELECT count(*) FROM finding WHERE bug = (SELECT bug FROM finding WHERE id = $last)")" = 1 ]
expect 2 "$opconform" bugs show 9999 --db "$db"
one_line

# A decision about a bug holds for a finding that is taken away, and found again later.
fresh=$scratch/fresh.db
expect 0 bench/triage/plant file quick "$fresh"
again=$(sql "$fresh" "SELECT id FROM finding WHERE op = 'gemm' AND symptom = 'NaN lost'")
line=$(sql "$fresh" "SELECT min_line FROM finding WHERE id = $again")
of=$(sql "$fresh" "SELECT bug FROM finding WHERE id = $again")
sqlite3 "$fresh" "DELETE FROM probe WHERE finding = $again; DELETE FROM tie WHERE finding = $again OR other = $again;
    DELETE FROM hit WHERE finding = $again; DELETE FROM observation WHERE finding = $again;
    DELETE FROM finding_peer WHERE finding = $again; DELETE FROM finding_policy WHERE finding = $again;
    DELETE FROM outcome WHERE finding = $again; DELETE FROM event WHERE finding = $again; DELETE FROM finding WHERE id = $again"
cp "$fresh" "$scratch/open.db"
expect 0 "$opconform" bugs suppress "$of" --reason "as documented" --owner me --expires 2999-12-31 --db "$fresh"
printf '%s\n' "$line" >"$scratch/seed.cases"
library=$(sql "$fresh" "SELECT DISTINCT backend FROM finding")
find_again() { # database
    bench/triage/plant run quick fuzz --engine random --seeds "$scratch/seed.cases" --cases 1 --op gemm --jobs 1 \
        --backend "$library" --db "$1" --quiet
}
expect 1 find_again "$scratch/open.db"
expect 0 find_again "$fresh"
check "inherited: $(sql "$fresh" "SELECT f.id, v.state, f.bug FROM finding f JOIN v_state v ON v.id = f.id WHERE f.op = 'gemm'")" \
    [ "$(sql "$fresh" "SELECT v.state FROM finding f JOIN v_state v ON v.id = f.id WHERE f.min_line = '$line'")" = expected ]

# verify keeps the state of a bug that shows, reopens a fixed bug that shows, and fixes one whose fault is gone.
verify() { # set of causes, words
    bench/triage/plant run "$1" verify "${@:2}" --db "$scratch/verify.db"
}
cp "$scratch/open.db" "$scratch/verify.db"
state_of() {
    sql "$scratch/verify.db" "SELECT state FROM v_bug WHERE id = $of"
}
expect 0 verify quick "$of"
check "$(cat "$scratch/out")" grep -q "^bug $of: new, [1-9][0-9]* findings show, 0 are gone" "$scratch/out"
expect 0 "$opconform" verify "$of" --db "$scratch/verify.db" --backend "$library"
check "$(cat "$scratch/out")" grep -q "^bug $of: new -> fixed, 0 findings show, " "$scratch/out"
expect 1 verify quick all
check "came back: $(cat "$scratch/out")" [ "$(state_of)" = reopened ]
expect 2 verify quick nonsense
one_line

# What no other evidence ties is one bug where both are one entry of the reviewed list.
printf '%s\n' 'rotmg/1 dtype=f64 y1=0x1p+1 | d1=list,values:0x1p-60 d2=list,values:0x1p-60 x1=ones param=ones' \
    'rotmg/1 dtype=f32 y1=0x1p+0 | d1=ones,scale:49 d2=ones x1=ones param=ones' >"$scratch/rotmg.cases"
expect 1 "$opconform" fuzz --engine random --seeds "$scratch/rotmg.cases" --cases 2 --op rotmg --jobs 1 --backend netlib \
    --db "$scratch/rotmg.db" --quiet
expect 0 "$opconform" bugs why "$(sql "$scratch/rotmg.db" 'SELECT max(bug) FROM finding')" --db "$scratch/rotmg.db" --plain
check "by review: $(cat "$scratch/out")" grep -q 'review.rotmg loses coefficients' "$scratch/out"

# Bugs do not depend on the order in which databases are merged.
expect 0 "$opconform" merge "$scratch/ab.db" "$fresh" "$scratch/unprobed.db"
expect 0 "$opconform" merge "$scratch/ba.db" "$scratch/unprobed.db" "$fresh"
check "merged in another order" diff -q <(partition "$scratch/ab.db") <(partition "$scratch/ba.db")
finish
