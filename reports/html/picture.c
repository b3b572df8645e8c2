/* Pictures of one finding: the places of its bad elements, and the sizes of their errors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "page.h"

enum { CELL = 12, BINS = 14, STEPS = 12 };

/* Draws lines of . (right) and # (wrong) as squares. */
static void put_mask(Text *page, const char *picture)
{
    int columns = (int)strcspn(picture, "\n"), rows = ((int)strlen(picture) + 1) / (columns + 1);
    if (columns == 0)
        return;
    text_printf(page,
                "<figure><figcaption>Elements of the first case: wrong ones are "
                "red</figcaption><svg role=img width=%d "
                "height=%d aria-label=\"mask of bad elements\">",
                columns * CELL, rows * CELL);
    for (int r = 0, c = 0; *picture; picture++) {
        if (*picture == '\n') {
            r++;
            c = 0;
            continue;
        }
        text_printf(page, "<rect x=%d y=%d width=%d height=%d class=\"%s\"/>", c++ * CELL, r * CELL,
                    CELL - 1, CELL - 1, *picture == '#' ? "wrong" : "right");
    }
    text_put(page, "</svg></figure>\n");
}

/* Draws a bar for each number from 0; the last one stands for all beyond as well. */
static void put_bars(Text *page, const ChartWords *words, const double *counts, int count)
{
    char labels[BINS][8];
    ChartValue values[BINS];
    for (int i = 0; i < count; i++) {
        (void)snprintf(labels[i], sizeof labels[i], i == count - 1 ? "%d+" : "%d", i);
        values[i] = (ChartValue){labels[i], counts[i], false};
    }
    chart_put_bars(page, words, values, count);
}

static void put_ulps(Text *page, const char *numbers)
{
    double counts[BINS] = {0};
    char *end = (char *)(uintptr_t)numbers;
    for (int i = 0; i < BINS && *end; i++)
        counts[i] = strtod(end, &end);
    if (numbers[0])
        put_bars(
            page,
            &(ChartWords){"Bad elements by their error", "log2 of the error in ulps", "elements"},
            counts, BINS);
}

/* Counts the kept cases by error over bound of their worst element. */
static bool put_ratios(Text *page, Store *store, int64_t id, Text *error)
{
    double counts[STEPS] = {0}, total = 0;
    Statement s = statement_begin(store_connection(store),
                                  "SELECT ratio FROM observation WHERE finding = ? AND ratio > 0");
    statement_int(&s, id);
    while (statement_row(&s)) {
        double ratio = sqlite3_column_double(s.statement, 0);
        int step = isfinite(ratio) ? ilogb(ratio) : STEPS;
        counts[step < 0 ? 0 : step < STEPS ? step : STEPS - 1]++;
        total++;
    }
    if (total > 0)
        put_bars(page,
                 &(ChartWords){"Cases by the error of their worst element", "log2 of error / bound",
                               "cases"},
                 counts, STEPS);
    return statement_end(&s, "report", error);
}

bool page_put_pictures(Text *page, Store *store, int64_t id, Text *error)
{
    Statement s = statement_begin(store_connection(store),
                                  "SELECT picture, picture_ulps FROM finding WHERE id = ?");
    statement_int(&s, id);
    text_put(page, "<div class=plots>\n");
    if (statement_row(&s)) {
        put_mask(page, statement_column(&s, 0));
        put_ulps(page, statement_column(&s, 1));
    }
    bool ok = statement_end(&s, "report", error) && put_ratios(page, store, id, error);
    text_put(page, "</div>\n");
    return ok;
}
