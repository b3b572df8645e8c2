/* Forks, and both end at once.
 * Seen: dot FAULT ended the process with status 3 */
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    (void)fork();
    _exit(3);
}
