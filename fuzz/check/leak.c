/* malloc's own count, since the memory of the process grows by pages only. */
#include "leak.h"

#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

#include "guarded_heap.h"

static uint64_t mapped_bytes(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file) {
        if (fscanf(file, "%llu", &pages) != 1)
            pages = 0;
        (void)fclose(file);
    }
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

MemoryUse memory_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return (MemoryUse){info.uordblks + info.hblkhd + guarded_heap_bytes(), mapped_bytes()};
}

uint64_t memory_growth(MemoryUse before, MemoryUse after)
{
    if (after.allocated > before.allocated)
        return after.allocated - before.allocated;
    return after.mapped > before.mapped ? after.mapped - before.mapped : 0;
}
