/* What operators share that draw random numbers: `y` of a seed, `again` of the same one, `other` of
 * the next one. */
#ifndef OPS_NN_NN_RANDOM_H
#define OPS_NN_NN_RANDOM_H

#include "nn.h"

enum { NN_DRAWS = 3 };

/* Adds the three outputs behind the operands that there are. */
void nn_add_draws(Shapes *shapes, DType dtype, const Shape *extents);

/* `again` is `y` to the bit. */
void nn_put_again(Ref *again, const double *y, int64_t count);

/* Finds it wrong that two seeds give the same. */
void nn_judge_other(Flaw *flaw, const double *y, const double *other, int64_t count);

/* What the kernel computed for an output, or, before there is anything, own(context, seed, i). */
typedef double OwnDraw(const void *context, uint64_t seed, int64_t i);
double *nn_draws_of(const ReferenceInput *input, int output, int64_t count, OwnDraw *own,
                    const void *context, uint64_t seed, Arena *arena);

#endif
