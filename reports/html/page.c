/* Headings, escaping, tables. */
#include "page.h"

#include <string.h>

#include "reports/version.h"

static const char style[] =
    "body{font:15px/1.45 system-ui,sans-serif;margin:1.5rem auto;max-width:80rem;padding:0 1rem;"
    "color:#1b1f24;background:#fff}h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}"
    "nav a{margin-right:1.2rem}a{color:#0a58ca}"
    "table{border-collapse:collapse;display:block;overflow-x:auto;max-height:75vh}"
    "th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #d8dee4;vertical-align:top}"
    "th{background:#f3f5f7;white-space:nowrap;position:sticky;top:0}"
    "td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
    "code,pre{font:13px ui-monospace,monospace;overflow-wrap:anywhere}"
    "pre{background:#f3f5f7;padding:.8rem;overflow:auto;max-height:30rem}"
    ".kind,.bad{font-weight:600;color:#a40e26}.good{color:#1a7f37}.none{color:#57606a}"
    ".tiles{display:flex;flex-wrap:wrap;gap:1rem}.tiles div{border:1px solid #d8dee4;"
    "border-radius:6px;padding:.5rem 1rem;min-width:6rem}.tiles b{display:block;font-size:1.5rem}"
    ".cell-open{background:#ffd7d5;color:#1b1f24}.cell-clean{background:#d9f2df;color:#1b1f24}"
    ".plots{display:flex;flex-wrap:wrap;gap:1.5rem}figure{margin:0}figcaption{font-weight:600}"
    ".p.strict{color:#1a7f37}.p.deviates,.p.crashes{color:#a40e26;font-weight:600}"
    ".p code{color:#1b1f24;font-weight:400}.policies td{min-width:8rem}"
    "@media(prefers-color-scheme:dark){body{background:#14171a;color:#e6e8ea}a{color:#7ab7ff}"
    "th,pre{background:#22272c}th,td,.tiles div{border-color:#394048}.kind,.bad{color:#ff8a92}"
    ".good{color:#6fd08c}svg text{fill:#e6e8ea}}";

/* Tables of class sort get headings that sort them, and a field that filters their rows where there
 * are some; elements of class copy a button. */
static const char script[] =
    "for(const t of document.querySelectorAll('table.sort')){"
    "const rows=[...t.rows].slice(1),f=document.createElement('input');"
    "f.placeholder='filter';f.setAttribute('aria-label','filter');if(rows.length>8)t.before(f);"
    "f.oninput=()=>{const w=f.value.toLowerCase();"
    "for(const r of rows)r.hidden=!r.textContent.toLowerCase().includes(w)};"
    "[...t.rows[0].cells].forEach((h,i)=>{let up=1;h.style.cursor='pointer';h.onclick=()=>{"
    "const k=r=>r.cells[i]?r.cells[i].textContent:'';up=-up;"
    "rows.sort((a,b)=>up*(k(b).localeCompare(k(a),undefined,{numeric:true})));"
    "for(const r of rows)r.parentNode.append(r)}})}"
    "for(const p of document.querySelectorAll('pre.copy')){"
    "const b=document.createElement('button');b.textContent='copy';"
    "b.onclick=()=>navigator.clipboard.writeText(p.textContent);p.before(b)}";

void page_begin(Text *page, const char *title)
{
    text_printf(page, "<!doctype html>\n<html lang=en><meta charset=utf-8>"
                      "<meta name=viewport content=\"width=device-width\"><title>");
    page_put_escaped(page, title);
    text_put(page, "</title><link rel=icon href=\"data:,\"><style>");
    text_put(page, style);
    text_put(page,
             "</style>\n<nav><a href=index.html>Overview</a><a href=coverage.html>Coverage</a>"
             "<a href=performance.html>Performance</a></nav>\n<h1>");
    page_put_escaped(page, title);
    text_put(page, "</h1>\n");
}

void page_end(Text *page)
{
    text_printf(page, "<p class=none>opconform %s</p>\n<script>%s</script>\n</html>\n",
                OPCONFORM_VERSION, script);
}

void page_put_escaped(Text *page, const char *text)
{
    while (*text) {
        size_t plain = strcspn(text, "&<>\"");
        text_append(page, text, plain);
        text += plain;
        switch (*text) {
        case '&':
            text_put(page, "&amp;");
            break;
        case '<':
            text_put(page, "&lt;");
            break;
        case '>':
            text_put(page, "&gt;");
            break;
        case '"':
            text_put(page, "&quot;");
            break;
        default:
            return;
        }
        text++;
    }
}

static void put_cell(Text *page, Statement *s, int column)
{
    const char *name = sqlite3_column_name(s->statement, column),
               *text = statement_column(s, column);
    bool code = strstr(name, "line") || strstr(name, "signature") || strstr(name, "build");
    if (!strcmp(name, "finding")) {
        text_printf(page, "<td class=n><a href=finding-%s.html>%s</a></td>", text, text);
        return;
    }
    text_printf(page, "<td%s>%s",
                sqlite3_column_type(s->statement, column) != SQLITE_TEXT ? " class=n"
                : !strcmp(name, "kind")                                  ? " class=kind"
                                                                         : "",
                code ? "<code>" : "");
    page_put_escaped(page, text);
    text_put(page, code ? "</code></td>" : "</td>");
}

bool page_put_query(Text *page, Store *store, const char *sql, int64_t number, const char *empty,
                    Text *error)
{
    Statement s = statement_begin(store_connection(store), sql);
    bool any = false;
    if (s.statement && sqlite3_bind_parameter_count(s.statement) > 0)
        statement_int(&s, number);
    while (statement_row(&s)) {
        int columns = sqlite3_column_count(s.statement);
        text_put(page, any ? "<tr>" : "<table class=sort><tr>");
        for (int i = 0; !any && i < columns; i++) {
            text_put(page, "<th>");
            page_put_escaped(page, sqlite3_column_name(s.statement, i));
            text_put(page, "</th>");
        }
        text_put(page, any ? "" : "</tr>\n<tr>");
        any = true;
        for (int i = 0; i < columns; i++)
            put_cell(page, &s, i);
        text_put(page, "</tr>\n");
    }
    text_printf(page, any ? "</table>\n" : "<p class=none>%s</p>\n", empty);
    return statement_end(&s, "report", error);
}
