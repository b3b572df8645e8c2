/* Known faults: cases that would crash or hang a backend in a way that is filed already are mostly
 * not run on it again, since each costs a process or a deadline. */
#ifndef FUZZ_AVOID_H
#define FUZZ_AVOID_H

#include <stdatomic.h>

#include "ops/case/case.h"

enum { AVOID_RULES_MAX = 32 };

/* One match in this many is run all the same, so that a fault that is gone is noticed: more of
 * them under rules with fewer than AVOID_FACETS_MIN facets, which would keep a backend from most
 * cases of an operator. */
enum { AVOID_EXCEPTION = 64, AVOID_EXCEPTION_BROAD = 8, AVOID_FACETS_MIN = 2 };

/* A case matches when every parameter that is not at its simplest in the minimal case is in the
 * same class there (the same facet of a signature), every special value among the data is there,
 * and elements have as many components. */
typedef struct AvoidRule {
    int backend;
    Case minimal;
    uint64_t exception;
} AvoidRule;

/* One writer appends; readers see only whole rules. */
typedef struct AvoidList {
    _Atomic int count;
    AvoidRule rules[AVOID_RULES_MAX];
} AvoidList;

void avoid_add(AvoidList *list, int backend, const Case *minimal);

/* Makes a list for readers of another process what the writer's own is, which has grown by one. */
void avoid_share(AvoidList *readers, const AvoidList *own);

/* True when the case should not be run on the backend.  *matched counts matches. */
bool avoid_matches(const AvoidList *list, const Case *c, int backend, uint64_t *matched);

#endif
