/* Leaves a timer of processor time, which ends the process soon.
 * Seen: dot FAULT */
#include <sys/time.h>

#include "evil.h"

static void misbehave(void)
{
    static const struct itimerval soon = {{0, 0}, {0, 20000}};
    (void)setitimer(ITIMER_VIRTUAL, &soon, NULL);
    for (volatile unsigned i = 0; i < 2000000000u; i++) {
    }
}
