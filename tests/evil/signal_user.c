/* Sends a signal that nobody expects.
 * Seen: dot FAULT SIGUSR1 */
#include <signal.h>

#include "evil.h"

static void misbehave(void)
{
    (void)raise(SIGUSR1);
}
