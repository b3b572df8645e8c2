/* Leaves a thread of C11 behind that crashes 30 ms later.
 * Seen: dot FAULT SIGSEGV */
#include <threads.h>
#include <time.h>

#include "evil.h"

static int crash(void *ignored)
{
    const struct timespec later = {0, 30000000};
    (void)ignored;
    (void)thrd_sleep(&later, NULL);
    *(volatile int *)8 = 1;
    return 0;
}

static void misbehave(void)
{
    thrd_t thread;
    if (thrd_create(&thread, crash, NULL) == thrd_success)
        (void)thrd_detach(thread);
}
