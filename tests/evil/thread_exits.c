/* Leaves a thread behind that ends the process with status 0, 10 ms later.
 * Seen: dot FAULT ended the process with status 0 */
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "evil.h"

static void *leave(void *ignored)
{
    const struct timespec later = {0, 10000000};
    (void)ignored;
    (void)nanosleep(&later, NULL);
    _exit(0);
}

static void misbehave(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, leave, NULL) == 0)
        (void)pthread_detach(thread);
}
