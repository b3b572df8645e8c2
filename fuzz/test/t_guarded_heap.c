/* A write behind a block ends the process, whatever the size; blocks are used again, grow, and are
 * counted; those of the C library stay with it. */
#include "fuzz/check/guarded_heap.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reference/base.h"
#include "tests/check.h"

enum { ALIGNMENT = 64, HELD = 500 };

static unsigned char *take(size_t bytes)
{
    void *block = NULL;
    CHECK(posix_memalign(&block, ALIGNMENT, bytes) == 0 && block);
    CHECK((uintptr_t)block % ALIGNMENT == 0);
    memset(block, 1, bytes);
    return block;
}

/* The signal that a write at this place ends a process by, or 0. */
static int signal_of_write(volatile unsigned char *at)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        *at = 1;
        _exit(0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void check_ends(void)
{
    static const size_t sizes[] = {0, 1, 63, 64, 4032, 4096, 4097, 100000, 1 << 20};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        unsigned char *block = take(sizes[i]);
        size_t room = (sizes[i] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        CHECK(guarded_heap_has(block));
        CHECK(room == 0 || signal_of_write(block + room - 1) == 0);
        CHECK(signal_of_write(block + room) == SIGSEGV);
        free(block);
    }
}

/* Blocks that are held at the same time do not meet, and what is given back is taken again. */
static void check_many(void)
{
    unsigned char *held[HELD];
    size_t before = guarded_heap_bytes();
    for (size_t i = 0; i < HELD; i++) {
        held[i] = take(i * 17);
        memset(held[i], (int)(i % 251), i * 17);
    }
    CHECK(guarded_heap_bytes() == before + (size_t)17 * HELD * (HELD - 1) / 2);
    for (size_t i = 0; i < HELD; i++)
        for (size_t k = 0; k < i * 17; k++)
            CHECK(held[i][k] == i % 251);
    for (size_t i = 0; i < HELD; i++)
        free(held[i]);
    CHECK(guarded_heap_bytes() == before);
    unsigned char *first = take(100);
    free(first);
    CHECK(take(100) == first);
    free(first);
}

static void check_others(void)
{
    void *block = NULL;
    unsigned char *grown = take(100);
    grown[99] = 7;
    unsigned char *moved = realloc(grown, 5000);
    CHECK(moved && moved[99] == 7 && moved[0] == 1 && !guarded_heap_has(moved));
    free(moved);
    CHECK(posix_memalign(&block, 24, 8) == EINVAL);
    CHECK(posix_memalign(&block, 1 << 16, 8) == 0 && !guarded_heap_has(block));
    free(block);
    free(NULL);
    block = memory_allocate(10, 1);
    CHECK(!guarded_heap_has(block));
    free(block);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif
#ifdef SANITIZED
enum { HAS_GUARDS = 0 };
#else
enum { HAS_GUARDS = 1 };
#endif

int main(void)
{
    if (HAS_GUARDS) {
        check_ends();
        check_many();
        check_others();
    } else {
        CHECK(guarded_heap_bytes() == 0);
    }
    return check_end("guarded_heap");
}
