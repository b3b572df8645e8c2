/* A process that has done what many begin with, such as opening libraries, and forks them when it
 * is asked. */
#ifndef REFERENCE_FORK_SERVER_H
#define REFERENCE_FORK_SERVER_H

#include "child.h"

/* All 0: none. */
typedef struct ForkServer {
    Child process;
    int control; /* a socket to it */
    bool ready;
} ForkServer;

/* The body prepares, and calls fork_server_serve with the end that it is given.  False with errno
 * where there is no process. */
MUST_USE bool fork_server_start(ForkServer *server, ChildBody *body, const void *context);

/* Says that it may be asked, and returns in each process that it forks: with the order of
 * fork_server_fork, the descriptor that came with it or -1, and the end where that process writes.
 * The server itself ends with the process that started it.  It has one thread and no children. */
int fork_server_serve(int control, void *order, size_t size, int *descriptor);

/* True once it may be asked; one that has ended before is no more. */
bool fork_server_is_ready(ForkServer *server);

/* Has it fork a process, which is a child of this one as if child_start had started it, and has a
 * copy of the descriptor, -1 for none.  False where none came of that; then there is no server any
 * more. */
MUST_USE bool fork_server_fork(ForkServer *server, Child *child, const void *order, size_t size,
                               int descriptor);

/* Ends it where there is one. */
void fork_server_end(ForkServer *server);

#endif
