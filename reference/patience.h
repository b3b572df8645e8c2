/* Whether a call in another process has hung.  It is decided by the processor time that the process
 * takes, not by the clock: one that is stopped, or waits for a busy machine, has not hung. */
#ifndef REFERENCE_PATIENCE_H
#define REFERENCE_PATIENCE_H

#include <sys/types.h>

#include "base.h"

/* All 0 at first. */
typedef struct Patience {
    pid_t process;
    uint64_t call;          /* that is waited for */
    uint64_t began, looked; /* times of the first and of the latest look */
    uint64_t latest;        /* processor time of all processes that there were at the latest look */
    uint64_t busy;          /* processor time that was seen to pass since the first */
    uint64_t asleep;        /* how long all threads slept since the first */
    bool slept;             /* all of them at the latest look */
} Patience;

/* To be asked again and again: true when the process and those that it started have taken so much
 * processor time in the call (a number other than 0, another one for each), and as much has passed
 * by the clock, or when all of their threads have slept for so long.  Call 0 is none. */
bool patience_ends(Patience *patience, pid_t process, uint64_t call, uint64_t nanoseconds);

#endif
