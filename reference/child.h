/* A process that this one forks for one function: it hands bytes back through a pipe, can be waited
 * for with a deadline, and dies with the process that started it. */
#ifndef REFERENCE_CHILD_H
#define REFERENCE_CHILD_H

#include <sys/types.h>

#include "base.h"

/* All 0: no process. */
typedef struct Child {
    pid_t process;
    int from; /* the end where its bytes are read */
} Child;

/* Runs in the child, which may become another program; `to` is the end where it writes.  Its result
 * is the exit status. */
typedef int ChildBody(const void *context, int to);

/* False in a process that forked from this one otherwise than by child_start: a kernel made it, and
 * it must not go on with our work.  Costs no system call. */
bool child_is_ours(void);

/* For a process that was forked otherwise, and is one of ours all the same. */
void child_become_ours(void);

/* The number of this process among those that it descends from: another one behind every fork.
 * Costs no system call but the first time; 0 where the system cannot tell. */
uint64_t child_generation(void);

/* False with errno where there is no pipe or no process. */
MUST_USE bool child_start(Child *child, ChildBody *body, const void *context);

/* Reads until there are size bytes, the child closes its end or is no more, or it writes nothing
 * for so many milliseconds (-1: any time).  Returns how many bytes there are.  Others that have the
 * end of a child that is no more are not waited for. */
size_t child_read(const Child *child, void *bytes, size_t size, int milliseconds);
/* Reads what one write has put there, where its writer has asked for packets (O_DIRECT): 0 where it
 * closed its end. */
size_t child_take(const Child *child, void *bytes, size_t size);
/* True when there are bytes, or nobody has its end any more. */
bool child_is_ready(const Child *child);
/* The same after up to so many milliseconds in which it may become so. */
bool child_await(const Child *child, int milliseconds);
/* Appends all that it writes until it closes its end. */
void child_read_text(const Child *child, Text *text);

/* True when it has ended and has to be waited for; its group has ended too. */
bool child_is_over(const Child *child);
/* The same, after up to 250 ms in which it may end. */
bool child_ends_soon(const Child *child);
/* Sends a signal to it and its group where it still runs. */
void child_signal(const Child *child, int signal);
/* Ends it and its group by SIGKILL where it still runs; it has to be waited for all the same. */
void child_kill(const Child *child);
/* True with its wait status when it has ended; then there is nothing left of it. */
bool child_has_ended(Child *child, int *status);
/* Takes no more bytes, and waits for its end; its wait status, or -1 where there is no child.  What
 * it has left behind ends, in its group or elsewhere. */
int child_wait(Child *child);
/* Takes no more bytes from it, and lets it run until this process ends; whoever wants to wait for
 * it notes its number before. */
void child_leave(Child *child);

/* Becomes this program, run with other words, which begin with its name and end with NULL; the
 * standard output goes to `to`, and so do errors unless they are to be dropped. */
_Noreturn void child_become_self(const char *const *words, int to, bool drops_errors);

#endif
