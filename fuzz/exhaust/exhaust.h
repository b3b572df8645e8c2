/* All inputs of an operator on a backend: blocks are counted in processes of their own, and stored
 * as they come. */
#ifndef FUZZ_EXHAUST_H
#define FUZZ_EXHAUST_H

#include "reports/store/store.h"
#include "reports/store/sweep.h"
#include "space.h"
#include "tally.h"

typedef struct ExhaustOptions {
    const char *backend;
    int jobs;
    int64_t shard, shards; /* blocks whose number is shard - 1 modulo shards */
    uint64_t deadline;     /* nanoseconds for one call */
    double seconds;        /* 0: no limit */
    bool quiet;
} ExhaustOptions;

typedef struct ExhaustSummary {
    uint64_t blocks, stored; /* of the shard, and those of them that are in the store now */
    uint64_t deaths;         /* of processes, whose inputs were looked for */
    char declined[96];       /* why the backend takes no call of the operator, or "" */
    bool stopped;            /* by a signal, or the time was over */
    bool aside;              /* the library ends every process: the rest was left */
} ExhaustSummary;

/* False with one sentence in *error where the database refuses or no process can be started. */
MUST_USE bool exhaust_run(const ExhaustOptions *options, const Space *space, Store *store,
                          int64_t sweep, ExhaustSummary *summary, Text *error);

#endif
