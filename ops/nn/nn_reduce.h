/* Reductions over some axes, their gradients and norms: parameters and shapes. */
#ifndef OPS_NN_NN_REDUCE_H
#define OPS_NN_NN_REDUCE_H

#include "nn.h"

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
/* The order of a norm becomes a number between 1/2 and 8. */
void nn_normalise_ord(Reduce *q);

/* x and y. */
void nn_shape_reduced(const void *params, Shapes *shapes);
/* A view of x with the axes that are reduced last; their number is put into *reduced. */
Tensor nn_reduced_last(const Tensor *x, int64_t axes, int *reduced);

#endif
