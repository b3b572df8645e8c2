/* The words of a bug; private to the files of bugs. */
#ifndef REPORTS_BUG_TITLE_H
#define REPORTS_BUG_TITLE_H

#include "bug_facts.h"

typedef struct BugWords {
    Text title;     /* "NaN is lost in gemm, symm and 6 more for beta = NaN" */
    Text condition; /* what all its findings need, "beta = NaN", or empty; the title ends with it */
} BugWords;

/* The words of what the findings of a bug have in common: what is wrong, where, and what it takes.
 * reviewed: the title of its entry of the reviewed list, which is better, or NULL. */
void bug_put_words(Store *store, const char *reviewed, const BugFacts *const *members, size_t count,
                   BugWords *words);
void bug_words_release(BugWords *words);

/* 1 is the worst: that of its worst finding. */
int bug_severity(const BugFacts *const *members, size_t count);

#endif
