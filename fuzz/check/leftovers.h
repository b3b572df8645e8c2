/* What a kernel leaves behind in its process: threads, child processes and timers. */
#ifndef FUZZ_CHECK_LEFTOVERS_H
#define FUZZ_CHECK_LEFTOVERS_H

#include <stdbool.h>

/* Whether something of a kernel's may still happen in this process: in threads, in child
 * processes, or by a timer. */
bool leftovers_exist(void);

/* Gives threads, timers and processes that a kernel has left some time to show what they do. */
void leftovers_settle(void);

#endif
