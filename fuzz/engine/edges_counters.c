/* Edges of libFuzzer: extra counters, which must lie in the executable itself, and which the engine
 * clears before each case, and searches after it.  What it was told of once is told no more, and
 * eight slots share a counter: it takes different counts for different features, and by far most of
 * what a case shows was there before. */
#include "edges.h"

#include <stdint.h>

/* Behind those of the slots is one that is always told: an engine ends that hears of nothing. */
enum { PER_COUNTER = 8, COUNTERS = 1 << 14, ALWAYS = COUNTERS, ALIGNED = 8 };

/* Volatile, since only the engine reads it. */
__attribute__((section("__libfuzzer_extra_counters"),
               aligned(8))) static volatile uint8_t counters[COUNTERS + ALIGNED];

/* A bit for each slot. */
static uint8_t told[COUNTERS];

/* Another slot of the same counter may be new in the same case: the next case that shows it tells.
 */
bool edges_tell(size_t slot)
{
    static const uint8_t counts[PER_COUNTER] = {1, 2, 3, 4, 8, 16, 32, 128};
    const size_t counter = slot / PER_COUNTER % COUNTERS, place = slot % PER_COUNTER;
    if (slot == 0) {
        counters[ALWAYS] = 1;
        return false;
    }
    if (told[counter] >> place & 1)
        return true;
    if (counters[counter])
        return false;
    counters[counter] = counts[place];
    told[counter] |= (uint8_t)(1u << place);
    return true;
}
