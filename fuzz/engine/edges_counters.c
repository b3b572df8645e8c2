/* Edges of libFuzzer: extra counters, which must lie in the executable itself, and which the engine
 * clears before each case. */
#include "edges.h"

#include <stdint.h>

enum { COUNTERS = 1 << 17 };

/* Volatile, since only the engine reads it. */
__attribute__((section("__libfuzzer_extra_counters"),
               aligned(8))) static volatile uint8_t counters[COUNTERS];

void edges_tell(size_t slot)
{
    counters[slot % COUNTERS] = 1;
}
