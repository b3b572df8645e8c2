# The labelled sets of bench/triage, and the measure of how well bugs are causes.
. tests/lib.sh
# Bugs by hand: 1 has A, A and B, 2 has A, one B is in none, one case has no label and one a doubtful one.
db=$scratch/hand.db labels=$scratch/hand.labels
python3 - "$db" <<'P'
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.executescript('''
    CREATE TABLE finding (id INTEGER PRIMARY KEY, kind TEXT, backend TEXT, bug INTEGER, min_line TEXT, line TEXT);
    CREATE TABLE observation (id INTEGER PRIMARY KEY, finding INTEGER, line TEXT);
    INSERT INTO finding VALUES (1, 'DIVERGE', 'cblas@/here/lib.so', 1, 'a1', 'x'), (2, 'FAULT', 'blis', 1, NULL, 'a2'),
        (3, 'DIVERGE', 'blis', 1, 'b1', 'x'), (4, 'DIVERGE', 'blis', 2, 'shorter', 'x'), (5, 'DIVERGE', 'blis', NULL, 'b2', 'x'),
        (6, 'DIVERGE', 'blis', 3, 'nobody', 'x'), (7, 'DIVERGE', 'blis', 1, 'doubt', 'x');
    INSERT INTO observation VALUES (1, 4, 'a3');''')
P
printf '%s\t%s\t%s\t%s\t%s\n' s A DIVERGE cblas@/there/lib.so a1 s A FAULT blis a2 s B DIVERGE blis b1 s A DIVERGE blis a3 s B DIVERGE blis b2 \
    s '?A+B' DIVERGE blis doubt other C DIVERGE blis nobody >"$labels"
expect 0 bench/triage/measure "$db" "$labels" s
check "figures: $(cat "$scratch/out")" grep -qx "findings 5   causes 2   bugs 3" "$scratch/out"
check "figures: $(cat "$scratch/out")" grep -qx "precision 0.3333   recall 0.2500" "$scratch/out"
check "figures: $(cat "$scratch/out")" grep -qx "findings per bug 1.67   entries per cause 1.50" "$scratch/out"
check "figures: $(cat "$scratch/out")" grep -q "^doubtful 1   without a label 1 " "$scratch/out"
check "figures: $(cat "$scratch/out")" grep -qx "mixed bug 1: A (2), B (1)" "$scratch/out"
expect 1 bench/triage/measure "$db" "$labels" nothing
# Labels that are shipped: fields, names, and causes enough.
check "labels" python3 - <<'P'
import collections
sets = [line.rstrip('\n').split('\t') for line in open('bench/triage/planted.sets') if line[0] != '#']
known = {name: causes.split(',') for name, _, causes, _ in sets}
operators = collections.defaultdict(set)
for line in open('bench/triage/planted.labels'):
    if line[0] != '#':
        name, cause, kind, backend, case = line.rstrip('\n').split('\t')
        words = cause.split(' ')
        assert cause[0] == '?' or words[0] == 'right' or cause in known[name], line
        operators[cause].add(case.split('/')[0])
assert not any('-right-' in cause or cause.startswith('right-') for cause in operators), 'a correct variant was found'
shared = [cause for cause in operators if len(operators[cause]) > 1 and cause.split(' ')[0] != 'right' and cause[0] != '?']
for path in ('bench/triage/real.labels', 'bench/triage/hours.labels'):
    for line in open(path):
        assert line[0] == '#' or len(line.split('\t')) == 6 and line.split('\t')[5].strip(), line
assert len(shared) >= 30, f'{len(shared)} causes in several operators'
P
[ -e /usr/lib/x86_64-linux-gnu/blas/libblas.so.3 ] || {
    skip "the reference BLAS is not installed"
    finish
    exit
}
# A handful of causes is found, each finding has the label of one, and the correct variant among them none.
expect 0 bench/triage/plant build
expect 0 bench/triage/plant find quick "$scratch/quick.db"
expect 0 bench/triage/plant label quick "$scratch/quick.db"
for cause in beta-nan-lost dot-tail over-read; do
    check "$cause: $(cut -f2 "$scratch/out" | sort | uniq -c)" [ "$(grep -c "^quick	$cause	" "$scratch/out")" -ge 2 ]
done
check "labels: $(cut -f2 "$scratch/out" | sort | uniq -c)" [ "$(cut -f2 "$scratch/out" | grep -cvE '^(beta-nan-lost|dot-tail|over-read|right .*)$')" = 0 ]
# What was filed falsely is not, and a false one that is filed still is told.
for backend in onednn:3.2.0 ort:1.31.1 paddle:3.3.1 torch:2.15.0; do
    [ -d "${OPCONFORM_DEPS:-.deps}/${backend/:/-}" ] || {
        skip "$backend is not fetched (make backends frameworks)"
        continue
    }
    expect 0 bench/triage/share "${backend%:*}-hour"
    check "$(cat "$scratch/out")" grep -q "^  false .* today bug 0, " "$scratch/out"
done
printf 's\tfalse class\tDIVERGE\tplanted:drop-last-k\tgemm/1 dtype=f64 m=1 n=1 k=1 | a=ones b=ones c=ones\twhy\n' >"$scratch/drawn"
expect 1 bench/triage/share --labels "$scratch/drawn" s
check "$(cat "$scratch/out")" grep -qx "    false class: DIVERGE then, DIVERGE today: gemm" "$scratch/out"
# Labelled cases are filed again without a search.
expect 0 bench/triage/plant file quick "$scratch/filed.db"
expect 0 bench/triage/measure "$scratch/filed.db" bench/triage/planted.labels quick
check "$(cat "$scratch/out")" grep -q "without a label 0 " "$scratch/out"
finish
