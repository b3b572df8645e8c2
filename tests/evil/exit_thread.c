/* Ends the thread that calls it; the process has no other.
 * Seen: dot FAULT ended the process with status 0
 * Engines: random */
#include <pthread.h>

#include "evil.h"

static void misbehave(void)
{
    pthread_exit(NULL);
}
