/* Memory that calls leave behind in this process. */
#ifndef FUZZ_LEAK_H
#define FUZZ_LEAK_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes that are allocated at present, by malloc and by mappings that it knows nothing of; mapped
 * is 0 where the system does not tell. */
typedef struct MemoryUse {
    uint64_t allocated, mapped;
} MemoryUse;
MemoryUse memory_use(void);

/* A leak is growth by LEAK_BYTES in each of LEAK_WINDOWS windows of LEAK_CALLS calls on the same
 * data: what is made once and kept does not grow again, and caches do not grow by the same case.
 * malloc may take 7 pieces of a size that it has set aside for a thread, of 32 bytes and more
 * (glibc), without counting them: the other 9 are counted.  The windows are many, since these
 * places fill up in the first ones.  Looked for in cases with LEAK_REPEAT calls and little work. */
enum { LEAK_WINDOWS = 12, LEAK_CALLS = 16, LEAK_BYTES = 9 * 32, LEAK_REPEAT = 3 };
enum { LEAK_WORK_MAX = 1 << 16 };
uint64_t memory_growth(MemoryUse before, MemoryUse after);

#endif
