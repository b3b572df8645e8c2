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
sqlite3 "$db" "UPDATE finding SET detail = '<script>alert(1)</script>', signature = '<b>&\"' WHERE id = 1"
expect 0 "$opconform" report --db "$db" --out "$scratch/report"
page=$scratch/report/index.html
grep -q '<script' "$page" && fail "markup of a finding reached the page"
grep -q '&lt;b&gt;&amp;&quot;' "$page" || fail "a signature is missing"
grep -qE '(src|href)="?http' "$page" && fail "the page asks the network"
grep -q '<svg' "$page" || fail "no plot"
python3 - "$page" <<'P' || fail "the page is not well formed"
import html.parser, sys
class Check(html.parser.HTMLParser):
    void, stack, bad = {'meta', 'link', 'line', 'rect', 'br'}, [], []
    optional = {'tr', 'th', 'td', 'p', 'html'}
    def handle_starttag(self, tag, attrs):
        if tag not in self.void: self.stack.append(tag)
    def handle_startendtag(self, tag, attrs): pass
    def handle_endtag(self, tag):
        if tag in self.void: return
        while self.stack and self.stack[-1] != tag and self.stack[-1] in self.optional: self.stack.pop()
        if not self.stack or self.stack.pop() != tag: self.bad.append(tag)
c = Check(); c.feed(open(sys.argv[1]).read())
sys.exit(bool(c.bad or [t for t in c.stack if t not in c.optional]))
P
finish
