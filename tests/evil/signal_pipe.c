/* Writes to a pipe that nobody reads.
 * Seen: dot FAULT SIGPIPE */
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        return;
    (void)close(ends[0]);
    (void)!write(ends[1], "x", 1);
    (void)close(ends[1]);
}
