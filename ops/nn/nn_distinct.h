/* The different numbers of a line in ascending order, as operators list them.  No text settles
 * whether NaN is listed once or as often as it comes, behind the numbers or before them. */
#ifndef OPS_NN_NN_DISTINCT_H
#define OPS_NN_NN_DISTINCT_H

#include "nn.h"

typedef struct Distinct {
    double *values, *counts; /* the numbers, and how often each comes */
    int64_t numbers, nans;
} Distinct;

Distinct nn_distinct(const Tensor *x, Arena *arena);

/* What may be at a place of the list, and how often it comes: 0 behind its end.  References have
 * candidates. */
void nn_put_distinct(Ref *values, size_t place, const Distinct *distinct);
void nn_put_frequency(Ref *counts, size_t place, const Distinct *distinct);
/* Element i: the place of a value of the line; anything for one of several NaN. */
void nn_put_place_of(Ref *places, size_t i, const Distinct *distinct, double value);

#endif
