/* Ends by an assertion that fails.
 * Seen: dot FAULT SIGABRT */
#include <stdlib.h>

#include "evil.h"

static void misbehave(void)
{
    abort();
}
