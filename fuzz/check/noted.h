/* Calls of kernels that leave something behind: these are looked for, by system calls, only where
 * one was made.  The program that is linked with this has setitimer, alarm, ualarm, pthread_create,
 * thrd_create, timer_create (whose timers may have a thread) and clone of its own, which note the
 * call and make it; libraries find them before those of the C library where its symbols are
 * exported.  Under sanitizers, which have theirs, and where libraries find others, nothing is
 * known, and each question is answered with true.  What asks the system itself is not noted. */
#ifndef FUZZ_CHECK_NOTED_H
#define FUZZ_CHECK_NOTED_H

#include <stdbool.h>

/* Whether a timer may have been set, and a thread started, since this was asked last in this
 * process. */
bool noted_timer(void);
bool noted_thread(void);

#endif
