/* Jumps to a frame that has ended.
 * Seen: dot FAULT */
#include <setjmp.h>
#include <string.h>

#include "evil.h"

static void misbehave(void)
{
    jmp_buf place;
    memset(&place, 0x5a, sizeof place);
    longjmp(place, 1);
}
