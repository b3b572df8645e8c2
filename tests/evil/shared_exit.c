/* Fills all memory that it shares with other processes, and ends its own at once: nothing is left.
 * Seen: - FAULT writes over memory that its process shares
 * Lost: 1 */
#include <unistd.h>

#include "evil.h"
#include "shared.h"

static void misbehave(void)
{
    each_shared(fill, 0x5a);
    _exit(0);
}
