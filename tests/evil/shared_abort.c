/* Fills all memory that it shares with other processes, and aborts.
 * Seen: dot FAULT writes over memory that its process shares
 * Lost: 1 */
#include <stdlib.h>

#include "evil.h"
#include "shared.h"

static void misbehave(void)
{
    each_shared(fill, 0x5a);
    abort();
}
