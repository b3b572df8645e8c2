/* Cross-probes: the minimal case of one finding is carried over to the operator and type of another
 * one, and run on the same library.  What shows there tells whether the two have one cause. */
#ifndef FUZZ_PROBE_H
#define FUZZ_PROBE_H

#include "reports/store/bug.h"

typedef struct ProbeCounts {
    int64_t made;    /* probes that ran */
    int64_t refused; /* cases that cannot be carried over, or that the library declines */
    int64_t lost;    /* not made: the library could not be opened */
    int64_t closed;  /* findings whose library is not opened: only the database names it */
    bool out_of_time;
} ProbeCounts;

/* Makes the probes that grouping asks for, and groups, in turns until nothing is asked for or the
 * budget of nanoseconds has ended: then none is begun, and one that runs is left unmade, to be
 * asked for again.  Kernels run in processes of their own. */
MUST_USE bool probes_run(Store *store, uint64_t budget, ProbeCounts *counts, BugCounts *bugs,
                         Text *error);

#endif
