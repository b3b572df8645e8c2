/* Returns to an address that is none.
 * Seen: dot FAULT SIG */
#include <stdint.h>

#include "evil.h"

static void misbehave(void)
{
    void (*volatile nowhere)(void) = (void (*)(void))(uintptr_t)0x8000000000000000;
    nowhere();
}
