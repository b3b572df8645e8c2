/* Two versions of a library on the same cases: what a run has seen on which of them. */
#ifndef REPORTS_QUALIFICATION_H
#define REPORTS_QUALIFICATION_H

#include "connection.h"

/* The old version and the new one, as backends are named. */
typedef struct Sides {
    const char *names[2];
} Sides;

/* A finding of the run that compared them. */
typedef struct SidedFinding {
    int64_t id;
    Text line, backend; /* its minimal case, and the backend that this was made on */
    bool whole;         /* it is of a library as a whole: no case shows it */
    bool observed[2];   /* with cases of the run, on each side */
    /* What the minimal case showed when it was made: of the side that it was not made on.  "" where
     * it was not run there. */
    Text peer[2];
} SidedFinding;

/* Fills the finding of the run behind the one of its id; its id is 0 behind the last. */
MUST_USE bool sided_finding_next(Store *store, int64_t run, const Sides *sides,
                                 SidedFinding *finding, Text *error);
void sided_finding_release(SidedFinding *finding);

/* The counts that a report begins and ends with. */
typedef struct Qualification {
    int64_t compared, changed; /* cases with results of both, and those whose bits differ */
    int64_t fresh;      /* findings of the new version alone that are open and no convention */
    int64_t unfinished; /* findings of the run that are of no bug yet */
    int64_t worst;      /* the bug to look at first: the worst one that is new, or 0 */
} Qualification;
MUST_USE bool qualification_read(Store *store, int64_t run, Qualification *counts, Text *error);

#endif
