/* Asks not to be ended with the process that started it, and ends by a signal.
 * Seen: dot FAULT SIGKILL */
#include <signal.h>
#include <sys/prctl.h>

#include "evil.h"

static void misbehave(void)
{
    (void)prctl(PR_SET_PDEATHSIG, 0);
    (void)raise(SIGKILL);
}
