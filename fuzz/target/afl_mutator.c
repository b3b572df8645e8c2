/* The mutator as a plug-in of AFL++, by the names that afl-fuzz looks for (custom mutators in its
 * documentation).  It is linked with the scope of the target that it works for. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/engine/libfuzzer_hooks.h"
#include "fuzz/engine/mutate.h"
#include "reference/random.h"
#include "scope.h"

typedef struct AflMutator {
    uint64_t seed, number;
    uint8_t bytes[CASE_BYTES_MAX];
} AflMutator;

#define EXPORTED __attribute__((visibility("default")))

/* Of libFuzzer, whose names other engines share. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned seed);

EXPORTED void *afl_custom_init(void *afl, unsigned seed);
EXPORTED size_t afl_custom_fuzz(AflMutator *mutator, uint8_t *data, size_t size, uint8_t **out,
                                uint8_t *other, size_t other_size, size_t max_size);
EXPORTED void afl_custom_deinit(AflMutator *mutator);

EXPORTED void *afl_custom_init(void *afl, unsigned seed)
{
    (void)afl;
    AflMutator *mutator = calloc(1, sizeof *mutator);
    if (mutator)
        mutator->seed = seed;
    libfuzzer_set_source(&(MutantSource){.scope = target_scope()});
    return mutator;
}

/* One in four is made of two. */
EXPORTED size_t afl_custom_fuzz(AflMutator *mutator, uint8_t *data, size_t size, uint8_t **out,
                                uint8_t *other, size_t other_size, size_t max_size)
{
    unsigned seed = (unsigned)random_at(mutator->seed, mutator->number++);
    *out = mutator->bytes;
    if (max_size > sizeof mutator->bytes)
        max_size = sizeof mutator->bytes;
    if (other && other_size > 0 && seed % 4 == 0)
        return LLVMFuzzerCustomCrossOver(data, size, other, other_size, mutator->bytes, max_size,
                                         seed);
    size = size < max_size ? size : max_size;
    memcpy(mutator->bytes, data, size);
    return LLVMFuzzerCustomMutator(mutator->bytes, size, max_size, seed);
}

EXPORTED void afl_custom_deinit(AflMutator *mutator)
{
    free(mutator);
}
