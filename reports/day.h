/* Days as people write them, such as 2027-01-31. */
#ifndef REPORTS_DAY_H
#define REPORTS_DAY_H

#include "reference/base.h"

/* The seconds from 1970 to the begin of the day, by UTC.  False, with a sentence in *error, for
 * what is no day of the calendar. */
MUST_USE bool day_parse(const char *text, int64_t *seconds, Text *error);

#endif
