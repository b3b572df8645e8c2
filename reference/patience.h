/* Whether a call in another process has hung.  It is decided by the processor time that the process
 * takes, not by the clock: one that waits for a busy machine has not hung.  One that is stopped may
 * have been by a person; a kernel that stopped it is told from that by how long it stays so. */
#ifndef REFERENCE_PATIENCE_H
#define REFERENCE_PATIENCE_H

#include <sys/types.h>

#include "base.h"

enum { PATIENCE_STOPPED = 16 };

/* All 0 at first, but `private` where nobody else knows the process, so that it stopped itself. */
typedef struct Patience {
    bool private;
    pid_t process;
    uint64_t call;          /* that is waited for */
    uint64_t began, looked; /* times of the first and of the latest look */
    uint64_t latest;        /* processor time of all processes that there were at the latest look */
    uint64_t busy;          /* processor time that was seen to pass since the first */
    uint64_t asleep;        /* how long all threads slept since the first */
    uint64_t stopped;       /* how long all threads of the process itself were stopped */
    bool slept, was_stopped; /* all of them at the latest look */
} Patience;

/* To be asked again and again: true when the process and those that it started have taken so much
 * processor time in the call (a number other than 0, another one for each), and as much has passed
 * by the clock, or when all of their threads have slept for so long, or the process was
 * stopped for PATIENCE_STOPPED times as long (as long, where it is private).  Call 0 is none. */
bool patience_ends(Patience *patience, pid_t process, uint64_t call, uint64_t nanoseconds);

/* Processor time of all threads of a process; 0 when it is gone. */
uint64_t patience_time(pid_t process);

/* Whether a thread of this process, beside the one that asks, is ready to run. */
bool patience_is_due(void);

#endif
