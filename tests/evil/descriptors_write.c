/* Writes to all descriptors, among which is the database where one was inherited.
 * Seen: dot FAULT closes or uses a descriptor
 * Engines: random libfuzzer */
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    static const char zeros[100000];
    for (int i = 3; i < 1024; i++)
        (void)pwrite(i, zeros, sizeof zeros, 0), (void)write(i, zeros, 1000);
}
