/* The third call in a process ends it, whichever it is: no case alone does.
 * Seen: dot FAULT SIGKILL
 * Flaky: 1 */
#include <signal.h>

#include "evil.h"

static void misbehave(void)
{
    static int calls;
    if (++calls == 3)
        (void)raise(SIGKILL);
}
