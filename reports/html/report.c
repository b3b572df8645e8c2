/* Writes the pages into their folder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "page.h"
#include "reports/files.h"

static bool write_page(const char *folder, const char *name, Text *page, Text *error)
{
    Text path = {0};
    text_printf(&path, "%s/%s", folder, name);
    bool ok = file_write(text_string(&path), page, error);
    text_release(&path);
    text_clear(page);
    return ok;
}

static bool write_findings(Store *store, const char *folder, const char *artifacts, Text *page,
                           Text *error)
{
    Statement s = statement_begin(store_connection(store), "SELECT id FROM finding ORDER BY id");
    char name[64];
    bool ok = true;
    while (ok && statement_row(&s)) {
        int64_t id = sqlite3_column_int64(s.statement, 0);
        (void)snprintf(name, sizeof name, "finding-%lld.html", (long long)id);
        ok = page_put_finding(page, store, id, artifacts, error) &&
             write_page(folder, name, page, error);
    }
    return statement_end(&s, "report", error) && ok;
}

bool html_write_report(Store *store, const char *folder, const char *artifacts, int64_t since,
                       Text *error)
{
    Text page = {0};
    if (!folder_make(folder, error))
        return false;
    page_begin(&page, "opconform report");
    bool ok = page_put_overview(&page, store, since, error);
    page_end(&page);
    ok = ok && write_page(folder, "index.html", &page, error);
    page_begin(&page, "Coverage");
    ok = ok && page_put_coverage(&page, store, error);
    page_end(&page);
    ok = ok && write_page(folder, "coverage.html", &page, error);
    page_begin(&page, "Performance");
    ok = ok && page_put_performance(&page, store, error);
    page_end(&page);
    ok = ok && write_page(folder, "performance.html", &page, error) &&
         write_findings(store, folder, artifacts, &page, error);
    text_release(&page);
    return ok;
}
