/* Sums of balls whose terms arrive in any order, as in a gradient that is scattered: every term
 * says which element it belongs to, and those of an element are summed by the lemma of
 * oracle/bound.h. */
#ifndef REFERENCE_SHARE_H
#define REFERENCE_SHARE_H

#include "ball.h"

/* Terms in the order of their arrival; memory is the arena's. */
typedef struct ShareChunk ShareChunk;
typedef struct Shares {
    Arena *arena;
    ShareChunk *first, *last;
    size_t count;
} Shares;

/* Without terms. */
Shares shares_begin(Arena *arena);
void shares_add(Shares *shares, size_t element, Ball term);
/* Puts the sums into a reference that ref_allocate_bounded made; elements are those of it. */
void shares_put(const Shares *shares, Ref *ref);

#endif
