# Queries in every format, and the HTML page: whole, escaped, without the network.
. tests/lib.sh
db=$scratch/r.db
"$opconform" fuzz --engine random --op gemm --backend planted:drop-last-k,planted:nan-dropped --cases 600 --db "$db" --quiet \
    >/dev/null 2>&1
for name in $("$opconform" list queries | awk '{print $1}'); do
    for format in "" --json --csv --plain; do
        expect 0 "$opconform" query "$name" --db "$db" $format
    done
    expect 0 "$opconform" query "$name" --db "$db" --json
    python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$scratch/out" || fail "JSON of $name"
done
[ "$("$opconform" query open --plain --db "$db" | wc -l)" -ge 2 ] || fail "open findings"
[ "$("$opconform" query new --plain --db "$db" | wc -l)" -ge 2 ] || fail "new findings"
# What was not judged: each execution is in one of the columns, and the largest share comes first.
check "coverage adds up" [ "$("$opconform" query coverage --json --db "$db" | python3 -c 'import json, sys
rows = json.load(sys.stdin)
shares = [row["percent_unjudged"] for row in rows if row["percent_unjudged"] is not None]
print(sum(row["judged"] + row["vacuous"] + row["undecided"] for row in rows), shares == sorted(shares, reverse=True), shares[0] > 0)')" = \
    "$(sql "$db" 'SELECT sum(executions) FROM coverage') True True" ]
expect 1 "$opconform" fuzz --engine random --op gemm --backend planted:drop-last-k --cases 300 --db "$scratch/unjudged.db" --quiet
check "the summary says what was not judged: $(cat "$scratch/out")" grep -qE \
    '^of [0-9]+ executions [1-9][0-9]* agreed without proof and [0-9]+ were undecided, most often gemm on planted:drop-last-k' "$scratch/out"
markup='<img src=x onerror="document.title=98765">'
sqlite3 "$db" "UPDATE finding SET detail = '$markup', signature = '<b>&\"', pattern = '<script>document.title=98765</script>' WHERE id = 1"
expect 0 "$opconform" findings note 1 "$markup" --actor "$markup" --db "$db"
expect 0 "$opconform" bugs suppress "$(sql "$db" "SELECT max(id) FROM v_open_bug WHERE kind <> 'POLICY'")" --reason "$markup" --owner me \
    --expires 2999-12-31 --db "$db"
expect 0 "$opconform" report --db "$db" --out "$scratch/report" --junit "$scratch/junit.xml" --sarif "$scratch/findings.sarif" \
    --markdown "$scratch/findings.md"
page=$scratch/report/index.html
grep -q '&lt;b&gt;&amp;&quot;' "$page" || fail "a signature is missing"
grep -q '<figure class=chart' "$scratch/report/coverage.html" || fail "no plot"
chart=/usr/share/javascript/chart.js/chart.min.js
if [ -r "$chart" ]; then
    check "the library of charts is not in the folder" cmp -s "$chart" "$scratch/report/chart.min.js"
    check "a page of charts does not ask for the library" grep -q '<script src=chart.min.js>' "$scratch/report/coverage.html"
    check "a page without charts asks for the library" test ! "$(grep -l '<script src=chart.min.js>' "$scratch/report/performance.html")"
else
    skip "charts: libjs-chart.js is not installed"
fi
grep -q 'mask of bad elements' "$scratch/report/finding-1.html" || fail "no picture of the bad elements"
[ "$(sql "$db" "SELECT sum(length(replace(replace(picture, '.', ''), char(10), '')) = 0) FROM finding WHERE kind = 'DIVERGE'")" = 0 ] ||
    fail "a picture without a bad element"
# Pages are well formed, ask no network, and every link resolves.
python3 - "$scratch/report" <<'P' || fail "the pages do not hold together"
import html.parser, os, re, sys
folder, bad = sys.argv[1], []
class Page(html.parser.HTMLParser):
    void = {'meta', 'link', 'line', 'rect', 'br', 'polyline', 'circle'}
    optional = {'tr', 'th', 'td', 'p', 'html'}
    def __init__(self, name):
        super().__init__()
        self.name, self.stack, self.links, self.ids = name, [], [], set()
    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.links += [attrs[key] for key in ('href', 'src') if key in attrs]
        self.ids.add(attrs.get('id'))
        if tag not in self.void: self.stack.append(tag)
        if tag == 'img': bad.append((self.name, 'markup of a finding reached the page'))
    def handle_startendtag(self, tag, attrs): pass
    def handle_endtag(self, tag):
        if tag in self.void: return
        while self.stack and self.stack[-1] != tag and self.stack[-1] in self.optional: self.stack.pop()
        if not self.stack or self.stack.pop() != tag: bad.append((self.name, tag))
pages = {}
for name in os.listdir(folder):
    if not name.endswith('.html'): continue
    pages[name] = Page(name)
    pages[name].feed(open(os.path.join(folder, name)).read())
    bad += [(name, tag) for tag in pages[name].stack if tag not in Page.optional]
for name, page in pages.items():
    for link in page.links:
        target, _, anchor = link.partition('#')
        if link.startswith('data:'): continue
        if target.endswith('.js') and os.path.exists(os.path.join(folder, target)): continue
        if (target or name) not in pages or (anchor and anchor not in pages[target or name].ids): bad.append((name, link))
print(bad[:10])
sys.exit(bool(bad) or len(pages) < 5)
P
# The other forms are what they say they are.
sql "$db" "SELECT count(*) FROM v_open_bug WHERE kind <> 'POLICY'" >"$scratch/bugs"
sql "$db" "SELECT count(*) FROM v_suppressed" >"$scratch/suppressed"
python3 - "$scratch" <<'P' || fail "JUnit, SARIF or Markdown"
import json, sys, xml.etree.ElementTree
folder = sys.argv[1]
root = xml.etree.ElementTree.parse(f'{folder}/junit.xml').getroot()
bugs = int(open(f'{folder}/bugs').read())
assert len(root.findall('.//failure')) == bugs >= 1, (len(root.findall('.//failure')), bugs)
assert root.findall('.//failure') and root.findall('.//skipped') and all(s.get('tests') for s in root)
run = json.load(open(f'{folder}/findings.sarif'))['runs'][0]
assert len(run['results']) >= 2
rules = {rule['id'] for rule in run['tool']['driver']['rules']}
for result in run['results']:
    assert result['ruleId'] in rules and result['message']['text'] and result['baselineState'] == 'new'
    assert result['level'] in ('error', 'warning', 'note') and len(result['partialFingerprints']) == 1
suppressed = int(open(f'{folder}/suppressed').read())
assert sum(bool(result['suppressions']) for result in run['results']) == suppressed >= 1
text = open(f'{folder}/findings.md').read()
assert text.count('## ') == len(run['results']) - suppressed and 'opconform replay' in text
P
expect 0 "$opconform" query --sql "SELECT '=1+1' AS formula, -1 AS number, '-0x1p+1 (-2)' AS got, 'nan' AS expected" --db "$db" --csv
check "a formula in a spreadsheet: $(cat "$scratch/out")" grep -qxF "\"'=1+1\",-1,\"'-0x1p+1 (-2)\",nan" "$scratch/out"
expect 0 "$opconform" query --sql "SELECT '-0x1p+1 (-2)' AS got, 'nan' AS expected" --db "$db" --json
check "numbers: $(cat "$scratch/out")" grep -qxF '[{"got":"-0x1p+1 (-2)","got_number":-2,"expected":"nan"}]' "$scratch/out"
# A day or a run decides what is new.
new() { # SINCE: how many the overview counts
    expect 0 "$opconform" report --db "$db" --out "$scratch/report" --since "$1"
    sed -n 's/.*<b>\([0-9]*\)<\/b><a href=#new>.*/\1/p' "$page"
}
[ "$(new 1)" -ge 1 ] && [ "$(new 2999-01-01)" = 0 ] && [ "$(new 1970-01-01)" -ge 1 ] || fail "what is new"
expect 2 "$opconform" report --db "$db" --out "$scratch/report" --since yesterday
one_line
# Of many findings, those that are open have pages first, and the overview says how many have none.
many=$scratch/many.db
cp "$db" "$many"
python3 - "$many" <<'P'
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
names = [row[1] for row in c.execute('PRAGMA table_info(finding)')]
row = dict(zip(names, c.execute('SELECT * FROM finding WHERE id = (SELECT min(id) FROM finding WHERE bug IS NOT NULL)').fetchone()))
for i in range(1000, 3100):
    row.update(id=i, signature=f'another {i}', state='open' if i < 1100 else 'fixed')
    c.execute(f"INSERT INTO finding VALUES ({', '.join('?' * len(names))})", [row[name] for name in names])
c.commit()
P
expect 0 "$opconform" report --db "$many" --out "$scratch/many" --no-programs
check "as many pages as there may be" [ "$(find "$scratch/many" -name 'finding-*.html' | wc -l)" = 2000 ]
for finding in 1000 1099 3099; do
    check "a page of finding $finding" [ -e "$scratch/many/finding-$finding.html" ]
done
check "how many have no page" grep -q "and 2000 of $(sql "$many" 'SELECT count(*) FROM finding') findings have a page" \
    "$scratch/many/index.html"
for link in $(grep -oh 'finding-[0-9]*.html' "$scratch/many"/index.html "$scratch/many"/bug-*.html | sort -u); do
    [ -e "$scratch/many/$link" ] || fail "a link to no page: $link"
done
# A real browser: nothing is said on its console, no markup of a finding runs, sorting works.
if command -v chromium >/dev/null; then
    shots=$BUILD/screenshots
    mkdir -p "$shots"
    browse() { timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/chromium" "$@"; }
    for name in index bug-1 finding-1 coverage performance; do
        browse --enable-logging=stderr --dump-dom "file://$scratch/report/$name.html" >"$scratch/dom" 2>"$scratch/err" ||
            fail "chromium cannot show $name"
        grep -q CONSOLE "$scratch/err" && fail "$name: $(grep CONSOLE "$scratch/err" | head -n 2)"
        grep -qE '<title>98765</title>' "$scratch/dom" && fail "$name: markup of a finding ran"
        browse --window-size=1280,1600 --screenshot="$shots/$name.png" "file://$scratch/report/$name.html" >/dev/null 2>&1
        [ -s "$shots/$name.png" ] || fail "no picture of $name"
        [ "$name" != coverage ] || [ ! -r "$chart" ] || grep -q '<canvas role="img"' "$scratch/dom" || fail "no chart is drawn"
    done
    grep -q 'cursor: pointer' "$scratch/dom" || fail "headings do not sort"
else
    skip "the pages in a browser: chromium is not installed"
fi
finish
