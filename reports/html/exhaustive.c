/* All inputs of operators: counts, departures, and how far results are off that are not rounded
 * correctly. */
#include <math.h>
#include <stdio.h>

#include "chart.h"
#include "page.h"
#include "reports/store/sweep.h"

enum { CAPTION_BYTES = 400, LABEL_BYTES = 16 };

/* The bars of one sweep, up to the last that counts something. */
static void put_plot(Text *page, const char *caption, const int64_t counts[SWEEP_BINS])
{
    char labels[SWEEP_BINS][LABEL_BYTES];
    ChartValue values[SWEEP_BINS];
    int last = 0;
    for (int i = 0; i < SWEEP_BINS; i++) {
        last = counts[i] > 0 ? i : last;
        if (isinf(sweep_edges[i]))
            (void)snprintf(labels[i], LABEL_BYTES, "more");
        else
            (void)snprintf(labels[i], LABEL_BYTES, "< %g", sweep_edges[i]);
        values[i] = (ChartValue){labels[i], (double)counts[i], false};
    }
    const ChartWords words = {caption, "error in units of the last place",
                              "results that are not rounded correctly"};
    chart_put_bars(page, &words, values, last + 1);
}

static bool read_bins(Store *store, int64_t sweep, int64_t counts[SWEEP_BINS], Text *error)
{
    Statement s = statement_begin(store_connection(store),
                                  "SELECT key, sum(value) FROM sweep_block, json_each(bins) WHERE "
                                  "sweep = ? GROUP BY key");
    statement_int(&s, sweep);
    while (statement_row(&s)) {
        int64_t bin = sqlite3_column_int64(s.statement, 0);
        if (bin >= 0 && bin < SWEEP_BINS)
            counts[bin] = sqlite3_column_int64(s.statement, 1);
    }
    return statement_end(&s, "report", error);
}

/* A plot for each sweep that has results which are not rounded correctly. */
static bool put_plots(Text *page, Store *store, Text *error)
{
    Statement s = statement_begin(
        store_connection(store),
        "SELECT sweep, op || ' in ' || dtype || ' on ' || backend || ' ' || version || ': ' || "
        "wrong || ' of ' || inputs || ', ' || round(worst_ulps, 3) || ' ulp at most, of ' || "
        "worst_input FROM v_exhaustive WHERE wrong > 0");
    bool ok = true;
    text_put(page, "<div class=plots>\n");
    while (ok && statement_row(&s)) {
        char caption[CAPTION_BYTES];
        int64_t counts[SWEEP_BINS] = {0};
        (void)snprintf(caption, sizeof caption, "%s", statement_column(&s, 1));
        ok = read_bins(store, sqlite3_column_int64(s.statement, 0), counts, error);
        if (ok)
            put_plot(page, caption, counts);
    }
    text_put(page, "</div>\n");
    return statement_end(&s, "report", error) && ok;
}

bool page_put_exhaustive(Text *page, Store *store, Text *error)
{
    int64_t count = 0;
    if (!store_get_number(store, "SELECT count(*) FROM sweep", &count, error))
        return false;
    if (count == 0)
        return true;
    text_put(page, "<h2>All inputs</h2>\n<p>Each input of an operator once. Wrong results are not "
                   "the exact value, rounded to nearest; departures are those that no bound and no "
                   "reading of the library's promise admits.</p>\n");
    return page_put_query(page, store,
                          "SELECT op, dtype, backend, version, inputs, of, wrong, undecided, open, "
                          "unjudged, departures, round(worst_ulps, 4) AS worst_ulps, worst_input, "
                          "round(core_seconds, 1) AS core_seconds FROM v_exhaustive",
                          0, "none", error) &&
           page_put_query(page, store,
                          "SELECT op, dtype, backend, version, what, kind, results, first, worst, "
                          "ulps FROM v_departure",
                          0, "no result departs from its bound", error) &&
           put_plots(page, store, error);
}
