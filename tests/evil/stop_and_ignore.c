/* Ignores each signal that can be ignored, and never ends.
 * Seen: dot FAULT hang */
#include <signal.h>
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    for (int number = 1; number < 65; number++)
        (void)signal(number, SIG_IGN);
    for (;;)
        (void)pause();
}
