/* Whether the next case is fresh or made from earlier ones, and which operator and element type a
 * fresh one has: what showed new features lately, for what it cost, is drawn more often. */
#ifndef FUZZ_SCHEDULE_H
#define FUZZ_SCHEDULE_H

#include "ops/case.h"

/* An operator in one element type; shared memory, so that what was learnt outlives a worker. */
typedef struct Stratum {
    double fresh, cost; /* recent cases: new features, and costs in units of a small case */
} Stratum;
enum { STRATA_MAX = OP_MAX * DT_COUNT };
typedef enum Origin { ORIGIN_FRESH, ORIGIN_MUTANT, ORIGIN_COUNT } Origin;

typedef struct ScheduleMemory {
    Stratum strata[STRATA_MAX], origins[ORIGIN_COUNT];
} ScheduleMemory;

/* Both are the caller's. */
typedef struct Schedule {
    const Scope *scope;
    ScheduleMemory *memory;        /* all 0 at the very beginning */
    int (*novelty)(const Case *c); /* how much of it was never met before, or NULL */
} Schedule;

/* Where the next case comes from: fresh ones are at least half, and mutants at least an eighth. */
Origin schedule_origin(const Schedule *schedule, uint64_t seed);

/* The scope narrowed to one stratum.  One in four is drawn evenly, the others in proportion to
 * (1 + new features) / (1 + cost).  seed decides. */
void schedule_pick(const Schedule *schedule, uint64_t seed, Scope *narrowed);
/* What a case showed first.  Its cost comes from its work, not from a clock, so that equal seeds
 * make equal cases. */
void schedule_learn(const Schedule *schedule, const Case *c, Origin origin, int fresh);

#endif
