/* Sizes are in the units of the picture, which browsers scale to the width that there is. */
#include "chart.h"

#include <math.h>

#include "page.h"

enum { LEFT = 52, TOP = 10, HEIGHT = 110, BELOW = 40, RIGHT = 10, STEP_BAR = 26, TICKS = 4 };
enum { WIDTH_LINE = 640, LABELS_LINE = 8 };

/* The least number of the form 1, 2 or 5 times a power of ten, but a whole one, whose TICKS-fold is
 * not below the largest count. */
static double tick_of(double largest)
{
    double power = 1;
    static const double factors[] = {1, 2, 5};
    for (;; power *= 10)
        for (size_t i = 0; i < COUNT_OF(factors); i++)
            if (TICKS * power * factors[i] >= largest)
                return power * factors[i];
}

static double largest_of(const ChartValue *values, int count)
{
    double largest = 1;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, values[i].count);
    return largest;
}

static double height_of(double count, double tick)
{
    return count / tick / TICKS * HEIGHT;
}

/* The figure up to its axes. */
static void begin(Text *page, const ChartWords *words, int inner, double tick)
{
    int width = LEFT + inner + RIGHT;
    text_put(page, "<figure><figcaption>");
    escape_put_markup(page, words->caption);
    text_printf(page, "</figcaption><svg role=img viewBox=\"0 0 %d %d\" width=%d aria-label=\"",
                width, TOP + HEIGHT + BELOW, width);
    escape_put_markup(page, words->caption);
    text_put(page, "\">");
    for (int i = 0; i <= TICKS; i++) {
        double y = TOP + HEIGHT - height_of(i * tick, tick);
        text_printf(page,
                    "<line class=grid x1=%d y1=%.1f x2=%d y2=%.1f />"
                    "<text x=%d y=%.1f text-anchor=end>%.0f</text>",
                    LEFT, y, LEFT + inner, y, LEFT - 5, y + 4, i * tick);
    }
    text_printf(page, "<text x=12 y=%d text-anchor=middle transform=\"rotate(-90 12 %d)\">",
                TOP + HEIGHT / 2, TOP + HEIGHT / 2);
    escape_put_markup(page, words->upwards);
    text_printf(page, "</text><text x=%d y=%d text-anchor=middle>", LEFT + inner / 2,
                TOP + HEIGHT + 34);
    escape_put_markup(page, words->across);
    text_put(page, "</text>");
}

static void put_label(Text *page, double x, const char *label)
{
    text_printf(page, "<text x=%.1f y=%d text-anchor=middle>", x, TOP + HEIGHT + 16);
    escape_put_markup(page, label);
    text_put(page, "</text>");
}

static void put_title(Text *page, const ChartValue *value)
{
    text_put(page, "<title>");
    escape_put_markup(page, value->label);
    text_printf(page, "%s%.0f</title>", value->label[0] ? ": " : "", value->count);
}

void chart_put_bars(Text *page, const ChartWords *words, const ChartValue *values, int count)
{
    double tick = tick_of(largest_of(values, count));
    begin(page, words, count * STEP_BAR, tick);
    for (int i = 0; i < count; i++) {
        double height = height_of(values[i].count, tick), x = LEFT + i * STEP_BAR;
        height = values[i].count > 0 ? fmax(1, height) : 0;
        text_printf(page, "<rect class=\"%s\" x=%.1f y=%.1f width=%d height=%.1f>",
                    values[i].bad ? "bar wrong" : "bar", x + 2, TOP + HEIGHT - height, STEP_BAR - 4,
                    height);
        put_title(page, &values[i]);
        text_put(page, "</rect>");
        put_label(page, x + STEP_BAR / 2.0, values[i].label);
    }
    text_put(page, "</svg></figure>\n");
}

void chart_put_line(Text *page, const ChartWords *words, const ChartValue *values, int count)
{
    double tick = tick_of(largest_of(values, count)),
           step = (double)WIDTH_LINE / (count > 1 ? count - 1 : 1);
    int every = (count + LABELS_LINE - 1) / LABELS_LINE;
    Text points = {0};
    begin(page, words, WIDTH_LINE, tick);
    for (int i = 0; i < count; i++) {
        double x = LEFT + i * step, y = TOP + HEIGHT - height_of(values[i].count, tick);
        text_printf(&points, "%.1f,%.1f ", x, y);
        text_printf(page, "<circle class=dot cx=%.1f cy=%.1f r=3>", x, y);
        put_title(page, &values[i]);
        text_put(page, "</circle>");
        if (i % every == 0)
            put_label(page, x, values[i].label);
    }
    text_printf(page, "<polyline class=line points=\"%s\"/></svg></figure>\n",
                text_string(&points));
    text_release(&points);
}
