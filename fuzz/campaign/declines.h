/* Why backends were not asked, or did not take, the cases of a campaign, or those that were drawn
 * before others took their place, with counts.  In shared memory, with one writer. */
#ifndef FUZZ_DECLINES_H
#define FUZZ_DECLINES_H

#include "fuzz/check/check.h"

enum { DECLINES_MAX = 4096 };

/* Cases of one operator on one backend.  Numbers in the reason are #.  taken: they were run. */
typedef struct Decline {
    uint64_t key; /* 0: none */
    const OpDesc *op;
    int backend;
    bool taken;
    uint64_t count;
    char reason[sizeof((CheckResult *)0)->detail + 8];
} Decline;

typedef struct DeclineTable {
    Decline entries[DECLINES_MAX];
    uint64_t lost; /* cases that the table had no room for */
} DeclineTable;

/* Counts a case: detail is that of its result, or what a backend said when it was asked. */
void declines_count(DeclineTable *table, const OpDesc *op, int backend, const char *detail,
                    bool taken);

/* All counts of cases that were taken, or that were not, with the lost ones. */
uint64_t declines_sum(const DeclineTable *table, bool taken);

/* Cases that one backend, or with -1 any, declined for this reason. */
uint64_t declines_for(const DeclineTable *table, int backend, const char *reason);

#endif
