# The templates, SQL and metadata of datasette in docs/ work: nights and the database.
. tests/lib.sh
cd "$scratch" || exit 1
root=$OLDPWD
mkdir bin
ln -s "$opconform" bin/opconform
PATH=$scratch/bin:$PATH
# A night's command as a template has it, with a small budget.
try() { # COMMAND
    local command=${1//--time 2h/--cases 60 --engine random}
    (eval "${command//build\/opconform/opconform}") >"$scratch/out" 2>"$scratch/err"
    [ $? -le 1 ] || fail "$command: $(cat "$scratch/err")"
    [ -s nightly/report/index.html ] || fail "no report: $command"
}
try "$(grep -v '^#' "$root/docs/nightly/opconform.cron" | sed 's/.*opconform cd \/var\/lib\/opconform && //')"
try "$(sed -n 's/^ExecStart=//p' "$root/docs/nightly/opconform.service")"
try "$(grep 'opconform nightly' "$root/docs/nightly/github-actions.yml")"
grep -q '^OnCalendar=' "$root/docs/nightly/opconform.timer" || fail "the timer has no time"
if command -v systemd-analyze >/dev/null; then
    for unit in service timer; do
        cp "$root/docs/nightly/opconform.$unit" . && sed -i "s|ExecStart=opconform|ExecStart=$opconform|; /^User=/d" "opconform.$unit"
    done
    systemd-analyze verify ./opconform.timer ./opconform.service >"$scratch/out" 2>&1 || fail "$(cat "$scratch/out")"
else
    skip "the units of systemd: systemd-analyze is not installed"
fi
# The system's Python, for which there is a package.
/usr/bin/python3 - "$root/docs/nightly/github-actions.yml" <<'P' || fail "the workflow is no YAML"
import sys
import yaml
steps = yaml.safe_load(open(sys.argv[1]))['jobs']['fuzz']['steps']
sys.exit(not all('run' in step or 'uses' in step for step in steps))
P
# Eight tasks of an array, three of them here, side by side.
sed 's/--time 2h/--cases 60/' "$root/docs/nightly/slurm.sh" >slurm.sh
for task in 0 1 2; do
    SLURM_ARRAY_TASK_ID=$task SHARDS=$scratch/shards bash slurm.sh >/dev/null 2>"$scratch/err$task" &
done
wait
[ "$(sql shards/all.db "SELECT count(*) FROM run")" = 3 ] || fail "shards: $(cat "$scratch"/err?)"
expect 0 opconform fsck --db shards/all.db
# Every question of docs/queries.md can be asked.
python3 - "$root/docs/queries.md" <<'P'
import re, sys
for i, sql in enumerate(re.findall(r'```sql\n(.*?)```', open(sys.argv[1]).read(), re.S)):
    open(f'question{i}.sql', 'w').write(sql)
P
[ "$(ls question*.sql | wc -l)" = 15 ] || fail "fifteen questions"
for question in question*.sql; do
    expect 0 opconform query --sql "$(cat "$question")" --db nightly/findings.db
done
opconform list datasette >metadata.json
python3 - <<'P' || fail "datasette's metadata"
import json, sqlite3
database = sqlite3.connect('nightly/findings.db')
queries = json.load(open('metadata.json'))['databases']['findings']['queries']
for query in queries.values():
    database.execute(query['sql']).fetchall()
assert len(queries) > 15
P
# The pages of a month of nights.
expect 0 opconform report --db nightly/findings.db --out site --no-programs
nights=$(sql nightly/findings.db "SELECT count(*) FROM night")
check "nights: $nights" [ "$nights" -ge 2 ]
check "a row for each night" [ "$(sed '/Bugs by the night/,$d' site/nights.html | grep -cE '^<tr><td[^>]*>20[0-9-]*</td>(<td class=n>[0-9]+</td>){7}')" = "$nights" ]
check "no charts of nights" [ "$(grep -o '<figure class=chart' site/nights.html | wc -l)" = 3 ]
# Files of Parquet have what the database has, as DuckDB reads them.
if [ -e "$root/.deps/parquet-26.0.1/.done" ]; then
    export PYTHONPATH=$root/python:$root/.deps/parquet-26.0.1
    expect 0 python3 -m opconform.parquet nightly/findings.db columns
    cat >columns.py <<'P'
import duckdb, sqlite3
database = sqlite3.connect('nightly/findings.db')
names = [name for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]
assert len(names) > 20
for name in names + ['v_bug', 'v_state']:
    read = duckdb.sql(f"SELECT * FROM 'columns/{name}.parquet'")
    rows = database.execute(f'SELECT * FROM {name}')
    assert read.columns == [column[0] for column in rows.description], name
    assert sorted(map(repr, read.fetchall())) == sorted(map(repr, rows.fetchall())), name
P
    check "files of Parquet" python3 columns.py
    expect 1 python3 -m opconform.parquet metadata.json columns
    one_line
    expect 1 python3 -m opconform.parquet nightly/findings.db columns nothing
    one_line
    unset PYTHONPATH
else
    skip "files of Parquet: make backends fetches what writes them"
fi
# The known issues of docs/triage.md are a list that is taken.
python3 - "$root/docs/triage.md" <<'P'
import re, sys
open('known.json', 'w').write(re.search(r'```json\n(.*?)```', open(sys.argv[1]).read(), re.S)[1])
P
try "opconform nightly --out nightly --backend openblas,blis --time 2h --quiet --known known.json"
for bad in '{' '{}' '[{"match": {}}]' '[{"match": {"op": "a"}, "reason": "r", "owner": "o", "expires": "soon"}]' '[{"match": {"size": "1"}}]'; do
    echo "$bad" >bad.json
    rm -rf broken
    expect 2 opconform nightly --out broken --backend openblas --op gemm --cases 1 --engine random --quiet --known bad.json
    one_line
done
# The objects that commands write have the members that docs/queries.md names, of these types.
cat >"$scratch/members.py" <<'P'
import json, re, sys
row = next(line for line in open(sys.argv[2] + '/docs/queries.md') if line.startswith(f'| `{sys.argv[1]} --json`'))
described = {}
for kind, names in re.findall(r'(strings?|integers|numbers) ([^;|]*)', row.split('|')[2]):
    for name in re.findall(r'\b[a-z_]+\b', re.sub(r'\(.*?\)|and shares.*:', '', names)):
        described[name] = {'s': str, 'i': int, 'n': (int, float)}[kind[0]]
said = json.loads(sys.stdin.readline())
assert list(sorted(said)) == list(sorted(described)), (sorted(said), sorted(described))
for name, value in said.items():
    assert isinstance(value, described[name]), name
P
"$opconform" replay "gemm/1 dtype=f32 m=2 n=2 k=2 | a=ones b=ones c=ones" --backend planted:ok-reference --json |
    python3 "$scratch/members.py" replay "$root" || fail "replay --json"
"$opconform" fuzz --engine random --op gemm --backend planted:ok-reference --cases 9 --db "$scratch/json.db" --quiet --json |
    python3 "$scratch/members.py" fuzz "$root" || fail "fuzz --json"
"$opconform" nightly --out "$scratch/json" --engine random --op gemm --backend planted:ok-reference --cases 9 --quiet --json |
    python3 "$scratch/members.py" nightly "$root" || fail "nightly --json"
finish
