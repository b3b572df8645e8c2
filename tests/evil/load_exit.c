/* Ends the process with status 0 while it loads.
 * Seen: - FAULT ended the process with status 0 while it loads
 * Aside: 1 */
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
}

__attribute__((constructor)) static void begin(void)
{
    _exit(0);
}
