/* Charts as inline SVG, which needs no script and no network. */
#ifndef REPORTS_HTML_CHART_H
#define REPORTS_HTML_CHART_H

#include "reference/base.h"

/* The words around a chart: its caption, and what its axes count. */
typedef struct ChartWords {
    const char *caption, *across, *upwards;
} ChartWords;

/* A bar or a point: its label below the axis, "" for none, and how many. */
typedef struct ChartValue {
    const char *label;
    double count;
    bool bad; /* drawn in the colour of what is wrong */
} ChartValue;

/* Append a figure with an axis of counts from 0 and one of labels; counts are shown at the mouse.
 */
void chart_put_bars(Text *page, const ChartWords *words, const ChartValue *values, int count);
void chart_put_line(Text *page, const ChartWords *words, const ChartValue *values, int count);

#endif
