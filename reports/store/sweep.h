/* What became of all inputs of an operator on a library, block by block. */
#ifndef REPORTS_SWEEP_H
#define REPORTS_SWEEP_H

#include "connection.h"

/* What a block is of.  The same key finds its blocks again; call is the operator with its version
 * and parameters. */
typedef struct SweepKey {
    const char *op, *dtype, *call, *backend, *version, *build;
    uint64_t inputs, block; /* all inputs, and those of a block */
} SweepKey;

/* Bins of errors in ulps: those of bin b are below sweep_edges[b], and not below the one before. */
enum { SWEEP_BINS = 16 };
extern const double sweep_edges[SWEEP_BINS];

typedef struct SweepDeparture {
    const char *what, *kind;
    uint64_t count, first, worst;
    double ulps; /* negative: no distance */
} SweepDeparture;

enum { SWEEP_DEPARTURES_MAX = 12 };

typedef struct SweepBlock {
    uint64_t number, inputs, right, wrong, undecided, open, unjudged;
    const uint64_t *bins; /* SWEEP_BINS */
    double worst_ulps, seconds;
    uint64_t worst_input;
    SweepDeparture departures[SWEEP_DEPARTURES_MAX];
    int departure_count;
} SweepBlock;

/* The number of a sweep, which is made where there is none. */
MUST_USE bool store_sweep(Store *store, const SweepKey *key, int64_t *sweep, Text *error);
/* Sets done[number] of the blocks that are there. */
MUST_USE bool store_sweep_done(Store *store, int64_t sweep, uint8_t *done, uint64_t blocks,
                               Text *error);
/* Writes a block, in place of an earlier one of its number, if there is one. */
MUST_USE bool store_put_sweep_block(Store *store, int64_t sweep, const SweepBlock *block,
                                    Text *error);

/* Kinds of departures of a sweep that were not filed yet: at most `most` inputs that show them, the
 * first one of each kind and the worst one.  Returns their number through *count. */
MUST_USE bool store_sweep_unfiled(Store *store, int64_t sweep, uint64_t *inputs, int most,
                                  int *count, Text *error);
/* Notes that all kinds of departures of a sweep were filed. */
MUST_USE bool store_sweep_filed(Store *store, int64_t sweep, Text *error);

#endif
