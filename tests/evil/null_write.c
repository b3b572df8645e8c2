/* Writes to address 0.
 * Seen: dot FAULT SIGSEGV */
#include <stddef.h>

#include "evil.h"

static void misbehave(void)
{
    *(volatile int *)8 = 1;
}
