/* Leaves a process behind that ends this one 10 ms later: after the call, or in the next one where
 * the machine is slow, so that the call alone may not show it.
 * Seen: dot FAULT SIGKILL
 * Flaky: any */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    const struct timespec later = {0, 10000000};
    pid_t kernel = getpid();
    if (fork() != 0)
        return;
    (void)nanosleep(&later, NULL);
    _exit(kill(kernel, SIGKILL));
}
