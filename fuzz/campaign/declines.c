/* A table with open addressing. */
#include "declines.h"

#include <stdio.h>
#include <string.h>

#include "reference/random.h"
#include "reports/store/signature.h"

static bool is_entry(const Decline *entry, uint64_t key)
{
    return entry->key == 0 || entry->key == key;
}

void declines_count(DeclineTable *table, const OpDesc *op, const CheckResult *result)
{
    Text reason = {0};
    /* Conditions of bindings are few, and are nothing without their numbers. */
    if (!strncmp(result->detail, "needs ", strlen("needs ")))
        text_put(&reason, result->detail);
    else
        signature_put_detail(&reason, result->detail);
    uint64_t key =
        random_mix(signature_hash(text_string(&reason)) ^
                   random_mix((uint64_t)op_number(op) << 8 ^ (uint64_t)result->backend)) |
        1;
    Decline *entry = NULL;
    for (uint64_t probe = 0; probe < DECLINES_MAX && !entry; probe++)
        if (is_entry(&table->entries[(key + probe) % DECLINES_MAX], key))
            entry = &table->entries[(key + probe) % DECLINES_MAX];
    if (!entry) {
        table->lost++;
    } else {
        entry->op = op;
        entry->backend = result->backend;
        (void)snprintf(entry->reason, sizeof entry->reason, "%s", text_string(&reason));
        entry->key = key;
        entry->count++;
    }
    text_release(&reason);
}

uint64_t declines_for(const DeclineTable *table, int backend, const char *reason)
{
    uint64_t count = 0;
    for (int i = 0; i < DECLINES_MAX; i++) {
        const Decline *entry = &table->entries[i];
        if (entry->key && (backend < 0 || entry->backend == backend) &&
            !strcmp(entry->reason, reason))
            count += entry->count;
    }
    return count;
}
