/* Ends its process group.
 * Seen: dot FAULT SIGTERM */
#include <signal.h>

#include "evil.h"

static void misbehave(void)
{
    (void)kill(0, SIGTERM);
}
