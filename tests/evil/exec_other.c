/* Becomes another program, which ends well.
 * Seen: dot FAULT */
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    (void)execl("/bin/true", "true", (char *)NULL);
}
