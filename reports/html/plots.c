/* Plots, and the matrix of policies. */
#include <stdio.h>
#include <string.h>

#include "chart.h"
#include "page.h"

enum { LADDER_STEPS = 16, CAPTION_BYTES = 256 };

/* Cases by how close the worst element comes to its bound, from exact to beyond. */
static void put_plot(Text *page, const char *op, const char *backend,
                     const int64_t counts[LADDER_STEPS])
{
    char caption[CAPTION_BYTES], labels[LADDER_STEPS][8];
    ChartValue values[LADDER_STEPS];
    for (int i = 0; i < LADDER_STEPS; i++) {
        (void)snprintf(labels[i], sizeof labels[i], "%d", i - (LADDER_STEPS - 2));
        const char *label = i == 0 ? "exact" : i == LADDER_STEPS - 1 ? "above" : labels[i];
        values[i] = (ChartValue){label, (double)counts[i], i == LADDER_STEPS - 1};
    }
    (void)snprintf(caption, sizeof caption, "%s on %s", op, backend);
    const ChartWords words = {caption, "log2 of error / bound, of the worst element", "cases"};
    chart_put_bars(page, &words, values, LADDER_STEPS);
}

bool page_put_plots(Text *page, Store *store, Text *error)
{
    Statement s = statement_begin(store_connection(store),
                                  "SELECT op, backend, step, sum(count) FROM ladder "
                                  "GROUP BY op, backend, step ORDER BY op, backend, step");
    Text op = {0}, backend = {0};
    int64_t counts[LADDER_STEPS] = {0};
    bool any = false;
    text_printf(page, "<div class=plots>\n");
    while (statement_row(&s)) {
        const char *next_op = statement_column(&s, 0), *next_backend = statement_column(&s, 1);
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

/* One cell of the policy matrix: the verdict, and a case line for it. */
static void put_policy_cell(Text *page, Statement *s)
{
    const char *verdict = statement_column(s, 2), *line = statement_column(s, 4);
    text_put(page, "<td class=\"p ");
    escape_put_markup(page, verdict);
    text_put(page, line[0] ? "\"><details><summary>" : "\">");
    escape_put_markup(page, verdict);
    if (line[0]) {
        text_printf(page, ", %lld</summary><code>",
                    (long long)sqlite3_column_int64(s->statement, 3));
        escape_put_markup(page, line);
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
        escape_put_markup(page, statement_column(&s, 0));
    }
    text_printf(page, "</tr>\n");
    return statement_end(&s, "report", error);
}

/* One row of the matrix for each policy, with the backends in the order of its head. */
bool page_put_policies(Text *page, Store *store, Text *error)
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
        const char *policy = statement_column(&s, 0);
        if (!last.length || strcmp(text_string(&last), policy) != 0) {
            text_printf(page, "%s<tr><td><b>", last.length ? "</tr>\n" : "");
            escape_put_markup(page, policy);
            text_printf(page, "</b><br><small>");
            escape_put_markup(page, statement_column(&s, 1));
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
