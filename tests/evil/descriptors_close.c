/* Closes all descriptors.
 * Seen: dot FAULT closes or uses a descriptor */
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    for (int i = 0; i < 1024; i++)
        (void)close(i);
}
