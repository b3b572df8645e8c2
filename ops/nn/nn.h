/* What the operators of neural networks share: their parameters and the shapes of their operands.
 * Tensors are dense and row-major; axes count from the outermost. */
#ifndef OPS_NN_NN_H
#define OPS_NN_NN_H

#include "ops/op.h"

/* The parameters of every operator; each uses the rows that it lists. */
typedef struct Nn {
    int64_t dtype, to;
    Shape shape;
    Scalar alpha, beta, epsilon;
    int64_t axis, axes, keepdims, expand_a, expand_b, expand_c;
} Nn;

#define NN_DTYPE P_DTYPE(Nn, dtype, "element type")
#define NN_SHAPE P_SHAPE(Nn, shape, 0, TENSOR_RANK_MAX, "extents of the result")

/* What the description of every operator has. */
#define NN_OP_TABLES .family = "nn", .version = 1, .size = sizeof(Nn)

OpTable ops_unary;

/* Data for functions: every size of number, and the neighbourhood of 1. */
extern const uint32_t nn_function_fills;

DType nn_dtype(const Nn *q);

/* A dense operand with these extents. */
TensorSpec nn_tensor(DType dtype, const Shape *shape, TensorRole role);

/* Elements of the shape, the usual measure of work of operators without sums, times what one costs
 * in multiplications. */
double nn_work_elements(const Nn *q, double each);

#endif
