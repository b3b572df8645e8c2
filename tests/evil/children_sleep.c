/* Leaves a sleeping child behind in each call.
 * Seen: nothing */
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    if (fork() == 0) {
        (void)sleep(3600);
        _exit(0);
    }
}
