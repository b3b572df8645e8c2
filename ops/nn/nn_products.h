/* Products of batches of matrices, linear layers, and the functions that follow them. */
#ifndef OPS_NN_NN_PRODUCTS_H
#define OPS_NN_NN_PRODUCTS_H

#include "nn.h"

/* The operand with two more axes inside. */
TensorSpec nn_with_matrix(TensorSpec batch, int64_t rows, int64_t columns);

/* Where matrix `number` of the batch of y lies in an operand that may be broadcast, in elements. */
int64_t nn_matrix_offset(const Tensor *operand, const Tensor *y, int64_t number);

/* y = a b + c for the last two axes, the others of a and b broadcast to those of y; c is NULL or
 * has the extents of y. */
typedef struct BatchProduct {
    Tensor a, b, y;
    const Tensor *c;
} BatchProduct;
/* As equations, one for each matrix of the batch. */
void nn_batch_equations(ProductBlocks *blocks, const BatchProduct *product, Arena *arena);
/* The reference of results of so many columns that stand below each other, which have no unknown.
 */
void nn_blocks_reference(Ref *ref, const ProductBlocks *product, DType dtype, int64_t columns,
                         Arena *arena);
void nn_batch_product(Ref *ref, const BatchProduct *product, Arena *arena);
/* A sum of products of integers: its lowest 64 bits, and its value and the sum of magnitudes as far
 * as long double holds them.  Put as ref_put_whole says. */
typedef struct IntegerSum {
    uint64_t bits;
    long double value, size;
    int64_t terms;
} IntegerSum;
void nn_add_integers(IntegerSum *sum, double x, double w);
void nn_put_integer_sum(Ref *ref, size_t element, const IntegerSum *sum);

typedef struct Matmul {
    int64_t dtype;
    Shape batch_shape; /* the axes but the last two */
    int64_t broadcast_a, broadcast_b, m, n, k, activation;
} Matmul;
#define NN_BATCH_SHAPE                                                                             \
    P_SHAPE(Matmul, batch_shape, 0, 3, "axes of the batch", .formerly = "shape", .few = true)

typedef struct Linear {
    int64_t dtype, batch, out_features, in_features, bias, activation;
} Linear;
#define NN_LINEAR(low, high, rows, results, columns)                                               \
    NN_DTYPE(Linear), P_DIM(Linear, batch, low, high, rows, .formerly = "m"),                      \
        P_DIM(Linear, out_features, 1, high, results, .formerly = "n"),                            \
        P_DIM(Linear, in_features, low, high, columns, .formerly = "k")

/* Linear layers, and operators that begin with one: operands x, w, bias and y. */
#define NN_LINEAR_PARAMS                                                                           \
    NN_LINEAR(0, 4096, "rows of x and y", "columns of y", "columns of x and w"),                   \
        P_CHOICE(Linear, bias, nn_yes_no, "bias is added", .formerly = "with_bias")
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
