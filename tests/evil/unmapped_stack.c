/* Calls itself until there is no stack.
 * Seen: dot FAULT SIGSEGV */
#include <string.h>

static volatile int depth;

#include "evil.h"

static void misbehave(void)
{
    volatile char room[4096];
    memset((void *)room, depth++, sizeof room);
    misbehave();
    room[0]++;
}
