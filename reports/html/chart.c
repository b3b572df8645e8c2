/* The table stands alone: without a script, or without the library, it is what a reader sees. */
#include "chart.h"

#include <string.h>
#include <unistd.h>

#include "page.h"
#include "reports/files.h"

static const char figure[] = "<figure class=chart data-kind=";

/* Where Debian's package libjs-chart.js has it. */
static const char system_library[] = "/usr/share/javascript/chart.js/" CHART_FILE;

static void put_head(Text *page, const char *text)
{
    text_put(page, "<th>");
    escape_put_markup(page, text);
    text_put(page, "</th>");
}

static void put_chart(Text *page, const char *kind, const ChartWords *words,
                      const ChartValue *values, int count)
{
    text_printf(page, "%s%s><figcaption>", figure, kind);
    escape_put_markup(page, words->caption);
    text_put(page, "</figcaption><table><tr>");
    put_head(page, words->across);
    put_head(page, words->upwards);
    text_put(page, "</tr>\n");
    for (int i = 0; i < count; i++) {
        text_printf(page, "<tr%s><td>", values[i].bad ? " class=bad" : "");
        escape_put_markup(page, values[i].label);
        text_printf(page, "</td><td class=n>%.0f</td></tr>\n", values[i].count);
    }
    text_put(page, "</table></figure>\n");
}

void chart_put_bars(Text *page, const ChartWords *words, const ChartValue *values, int count)
{
    put_chart(page, "bar", words, values, count);
}

void chart_put_line(Text *page, const ChartWords *words, const ChartValue *values, int count)
{
    put_chart(page, "line", words, values, count);
}

bool chart_is_on(const Text *page)
{
    return strstr(text_string(page), figure) != NULL;
}

bool chart_bring_library(const char *folder, bool *there, Text *error)
{
    Text path = {0}, library = {0};
    bool ok = true;
    text_printf(&path, "%s/%s", folder, CHART_FILE);
    *there = access(text_string(&path), R_OK) == 0;
    if (!*there && access(system_library, R_OK) == 0) {
        ok = file_read(system_library, &library, error) &&
             file_write(text_string(&path), &library, error);
        *there = ok;
    }
    text_release(&path);
    text_release(&library);
    return ok;
}
