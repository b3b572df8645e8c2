/* What the operators of neural networks share: their parameters and the shapes of their operands.
 * Tensors are dense and row-major; axes count from the outermost. */
#ifndef OPS_NN_NN_H
#define OPS_NN_NN_H

#include "ops/op.h"
#include "reference/function.h"

/* The parameters of every operator; each uses the rows that it lists. */
typedef struct Nn {
    int64_t dtype, to;
    Shape shape;
    Scalar alpha, beta, epsilon;
    int64_t axis, axes, keepdims, correction, backwards, exclusive;
    int64_t m, n, k, with_bias;
    int64_t batch, channels, outputs, groups;
    Shape size, kernel, stride, dilation, before, after, extra;
    int64_t ceil_mode, count_pads, power;
    int64_t start, step, mode, diagonal;
    int64_t expand_a, expand_b, expand_c;
    int64_t causal, late_reset, saturate, transformation, rounding, padding, align_corners;
    int64_t other, zero_a, zero_b, zero_y;
    int64_t activation;
    int64_t labels_a, labels_b, labels_y, rotate_a, rotate_b, rotate_y;
} Nn;

#define NN_DTYPE       P_DTYPE(Nn, dtype, "element type")
#define NN_INPUT_SHAPE P_SHAPE(Nn, shape, 0, TENSOR_RANK_MAX, "extents of the input")
#define NN_SHAPE       P_SHAPE(Nn, shape, 0, TENSOR_RANK_MAX, "extents of the result")

#define NN_AXES     P_INTEGER(Nn, axes, 0, 31, 0, "axes that are reduced, as bits, the innermost first")
#define NN_AXIS     P_INTEGER(Nn, axis, 0, TENSOR_RANK_MAX - 1, 0, "axis, the outermost is 0")
#define NN_KEEPDIMS P_CHOICE(Nn, keepdims, nn_yes_no, "reduced axes stay with an extent of 1")

/* The types and data of operators that move or convert elements. */
#define NN_ANY_ELEMENT                                                                             \
    .dtypes = DTYPES_FLOAT | DTYPES_INTEGER | DTYPES_BOOLEAN, .fills = nn_function_fills

/* Axes of an operand that are repeated: bit 0 is the innermost; bit 5 leaves out outer axes that
 * are repeated. */
#define NN_EXPAND_A P_INTEGER(Nn, expand_a, 0, 63, 0, "axes of a that are repeated, as bits")
#define NN_EXPAND_B P_INTEGER(Nn, expand_b, 0, 63, 0, "axes of b that are repeated, as bits")

/* A function that follows a product or convolution, as libraries fuse it. */
enum { NN_NO_ACTIVATION, NN_RELU, NN_RELU6 };
#define NN_ACTIVATION P_CHOICE(Nn, activation, nn_activations, "of each result")

/* What the description of every operator has. */
#define NN_OP_TABLES .family = "nn", .version = 1, .size = sizeof(Nn), .any_layout = true

OpTable ops_unary, ops_clamp, ops_binary, ops_reduce, ops_softmax, ops_conv, ops_pool, ops_norm,
    ops_move, ops_move_backward, ops_binary_backward, ops_reduce_backward, ops_product_backward,
    ops_norm_backward, ops_pool_backward, ops_index_backward, ops_index, ops_order, ops_scatter,
    ops_running, ops_gradient, ops_loss, ops_class_loss, ops_recurrent, ops_recurrent_backward,
    ops_attention, ops_einsum, ops_sample, ops_sample_backward, ops_integer, ops_conv_backward,
    ops_softmax_backward, ops_activated_backward;

extern const char *const nn_yes_no[3];
extern const char *const nn_activations[4];
extern const char *const nn_mean_or_sum[3];

/* Data for functions: every size of number, and the neighbourhood of 1. */
enum {
    nn_function_fills = 1 << FILL_INT | 1 << FILL_NORMAL | 1 << FILL_POSITIVE |
                        1 << FILL_EXPONENTS | 1 << FILL_BITS | 1 << FILL_NEAR | 1 << FILL_TINY |
                        1 << FILL_SPARSE,
    /* Of moderate size, for what would overflow or vanish otherwise. */
    nn_moderate_fills = 1 << FILL_INT | 1 << FILL_NORMAL | 1 << FILL_POSITIVE |
                        1 << FILL_EXPONENTS | 1 << FILL_ONES | 1 << FILL_SPARSE | 1 << FILL_NEAR
};

DType nn_dtype(const Nn *q);

/* The labels of the axes of operand a, b or y (0 to 2) of einsum; their number is returned. */
int einsum_labels(const Nn *q, int operand, int labels[TENSOR_RANK_MAX + 1]);

/* A dense operand with these extents. */
TensorSpec nn_tensor(DType dtype, const Shape *shape, TensorRole role);

/* Extents of at least 1; at least one axis. */
void nn_fill_empty(Shape *shape);
void nn_need_axis(Shape *shape);
/* Normalises parameters of which only the axis depends on the shape, which gets one. */
void nn_normalise_axis(void *params);

/* Axes to reduce, as bits with the innermost first: without any all are.  x and y for them; a view
 * of x with those that are reduced last. */
void nn_normalise_axes(Nn *q);
void nn_shape_reduced(const void *params, Shapes *shapes);
Tensor nn_reduced_last(const Tensor *x, int64_t axes, int *reduced);

/* The order of a norm is between 1/2 and 8. */
#define NN_NORM_ORDER P_REAL(Nn, alpha, 2, "order")
void nn_normalise_order(Nn *q);

/* epsilon is a positive number as binary32 has it: attributes are of that type. */
void nn_normalise_epsilon(Nn *q);

/* A view with one axis moved to the end, and a reference made for it put back in the order of y. */
Tensor nn_axis_last(const Tensor *x, int axis);
void nn_axis_back(Ref *ref, const Ref *moved, const Tensor *y, int axis, Arena *arena);

/* The mask with the axes of the shape only, without those of another mask: an axis of the result
 * must come from some operand. */
int64_t nn_expansion(const Shape *shape, int64_t mask, int64_t taken);

/* An operand that is repeated to the shape along the axes of a mask. */
TensorSpec nn_expanded(DType dtype, const Shape *shape, int64_t mask);
/* Its view with the extents of the result: strides of 0 along what is repeated. */
Tensor nn_broadcast(const Tensor *operand, const Tensor *result);

/* Element types that a function exists in. */
uint32_t nn_dtypes_of(const Function *function);

/* The parameters of a function, and how they are made legal. */
void nn_describe_function(OpDesc *op, const Function *function);

/* x and y with the extents and the type of the case. */
void nn_shape_same(const Nn *q, Shapes *shapes);

/* Elements of the shape, the usual measure of work of operators without sums, times what one costs
 * in multiplications. */
double nn_work_elements(const Nn *q, double each);

#endif
