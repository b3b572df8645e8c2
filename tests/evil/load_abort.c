/* Aborts while it loads.
 * Seen: - FAULT SIGABRT while it loads
 * Aside: 1 */
#include <stdlib.h>

#include "evil.h"

static void misbehave(void)
{
}

__attribute__((constructor)) static void begin(void)
{
    abort();
}
