/* The facts about one bug as names and values, in the order in which a reader asks for them. */
#ifndef REPORTS_BUG_SHEET_H
#define REPORTS_BUG_SHEET_H

#include "reports/store/connection.h"

/* code: the value is a case, a number or a command. */
typedef void BugFactPut(void *context, const char *name, const char *value, bool code);

/* Hands over each fact that has a value; title first gets the library and the title of the bug. */
MUST_USE bool bug_sheet(Store *store, int64_t bug, Text *title, BugFactPut *put, void *context,
                        Text *error);

/* The number of the finding that the bug is shown by; 0 where there is no such bug. */
MUST_USE bool bug_sheet_finding(Store *store, int64_t bug, int64_t *finding, Text *error);

/* Appends the option that lets a command open the library of a finding, behind a space; nothing
 * where it needs none (ops/backend/trust.h). */
MUST_USE bool bug_sheet_option(Store *store, int64_t finding, Text *option, Text *error);

#endif
