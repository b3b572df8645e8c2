/* Charts: a table of what they show, which the script of the page draws where the folder of the
 * report has a library of charts. */
#ifndef REPORTS_HTML_CHART_H
#define REPORTS_HTML_CHART_H

#include "reference/base.h"

/* The library: Chart.js, a file of this name in the folder of the report. */
#define CHART_FILE "chart.min.js"

/* The words around a chart: its caption, and what its axes count. */
typedef struct ChartWords {
    const char *caption, *across, *upwards;
} ChartWords;

/* A bar or a point: its label below the axis, and how many. */
typedef struct ChartValue {
    const char *label;
    double count;
    bool bad; /* drawn in the colour of what is wrong */
} ChartValue;

/* Append a figure with an axis of counts from 0 and one of labels. */
void chart_put_bars(Text *page, const ChartWords *words, const ChartValue *values, int count);
void chart_put_line(Text *page, const ChartWords *words, const ChartValue *values, int count);

/* Whether a page has a figure of these. */
bool chart_is_on(const Text *page);

/* Puts the library of the system into the folder, unless there is one; *there is false where
 * neither has it. */
MUST_USE bool chart_bring_library(const char *folder, bool *there, Text *error);

#endif
