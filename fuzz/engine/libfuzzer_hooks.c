/* Adapters between libFuzzer's names and ours. */
#include "libfuzzer_hooks.h"

#include <string.h>

#include "mutate.h"
#include "reference/random.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned seed);

static MutantSource source;
static Origin origin;

void libfuzzer_set_source(const MutantSource *wanted)
{
    source = *wanted;
}

static const Scope *current_scope(void)
{
    static Scope all;
    if (source.scope)
        return source.scope;
    if (all.op_count == 0)
        all = scope_all();
    return &all;
}

Origin libfuzzer_origin(void)
{
    return origin;
}

/* 0 where the next case is not a fresh one. */
static size_t make_fresh(uint8_t *data, size_t max_size, uint64_t seed)
{
    origin = source.schedule          ? schedule_origin(source.schedule, seed)
             : random_at(seed, 0) % 2 ? ORIGIN_FRESH
                                      : ORIGIN_MUTANT;
    if (source.fresh_only)
        origin = ORIGIN_FRESH;
    if (max_size < CASE_BYTES_MAX)
        origin = ORIGIN_MUTANT;
    if (origin == ORIGIN_MUTANT)
        return 0;
    size_t seeded = seeded_bytes(data, max_size, current_scope(), seed);
    if (seeded)
        return seeded;
    if (source.schedule)
        return stratum_bytes(data, max_size, source.schedule, seed);
    return fresh_bytes(data, seed, 0);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    const Scope *scope = current_scope();
    size_t fresh = make_fresh(data, max_size, seed);
    return fresh ? fresh : mutate_bytes(data, size, max_size, scope, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned seed)
{
    const Scope *scope = current_scope();
    size_t fresh = make_fresh(out, max_size, seed);
    return fresh ? fresh : cross_bytes(a, a_size, b, b_size, out, max_size, scope, seed);
}
