/* Whether the next case is fresh or made from earlier ones, and which operator and element type a
 * fresh one has: what showed new features lately is drawn more often. */
#ifndef FUZZ_SCHEDULE_H
#define FUZZ_SCHEDULE_H

#include "ops/case/case.h"

/* An operator in one element type; shared memory, so that what was learnt outlives a worker. */
typedef struct Stratum {
    double fresh, cases; /* recent cases: their new features, and how many they are */
} Stratum;
enum { STRATA_MAX = OP_MAX * DT_COUNT };
typedef enum Origin { ORIGIN_FRESH, ORIGIN_MUTANT, ORIGIN_COUNT } Origin;

typedef struct ScheduleMemory {
    Stratum strata[STRATA_MAX], origins[ORIGIN_COUNT];
} ScheduleMemory;

/* The pointers are the caller's. */
typedef struct Schedule {
    const Scope *scope;
    ScheduleMemory *memory;        /* all 0 at the very beginning */
    int (*novelty)(const Case *c); /* how much of it was never met before, or NULL */
} Schedule;

/* Where the next case comes from: fresh ones are at least three quarters, mutants at least an
 * eighth.
 */
Origin schedule_origin(const Schedule *schedule, uint64_t seed);

/* The scope narrowed to one stratum.  One in two is drawn evenly, the others in proportion to new
 * features per case, of which what was never tried is taken to show many.  seed decides.  Cases
 * count alike whatever they cost: weighed by their work, dear operators were drawn so rarely that
 * their faults took longer to find. */
void schedule_pick(const Schedule *schedule, uint64_t seed, Scope *narrowed);
/* Learns how many features a case showed that had never been seen. */
void schedule_learn(const Schedule *schedule, const Case *c, Origin origin, int fresh);

#endif
