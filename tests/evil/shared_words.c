/* Writes over what its supervisor tells its worker: to stop, to wait, to end with this case.
 *
 * Seen: nothing */
#include "evil.h"
#include "fuzz/campaign/shared.h"
#include "shared.h"

static void say(void *start, size_t size, int value)
{
    Shared *shared = start;
    if (size < sizeof *shared)
        return;
    shared->stop = shared->hold = shared->recalled = value;
    shared->aside = (uint32_t)value;
}

static void misbehave(void)
{
    each_shared(say, 1);
}
