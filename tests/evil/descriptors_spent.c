/* Opens files until there are no descriptors, and ends.
 * Seen: dot FAULT ended the process with status 5 */
#include <fcntl.h>
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    while (open("/dev/null", O_RDONLY) >= 0) {
    }
    _exit(5);
}
