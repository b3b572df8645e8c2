/* Numbers from the words of a stream, one after another, by vectors of the processor.  They are
 * those that random.h makes of the same words one by one, on every machine. */
#ifndef REFERENCE_RANDOM_LOOPS_H
#define REFERENCE_RANDOM_LOOPS_H

#include "random.h"

/* From word number first of the stream named by seed on, one number of each. */
void random_integers(RandomIntegers integers, uint64_t seed, uint64_t first, size_t count,
                     double *values);
void random_units(uint64_t seed, uint64_t first, size_t count, double *values);
/* Word w makes random_normal(w, random_mix(w)). */
void random_normals(uint64_t seed, uint64_t first, size_t count, double *values);

/* The slot of each number in a hash table of RANDOM_SLOTS, the first of which no number is given:
 * 1 + random_mix(8 number + kind) modulo RANDOM_SLOTS - 1, for kind < 8. */
enum { RANDOM_SLOT_BITS = 20, RANDOM_SLOTS = 1 << RANDOM_SLOT_BITS };
void random_slots(const uint64_t *numbers, size_t count, uint64_t kind, uint32_t *slots);

#endif
