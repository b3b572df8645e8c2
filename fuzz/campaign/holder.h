/* A process that has one library open, runs nothing, and forks for each that is to do so: what
 * opens the library itself takes most of its time for that. */
#ifndef FUZZ_HOLDER_H
#define FUZZ_HOLDER_H

#include "fuzz/check/check.h"
#include "reference/child.h"
#include "reference/fork_server.h"

/* All 0 at first. */
typedef struct Holder {
    ForkServer server;
    int asked;    /* how often the library was asked for */
    bool started; /* there is a process, or there was one */
} Holder;

/* What a process with a library open is to do, followed by what `run` knows: its result is the exit
 * status, and `to` is where it writes. */
typedef struct Errand {
    const char *backend;
    bool shows;    /* what the library writes is shown */
    bool own;      /* it is not to be forked: it points to memory that changes */
    BlackBox *box; /* its record */
    int (*run)(const struct Errand *errand, Checker *checker, int to);
} Errand;

/* No errand is larger. */
enum { ERRAND_BYTES = 8192 };

/* Starts a process for an errand of so many bytes: of the holder, or of this one, where the holder
 * is not ready or cannot be.  The record of the errand is that of the file.  False with errno where
 * there is none. */
MUST_USE bool holder_start(Holder *holder, Child *child, const Errand *errand, size_t size,
                           int file);
void holder_end(Holder *holder);

#endif
