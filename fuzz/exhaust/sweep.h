/* The inputs of a range through one backend, in the process that has it open. */
#ifndef FUZZ_EXHAUST_SWEEP_H
#define FUZZ_EXHAUST_SWEEP_H

#include "fuzz/check/check.h"
#include "reference/screen.h"
#include "space.h"
#include "tally.h"

typedef struct Sweep {
    Checker *checker; /* with the backend as its only one */
    const Space *space;
    Workspace judging;        /* of the elements that are judged by themselves */
    const Function *function; /* where there are fast values of it; else NULL */
    Screen *screen;           /* owned */
    uint8_t *known;           /* owned */
    Case call;                /* of a call of the usual size, with its operands */
    Operands operands;        /* built where built_count is not 0 */
    uint64_t built_count;
    size_t arena_used;
    int splits;        /* calls that were divided since they ended otherwise than with values */
    char declined[96]; /* why the backend does not take the calls; "" where it does */
} Sweep;

/* False where there is no room. */
MUST_USE bool sweep_open(Sweep *sweep, Checker *checker, const Space *space);
void sweep_close(Sweep *sweep);

/* Adds what the backend makes of the inputs.  Each result is held against the reference of its
 * input for its rounding, and against the bounds and readings that fuzz judges by.  A call that
 * breaks its contract or is refused is divided until the inputs that do so are found, as long as
 * there are few.  False where it is declined. */
MUST_USE bool sweep_range(Sweep *sweep, uint64_t first, uint64_t count, Tally *tally);

#endif
