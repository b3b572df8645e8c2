/* Pictures of one finding: the places of its bad elements, and the sizes of their errors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"

enum { CELL = 12, BAR = 26, HEIGHT = 90, BINS = 14, STEPS = 12 };

/* Draws lines of . (right) and # (wrong) as squares. */
static void put_mask(Text *page, const char *picture)
{
    int columns = (int)strcspn(picture, "\n"), rows = ((int)strlen(picture) + 1) / (columns + 1);
    if (columns == 0)
        return;
    text_printf(
        page,
        "<figure><figcaption>bad elements of the first case</figcaption><svg role=img width=%d "
        "height=%d aria-label=\"mask of bad elements\">",
        columns * CELL, rows * CELL);
    for (int r = 0, c = 0; *picture; picture++) {
        if (*picture == '\n') {
            r++;
            c = 0;
            continue;
        }
        text_printf(page, "<rect x=%d y=%d width=%d height=%d fill=\"%s\"/>", c++ * CELL, r * CELL,
                    CELL - 1, CELL - 1, *picture == '#' ? "#c3202f" : "#c9d1d9");
    }
    text_put(page, "</svg></figure>\n");
}

/* Draws bars with their numbers below; the last bar may have a label of its own. */
static void put_bars(Text *page, const char *caption, const double *counts, int count,
                     const char *last)
{
    double largest = 1;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, counts[i]);
    text_printf(page,
                "<figure><figcaption>%s</figcaption><svg role=img width=%d height=%d "
                "aria-label=\"%s\">",
                caption, count * BAR, HEIGHT + 18, caption);
    for (int i = 0; i < count; i++) {
        double height = counts[i] > 0 ? fmax(1, counts[i] / largest * (HEIGHT - 6)) : 0;
        text_printf(
            page,
            "<rect x=%d y=%.1f width=%d height=%.1f fill=\"#2f6fb0\"><title>%.0f</title></rect>"
            "<text x=%d y=%d font-size=10 text-anchor=middle>",
            i * BAR + 2, HEIGHT - height, BAR - 4, height, counts[i], i * BAR + BAR / 2,
            HEIGHT + 14);
        if (i == count - 1 && last)
            text_put(page, last);
        else
            text_printf(page, "%d", i);
        text_put(page, "</text>");
    }
    text_put(page, "</svg></figure>\n");
}

static void put_ulps(Text *page, const char *numbers)
{
    double counts[BINS] = {0};
    char *end = (char *)(uintptr_t)numbers;
    for (int i = 0; i < BINS && *end; i++)
        counts[i] = strtod(end, &end);
    if (numbers[0])
        put_bars(page, "bad elements by log2 of ulps", counts, BINS, "more");
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
        put_bars(page, "cases by log2 of error / bound", counts, STEPS, "more");
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
