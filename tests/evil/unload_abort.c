/* Aborts when it is unloaded, which is when it has said what it offers.
 * Seen: - FAULT SIGABRT while it loads
 * Aside: 1 */
#include <stdlib.h>

#include "evil.h"

static void misbehave(void)
{
}

__attribute__((destructor)) static void end(void)
{
    abort();
}
