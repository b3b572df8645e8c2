/* Sleeps longer than any deadline.
 * Seen: dot FAULT hang */
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    for (;;)
        (void)sleep(100);
}
