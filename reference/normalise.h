/* y = (x - mean) / sqrt(variance + epsilon) scale + bias over groups of elements.
 *
 * With m and V the bounds of mean and variance (reference/reduce.h), q = x - mean, r the reciprocal
 * of the root and R its bound, the greatest change of r over variance +- V and 5 u r:
 *
 * E = |scale| (r (m + u B) + (|q| + m + u B) R) + 3 u |q r scale| + u |y|
 *
 * and eta (|x| + |mean| + |scale| + r + 1) for products that are subnormal on the way, eta the
 * smallest subnormal, where B = |q| for kernels that subtract first.  The alternative
 * "one-pass-variance" has the variance as mean of squares minus square of mean, and B = |x| +
 * |mean| for kernels that fold the mean into the bias; where mean and variance are given, or folds
 * says so, "folded-mean" has that B and the variance of before.  "running-means" has m and V of
 * groups that are merged by their means (reference/reduce.h).  A product that leaves the range
 * before the bias is added may be an infinity of its sign, and two that cancel NaN.  Half
 * precisions are computed in binary32. */
#ifndef REFERENCE_NORMALISE_H
#define REFERENCE_NORMALISE_H

#include "reduce.h"

/* x is groups x elements.  Element e of group g has scale and bias number at(g, e). */
typedef struct NormaliseInput {
    Tensor x;
    const Tensor *scale, *bias; /* one axis each, or NULL */
    const Tensor *mean,
        *variance; /* given, one number for each group modulo their length; or NULL */
    double epsilon;
    bool folds;          /* "folded-mean" is an alternative where mean and variance are not given */
    bool about_zero;     /* no mean is subtracted: the mean square stands for variance */
    int64_t per_scale;   /* elements in a row that share a scale, 0: the whole group */
    int64_t first_scale; /* scales from one group to the next */
} NormaliseInput;

void normalise_reference(Ref *ref, const NormaliseInput *input, DType dtype, Arena *arena);

#endif
