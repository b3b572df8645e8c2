/* Calls quick_exit(0) in a kernel.
 * Seen: dot FAULT ended the process with status 0 */
#include <stdlib.h>

#include "evil.h"

static void misbehave(void)
{
    quick_exit(0);
}
