/* Leaves a thread behind that crashes 30 ms later: after the call, or in the next one where
 * the machine is slow.
 * Seen: dot FAULT SIGSEGV */
#include <pthread.h>
#include <time.h>

#include "evil.h"

static void *crash(void *ignored)
{
    const struct timespec later = {0, 30000000};
    (void)nanosleep(&later, NULL);
    *(volatile int *)8 = 1;
    return ignored;
}

static void misbehave(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, crash, NULL) == 0)
        (void)pthread_detach(thread);
}
