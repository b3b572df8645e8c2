/* Another thread ends the process while the kernel waits for it.
 * Seen: dot FAULT ended the process with status 0 */
#include <pthread.h>
#include <unistd.h>

#include "evil.h"

static void *end_process(void *ignored)
{
    (void)ignored;
    _exit(0);
}

static void misbehave(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, end_process, NULL) == 0)
        (void)pthread_join(thread, NULL);
}
