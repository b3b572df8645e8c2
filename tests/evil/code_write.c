/* Writes over its own code.
 * Seen: dot FAULT SIGSEGV */
#include <stdint.h>

#include "evil.h"

static void misbehave(void)
{
    *(volatile char *)(uintptr_t)&evil_copy = 0;
}
