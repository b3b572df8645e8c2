/* The name that was meant by one that is not known: the nearest of those that are. */
#ifndef REFERENCE_NEAREST_H
#define REFERENCE_NEAREST_H

#include "base.h"

enum { NEAREST_BYTES = 64 };

typedef struct Nearest {
    char wanted[NEAREST_BYTES], name[NEAREST_BYTES]; /* name: the nearest so far, or "" */
    size_t distance;                                 /* letters between them */
} Nearest;

/* Begins with a name of `length` characters that is not known. */
Nearest nearest_begin(const char *wanted, size_t length);
/* Tells of a name that is known. */
void nearest_offer(Nearest *nearest, const char *name);
/* Appends "; did you mean NAME?" where a known name is so near that it may have been meant. */
void nearest_put(const Nearest *nearest, Text *text);

#endif
