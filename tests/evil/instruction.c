/* Runs an instruction that no processor has.
 * Seen: dot FAULT SIGILL */
#include <stdlib.h>

#include "evil.h"

static void misbehave(void)
{
    __asm__ volatile("ud2");
}
