/* Moves its process to another folder and dies there.
 * Seen: dot FAULT SIGABRT */
#include <stdlib.h>
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    (void)!chdir("/");
    abort();
}
