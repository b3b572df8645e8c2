/* Forks; the parent ends at once, and the child returns from the kernel in its place.
 * Seen: dot FAULT ended the process with status 0
 * Engines: random libfuzzer */
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    if (fork() != 0)
        _exit(0);
}
