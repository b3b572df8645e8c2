/* The hits of raw signatures are a table with open addressing and one writer. */
#include "shared.h"

#include <sys/mman.h>

Shared *shared_create(void)
{
    void *memory =
        mmap(NULL, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void shared_destroy(Shared *shared)
{
    if (shared)
        (void)munmap(shared, sizeof *shared);
}

uint64_t shared_hit(Shared *shared, uint64_t key)
{
    for (uint64_t probe = 0; probe < RAW_MAX; probe++) {
        RawHits *entry = &shared->raw[(key + probe) % RAW_MAX];
        if (entry->key == 0)
            entry->key = key;
        if (entry->key == key)
            return atomic_fetch_add(&entry->hits, 1);
    }
    return UINT64_MAX;
}
