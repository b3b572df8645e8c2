/* Makes a diverging case as simple as it goes while it shows the same: the symptom
 * (oracle/symptom.h), the detail of faults and breaches, and the element type stay.  A plainer
 * symptom may take its place: a value that is not written, or a grossly wrong one among plain data.
 * A special value joins the data only where it may be the cause of the symptom. */
#ifndef FUZZ_SHRINK_H
#define FUZZ_SHRINK_H

#include "fuzz/check/check.h"

typedef struct ShrinkOptions {
    uint64_t deadline; /* nanoseconds for one kernel call */
    uint64_t budget;   /* nanoseconds for all of it; the best so far is kept when it ends */
    int retries;       /* runs that must show the divergence before anything is tried */
    bool isolate;      /* run every candidate in a process of its own, not only faults */
    /* Cases that another cause explains, which a case is not made simpler to; NULL: none. */
    bool (*is_explained)(const void *context, const Case *c);
    const void *context; /* of is_explained */
} ShrinkOptions;

/* reproduced counts the retries that showed the divergence.  minimal is 1-minimal: no single
 * simpler value of any parameter keeps the divergence, unless the budget ended.  needed holds
 * facets that sit at their simplest value and are needed all the same. */
typedef struct ShrinkResult {
    int reproduced, executions, accepted;
    bool complete;
    Case minimal;
    CheckResult result;
    char needed[64];
} ShrinkResult;

/* Whether the verdict on a case shows the same symptom as the original or a plainer one, and is not
 * borderline: twice its bound, or as far out as it was.  A suspicion may turn into a divergence,
 * which proves more, but not back. */
bool shrink_shows_same(const CheckResult *original, const CheckResult *got, const Case *c);

/* original is the verdict to keep; a suspicion may become a divergence. */
void shrink_case(ShrinkResult *shrunk, Checker *checker, const Case *c, const CheckResult *original,
                 const ShrinkOptions *options);

#endif
