/* Writes over the numbers by which its worker and its supervisor know how many cases were begun: a
 * campaign that believed them would be over.
 *
 * Seen: nothing
 * Engines: random libfuzzer */
#include "evil.h"
#include "fuzz/campaign/shared.h"
#include "shared.h"

static void say(void *start, size_t size, int value)
{
    Shared *shared = start;
    if (size < sizeof *shared)
        return;
    shared->case_number = shared->seed_number = (uint64_t)value;
}

static void misbehave(void)
{
    each_shared(say, 1 << 30);
}
