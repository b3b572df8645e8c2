/* Parts that operators of neural networks share: rows of their tables, shapes of operands,
 * broadcasting.
 *
 * Each operator or family of operators has a structure of its own for its parameters, whose first
 * member is `int64_t dtype`.  Tensors are dense and row-major; axes count from the outermost. */
#ifndef OPS_NN_NN_H
#define OPS_NN_NN_H

#include "ops/op.h"
#include "reference/function.h"

#define NN_DTYPE(type)       P_DTYPE(type, dtype, "element type")
#define NN_INPUT_SHAPE(type) P_SHAPE(type, shape, 0, TENSOR_RANK_MAX, "extents of the input")
#define NN_SHAPE(type)       P_SHAPE(type, shape, 0, TENSOR_RANK_MAX, "extents of the result")
#define NN_AXIS(type)        P_INTEGER(type, axis, 0, TENSOR_RANK_MAX - 1, 0, "axis, the outermost is 0")

/* The types and data of operators that move or convert elements. */
#define NN_ANY_ELEMENT                                                                             \
    .dtypes = DTYPES_FLOAT | DTYPES_WHOLE | DTYPES_BOOLEAN | DTYPES_COMPLEX,                       \
    .fills = nn_function_fills, .by_parts = true

/* Axes along which an operand is broadcast: bit 0 is the innermost; bit 5 leaves out outer axes
 * that are broadcast. */
#define NN_BROADCAST(type, field, operand, before)                                                 \
    P_INTEGER(type, field, 0, 63, 0, "axes of " operand " that are broadcast, as bits",            \
              .formerly = (before))
#define NN_BROADCAST_A(type) NN_BROADCAST(type, broadcast_a, "a", "expand_a")
#define NN_BROADCAST_B(type) NN_BROADCAST(type, broadcast_b, "b", "expand_b")

/* A function that follows a product or convolution, as libraries fuse it. */
enum { NN_NO_ACTIVATION, NN_RELU, NN_RELU6 };
#define NN_ACTIVATION(type) P_CHOICE(type, activation, nn_activations, "of each result")

/* Members of every description: the structure of the parameters, and the version. */
#define NN_OP(type, of_version)                                                                    \
    .family = "nn", .version = (of_version), .size = sizeof(type), .any_layout = true

extern const char *const nn_yes_no[3];
extern const char *const nn_activations[4];
extern const char *const nn_mean_or_sum[3];

/* Data for functions: every size of number, and the neighbourhood of 1. */
enum {
    nn_function_fills = 1 << FILL_INT | 1 << FILL_NORMAL | 1 << FILL_POSITIVE |
                        1 << FILL_EXPONENTS | 1 << FILL_BITS | 1 << FILL_NEAR | 1 << FILL_TINY |
                        1 << FILL_SPARSE,
    /* Of moderate size, for operators that overflow or vanish otherwise. */
    nn_moderate_fills = 1 << FILL_INT | 1 << FILL_NORMAL | 1 << FILL_POSITIVE |
                        1 << FILL_EXPONENTS | 1 << FILL_ONES | 1 << FILL_SPARSE | 1 << FILL_NEAR |
                        1 << FILL_OFFSET,
    /* For products of many: what does not leave the range at once, whatever their order. */
    nn_product_fills = 1 << FILL_INT | 1 << FILL_NORMAL | 1 << FILL_NEAR | 1 << FILL_ONES
};

/* The element type of any of the structures. */
DType nn_dtype(const void *params);

/* A dense operand with these extents. */
TensorSpec nn_tensor(DType dtype, const Shape *shape, TensorRole role);
/* Adds such an operand behind those that there are. */
void nn_add_operand(Shapes *shapes, DType dtype, const Shape *shape, TensorRole role);

/* An extent of at least 1, where only one axis must not be empty (else Param.full); at least one
 * axis. */
void nn_fill_axis(Shape *shape, int64_t axis);
void nn_need_axis(Shape *shape);
/* Gives the shape an axis if it has none, and brings *axis inside its rank. */
void nn_fit_axis(Shape *shape, int64_t *axis);

/* Operators whose only parameter beside a shape is one of its axes. */
typedef struct OneAxis {
    int64_t dtype;
    Shape shape;
    int64_t axis;
} OneAxis;
extern const Param nn_one_axis_params[];
void nn_normalise_one_axis(void *params);

/* epsilon becomes a number of binary32, which is the type of the libraries' attributes, and not
 * below 0, where no text says what holds: a small one in its place, and the usual one in that of a
 * number that is neither 0 nor between 2^-100 and 2^15. */
#define NN_USUAL_EPSILON 0x1.4f8b58p-17
void nn_normalise_epsilon(Scalar *epsilon);

/* A view with one axis moved to the end, and a reference made for it put back in the order of y. */
Tensor nn_axis_last(const Tensor *x, int axis);
void nn_axis_back(Ref *ref, const Ref *moved, const Tensor *y, int axis, Arena *arena);

/* Operators of two operands that are broadcast to a shape. */
typedef struct Binary {
    int64_t dtype;
    Shape shape;
    int64_t broadcast_a, broadcast_b;
} Binary;
extern const Param nn_binary_params[];

/* The axes of the mask that the shape has, without those of another mask: an axis of the result
 * must come from some operand. */
int64_t nn_broadcast_axes(const Shape *shape, int64_t mask, int64_t taken);

/* An operand that is broadcast to the shape along the axes of a mask. */
TensorSpec nn_broadcast_operand(DType dtype, const Shape *shape, int64_t mask);
/* Its view with the extents of the result: strides of 0 along the axes that are broadcast. */
Tensor nn_broadcast(const Tensor *operand, const Tensor *result);

/* Functions of one variable and their gradients.  What alpha and beta are called differs from
 * function to function. */
typedef struct Unary {
    int64_t dtype;
    Shape shape;
    Scalar alpha, beta;
    int64_t degree;
} Unary;

/* Element types that a function exists in. */
uint32_t nn_dtypes_of(const Function *function);

/* The integer of a type next to a number that a case of the type has as a parameter, which is one
 * of binary32 (case_normalise); numbers of other types as they are. */
double nn_whole_number(DType dtype, double x);
/* True when it is the same function of both parts of complex numbers. */
bool nn_is_by_parts(const Function *function);
/* Gives the operator the parameters of a function and its version, and how they are made legal. */
void nn_describe_function(OpDesc *op, const Function *function);

/* x and y with these extents and this type. */
void nn_shape_same(DType dtype, const Shape *shape, Shapes *shapes);

/* Elements of the shape, the usual measure of work of operators without sums, times what one costs
 * in multiplications. */
double nn_work_elements(const Shape *shape, double each);

/* Signs of zeros, of operators that copy elements and of those that put zeros beside them. */
extern const ZeroSign nn_zeros_copied[], nn_zeros_beside[];
/* Of a function; NULL where none counts. */
const ZeroSign *nn_zeros_of(const Function *function);

/* Room for the candidates of every element. */
void nn_allocate_candidates(Ref *ref, Arena *arena);

/* Rules of operators that work along a parameter axis, and of those that take indices of it too. */
extern const IllegalRule nn_illegal_axis[], nn_illegal_axis_and_index[];
/* A zero point that no type of 8 bits has. */
extern const IllegalRule nn_illegal_zero_point[];

#endif
