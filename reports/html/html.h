/* The HTML report: pages that are read without scripts or a network, which a little script filters
 * and sorts. */
#ifndef REPORTS_HTML_HTML_H
#define REPORTS_HTML_HTML_H

#include "reports/store.h"

/* Writes index.html, coverage.html, performance.html and finding-ID.html for each finding into the
 * folder, which is made.  since: what happened from then on is told apart, in seconds since 1970.
 * artifacts is the folder that paths of artifacts are relative to. */
MUST_USE bool html_write_report(Store *store, const char *folder, const char *artifacts,
                                int64_t since, Text *error);

#endif
