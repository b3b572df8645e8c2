/* The parts of pages.  Every value that comes from libraries, users or the database is escaped. */
#ifndef REPORTS_HTML_PAGE_H
#define REPORTS_HTML_PAGE_H

#include "reference/escape.h"
#include "reports/store/connection.h"
#include "reports/store/statement.h"

/* Where files are: the report itself, whose folder programs/ has those of bugs, and the folder that
 * paths of artifacts are relative to. */
typedef struct PagePlace {
    const char *folder, *artifacts;
    bool charts; /* the folder has the library that draws them */
} PagePlace;

/* Appends the head, the links between the pages and the heading; the body follows, and page_end. */
void page_begin(Text *page, const char *title);
void page_end(Text *page, const PagePlace *place);

/* The most rows that a table has. */
enum { PAGE_ROWS_MAX = 1000 };

/* Appends a table of the rows of the query, whose parameter ?1, if any, is `number`; the text
 * `empty` where there are no rows.  Columns with the name line, or whose names contain signature or
 * build, are set as code, and columns with the names bug and finding link to their pages where
 * there are some.  After PAGE_ROWS_MAX rows it says that there are more. */
MUST_USE bool page_put_query(Text *page, Store *store, const char *sql, int64_t number,
                             const char *empty, Text *error);

/* Appends `shown`, with a link to the page of the bug or finding (its name) of that number where it
 * has one. */
void page_put_number(Text *page, const char *name, int64_t number, int64_t shown);

/* Appends a line of the number of open findings in the last nights, where there were some. */
MUST_USE bool page_put_trend(Text *page, Store *store, int nights, Text *error);
/* Appends plots of error over bound, one for each operator with all its backends. */
MUST_USE bool page_put_plots(Text *page, Store *store, Text *error);
/* Appends what all inputs of operators showed, with plots; nothing where none were tried. */
MUST_USE bool page_put_exhaustive(Text *page, Store *store, Text *error);
/* Appends pictures of the places of the bad elements of a finding and of their errors. */
MUST_USE bool page_put_pictures(Text *page, Store *store, int64_t id, Text *error);
/* Appends the matrix of backends and policies. */
MUST_USE bool page_put_policies(Text *page, Store *store, Text *error);

/* Appends the program that was written for a finding, if there is one. */
MUST_USE bool page_put_program(Text *page, Store *store, int64_t finding, const PagePlace *place,
                               Text *error);

/* Append whole pages. */
MUST_USE bool page_put_overview(Text *page, Store *store, int64_t since, Text *error);
MUST_USE bool page_put_coverage(Text *page, Store *store, Text *error);
MUST_USE bool page_put_nights(Text *page, Store *store, Text *error);
MUST_USE bool page_put_performance(Text *page, Store *store, Text *error);
MUST_USE bool page_put_bug(Text *page, Store *store, int64_t bug, const PagePlace *place,
                           Text *error);
MUST_USE bool page_put_finding(Text *page, Store *store, int64_t id, const PagePlace *place,
                               Text *error);

#endif
