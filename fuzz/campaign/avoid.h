/* Known faults: cases that would crash or hang a backend in a way that is filed already are mostly
 * not run on it again, since each costs a process or a deadline. */
#ifndef FUZZ_AVOID_H
#define FUZZ_AVOID_H

#include <stdatomic.h>

#include "ops/case/case.h"

enum { AVOID_RULES_MAX = 64 };

/* One match in this many is due to be run all the same, so that a fault that is gone is noticed:
 * more of them under rules with fewer than AVOID_FACETS_MIN facets, which would keep a backend from
 * most cases of an operator. */
enum { AVOID_EXCEPTION = 64, AVOID_EXCEPTION_BROAD = 8, AVOID_FACETS_MIN = 2 };

/* AVOID_EARLY: the fault has no minimal case yet. */
typedef enum AvoidUse { AVOID_NOTHING, AVOID_EARLY, AVOID_FILED } AvoidUse;

/* A case matches when every parameter that is not at its simplest in the rule's case is in the
 * same class there (the same facet of a signature) or an extent no smaller, every special value
 * among the data is there, and elements have as many components. */
typedef struct AvoidRule {
    atomic_uint version; /* odd while the rule is written */
    AvoidUse use;
    int backend;
    uint64_t key; /* the raw signature's, of an early rule */
    uint64_t exception;
    Case like; /* the minimal case; in an early rule what all cases of the signature have in common
                */
} AvoidRule;

/* One writer changes rules; readers see only whole ones. */
typedef struct AvoidList {
    AvoidRule rules[AVOID_RULES_MAX];
} AvoidList;

void avoid_add(AvoidList *list, int backend, const Case *minimal);

/* Takes the case for one more of those that show a fault of this raw signature, whose minimal case
 * is not known. */
void avoid_early(AvoidList *list, uint64_t key, int backend, const Case *c);
/* Takes back what avoid_early said of the signature. */
void avoid_end_early(AvoidList *list, uint64_t key, int backend);

/* Makes a list for readers of another process what the writer's own is. */
void avoid_share(AvoidList *readers, const AvoidList *own);

/* Why the case should not be run on the backend, or AVOID_NOTHING.  *matched counts matches; *due:
 * this is one that may be run all the same, as all that match an early rule may. */
AvoidUse avoid_matches(const AvoidList *list, const Case *c, int backend, uint64_t *matched,
                       bool *due);

/* Whether a fault with a minimal case is like that of the case. */
bool avoid_explains(const AvoidList *list, const Case *c, int backend);

#endif
