/* Reductions over some axes of a tensor.
 *
 * With n terms, S the sum of their magnitudes, s their sum, M = (S + |s|) / 2 and u the unit, a
 * correct kernel is off by at most:
 *
 * sum: (n - 1) u M / (1 - (n - 1) u), by the lemma of oracle/bound.h; 0 where no order rounds.
 *
 * mean: that over n, and 2 u |s / n|.
 *
 * product: (n - 1) u |r| / (1 - (n - 1) u); anything where some order may leave the range.
 *
 * norms: as sums of positive terms with a rounding for each; a square root halves what it gets.
 *
 * variance: in two passes, with m the bound of the mean, v (n + 6) u + m^2 + 2 m u mean |x - mu|
 * (Chan, Golub and LeVeque, The American Statistician 37, 1983); in one pass, E[x^2] - mu^2, as the
 * alternative "one-pass-variance", (n + 3) u mean x^2 + 2 |mu| m + m^2 + u mu^2 + 4 u v.
 *
 * logsumexp: with d the differences from the greatest x and w the softmax,
 * u (sum w |d| + n + 5) + u (|max| + 6 |log sum| + |y|).
 *
 * Half precisions are summed in binary32. */
#ifndef REFERENCE_REDUCE_H
#define REFERENCE_REDUCE_H

#include "function.h"
#include "wide.h"

typedef enum Reduction {
    REDUCE_SUM,
    REDUCE_MEAN,
    REDUCE_PRODUCT,
    REDUCE_GREATEST,
    REDUCE_LEAST,
    REDUCE_NORM_1,
    REDUCE_NORM_2,
    REDUCE_SQUARES,
    REDUCE_LOG_SUM_EXP,
    REDUCE_VARIANCE,
    REDUCE_DEVIATION,
    REDUCE_ALL,
    REDUCE_ANY,
    REDUCE_PLACE_OF_GREATEST, /* number of the first one among those that are reduced */
    REDUCE_PLACE_OF_LEAST
} Reduction;

/* x with the axes that are kept first; the last `reduced` ones are reduced.  ref gets the elements
 * in the order of the kept axes, shaped as y.  correction is what the variance subtracts from n. */
typedef struct ReduceInput {
    Reduction reduction;
    Tensor x, y;
    int reduced;
    double correction;
    double divisor; /* of a mean, where it is not the count; else 0 */
} ReduceInput;
void reduce_reference(Ref *ref, const ReduceInput *input, Arena *arena);

/* Element i of ref from count values: reduction, correction and divisor count.  other asks for the
 * alternative that reduce_policy names; NULL where there is none. */
void reduce_put(Ref *ref, size_t i, const ReduceInput *input, const double *values, int64_t count,
                bool other);
const char *reduce_policy(Reduction reduction);

/* Running sums along the last axis of x, forwards or backwards, without the element itself where
 * exclusive. */
void running_sum_reference(Ref *ref, const Tensor *x, bool backwards, bool exclusive, Arena *arena);

/* What the sum of terms may be off: sum is their exact sum, size the sum of their magnitudes. */
double reduction_error(double terms, double size, double sum, double unit);

/* Sums of numbers to about 100 bits, with what a bound needs. */
typedef struct Sum {
    Wide value;
    double factors; /* of products: sum of the magnitudes of their factors */
    double size;    /* of the magnitudes, rounded up */
    int64_t terms;  /* that are not 0 */
    int lattice;    /* every term is a multiple of 2^lattice */
    unsigned classes;
} Sum;
Sum sum_begin(void);
void sum_add(Sum *sum, double term);
/* Bound of its error in arithmetic of the format; 0 where no order rounds. */
double sum_error(const Sum *sum, const Format *format);
/* Puts factor times the sum with the given bound, by the classes of its terms. */
void ref_put_sum(Ref *ref, size_t element, const Sum *sum, long double factor, double bound);

#endif
