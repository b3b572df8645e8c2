/* Convolutions of up to three spatial axes, with groups, strides, dilations and any padding, and
 * their transposes, which spread where the others gather.
 *
 * x is N, C, size...; w is K, C / groups, kernel... (transposed: C, K / groups, kernel...); y is N,
 * K, output....  Every result is a sum of products, one for each tap that meets x: the lemma of
 * oracle/bound.h with a rounding for each product, and one term more for the bias.  Products may
 * underflow.  Sums are in any order.  Half precisions are summed in binary32.  Where a model
 * flushes, so it may do with the factors.  Those of complex numbers are sums of complex products
 * (complex_sum.h).
 *
 * Fourier transforms (Ref.spectrum).  A transform of N = 2^l numbers has l levels, each of which
 * multiplies by a factor that is rounded and adds: 5 u at most for a path, so that with t = 5 l a
 * transform X of x is off by at most t u |x|_1 in an element and t u sqrt N |x|_2 in all (Higham,
 * Accuracy and Stability of Numerical Algorithms, 2nd ed., theorem 24.2).  Products X W, summed
 * over C channels, are at most sqrt N |x|_2 |w|_1 in all, and off by 2 t u of that and by 2 (C + 2)
 * u for their own roundings; the way back divides by sqrt N and adds t u.  An element of the result
 * is off by no more than all of them are: (3 t + 2 (C + 2)) u  sum over channels of |x|_2 |w|_1. l
 * is that of the padded image at most; tiles have less.  Algorithms of Winograd have no rule: for
 * tiles of 4 x 4 the factors of their transforms alone (Lavin and Gray, 2016) make a bound of 2^15
 * u, beyond what would tell a fault from rounding. */
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
    /* Of complex numbers x is conjugated, or the other factor: w, or y in gradients of weights. */
    bool conjugate_x, conjugate_other;
} ConvInput;

void conv_reference(Ref *ref, const ConvInput *input, Arena *arena);

/* The gradient of the weights: w is the result, y its gradient, and every element of w a sum over
 * all samples and outputs.  Not for transposed convolutions. */
void conv_weights_reference(Ref *ref, const ConvInput *input, Arena *arena);

#endif
