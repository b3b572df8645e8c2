/* How an engine learns of a feature: as one of the edges that it counts.  A program is linked with
 * one of edges_counters.c (libFuzzer) and edges_guards.c (AFL++, honggfuzz, Centipede). */
#ifndef FUZZ_EDGES_H
#define FUZZ_EDGES_H

#include <stdbool.h>
#include <stddef.h>

/* The present case shows the feature of this slot.  Slots share edges.  Returns whether the engine
 * need not hear of it again. */
bool edges_tell(size_t slot);

#endif
