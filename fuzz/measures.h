/* What cases showed when they were measured, kept in a file from one run to the next: a case shows
 * the same to the same program on the same libraries. */
#ifndef FUZZ_MEASURES_H
#define FUZZ_MEASURES_H

#include "fuzz/check/check.h"

/* Of a case, by its hash: its features, as feature_slots gives them, owned. */
typedef struct Measure {
    uint64_t hash;
    uint32_t *slots, count;
} Measure;

/* Zero-initialised is empty. */
typedef struct Measures {
    uint64_t key; /* of the program and of the libraries */
    Measure *rows;
    size_t count, room;
} Measures;

/* Reads a file, which is left out where it is not there, is damaged, or is of another program or
 * other libraries than the checker has open, or of another limit of a call. */
void measures_read(Measures *measures, const char *path, const Checker *checker, uint64_t deadline);
/* The features of a case, or NULL where it was not measured; valid until one is added. */
const Measure *measures_find(const Measures *measures, uint64_t hash);
/* Adds a case behind all others, which are not looked for it. */
void measures_add(Measures *measures, uint64_t hash, const uint32_t *slots, uint32_t count);
/* Replaces the file; false with one sentence in *error. */
MUST_USE bool measures_write(const Measures *measures, const char *path, Text *error);
/* Leaves out all cases, and keeps the key. */
void measures_clear(Measures *measures);
void measures_release(Measures *measures);

#endif
