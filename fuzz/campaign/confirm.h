/* Confirms a minimal case in a process in which no kernel has run before.  Libraries keep state
 * between calls, so that a case may fail only after another one; what was minimised in one process
 * is then minimised again, each candidate in a process of its own. */
#ifndef FUZZ_CONFIRM_H
#define FUZZ_CONFIRM_H

#include "fuzz/shrink.h"
#include "reference/child.h"

typedef struct Confirmer {
    Child child;
    int to; /* the end where it is asked, -1 where there is no process */
} Confirmer;

/* Starts the process; before the checker runs its first case.  Where there can be none, nothing is
 * confirmed later. */
void confirm_begin(Confirmer *confirmer, Checker *checker, const Case *c,
                   const CheckResult *original, const ShrinkOptions *options);

/* Puts the minimal case that shows the same by itself in the place of shrunk, if that does not, and
 * ends the process. */
void confirm_end(Confirmer *confirmer, ShrinkResult *shrunk);

#endif
