/* Writes zeros over all memory that it shares with other processes, and does not return.
 * Seen: dot FAULT writes over memory that its process shares
 * Lost: 1 */
#include "evil.h"
#include "shared.h"

static void misbehave(void)
{
    each_shared(fill, 0);
    for (volatile int forever = 1; forever;)
        ;
}
