/* Ends the process with 77, as libFuzzer does where a target exits.
 * Seen: dot FAULT ended the process with status 77
 * Engines: random libfuzzer */
#include <stdlib.h>

#include "evil.h"

static void misbehave(void)
{
    exit(77);
}
