/* The frame of a page, escaped text, tables. */
#include "page.h"

#include <string.h>

#include "chart.h"
#include "reports/store/version.h"
#include "selection.h"

extern const char report_css[], report_js[];

void page_begin(Text *page, const char *title)
{
    text_printf(page, "<!doctype html>\n<html lang=en><meta charset=utf-8>"
                      "<meta name=viewport content=\"width=device-width\"><title>");
    escape_put_markup(page, title);
    text_put(page, "</title><link rel=icon href=\"data:,\"><style>");
    text_put(page, report_css);
    text_put(page,
             "</style>\n<nav><a href=index.html>Overview</a><a href=coverage.html>Coverage</a>"
             "<a href=performance.html>Performance</a><a href=nights.html>Nights</a></nav>\n<h1>");
    escape_put_markup(page, title);
    text_put(page, "</h1>\n");
}

void page_end(Text *page, const PagePlace *place)
{
    text_printf(page, "<p class=none>opconform %s</p>\n", OPCONFORM_VERSION);
    if (place->charts && chart_is_on(page))
        text_put(page, "<script src=" CHART_FILE "></script>\n");
    text_printf(page, "<script>%s</script>\n</html>\n", report_js);
}

void page_put_number(Text *page, const char *name, int64_t number, int64_t shown)
{
    bool linked = selection_has(!strcmp(name, "bug"), number);
    if (linked)
        text_printf(page, "<a href=%s-%lld.html>", name, (long long)number);
    text_printf(page, linked ? "%lld</a>" : "%lld", (long long)shown);
}

static void put_cell(Text *page, Statement *s, int column)
{
    const char *name = sqlite3_column_name(s->statement, column),
               *text = statement_column(s, column);
    bool code = !strcmp(name, "line") || strstr(name, "signature") || strstr(name, "build");
    if (!strcmp(name, "finding") || !strcmp(name, "bug")) {
        int64_t number = sqlite3_column_int64(s->statement, column);
        text_put(page, "<td class=n>");
        page_put_number(page, name, number, number);
        text_put(page, "</td>");
        return;
    }
    text_printf(page, "<td%s>%s",
                sqlite3_column_type(s->statement, column) != SQLITE_TEXT ? " class=n"
                : !strcmp(name, "kind")                                  ? " class=kind"
                : !strcmp(name, "since")                                 ? " class=d"
                                                                         : "",
                code ? "<code>" : "");
    escape_put_markup(page, text);
    text_put(page, code ? "</code></td>" : "</td>");
}

bool page_put_query(Text *page, Store *store, const char *sql, int64_t number, const char *empty,
                    Text *error)
{
    Statement s = statement_begin(store_connection(store), sql);
    bool any = false;
    int rows = 0;
    if (s.statement && sqlite3_bind_parameter_count(s.statement) > 0)
        statement_int(&s, number);
    while (rows < PAGE_ROWS_MAX && statement_row(&s)) {
        int columns = sqlite3_column_count(s.statement);
        rows++;
        text_put(page, any ? "<tr>" : "<table class=sort><tr>");
        for (int i = 0; !any && i < columns; i++) {
            text_put(page, "<th>");
            escape_put_markup(page, sqlite3_column_name(s.statement, i));
            text_put(page, "</th>");
        }
        text_put(page, any ? "" : "</tr>\n<tr>");
        any = true;
        for (int i = 0; i < columns; i++)
            put_cell(page, &s, i);
        text_put(page, "</tr>\n");
    }
    text_printf(page, any ? "</table>\n" : "<p class=none>%s</p>\n", empty);
    if (rows == PAGE_ROWS_MAX && statement_row(&s))
        text_printf(page, "<p class=none>These are the first %d: opconform query has all.</p>\n",
                    PAGE_ROWS_MAX);
    return statement_end(&s, "report", error);
}
