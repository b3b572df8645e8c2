/* Words of a report: what a title says of conditions, and what a program wrote. */
#ifndef REPORTS_ISSUE_WORDS_H
#define REPORTS_ISSUE_WORDS_H

#include "reference/base.h"

/* Appends what a program wrote without colours, and without the folders that it, and we, ran in. */
void issue_put_output(Text *to, const char *output);

/* Appends "0x1p+1 (2)" as 2, whole numbers with all their digits, and NaN and infinity as words. */
void issue_put_number(Text *to, const char *number);

#endif
