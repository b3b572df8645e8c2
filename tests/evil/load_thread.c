/* Starts a thread while it loads, which ends the process a little later.
 * Seen: - FAULT ended the process with status 3 while it loads
 * Aside: 1 */
#include <pthread.h>
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
}

static void *end_process(void *ignored)
{
    (void)ignored;
    _exit(3);
}

__attribute__((constructor)) static void begin(void)
{
    pthread_t thread;
    if (symlink(".", MARK) != 0)
        (void)pthread_create(&thread, NULL, end_process, NULL);
}
