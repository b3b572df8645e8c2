/* Ends by the signal of a terminal that closes.
 * Seen: dot FAULT SIGHUP */
#include <signal.h>

#include "evil.h"

static void misbehave(void)
{
    (void)signal(SIGHUP, SIG_DFL);
    (void)raise(SIGHUP);
}
