/* Divides an integer by 0.
 * Seen: dot FAULT SIGFPE */
#include <stdlib.h>

#include "evil.h"

static void misbehave(void)
{
    static volatile int zero;
    static volatile int quotient;
    quotient = 7 / zero;
}
