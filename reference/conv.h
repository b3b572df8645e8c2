/* Convolutions of up to three spatial axes, with groups, strides, dilations and any padding, and
 * their transposes, which spread where the others gather.
 *
 * x is N, C, size...; w is K, C / groups, kernel... (transposed: C, K / groups, kernel...); y is N,
 * K, output....  Every result is a sum of products, one for each tap that meets x: the lemma of
 * oracle/bound.h with a rounding for each product, and one term more for the bias.  Products may
 * underflow.  Sums are in any order, without the fast algorithms of Winograd or by Fourier
 * transforms.  Half precisions are summed in binary32.  Where a model flushes, so it may do with
 * the factors. */
#ifndef REFERENCE_CONV_H
#define REFERENCE_CONV_H

#include "reduce.h"

enum { CONV_AXES_MAX = 3 };

typedef struct ConvInput {
    Tensor x, w, y;
    const Tensor *bias; /* K elements, or NULL */
    int64_t groups;
    /* By spatial axis; before is the padding in front. */
    int64_t stride[CONV_AXES_MAX], dilation[CONV_AXES_MAX], before[CONV_AXES_MAX];
    bool transposed;
} ConvInput;

void conv_reference(Ref *ref, const ConvInput *input, Arena *arena);

/* The gradient of the weights: w is the result, y its gradient, and every element of w a sum over
 * all samples and outputs.  Not for transposed convolutions. */
void conv_weights_reference(Ref *ref, const ConvInput *input, Arena *arena);

#endif
