/* Leaves a thread behind that the system made, not the C library's functions for them, which
 * crashes 30 ms later.
 * Seen: dot FAULT SIGSEGV */
#define _GNU_SOURCE
#include <sched.h>
#include <time.h>

#include "evil.h"

enum { STACK_BYTES = 1 << 16 };

static int crash(void *ignored)
{
    const struct timespec later = {0, 30000000};
    (void)ignored;
    (void)nanosleep(&later, NULL);
    *(volatile int *)8 = 1;
    return 0;
}

static void misbehave(void)
{
    static _Alignas(64) char stack[STACK_BYTES];
    (void)clone(crash, stack + STACK_BYTES,
                CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM,
                NULL);
}
