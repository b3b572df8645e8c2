/* Slots of some powers of two of pages in one range of addresses, each with the page behind it. */
#include "guarded_heap.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "interposed.h"

#ifdef SANITIZED

size_t guarded_heap_bytes(void)
{
    return 0;
}

bool guarded_heap_has(const void *block)
{
    (void)block;
    return false;
}

#else

/* Those of the C library. */
void __libc_free(void *block);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

enum { PAGE = 4096, CLASSES = 13, SLOTS_MAX = 8192 };
static const size_t range_bytes = (size_t)1 << 30;

/* What lies before a block. */
typedef struct Head {
    size_t bytes;
    unsigned char *end; /* of the slot, where its guard page begins */
    size_t class;
} Head;

static unsigned char *range;
static size_t used, live;
static int slots;
enum { LINK_BYTES = sizeof(unsigned char *) };
static unsigned char *vacant[CLASSES]; /* ends of slots; the last bytes of each hold the next */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Before main, so that the range is no growth of any call's. */
__attribute__((constructor)) static void reserve(void)
{
    void *memory =
        mmap(NULL, range_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    range = memory == MAP_FAILED ? NULL : memory;
}

bool guarded_heap_has(const void *block)
{
    return range && (uintptr_t)block - (uintptr_t)range < range_bytes;
}

size_t guarded_heap_bytes(void)
{
    (void)pthread_mutex_lock(&lock);
    size_t bytes = live;
    (void)pthread_mutex_unlock(&lock);
    return bytes;
}

static Head *head_of(void *block)
{
    return (Head *)block - 1;
}

/* The end of a slot of so many pages that nothing has used, or NULL. */
static unsigned char *make_slot(size_t pages)
{
    size_t bytes = pages * PAGE;
    if (!range || slots == SLOTS_MAX || range_bytes - used < bytes + PAGE ||
        mprotect(range + used, bytes, PROT_READ | PROT_WRITE) != 0)
        return NULL;
    unsigned char *end = range + used + bytes;
    used += bytes + PAGE;
    slots++;
    return end;
}

static unsigned char *take_slot(size_t class)
{
    unsigned char *end = vacant[class];
    if (!end)
        return make_slot((size_t)1 << class);
    memcpy(&vacant[class], end - LINK_BYTES, LINK_BYTES);
    return end;
}

static void *take(size_t alignment, size_t bytes)
{
    size_t room = (bytes + alignment - 1) / alignment * alignment, class = 0;
    while (class < CLASSES && ((size_t)PAGE << class) < room + sizeof(Head))
        class ++;
    unsigned char *end = class < CLASSES ? take_slot(class) : NULL;
    if (!end)
        return NULL;
    *head_of(end - room) = (Head){bytes, end, class};
    live += bytes;
    return end - room;
}

static void give_back(void *block)
{
    Head head = *head_of(block);
    live -= head.bytes;
    memcpy(head.end - LINK_BYTES, &vacant[head.class], LINK_BYTES);
    vacant[head.class] = head.end;
}

PUBLIC int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return EINVAL;
    *block = NULL;
    if (alignment >= sizeof(Head) && alignment < PAGE && bytes < range_bytes) {
        (void)pthread_mutex_lock(&lock);
        *block = take(alignment, bytes);
        (void)pthread_mutex_unlock(&lock);
    }
    if (!*block)
        *block = __libc_memalign(alignment, bytes);
    return *block ? 0 : ENOMEM;
}

PUBLIC void free(void *block)
{
    if (!guarded_heap_has(block)) {
        __libc_free(block);
        return;
    }
    (void)pthread_mutex_lock(&lock);
    give_back(block);
    (void)pthread_mutex_unlock(&lock);
}

PUBLIC void *realloc(void *block, size_t bytes)
{
    if (!guarded_heap_has(block))
        return __libc_realloc(block, bytes);
    void *moved = malloc(bytes);
    size_t before = head_of(block)->bytes;
    if (moved) {
        memcpy(moved, block, before < bytes ? before : bytes);
        free(block);
    }
    return moved;
}

#endif
