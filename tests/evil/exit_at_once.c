/* Calls _exit(0) in a kernel.
 * Seen: dot FAULT ended the process with status 0
 * Engines: random libfuzzer */
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    _exit(0);
}
