/* The page: readable without scripts, no network, plots as inline SVG. */
#include "html.h"

#include <string.h>

#include "statement.h"
#include "version.h"

enum { LADDER_STEPS = 16, BAR_WIDTH = 22, PLOT_HEIGHT = 120, LABEL_HEIGHT = 34, LEFT_MARGIN = 46 };

static const char *const style =
    "body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;"
    "color:#1b1f24;background:#fff}"
    "h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.2rem}"
    "table{border-collapse:collapse;width:100%;display:block;overflow-x:auto}"
    "th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid #d8dee4;vertical-align:top}"
    "th{background:#f3f5f7;white-space:nowrap}"
    ".findings "
    "td:last-child{width:100%}td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:"
    "nowrap}"
    ".p.strict{color:#1a7f37}.p.deviates,.p.crashes{color:#a40e26;font-weight:600}"
    ".p code{color:#1b1f24;font-weight:400}.policies td{min-width:8rem}"
    "code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}"
    ".kind{font-weight:600;color:#a40e26}.plots{display:flex;flex-wrap:wrap;gap:1.5rem}"
    "figure{margin:0}figcaption{font-weight:600}.none{color:#57606a}"
    "@media(prefers-color-scheme:dark){body{background:#14171a;color:#e6e8ea}"
    "th{background:#22272c}th,td{border-color:#394048}.kind{color:#ff8a92}svg text{fill:#e6e8ea}}";

static void put_escaped(Text *page, const char *text)
{
    for (; text && *text; text++) {
        switch (*text) {
        case '&':
            text_printf(page, "&amp;");
            break;
        case '<':
            text_printf(page, "&lt;");
            break;
        case '>':
            text_printf(page, "&gt;");
            break;
        case '"':
            text_printf(page, "&quot;");
            break;
        default:
            text_append(page, text, 1);
        }
    }
}

static const char *column_text(Statement *s, int column)
{
    return (const char *)sqlite3_column_text(s->statement, column);
}

/* A table of whatever the query returns; columns named *_line or line are shown as code. */
static bool put_query(Text *page, Store *store, const char *sql, const char *empty, Text *error)
{
    Statement s = statement_begin(store_connection(store), sql);
    bool any = false;
    while (statement_row(&s)) {
        int columns = sqlite3_column_count(s.statement);
        text_printf(page, any ? "<tr>" : "<table><tr>");
        for (int i = 0; !any && i < columns; i++) {
            text_printf(page, "<th>");
            put_escaped(page, sqlite3_column_name(s.statement, i));
        }
        text_printf(page, any ? "" : "</tr>\n<tr>");
        any = true;
        for (int i = 0; i < columns; i++) {
            const char *name = sqlite3_column_name(s.statement, i);
            bool number = sqlite3_column_type(s.statement, i) != SQLITE_TEXT;
            bool code = strstr(name, "line") || strstr(name, "signature") || strstr(name, "build");
            text_printf(page, "<td%s>%s",
                        number                  ? " class=n"
                        : !strcmp(name, "kind") ? " class=kind"
                                                : "",
                        code ? "<code>" : "");
            put_escaped(page, column_text(&s, i));
            text_printf(page, code ? "</code></td>" : "</td>");
        }
        text_printf(page, "</tr>\n");
    }
    text_printf(page, any ? "</table>\n" : "<p class=none>%s</p>\n", empty);
    return statement_end(&s, "report", error);
}

/* One row per finding: its signature, its minimal line, and the worst element. */
static bool put_findings(Text *page, Store *store, Text *error)
{
    Statement s = statement_begin(
        store_connection(store),
        "SELECT id, state, hits, kind, signature, coalesce(min_line, line), expected, got, bound, "
        "date(first_seen, 'unixepoch') FROM finding WHERE state <> 'dup' ORDER BY id");
    bool any = false;
    while (statement_row(&s)) {
        if (!any)
            text_printf(
                page,
                "<table class=findings><tr><th>id<th>state<th>hits<th>since<th>kind<th>finding\n");
        any = true;
        text_printf(page, "<tr><td class=n>%s<td>", column_text(&s, 0));
        put_escaped(page, column_text(&s, 1));
        text_printf(page, "<td class=n>%s<td class=n>%s<td class=kind>", column_text(&s, 2),
                    column_text(&s, 9));
        put_escaped(page, column_text(&s, 3));
        text_printf(page, "<td><b>");
        put_escaped(page, column_text(&s, 4));
        text_printf(page, "</b><br><code>");
        put_escaped(page, column_text(&s, 5));
        text_printf(page, "</code>");
        if (column_text(&s, 7)[0]) {
            text_printf(page, "<br>expected <code>");
            put_escaped(page, column_text(&s, 6));
            text_printf(page, "</code>, got <code>");
            put_escaped(page, column_text(&s, 7));
            text_printf(page, "</code>, bound <code>");
            put_escaped(page, column_text(&s, 8));
            text_printf(page, "</code>");
        }
        text_printf(page, "\n");
    }
    text_printf(page, any ? "</table>\n" : "<p class=none>none</p>\n");
    return statement_end(&s, "report", error);
}

static void put_plot(Text *page, const char *op, const char *backend,
                     const int64_t counts[LADDER_STEPS])
{
    int64_t largest = 1, total = 0;
    int width = LEFT_MARGIN + LADDER_STEPS * BAR_WIDTH;
    for (int i = 0; i < LADDER_STEPS; i++) {
        largest = counts[i] > largest ? counts[i] : largest;
        total += counts[i];
    }
    text_printf(page, "<figure><figcaption>");
    put_escaped(page, op);
    text_printf(page, " on ");
    put_escaped(page, backend);
    text_printf(page,
                "</figcaption><svg role=img width=%d height=%d aria-label=\"cases by log2 of "
                "error over bound\">",
                width, PLOT_HEIGHT + LABEL_HEIGHT);
    text_printf(page,
                "<text x=%d y=12 font-size=11 text-anchor=end>%lld</text>"
                "<line x1=%d y1=%d x2=%d y2=%d stroke=currentColor />",
                LEFT_MARGIN - 4, (long long)largest, LEFT_MARGIN, PLOT_HEIGHT, width, PLOT_HEIGHT);
    for (int i = 0; i < LADDER_STEPS; i++) {
        double height = (double)counts[i] / (double)largest * (PLOT_HEIGHT - 8);
        int x = LEFT_MARGIN + i * BAR_WIDTH;
        const char *colour = i == LADDER_STEPS - 1 ? "#c3202f" : "#2f6fb0";
        if (counts[i] > 0 && height < 1)
            height = 1;
        text_printf(page,
                    "<rect x=%d y=%.1f width=%d height=%.1f fill=\"%s\"><title>%lld of %lld"
                    "</title></rect>",
                    x + 2, PLOT_HEIGHT - height, BAR_WIDTH - 4, height, colour,
                    (long long)counts[i], (long long)total);
        if (i == 0 || i == LADDER_STEPS - 1)
            text_printf(page, "<text x=%d y=%d font-size=11 text-anchor=middle>%s</text>",
                        x + BAR_WIDTH / 2, PLOT_HEIGHT + 14, i == 0 ? "exact" : "&gt;0");
        else if (i % 2 == 0)
            text_printf(page, "<text x=%d y=%d font-size=11 text-anchor=middle>%d</text>",
                        x + BAR_WIDTH / 2, PLOT_HEIGHT + 14, i - (LADDER_STEPS - 2));
    }
    text_printf(page,
                "<text x=%d y=%d font-size=11>log2(error / bound), worst element of a case, "
                "at most</text></svg></figure>\n",
                LEFT_MARGIN, PLOT_HEIGHT + 30);
}

static bool put_plots(Text *page, Store *store, Text *error)
{
    Statement s = statement_begin(store_connection(store),
                                  "SELECT op, backend, step, sum(count) FROM ladder "
                                  "GROUP BY op, backend, step ORDER BY op, backend, step");
    Text op = {0}, backend = {0};
    int64_t counts[LADDER_STEPS] = {0};
    bool any = false;
    text_printf(page, "<div class=plots>\n");
    while (statement_row(&s)) {
        const char *next_op = column_text(&s, 0), *next_backend = column_text(&s, 1);
        int64_t step = sqlite3_column_int64(s.statement, 2);
        if (any && (strcmp(next_op, text_string(&op)) != 0 ||
                    strcmp(next_backend, text_string(&backend)) != 0)) {
            put_plot(page, text_string(&op), text_string(&backend), counts);
            memset(counts, 0, sizeof counts);
        }
        any = true;
        text_clear(&op);
        text_clear(&backend);
        text_printf(&op, "%s", next_op);
        text_printf(&backend, "%s", next_backend);
        if (step >= 0 && step < LADDER_STEPS)
            counts[step] = sqlite3_column_int64(s.statement, 3);
    }
    if (any)
        put_plot(page, text_string(&op), text_string(&backend), counts);
    text_printf(page, "</div>\n");
    text_release(&op);
    text_release(&backend);
    return statement_end(&s, "report", error);
}

/* One cell of the policy matrix: the verdict, and a line that shows it. */
static void put_policy_cell(Text *page, Statement *s)
{
    const char *verdict = column_text(s, 2), *line = column_text(s, 4);
    text_printf(page, "<td class=\"p %s\">", verdict);
    if (!line) {
        text_printf(page, "%s", verdict);
    } else {
        text_printf(page, "<details><summary>%s, %lld</summary><code>", verdict,
                    (long long)sqlite3_column_int64(s->statement, 3));
        put_escaped(page, line);
        text_printf(page, "</code></details>");
    }
    text_printf(page, "</td>");
}

static bool put_policy_head(Text *page, Store *store, Text *error)
{
    Statement s = statement_begin(store_connection(store),
                                  "SELECT DISTINCT backend FROM v_policy ORDER BY backend");
    text_printf(page, "<table class=policies><tr><th>policy");
    while (statement_row(&s)) {
        text_printf(page, "<th>");
        put_escaped(page, column_text(&s, 0));
    }
    text_printf(page, "</tr>\n");
    return statement_end(&s, "report", error);
}

/* Rows are policies, columns the backends in the order of the head. */
static bool put_policies(Text *page, Store *store, Text *error)
{
    Statement s = statement_begin(
        store_connection(store),
        "SELECT v.policy, p.sentence || ' (' || p.source || ')', v.verdict, v.findings, v.line "
        "FROM v_policy v JOIN policy p ON p.name = v.policy ORDER BY v.policy, v.backend");
    Text last = {0};
    text_printf(page, "<p>Strict: no departure was seen where the policy decides. Documented: only "
                      "a reading that the library promises admits what it does. Each cell opens a "
                      "line for <code>opconform replay</code>.</p>\n");
    bool ok = put_policy_head(page, store, error);
    while (ok && statement_row(&s)) {
        const char *policy = column_text(&s, 0);
        if (!last.length || strcmp(text_string(&last), policy) != 0) {
            text_printf(page, "%s<tr><td><b>", last.length ? "</tr>\n" : "");
            put_escaped(page, policy);
            text_printf(page, "</b><br><small>");
            put_escaped(page, column_text(&s, 1));
            text_printf(page, "</small></td>");
            text_clear(&last);
            text_printf(&last, "%s", policy);
        }
        put_policy_cell(page, &s);
    }
    text_printf(page, "</tr></table>\n");
    text_release(&last);
    return statement_end(&s, "report", error) && ok;
}

bool html_write(Text *page, Store *store, Text *error)
{
    text_printf(page,
                "<!doctype html>\n<html lang=en><meta charset=utf-8>"
                "<meta name=viewport content=\"width=device-width\"><title>opconform report</title>"
                "<link rel=icon href=\"data:,\"><style>%s</style>\n<h1>opconform report</h1>\n",
                style);
    text_printf(page, "<p>Every finding reproduces with <code>opconform replay ID</code>; "
                      "<code>opconform reproduce ID --out DIR</code> writes a C program that needs "
                      "only the library.</p>\n");
    text_printf(page, "<h2>Findings</h2>\n");
    bool ok = put_findings(page, store, error);
    text_printf(page, "<h2>Policies</h2>\n");
    ok = ok && put_policies(page, store, error);
    text_printf(page, "<h2>Operators and backends</h2>\n");
    ok = ok && put_query(page, store, "SELECT * FROM v_matrix", "nothing was run", error);
    text_printf(page, "<h2>How close kernels come to their bounds</h2>\n");
    ok = ok && put_plots(page, store, error);
    text_printf(page, "<h2>Executions by kind of data</h2>\n");
    ok = ok && put_query(page, store,
                         "SELECT op, dtype, fill, sum(executions) AS executions, "
                         "sum(vacuous) AS vacuous, sum(undecided) AS undecided FROM coverage "
                         "GROUP BY op, dtype, fill",
                         "nothing was run", error);
    text_printf(page, "<h2>Backends</h2>\n");
    ok = ok && put_query(page, store,
                         "SELECT DISTINCT name, version, core, threads, path, build FROM backend",
                         "none", error);
    text_printf(page, "<h2>Runs</h2>\n");
    ok = ok && put_query(page, store, "SELECT * FROM v_health", "none", error);
    text_printf(page, "<p class=none>opconform %s</p>\n</html>\n", OPCONFORM_VERSION);
    return ok;
}
