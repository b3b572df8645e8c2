/* Why backends were not asked, or did not take, the cases of a campaign, with counts.  In shared
 * memory, with one writer. */
#ifndef FUZZ_DECLINES_H
#define FUZZ_DECLINES_H

#include "fuzz/check/check.h"

enum { DECLINES_MAX = 4096 };

/* Cases of one operator on one backend.  Numbers in the reason are #. */
typedef struct Decline {
    uint64_t key; /* 0: none */
    const OpDesc *op;
    int backend;
    uint64_t count;
    char reason[sizeof((CheckResult *)0)->detail + 8];
} Decline;

typedef struct DeclineTable {
    Decline entries[DECLINES_MAX];
    uint64_t lost; /* cases that the table had no room for */
} DeclineTable;

/* Counts a case whose verdict is VERDICT_DECLINED by the detail of its result. */
void declines_count(DeclineTable *table, const OpDesc *op, const CheckResult *result);

/* Cases that one backend, or with -1 any, declined for this reason. */
uint64_t declines_for(const DeclineTable *table, int backend, const char *reason);

#endif
