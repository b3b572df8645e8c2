/* Empties every file that it has a descriptor of.
 * Seen: nothing */
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    for (int i = 0; i < 1024; i++)
        (void)ftruncate(i, 0);
}
