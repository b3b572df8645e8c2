/* The hits of raw signatures are a table with open addressing and one writer. */
#include "shared.h"

#include <sys/mman.h>

#include "reference/random.h"
#include "reports/store/signature.h"

Shared *shared_create(void)
{
    void *memory =
        mmap(NULL, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    blackbox_seal(&((Shared *)memory)->box);
    return memory;
}

void shared_destroy(Shared *shared)
{
    if (shared)
        (void)munmap(shared, sizeof *shared);
}

/* The entry of a key, or the empty one that it would have; NULL where the table is full. */
static RawHits *entry_of(Shared *shared, uint64_t key)
{
    for (uint64_t probe = 0; probe < RAW_MAX; probe++) {
        RawHits *entry = &shared->raw[(key + probe) % RAW_MAX];
        if (entry->key == 0 || entry->key == key)
            return entry;
    }
    return NULL;
}

uint64_t shared_key(const char *raw, int backend)
{
    return random_mix(signature_hash(raw) ^ random_mix((uint64_t)backend)) | 1;
}

uint64_t shared_hits(Shared *shared, uint64_t key)
{
    RawHits *entry = entry_of(shared, key);
    return !entry ? UINT64_MAX : entry->key == key ? atomic_load(&entry->hits) : 0;
}

uint64_t shared_hit(Shared *shared, uint64_t key)
{
    RawHits *entry = entry_of(shared, key);
    if (!entry)
        return UINT64_MAX;
    entry->key = key;
    return atomic_fetch_add(&entry->hits, 1);
}
