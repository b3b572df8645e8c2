/* Widths of vectors are asked of the processor, block sizes of the libraries. */
#include "blocks.h"

#if defined(__aarch64__)
#include <sys/prctl.h>
#endif

size_t cpu_vector_bytes(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") ? 64 : __builtin_cpu_supports("avx") ? 32 : 16;
#elif defined(__aarch64__) && defined(PR_SVE_GET_VL)
    int length = prctl(PR_SVE_GET_VL);
    return length > 0 ? (size_t)(length & PR_SVE_VL_LEN_MASK) : 16;
#else
    return 0;
#endif
}

void blocks_add(Blocks *blocks, const BackendFacts *facts)
{
    for (const int64_t *block = facts->blocks; *block; block++) {
        int64_t i = 0;
        while (i < blocks->count && blocks->extents[i] != *block)
            i++;
        if (i == blocks->count && i < BLOCKS_MAX)
            blocks->extents[blocks->count++] = *block;
    }
}
