/* Reductions over some axes, their gradients and norms: parameters and shapes. */
#ifndef OPS_NN_NN_REDUCE_H
#define OPS_NN_NN_REDUCE_H

#include "nn.h"
#include "reference/ball.h"
#include "reference/reduce.h"

typedef struct Reduce {
    int64_t dtype;
    Shape shape;
    int64_t axes, keepdims, correction;
    Scalar ord; /* of norms */
} Reduce;

#define NN_REDUCE                                                                                  \
    NN_DTYPE(Reduce), NN_INPUT_SHAPE(Reduce),                                                      \
        P_INTEGER(Reduce, axes, 0, 31, 0, "axes that are reduced, as bits, the innermost first"),  \
        P_CHOICE(Reduce, keepdims, nn_yes_no, "reduced axes stay with an extent of 1")
extern const Param nn_reduce_params[], nn_norm_params[];

/* Keeps the axes that the shape has; all are reduced where none is left. */
void nn_fit_axes(Reduce *q);
/* Gives the axes that are reduced an element. */
void nn_fill_axes(Reduce *q);
/* Where the order asks for it: of no elements there is no least one, no greatest one, and no root
 * of an order below 0. */
void nn_fill_axes_for_ord(Reduce *q);
/* The order of a norm becomes a number of the element type, or an infinity. */
void nn_normalise_ord(Reduce *q);

/* x and y. */
void nn_shape_reduced(const void *params, Shapes *shapes);
/* A view of x with the axes that are reduced last; their number is put into *reduced. */
Tensor nn_reduced_last(const Tensor *x, int64_t axes, int *reduced);

/* The gradients of a sum, mean, product, greatest or least of `count` numbers, given that of the
 * result.  Of equal greatest or least elements each gets anything between 0 and dy. */
void nn_reduce_gradient(Reduction reduction, const Format *format, Ball dy, const double *numbers,
                        size_t count, Ball *dx, Arena *arena);

/* A modulus, within 4 ulp (OpenCL C 3.0, 7.4, hypot); and the norm of magnitudes, which are used
 * up. */
Ball nn_size_of(const Format *format, Scalar x);
Ball nn_norm_of(const Format *format, Ball *sizes, int64_t count, Ball order);

/* The norm of an order over some axes, of complex numbers that of their moduli. */
void nn_norm_reference(Ref *ref, const ReferenceInput *input, int64_t axes, double order,
                       Arena *arena);

#endif
