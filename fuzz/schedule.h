/* Which operator and element type the next fresh case has: strata that showed new features lately,
 * for what they cost, are drawn more often. */
#ifndef FUZZ_SCHEDULE_H
#define FUZZ_SCHEDULE_H

#include "ops/case.h"

/* An operator in one element type; shared memory, so that what was learnt outlives a worker. */
typedef struct Stratum {
    double fresh, cost; /* recent cases: new features, and costs in units of a small case */
} Stratum;
enum { STRATA_MAX = OP_MAX * DT_COUNT };

typedef struct Schedule {
    Scope scope;
    Stratum *strata; /* STRATA_MAX of them, all 0 at the very beginning; the caller's */
} Schedule;

/* The scope narrowed to one stratum.  One in four is drawn evenly, the others in proportion to
 * (1 + new features) / (1 + cost).  seed decides. */
void schedule_pick(const Schedule *schedule, uint64_t seed, Scope *narrowed);
/* What a case showed first.  Its cost comes from its work, not from a clock, so that equal seeds
 * make equal cases. */
void schedule_learn(const Schedule *schedule, const Case *c, int fresh);

#endif
