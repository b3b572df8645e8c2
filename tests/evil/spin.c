/* Never ends.
 * Seen: dot FAULT hang */
#include <stdlib.h>

#include "evil.h"

static void misbehave(void)
{
    for (volatile unsigned i = 0;; i++) {
    }
}
