/* Plots as inline SVG, and the matrix of policies. */
#include <string.h>

#include "page.h"

enum { LADDER_STEPS = 16, BAR_WIDTH = 22, PLOT_HEIGHT = 120, LABEL_HEIGHT = 34, LEFT_MARGIN = 46 };

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
    page_put_escaped(page, op);
    text_printf(page, " on ");
    page_put_escaped(page, backend);
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
    text_printf(page, "<td class=\"p %s\">", verdict);
    if (!line[0]) {
        text_printf(page, "%s", verdict);
    } else {
        text_printf(page, "<details><summary>%s, %lld</summary><code>", verdict,
                    (long long)sqlite3_column_int64(s->statement, 3));
        page_put_escaped(page, line);
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
        page_put_escaped(page, statement_column(&s, 0));
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
            page_put_escaped(page, policy);
            text_printf(page, "</b><br><small>");
            page_put_escaped(page, statement_column(&s, 1));
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
