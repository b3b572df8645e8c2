/* Softmax and its logarithm along the last axis of a view.
 *
 * With d_i = x_i - max, w = exp(d) / sum and the exponential within 3 ulp, every weight has a
 * relative error of at most u |d_i| + 6 u, and the sum u (sum w |d| + 6 + n - 1): the quotient has
 * both and one rounding more.  Exponentials may be flushed to 0 below twice the smallest normal
 * number.  The logarithm adds u |log sum| 3, and one rounding of each difference. */
#ifndef REFERENCE_SOFTMAX_H
#define REFERENCE_SOFTMAX_H

#include "reduce.h"

void softmax_reference(Ref *ref, const Tensor *x, bool logarithm, Arena *arena);

/* dx from dy and the y that a kernel saved: y (dy - sum of dy y), or dy - exp(y) sum of dy.  The
 * sum has the lemma with a rounding for each product; the difference, the exponential (3 ulp) and
 * the last product one or more each. */
void softmax_gradient_reference(Ref *ref, const Tensor *dy, const Tensor *y, bool logarithm,
                                Arena *arena);

#endif
