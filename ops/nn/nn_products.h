/* Products of batches of matrices. */
#ifndef OPS_NN_NN_PRODUCTS_H
#define OPS_NN_NN_PRODUCTS_H

#include "nn.h"

/* The operand with two more axes inside. */
TensorSpec nn_with_matrix(TensorSpec batch, int64_t rows, int64_t columns);

/* Where matrix `number` of the batch of y lies in an operand whose own axes may repeat, in
 * elements. */
int64_t nn_matrix_offset(const Tensor *operand, const Tensor *y, int64_t number);

/* y = a b + c for the last two axes, the others of a and b repeated to those of y; c is NULL or has
 * the extents of y. */
typedef struct BatchProduct {
    Tensor a, b, y;
    const Tensor *c;
} BatchProduct;
void nn_batch_product(Ref *ref, const BatchProduct *product, Arena *arena);

/* The function of NN_ACTIVATION on a reference of sums; NaN may become a number under the policy
 * nan-by-comparison. */
void nn_activate(Ref *ref, int64_t activation, Arena *arena);

#endif
