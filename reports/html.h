/* The HTML report: one self-contained page. */
#ifndef REPORTS_HTML_H
#define REPORTS_HTML_H

#include "store.h"

/* Appends the page; every value from libraries and users is escaped. */
MUST_USE bool html_write(Text *page, Store *store, Text *error);

#endif
