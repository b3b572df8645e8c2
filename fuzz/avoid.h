/* Known faults: cases that would crash or hang a backend in a way that is filed already are mostly
 * not run on it again, since each costs a process or a deadline. */
#ifndef FUZZ_AVOID_H
#define FUZZ_AVOID_H

#include <stdatomic.h>

#include "ops/case.h"

enum { AVOID_RULES_MAX = 32, AVOID_EXCEPTION = 64 };

/* Rules with fewer facets would keep a backend from most cases. */
enum { AVOID_FACETS_MIN = 2 };

/* A case matches when every parameter that is not at its simplest in the minimal case is in the
 * same class there (the same facet of a signature), with as many components per element. */
typedef struct AvoidRule {
    int backend;
    Case minimal;
} AvoidRule;

/* One writer appends; readers see only whole rules. */
typedef struct AvoidList {
    _Atomic int count;
    AvoidRule rules[AVOID_RULES_MAX];
} AvoidList;

void avoid_add(AvoidList *list, int backend, const Case *minimal);

/* True when the case should not be run on the backend.  *matched counts matches; one in
 * AVOID_EXCEPTION of them is run all the same, so that a fault that is gone is noticed. */
bool avoid_matches(const AvoidList *list, const Case *c, int backend, uint64_t *matched);

#endif
