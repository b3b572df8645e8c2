/* Parts that pages are made of; every value from libraries and users is escaped. */
#ifndef REPORTS_HTML_PAGE_H
#define REPORTS_HTML_PAGE_H

#include "reports/statement.h"
#include "reports/store.h"

/* Heading, style and the links between the pages; what follows until page_end is its body. */
void page_begin(Text *page, const char *title);
void page_end(Text *page);

void page_put_escaped(Text *page, const char *text);
/* A table of whatever the query returns, with parameter ?1 bound to `number` where it has one.
 * Columns whose names hold line, signature or build are code, a column of name finding links to the
 * finding's page.  empty is what is said instead of no rows. */
MUST_USE bool page_put_query(Text *page, Store *store, const char *sql, int64_t number,
                             const char *empty, Text *error);

/* How close the kernels of an operator come to their bounds, for each operator and backend. */
MUST_USE bool page_put_plots(Text *page, Store *store, Text *error);
/* Where the bad elements of a finding lie, and how far off they are. */
MUST_USE bool page_put_pictures(Text *page, Store *store, int64_t id, Text *error);
/* Libraries and policies. */
MUST_USE bool page_put_policies(Text *page, Store *store, Text *error);

/* The pages. */
MUST_USE bool page_put_overview(Text *page, Store *store, int64_t since, Text *error);
MUST_USE bool page_put_coverage(Text *page, Store *store, Text *error);
MUST_USE bool page_put_performance(Text *page, Store *store, Text *error);
MUST_USE bool page_put_finding(Text *page, Store *store, int64_t id, const char *artifacts,
                               Text *error);

#endif
