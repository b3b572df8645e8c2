/* Operators whose elements go to places that a tensor of indices tells, and their gradients. */
#ifndef OPS_NN_NN_INDEX_H
#define OPS_NN_NN_INDEX_H

#include "nn_split.h"
#include "reference/reduce.h"

typedef struct Index {
    int64_t dtype;
    Shape shape; /* of the tensor that indices point into */
    int64_t axis, num_indices;
    Shape indices_shape;
} Index;

#define NN_NUM_INDICES(text) P_DIM(Index, num_indices, 0, 512, text, .formerly = "n")
#define NN_INDICES_SHAPE(rank)                                                                     \
    P_SHAPE(Index, indices_shape, 0, rank, "extents of the indices", .formerly = "size")

/* Indices need an element to point at. */
void nn_normalise_index(void *params);

/* Element i of y is the reduction of values[first[i]] to values[first[i + 1] - 1], in any order; of
 * no values the sum is 0 and the product 1, and of others nothing is claimed. */
void nn_put_lists(Ref *ref, Reduction reduction, const Tensor *y, const double *values,
                  const size_t *first, Arena *arena);
/* By which text a reduction keeps NaN, or NULL. */
const char *nn_nan_of_lists(Reduction reduction);

#endif
