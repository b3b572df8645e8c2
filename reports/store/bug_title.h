/* The words of a bug; private to the files of bugs. */
#ifndef REPORTS_BUG_TITLE_H
#define REPORTS_BUG_TITLE_H

#include "bug_facts.h"

/* Appends a title made of what its findings have in common: what is wrong, where, and what it
 * takes, such as "NaN is lost in gemm, symm and 6 more: beta = nan".  reviewed: the title of its
 * entry of the reviewed list, which is better, or NULL. */
void bug_put_title(Store *store, const char *reviewed, const BugFacts *const *members, size_t count,
                   Text *title);

/* 1 is the worst: that of its worst finding. */
int bug_severity(const BugFacts *const *members, size_t count);

#endif
