/* Puts another file in the place of each descriptor.
 * Seen: dot FAULT closes or uses a descriptor */
#include <fcntl.h>
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    int nothing = open("/dev/null", O_RDWR);
    for (int i = 3; i < 1024; i++)
        (void)dup2(nothing, i);
}
