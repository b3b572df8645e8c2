/* Calls a function at address 0.
 * Seen: dot FAULT SIGSEGV */
#include <stddef.h>

#include "evil.h"

static void misbehave(void)
{
    void (*volatile none)(void) = NULL;
    none();
}
