/* What grouping knows of each finding; private to the files of bugs. */
#ifndef REPORTS_BUG_FACTS_H
#define REPORTS_BUG_FACTS_H

#include "connection_parts.h"
#include "ops/case/trigger.h"

typedef struct BugFacts {
    int64_t id, bug; /* bug: the one that it had, or 0 */
    char *signature, *library, *backend, *kind, *defect, *detail, *symptom, *frame, *message;
    char *policy; /* the rule that it departs from, or "" */
    const OpDesc *op;
    DType dtype;
    Case minimal;
    Trigger trigger;
    char *plain_meaning; /* its meaning without what is said of each value: "beta" of "beta=nan" */
    bool unfinished, flaky, apart; /* apart: somebody set it apart from what it was tied to */
    bool accepts;                  /* takes an illegal argument, which detail names */
    bool memory;                   /* touches memory beside an operand, which it reads at least */
    bool value;                    /* a finite number that is wrong, where all data are plain */
} BugFacts;

typedef struct BugFactsList {
    BugFacts *facts; /* by rising number of the finding */
    size_t count;
} BugFactsList;

/* Reads all findings whose operator this program knows. */
MUST_USE bool bug_facts_read(Store *store, BugFactsList *list, Text *error);
void bug_facts_release(BugFactsList *list);

/* The place of a finding in the list, or the count. */
size_t bug_facts_find(const BugFactsList *list, int64_t finding);

#endif
