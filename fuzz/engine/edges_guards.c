/* Edges of AFL++, honggfuzz and Centipede: the guards that clang's
 * -fsanitize-coverage=trace-pc-guard makes, here without code that they guard. */
#include "edges.h"

#include <stdint.h>

/* The largest map that AFL++ has for a program whose size it was not told. */
enum { GUARDS = 1 << 16 };

/* Of the engine. */
void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);
void __sanitizer_cov_trace_pc_guard(uint32_t *guard);

static uint32_t guards[GUARDS];

__attribute__((constructor)) static void announce(void)
{
    __sanitizer_cov_trace_pc_guard_init(guards, guards + GUARDS);
}

bool edges_tell(size_t slot)
{
    __sanitizer_cov_trace_pc_guard(&guards[slot % GUARDS]);
    return false;
}
