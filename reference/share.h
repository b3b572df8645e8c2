/* Sums of balls whose terms arrive in any order, as in a gradient that is scattered: all terms are
 * counted first, then added, in any order, and then summed by the lemma of oracle/bound.h. */
#ifndef REFERENCE_SHARE_H
#define REFERENCE_SHARE_H

#include "ball.h"

typedef struct Shares {
    size_t elements;
    size_t *first, *end; /* of the terms of each element */
    Ball *terms;
} Shares;

/* Sums for this many elements, without terms; memory is the arena's. */
void shares_begin(Shares *shares, size_t elements, Arena *arena);
void shares_count(Shares *shares, size_t element);
/* Everything is counted. */
void shares_allocate(Shares *shares, Arena *arena);
/* No more often for an element than it was counted. */
void shares_add(Shares *shares, size_t element, Ball term);
/* Puts the sums into a reference of as many elements that ref_allocate_bounded made. */
void shares_put(const Shares *shares, Ref *ref);

#endif
