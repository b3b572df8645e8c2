/* Leaves an alarm that ends the process a second later.
 * Seen: dot CONTRACT leaves a timer running */
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    (void)alarm(1);
}
