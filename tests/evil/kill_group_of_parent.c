/* Stops and ends the process group of the process that started this one.
 * Seen: nothing
 * Needs: no signal to other processes */
#include <signal.h>
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    (void)kill(-getpgid(getppid()), SIGTERM);
    (void)kill(-getpgid(getppid()), SIGSTOP);
}
