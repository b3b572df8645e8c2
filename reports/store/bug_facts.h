/* The facts about each finding that grouping reads; private to the files of bugs. */
#ifndef REPORTS_BUG_FACTS_H
#define REPORTS_BUG_FACTS_H

#include "connection_parts.h"
#include "ops/case/trigger.h"

typedef struct BugFacts {
    int64_t id, bug; /* bug: the one that it had, or 0 */
    char *signature, *library, *backend, *kind, *defect, *detail, *symptom, *frame, *message;
    char *policy;  /* the rule that it departs from as its library documents, or "" */
    char *reading; /* the rule that it departs from though nobody documents it, or "" */
    /* The case also fails without the values that its rule is about: symptom, kind and case are
     * then those of the case without them, and policy is "". */
    bool masked;
    const OpDesc *op;
    DType dtype;
    Case *minimal;      /* NULL in facts of grouping, but of what takes an illegal argument */
    int illegal;        /* exec.illegal of the case */
    const char *spoilt; /* the operand whose shape a stray call changes, or NULL */
    Trigger trigger;
    size_t needed; /* characters of its meaning that say which plain values are needed, in front */
    /* Its meaning without what is said of each value, "beta" of "beta=nan"; operands are "data". */
    char *plain_meaning;
    bool unwritten; /* an element looks as before the call, which it may by chance */
    bool whole;     /* it is of the library as a whole: case and trigger say nothing */
    bool unfinished, flaky, apart; /* apart: somebody set it apart from what it was tied to */
    bool raw;     /* it is not minimal, or never showed again: the case says not what it needs */
    bool accepts; /* takes an illegal argument, which detail names */
    bool memory;  /* touches memory beside an operand, which it reads at least */
    bool leaves_range; /* infinite or NaN for a finite number, of finite data near an end of the
                          range */
    bool wrong;        /* a number is wrong or not written where no meaning is needed */
    bool bare;         /* and no structure */
    bool always;       /* and the simplest case of the operator is wrong: so is any other one */
} BugFacts;

typedef struct BugFactsList {
    BugFacts *facts; /* by rising number of the finding */
    size_t count;
} BugFactsList;

/* All findings whose operator this program knows, one by one: facts of the next finding in the
 * order of their numbers, to be released; false behind the last. */
Statement bug_facts_begin(Store *store);
bool bug_facts_next(Statement *rows, BugFacts *f);
/* Facts of one of them, to be released where it is true. */
MUST_USE bool bug_facts_get(Store *store, int64_t id, BugFacts *f, Text *error);
void bug_facts_release(BugFactsList *list);
/* Forgets the case of one that is no evidence by itself. */
void bug_facts_shed_case(BugFacts *f);
void bug_facts_release_one(BugFacts *f);

#endif
