/* Processes that kernels leave behind: a child of a child that was started here, in a session of
 * its own, becomes a child of this process when the one that started it ends. */
#ifndef REFERENCE_ORPHANS_H
#define REFERENCE_ORPHANS_H

#include <stdbool.h>
#include <sys/types.h>

/* A child that this process has started, and one that it has waited for. */
void orphans_know(pid_t child);
void orphans_forget(pid_t child);
bool orphans_are_known(pid_t child);
/* A new process has none. */
void orphans_forget_all(void);
/* From here on orphans go to a process that this one comes from. */
void orphans_leave(void);

/* Ends the children that this process did not start, as far as they are in other sessions: those of
 * its own session are of libraries that it has opened itself. */
void orphans_end(void);

#endif
