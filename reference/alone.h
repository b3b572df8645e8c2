/* What a process gives up before it opens a library, whose kernels may do anything. */
#ifndef REFERENCE_ALONE_H
#define REFERENCE_ALONE_H

#include "base.h"

/* Memory that it shares with others on purpose. */
typedef struct AloneMemory {
    const void *start; /* NULL: none */
    size_t size;
} AloneMemory;

/* Called by the body of a child, as the first thing that it does.  The process leads a session and
 * a process group of its own, and what it leaves in the group ends with it.  Signals do what they
 * do by default, unless they are ignored; INT, TERM and HUP do so only when this process or one of
 * its session sends them.  Its standard input is empty.  It keeps its standard
 * output and error, the descriptor `bell`, and those of alone_keep; of the memory that is shared
 * with other processes only `shared`. */
void alone_begin(int bell, AloneMemory shared);

/* The same in a fork of a process that is alone, whose libraries are open: what they have opened or
 * handle stays. */
void alone_move(int bell);

/* A descriptor that processes keep which this one starts later. */
void alone_keep(int descriptor);

/* Writes a message through the bell, in one piece; false where it has gone. */
bool alone_ring(const void *message, size_t size);

/* False where the bell is closed, or holds what alone_ring did not write: a kernel did that.  One
 * system call. */
bool alone_is_whole(void);

#endif
