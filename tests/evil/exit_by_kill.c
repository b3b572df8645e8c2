/* Sends SIGKILL to itself.
 * Seen: dot FAULT SIGKILL */
#include <signal.h>

#include "evil.h"

static void misbehave(void)
{
    (void)raise(SIGKILL);
}
