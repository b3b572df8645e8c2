/* Writes the pages into their folder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "html.h"
#include "page.h"
#include "reports/files.h"
#include "selection.h"

static bool write_page(const char *folder, const char *name, Text *page, Text *error)
{
    Text path = {0};
    text_printf(&path, "%s/%s", folder, name);
    bool ok = file_write(text_string(&path), page, error);
    text_release(&path);
    text_clear(page);
    return ok;
}

typedef bool PagePut(Text *page, Store *store, int64_t id, const PagePlace *place, Text *error);

/* A page for each row of a query, which has their numbers. */
static bool write_each(Store *store, const PagePlace *place, const char *name, const char *sql,
                       PagePut *put, Text *page, Text *error)
{
    Statement s = statement_begin(store_connection(store), sql);
    char file[64];
    bool ok = true;
    while (ok && statement_row(&s)) {
        int64_t id = sqlite3_column_int64(s.statement, 0);
        (void)snprintf(file, sizeof file, "%s-%lld.html", name, (long long)id);
        ok = put(page, store, id, place, error) && write_page(place->folder, file, page, error);
    }
    return statement_end(&s, "report", error) && ok;
}

/* Pages beside the first one that there is one of each. */
static const struct {
    const char *file, *title;
    bool (*put)(Text *page, Store *store, Text *error);
} whole_pages[] = {
    {"coverage.html", "Coverage", page_put_coverage},
    {"performance.html", "Performance", page_put_performance},
    {"nights.html", "Nights", page_put_nights},
};

bool html_write_report(Store *store, const char *folder, const char *artifacts, int64_t since,
                       bool *charts, Text *error)
{
    PagePlace place = {folder, artifacts, false};
    Text page = {0};
    if (!folder_make(folder, error) || !selection_make(store, error) ||
        !chart_bring_library(folder, &place.charts, error))
        return false;
    *charts = place.charts;
    page_begin(&page, "opconform report");
    bool ok = page_put_overview(&page, store, since, error);
    page_end(&page, &place);
    ok = ok && write_page(folder, "index.html", &page, error);
    for (size_t i = 0; ok && i < COUNT_OF(whole_pages); i++) {
        page_begin(&page, whole_pages[i].title);
        ok = whole_pages[i].put(&page, store, error);
        page_end(&page, &place);
        ok = ok && write_page(folder, whole_pages[i].file, &page, error);
    }
    ok = ok &&
         write_each(store, &place, "bug", "SELECT id FROM page_of_bug", page_put_bug, &page,
                    error) &&
         write_each(store, &place, "finding", "SELECT id FROM page_of_finding", page_put_finding,
                    &page, error);
    text_release(&page);
    return ok;
}
