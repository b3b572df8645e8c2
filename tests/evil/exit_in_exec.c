/* Becomes another program, which succeeds.
 * Seen: dot FAULT ended the process with status 0 */
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    (void)execl("/bin/true", "true", (char *)NULL);
}
