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

/* Numbers are folded, so that reasons are counted together, but not a version, of three numbers
 * with dots, among the first words: it is what lacks something. */
static void put_reason(Text *reason, const char *detail)
{
    enum { WORDS = 4, DOTS = 2 };
    const char *word = detail;
    for (int i = 0; i < WORDS && *word; i++) {
        size_t number = strspn(word, "0123456789."), dots = 0;
        for (size_t k = 0; k < number; k++)
            dots += word[k] == '.';
        if (dots >= DOTS) {
            size_t known = (size_t)(word - detail) + strcspn(word, " ");
            text_append(reason, detail, known);
            detail += known;
            break;
        }
        word += strcspn(word, " ");
        word += strspn(word, " ");
    }
    signature_put_detail(reason, detail);
}

void declines_count(DeclineTable *table, const OpDesc *op, int backend, const char *detail,
                    bool taken)
{
    Text reason = {0};
    /* Conditions of bindings are few, and are nothing without their numbers. */
    if (!strncmp(detail, "needs ", strlen("needs ")))
        text_put(&reason, detail);
    else
        put_reason(&reason, detail);
    uint64_t of = (uint64_t)op_number(op) << 9 ^ (uint64_t)backend << 1 ^ (uint64_t)taken;
    uint64_t key = random_mix(signature_hash(text_string(&reason)) ^ random_mix(of)) | 1;
    Decline *entry = NULL;
    for (uint64_t probe = 0; probe < DECLINES_MAX && !entry; probe++)
        if (is_entry(&table->entries[(key + probe) % DECLINES_MAX], key))
            entry = &table->entries[(key + probe) % DECLINES_MAX];
    if (!entry) {
        table->lost++;
    } else {
        entry->op = op;
        entry->backend = backend;
        entry->taken = taken;
        (void)snprintf(entry->reason, sizeof entry->reason, "%s", text_string(&reason));
        entry->key = key;
        entry->count++;
    }
    text_release(&reason);
}

uint64_t declines_sum(const DeclineTable *table, bool taken)
{
    uint64_t count = taken ? 0 : table->lost;
    for (int i = 0; i < DECLINES_MAX; i++)
        count += table->entries[i].taken == taken ? table->entries[i].count : 0;
    return count;
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
