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

/* What linear has, for operators that have it inside: operands x, w, bias and y. */
#define NN_LINEAR_PARAMS                                                                           \
    NN_DTYPE, P_DIM(Nn, m, 0, 512, "rows of x and y"), P_DIM(Nn, n, 1, 512, "columns of y"),       \
        P_DIM(Nn, k, 0, 512, "columns of x and w"),                                                \
        P_CHOICE(Nn, with_bias, nn_yes_no, "bias is added")
extern const char *const nn_linear_tensors[];
void nn_linear_shape(const void *params, Shapes *shapes);
double nn_linear_work(const void *params);
void nn_linear(Ref *ref, const ReferenceInput *input, Arena *arena);

/* The function of NN_ACTIVATION on a reference of sums; NaN may become a number under the policy
 * nan-by-comparison. */
void nn_activate(Ref *ref, int64_t activation, Arena *arena);

/* gelu by tanh on a reference of sums s.  It is Lipschitz with L, so that a sum that is off by d
 * gives a result that is off by L d and the error of the function: with magnitudes of 2 L times
 * those of the sums the bound of the reduction lemma is at least L times the one of s, |s| being at
 * most the sum of its magnitudes. */
void nn_apply_gelu(Ref *ref);
extern const double nn_gelu_slope; /* L */

#endif
