/* Calls exit(0) in a kernel.
 * Seen: dot FAULT ended the process with status 0
 * Engines: random libfuzzer */
#include <stdlib.h>

#include "evil.h"

static void misbehave(void)
{
    exit(0);
}
