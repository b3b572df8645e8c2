/* Unmaps all memory that it shares with other processes.
 * Seen: dot FAULT SIG */
#include "evil.h"
#include "shared.h"

static void misbehave(void)
{
    each_shared(drop, 0);
}
