/* A thread that it leaves fills all memory that its process shares with others, some time later.
 * Seen: dot FAULT writes over memory that its process shares
 * Lost: 1
 * Flaky: any */
#include <pthread.h>
#include <unistd.h>

#include "evil.h"
#include "shared.h"

static void *fill_late(void *ignored)
{
    (void)usleep(20000);
    each_shared(fill, 0x5a);
    return ignored;
}

static void misbehave(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, fill_late, NULL) == 0)
        (void)pthread_detach(thread);
}
