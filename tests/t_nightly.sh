# Seven nights over a library that loses and regains bugs; a night that is killed; versions.
. tests/lib.sh
: "${CC:=cc}"
build() { # VERSION BUGS: installs the library of the week
    "$CC" -std=c17 -O2 -shared -fPIC -DFAULTY="$2" -DVERSION="\"$1\"" -o "$scratch/lib-$1.so" tests/faulty_blas.c -lm || fail "compiler"
    cp "$scratch/lib-$1.so" "$scratch/lib.new" && mv "$scratch/lib.new" "$scratch/lib.so"
}
night() { # DIR NUMBER OPTION...; by=exec puts it in the place of the shell
    local folder=$1 day=$2
    shift 2
    OPCONFORM_NOW=$((1800000000 + day * 86400)) ${by:-} "$opconform" nightly --out "$scratch/$folder" --op gemm,gemv --dtype f32,f64 \
        --backend "cblas@$scratch/lib.so" --engine random --cases 400 --seed 7 --quiet --json "$@"
}
# tonight STATUS "open new regressed fixed flaky suppressed": what the night says; + is more than none, ? any number.
tonight() {
    expect "$1" night week "$day" "${@:3}"
    local said wanted=${2//+/[1-9][0-9]*}
    said=$(python3 -c 'import json, sys; r = json.load(sys.stdin)
print(*(r[k] for k in ("open", "new", "regressed", "fixed", "flaky", "suppressed")))' <"$scratch/out")
    wanted=${wanted//\?/[0-9]+}
    [[ $said =~ ^$wanted$ ]] || fail "night $day: $said instead of $2"
    day=$((day + 1))
}
day=1
week=$scratch/week/findings.db
build 1.0 1
tonight 1 "+ + 0 0 0 0"
tonight 0 "+ 0 0 0 0 0"
build 1.1 0
tonight 0 "0 0 0 + 0 0"
build 1.2 3
tonight 1 "+ + + 0 0 0"
cat >"$scratch/known.json" <<'J'
[{"match": {"op": "gemv", "kind": "*"}, "reason": "known <b>of old</b>", "owner": "me", "expires": "2999-12-31"},
 {"match": {"op": "hbmv*"}, "reason": "never", "owner": "me", "expires": "2999-12-31"}]
J
tonight 0 "+ 0 0 0 0 +" --known "$scratch/known.json"
[ "$("$opconform" query known --db "$week" --csv | cut -d, -f1,9- | tail -n +2 | tr '\n' ' ' | sed 's/.*,\(.*\) .*,\(.*\) /\1,\2/')" = "in force,never hit" ] ||
    fail "$("$opconform" query known --db "$week")"
build 1.3 6
tonight 0 "? 0 0 + + +" --known "$scratch/known.json"
sed -i 's/"kind": "\*"}/"dtype": "f32"}/; s/never", "owner": "me", "expires": "2999-12-31"/never", "owner": "me", "expires": "2026-01-01"/' \
    "$scratch/known.json"
build 1.4 4
tonight 0 "+ 0 0 + + 0" --known "$scratch/known.json"
[ "$(sql "$week" "SELECT group_concat(status) FROM v_known")" = passes,expired ] || fail "what passes or has expired is not told"
[ "$(sql "$week" "SELECT count(*) FROM night")" = 7 ] || fail "nights"
expect 0 "$opconform" fsck --db "$week"
# Versions of the gemm bug: as the nights saw them, and by bisection over all of them.
bug=$(sql "$week" "SELECT id FROM finding WHERE op = 'gemm' AND kind = 'DIVERGE' AND state = 'fixed' LIMIT 1")
[ "$(sql "$week" "SELECT group_concat(version || ' ' || verdict, ', ') FROM v_version WHERE finding = $bug")" = \
    "1.0 bad, 1.1 good, 1.2 bad, 1.3 good, 1.4 good" ] || fail "$("$opconform" query versions --db "$week")"
expect 0 "$opconform" bisect "$bug" --db "$week" \
    --over "cblas@$scratch/lib-1.0.so,cblas@$scratch/lib-1.1.so,cblas@$scratch/lib-1.2.so,cblas@$scratch/lib-1.3.so"
grep -q 'last bad 1.0, first good 1.1' "$scratch/out" && grep -q 'last good 1.1, first bad 1.2' "$scratch/out" ||
    fail "bisection: $(cat "$scratch/out")"
expect 2 "$opconform" bisect "$bug" --db "$week"
expect 3 "$opconform" bisect "$bug" --db "$week" --over planted
one_line
# Programs that show the bugs, and a page that holds one.
program=$(sql "$week" "SELECT path FROM artifact WHERE finding = $bug AND kind = 'reproducer'")
[ -s "$scratch/week/$program" ] || fail "no program: $program"
grep -q 'class="copy program"' "$scratch/week/report/finding-$bug.html" || fail "the page has no program"
grep -q 'class=chart data-kind=line' "$scratch/week/report/index.html" || fail "no trend"

# The same with versions of a real library: what OpenBLAS 0.3.21 reads outside its vectors in cdotc is gone in 0.3.34.
# By kernels that most machines have: newer processors than 0.3.21 get those of Prescott, which have no bug.
old=$(ls /usr/lib/*/openblas-pthread/libopenblas.so.0 2>/dev/null | head -n 1)
new=$(find "${OPCONFORM_DEPS:-.deps}/openblas-0.3.34" -name 'lib*openblas*.so*' 2>/dev/null | head -n 1)
real() { # DAY STATUS LIBRARY "open new regressed fixed", of which + is more than none
    local said wanted=${4//+/[1-9][0-9]*}
    ln -sf "$(readlink -f "$3")" "$scratch/real.so"
    OPENBLAS_CORETYPE=Haswell OPCONFORM_NOW=$((1800000000 + $1 * 86400)) expect "$2" "$opconform" nightly --out "$scratch/real" --op dotc --dtype c64 \
        --backend "openblas@$scratch/real.so" --engine random --cases 300 --seed 7 --quiet --json
    said=$(python3 -c 'import json, sys; r = json.load(sys.stdin); print(*(r[k] for k in ("open", "new", "regressed", "fixed")))' \
        <"$scratch/out")
    [[ $said =~ ^$wanted$ ]] || fail "real night $1: $said instead of $4"
}
OPENBLAS_CORETYPE=Haswell "$opconform" replay 'dotc/1 dtype=c64 n=1 incx=2 | x=ones y=ones result=ones' --backend "openblas@$old" >/dev/null 2>&1
if [ $? = 1 ] && [ -n "$new" ]; then
    real 1 1 "$old" "+ + 0 0"
    real 2 0 "$new" "0 0 0 +"
    # The other version has other block sizes, beside which extents are drawn: more findings may show.
    real 3 1 "$old" "+ [0-9]* + 0"
    "$opconform" query knobs --db "$scratch/real/findings.db" --plain | grep -q 'OPENBLAS_CORETYPE=Prescott.*removes it' ||
        fail "no setting removes it"
else
    skip "nights over OpenBLAS 0.3.21 and 0.3.34: they are not both there, or have no bug on this machine"
fi

# Killed at any point and started again, a night ends as one that was left alone.
build 2.0 3
brief() { night "$@" --cases 100; }
contents() {
    for name in open suppressed versions knobs matrix executions signatures outliers; do
        "$opconform" query "$name" --plain --db "$scratch/$1/findings.db"
    done
    sql "$scratch/$1/findings.db" "SELECT backend, raw, line, seen FROM observation ORDER BY 1, 2, 3, 4"
    sql "$scratch/$1/findings.db" "SELECT finding, kind, path FROM artifact ORDER BY 1, 2"
    sql "$scratch/$1/findings.db" "SELECT open, fresh, regressed, fixed, flaky, suppressed FROM night"
}
brief calm 1 >/dev/null 2>&1
contents calm >"$scratch/calm.txt"
resumed() { # WHAT: goes on where it was killed, if it was, and compares
    grep -q '^step=10$' "$scratch/killed/night.state" || brief killed 1 >/dev/null 2>&1
    grep -q '^step=10$' "$scratch/killed/night.state" || fail "$1: the night does not end"
    contents killed | cmp -s - "$scratch/calm.txt" || fail "$1: $(contents killed | diff - "$scratch/calm.txt" | head -n 4)"
    rm -rf "$scratch/killed"
}
for point in $(seq 1 15); do
    (OPCONFORM_NIGHT_KILL=$point brief killed 1 >/dev/null 2>&1) 2>/dev/null
    grep -q '^step=10$' "$scratch/killed/night.state" && fail "there is no point $point"
    resumed "killed at point $point"
done
for i in $(seq 1 "${NIGHT_KILLS:-4}"); do
    by="exec" brief killed 1 >/dev/null 2>&1 &
    child=$!
    moment=0.$((37 * i % 90 + 5))
    sleep $moment
    kill -KILL $child 2>/dev/null
    wait $child 2>/dev/null
    [ -e "$scratch/killed/night.state" ] && resumed "killed after $moment s"
    rm -rf "$scratch/killed"
done
# What the time of a night did not suffice for comes first in the next one.
brief order 1 >/dev/null 2>&1
brief order 2 >/dev/null 2>&1
ordered=$scratch/order/findings.db
replayed() { # in the last night
    sql "$ordered" "SELECT o.finding FROM outcome o JOIN finding f ON f.id = o.finding WHERE o.setting = '' AND f.first_run < o.run AND
        o.run = (SELECT max(run) FROM night) ORDER BY 1"
}
mapfile -t known < <(replayed)
check "only ${#known[@]} findings of a night were tried in the next" [ ${#known[@]} -ge 3 ]
sqlite3 "$ordered" "DELETE FROM outcome WHERE run = (SELECT max(run) FROM night) AND finding > ${known[0]:-0}"
begun() { sql "$ordered" "SELECT finding FROM outcome WHERE run > (SELECT max(run) FROM night)" | xargs; }
for _ in 1 2 3 4; do
    (OPCONFORM_NIGHT_KILL=1 brief order 3 >/dev/null 2>&1) 2>/dev/null
    [ -z "$(begun)" ] || break
done
check "the third night begins with $(begun) after ${known[*]}" [ "$(begun)" = "${known[1]:-}" ]
brief order 3 >/dev/null 2>&1
check "the third night tries $(replayed | sort -n | xargs) after ${known[*]}" [ "$(replayed | sort -n | xargs)" = "${known[*]}" ]
# Two nights in one folder: the second is told to come later.
mkdir "$scratch/shared"
flock "$scratch/shared/night.lock" sleep 5 &
sleep 0.5
expect 75 night shared 1
one_line
wait
# A damaged state and absent libraries are told in one line.
echo nonsense >"$scratch/calm/night.state"
expect 3 night calm 2
one_line
expect 3 "$opconform" nightly --out "$scratch/none" --backend "cblas@/nowhere.so" --cases 1 --quiet
tutorial docs/nightly.md
finish
