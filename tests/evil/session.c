/* Makes a session of its own, and ends.
 * Seen: dot FAULT ended the process with status 9 */
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    (void)setsid();
    _exit(9);
}
