/* Fills all memory that it shares with other processes.
 * Seen: dot FAULT writes over memory that its process shares
 * Lost: 1 */
#include "evil.h"
#include "shared.h"

static void misbehave(void)
{
    each_shared(fill, 0x5a);
}
