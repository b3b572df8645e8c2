/* The HTML report.  Its pages need no network, and are complete without the script that sorts and
 * filters their tables. */
#ifndef REPORTS_HTML_HTML_H
#define REPORTS_HTML_HTML_H

#include "reports/store/connection.h"

/* Writes index.html, coverage.html, performance.html, nights.html, bug-ID.html and finding-ID.html
 * for bugs and findings, those that are open first (reports/html/selection.h), into the folder, and
 * makes the folder where it is missing.  *charts is false where nothing draws charts (chart.h), so
 * that their tables are shown.  Changes from `since` on (seconds since 1970) are shown apart. Paths
 * of artifacts are relative to the folder `artifacts`. */
MUST_USE bool html_write_report(Store *store, const char *folder, const char *artifacts,
                                int64_t since, bool *charts, Text *error);

#endif
