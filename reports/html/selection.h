/* Which bugs and findings of a database have a page of their own.  A report stays readable, and is
 * written in seconds, however many findings years of nights have left: what is open goes first. */
#ifndef REPORTS_HTML_SELECTION_H
#define REPORTS_HTML_SELECTION_H

#include "reports/store/connection.h"

enum { SELECTION_BUGS_MAX = 1000, SELECTION_FINDINGS_MAX = 2000 };

typedef struct SelectionCounts {
    int64_t bugs, bugs_with_page, findings, findings_with_page;
} SelectionCounts;

/* Chooses them, once for a connection, and keeps the states of all findings and bugs in tables of
 * the connection's own named as their views, v_state, v_bug and v_open_bug, so that no page
 * computes them again. */
MUST_USE bool selection_make(Store *store, Text *error);

/* Whether the bug or finding of this number has a page. */
bool selection_has(bool is_bug, int64_t number);
SelectionCounts selection_count(Store *store);

#endif
