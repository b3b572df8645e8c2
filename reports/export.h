/* Findings for other tools: JUnit XML, SARIF 2.1.0, Markdown. */
#ifndef REPORTS_EXPORT_H
#define REPORTS_EXPORT_H

#include "reports/store/connection.h"

/* One suite for each library.  Each bug is a test that fails, or is skipped where the bug is
 * expected; each operator that ran and is in no open bug is one that passes. */
MUST_USE bool export_junit(Store *store, Text *to, Text *error);
/* A result for each finding that is open or suppressed, its signature among the partial
 * fingerprints; results first seen from `since` on (seconds since 1970) are new. */
MUST_USE bool export_sarif(Store *store, int64_t since, Text *to, Text *error);
/* Open findings in Markdown, to be pasted into an issue. */
MUST_USE bool export_markdown(Store *store, Text *to, Text *error);

#endif
