/* Takes all memory that it can get, and asks for more for ever.
 * Seen: dot FAULT takes memory */
#include <stdlib.h>

#include "evil.h"

static void misbehave(void)
{
    enum { BYTES = 1 << 24 };
    for (;;) {
        char *volatile more = malloc(BYTES);
        if (more)
            *more = 1;
    }
}
