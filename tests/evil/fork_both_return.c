/* Forks, and both processes return from the kernel.
 * Seen: nothing */
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    (void)fork();
}
