/* The text of a report to the people who maintain a library, in Markdown. */
#ifndef REPORTS_ISSUE_H
#define REPORTS_ISSUE_H

#include "issue_project.h"
#include "reports/store/connection.h"

/* The program, and what it and the machine say; "" for what is not known. */
typedef struct IssueProgram {
    const char *file, *source;
    const char *function; /* the library's function that it calls */
    const char *output;   /* what it printed and how it ended, or "" where it was not run */
    const char *check;    /* one sentence where it does not tell the bug, or "" */
    const char *compiler, *python, *architecture; /* versions, and the kind of machine */
    const char *collected; /* what the project's own command prints of the environment */
} IssueProgram;

/* Why a bug is nothing to report, NULL where it is: a convention, a bug that is known upstream, or
 * findings that are not minimal or do not show each time. */
const char *issue_objection(Store *store, int64_t bug, Text *error);

/* Appends the project's text with title, what is wrong, program, output, expectation with its
 * reason, versions and environment, what else is affected, and how it was found.  Numbers of the
 * database, folders of this machine and decisions are not in it. */
MUST_USE bool issue_put(Text *issue, Store *store, int64_t bug, const IssueProgram *program,
                        const IssueProject *project, Text *error);

#endif
