/* Sends SIGTERM to itself, as whoever interrupts a campaign does.
 * Seen: dot FAULT SIGTERM */
#include <signal.h>

#include "evil.h"

static void misbehave(void)
{
    (void)raise(SIGTERM);
}
