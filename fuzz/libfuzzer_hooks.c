/* Adapters between libFuzzer's names and ours. */
#include "libfuzzer_hooks.h"

#include <string.h>

#include "mutate.h"
#include "reference/random.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned seed);

static MutantSource source;

void libfuzzer_set_source(const MutantSource *wanted)
{
    source = *wanted;
}

static const Scope *current_scope(void)
{
    if (source.scope.op_count == 0)
        source.scope = scope_all();
    return &source.scope;
}

static size_t make_fresh(uint8_t *data, size_t max_size, uint64_t seed)
{
    if (source.schedule)
        return stratum_bytes(data, max_size, source.schedule, seed);
    return fresh_bytes(data, seed, 0);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    const Scope *scope = current_scope();
    bool fresh = source.fresh_only || random_at(seed, 0) % 2 == 0;
    return fresh && max_size >= CASE_BYTES_MAX ? make_fresh(data, max_size, seed)
                                               : mutate_bytes(data, size, max_size, scope, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned seed)
{
    const Scope *scope = current_scope();
    return source.fresh_only && max_size >= CASE_BYTES_MAX
               ? make_fresh(out, max_size, seed)
               : cross_bytes(a, a_size, b, b_size, out, max_size, scope, seed);
}
