/* Meets a breakpoint.
 * Seen: dot FAULT SIGTRAP */
#include <signal.h>

#include "evil.h"

static void misbehave(void)
{
    (void)raise(SIGTRAP);
}
