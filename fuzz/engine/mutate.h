/* Fresh cases, mutation and crossover, without any engine in sight. */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include "schedule.h"

/* Both put a case into `bytes` (as case_decode reads it) and return its size, at most capacity,
 * which is at least CASE_BYTES_MAX; seed decides everything. */
size_t mutate_bytes(uint8_t *bytes, size_t size, size_t capacity, const Scope *scope,
                    uint64_t seed);
size_t cross_bytes(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                   size_t capacity, const Scope *scope, uint64_t seed);

/* Random choices for the generator: case `number` of the stream `seed`.  Stretches of 64 cases
 * share their swarm configuration. */
enum { FRESH_BYTES = 256 };
size_t fresh_bytes(uint8_t bytes[FRESH_BYTES], uint64_t seed, uint64_t number);
/* The same, but backends compile once for cases in a row: DATA_DRAWS that differ in their data only
 * where their operator has a source, others as Scope.draws says. */
enum { DATA_DRAWS = 4 };
size_t drawn_bytes(uint8_t bytes[CASE_BYTES_MAX], const Scope *scope, uint64_t seed,
                   uint64_t number);

/* How many cases in a row share what is compiled for them. */
uint64_t mutate_stretch(const Scope *scope);

/* One in SEED_SHARE is made of one of the scope's seeds: half of these differ from it in their data
 * only, the others are mutants.  0 where the seed decides for none. */
enum { SEED_SHARE = 4 };
size_t seeded_bytes(uint8_t *bytes, size_t capacity, const Scope *scope, uint64_t seed);

/* A fresh case of the stratum that the schedule picks: of a few, the one with the most novelty for
 * its work. */
size_t stratum_bytes(uint8_t *bytes, size_t capacity, const Schedule *schedule, uint64_t seed);

#endif
