/* Forks; the parent ends at once, and the child keeps all that it inherited for an hour.
 * Seen: dot FAULT ended the process with status 0
 * Left: nobody */
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    if (fork() != 0)
        _exit(0);
    (void)sleep(3600);
}
