/* Adapters between libFuzzer's names and ours. */
#include "libfuzzer_hooks.h"

#include <string.h>

#include "mutate.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned seed);

static Scope scope;

void libfuzzer_set_scope(const Scope *wanted)
{
    scope = *wanted;
}

static const Scope *current_scope(void)
{
    if (scope.op_count == 0)
        scope = scope_all();
    return &scope;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return mutate_bytes(data, size, max_size, current_scope(), seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned seed)
{
    return cross_bytes(a, a_size, b, b_size, out, max_size, current_scope(), seed);
}
