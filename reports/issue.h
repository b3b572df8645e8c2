/* The text of a report to the people who maintain a library, in Markdown. */
#ifndef REPORTS_ISSUE_H
#define REPORTS_ISSUE_H

#include "reports/store/connection.h"

typedef struct IssueProgram {
    const char *file, *source;
    const char *output; /* what it printed and how it ended, or "" where it was not run */
} IssueProgram;

/* Why a bug is nothing to report, NULL where it is: a convention, a bug that is known upstream, or
 * findings that are not minimal or do not show each time. */
const char *issue_objection(Store *store, int64_t bug, Text *error);

/* Appends title, what is wrong, program, output, expectation with its reason, versions and
 * environment, what else is affected, and how it was found.  Numbers of the database, paths of
 * findings and decisions are not in it. */
MUST_USE bool issue_put(Text *issue, Store *store, int64_t bug, const IssueProgram *program,
                        Text *error);

#endif
