/* How often cases are large (ops/case/large.h) where a campaign has a time to end: as often as it
 * takes them to have their share of it, by what they and the others cost so far. */
#ifndef FUZZ_PACE_H
#define FUZZ_PACE_H

#include "ops/case/case.h"

/* Large cases have one part in so many of the time. */
enum { PACE_SHARE = 6 };

/* All 0 before the first case; a worker that takes the place of another goes on with it. */
typedef struct Pace {
    uint64_t since; /* when the present case began */
    bool large;     /* it is a large one */
    uint64_t large_cases, large_time;
    uint64_t turns, other_time; /* others that might have been large, and the time of all others */
} Pace;

/* A case begins: what passed since the one before it did is the time of that one. */
void pace_begin(Pace *pace, const Case *c, uint64_t now);

/* One case in so many, of operators that have large ones (Scope.large), or 0, none, while they have
 * had more than their share; what was said before the first case where nothing is known yet. */
int64_t pace_one_in(const Pace *pace, int64_t before);

#endif
