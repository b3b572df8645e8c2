/* Stops its process.
 * Seen: dot FAULT hang */
#include <signal.h>

#include "evil.h"

static void misbehave(void)
{
    (void)raise(SIGSTOP);
}
