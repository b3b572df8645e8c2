/* Leaves a process behind that has a session of its own, holds all that it inherited, and ignores
 * signals; then ends.
 * Seen: dot FAULT ended the process with status 0
 * Engines: random libfuzzer */
#include <signal.h>
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    if (fork() != 0)
        _exit(0);
    (void)setsid();
    for (int signal = 1; signal < NSIG; signal++)
        (void)sigaction(signal, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    if (fork() == 0)
        (void)sleep(3600);
    (void)sleep(3600);
}
