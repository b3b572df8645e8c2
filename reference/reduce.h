/* Reductions over some axes of a tensor.
 *
 * With n terms, S the sum of their magnitudes, s their sum, M = (S + |s|) / 2 and u the unit, a
 * correct kernel is off by at most:
 *
 * sum: (n - 1) u M / (1 - (n - 1) u), by the lemma of oracle/bound.h; 0 where no order rounds.
 *
 * mean: that over n, and 2 u |s / n|; where n is no power of 2, so that the share x / n of a term
 * is rounded, also where sums are exact, the sum of the shares, (2 u S + (n - 1) u M / (1 - (n - 1)
 * u)) (1 + 4 u) / n: the lemma, of terms that are off by 2 u each, as by a reciprocal.
 *
 * product: e |r| with e = (n - 1) u / (1 - (n - 1) u).  An infinity of its sign as well where the
 * product of the factors above 1 in size may overflow, and nothing else where all of it does; NaN
 * as well where one more factor is 0.
 * Where the product of those below 1 may underflow, with A the product of max(1, |x_i|) and t what
 * one operand or result loses by underflow,
 *     (2 n - 1) t A / (1 - (n - 1) u - (2 n - 1) t)
 * more.  Proof.  Let g(n) = ((1 + t)^(2 n - 1) - 1) / t.  A tree over n factors is off by at most
 * ((1 + u)^(n - 1) - 1) |r| + (1 + u)^(n - 1) t g(n) A: one factor loses at most t <= t g(1) A; and
 * with parts of a and b factors, which are off by t g(a) A_a and t g(b) A_b, A_a A_b = A, and t
 * that is lost at their product, g(a) + g(b) + t g(a) g(b) + 1 <= g(a + b), since (1 + t g(a)) (1 +
 * t g(b)) + t <= (1 + t)^(2 (a + b) - 1).  QED.  Where both may happen, an infinity may meet a 0,
 * and nothing is known of a number but that it is none
 * of the other sign, as far as the roundings of the largest number tell.
 *
 * norms: as sums of positive terms with a rounding for each; a square root halves what it gets.
 *
 * variance: in two passes, with m the bound of the mean, v (n + 6) u + m^2 + 2 m u mean |x - mu|
 * (Chan, Golub and LeVeque, The American Statistician 37, 1983); as the alternative
 * "running-means", below; in one pass, E[x^2] - mu^2, as the alternative "one-pass-variance",
 * (n + 3) u mean x^2 + 2 |mu| m + m^2 + u mu^2 + 4 u v.
 *
 * Running means: groups A and B, single values at first, are merged in any order by
 *     d = m_B - m_A,  m = m_A + d n_B / n,  S = S_A + S_B + d^2 n_A n_B / n,
 * a single value B also by S = S_A + d (x - m), with n = n_A + n_B (Welford, Technometrics 4, 1962;
 * Chan, Golub and LeVeque).  Of n values about mu with squares S off it, to the first order in u,
 *     m is off by u / n (|mu| N + 4 sqrt(n S N)) at most, with N = n (n + 1) / 2 - 1, and
 *     S by (n + 8) u S + D sqrt(S) + D^2 / 4, with D = u (|mu| sqrt(g) + 8 n sqrt(S)),
 * g = n^3 / 3 + 2 n^2 - 7 n / 3, or 2 of two values: relative to S a bound of order n u kappa with
 * kappa^2 = 1 + n mu^2 / S, as theirs.
 * Proof.  With w = n_A n_B / n the squares of a group are the sum of w d^2 over its merges, so that
 * |m_G - mu| <= sqrt(S / n_G) and |d| n_B <= sqrt(w d^2) n_G.  A merge rounds m by u |m| and 3 u
 * |d| n_B / n; n_G times its error is at most the sum over the merges H inside of n_H u |m_H| + 3 u
 * |d| n_B.  The n_H add up to N_G at most (one value at a time), their roots to sqrt(n N), and the
 * last terms to 3 u sqrt(S n N), by Cauchy and Schwarz: the first claim.  The term of a merge is
 * off by w |d| K, K = 2 (e_A + e_B) by the square and e n / (n - 1) + e_A by the product, of which
 * |mu| has k and sqrt(S) at most 8 sqrt(n + 2).  k^2 / n <= n + 4 in all cases, and the sums of n_A
 * n_B and n_A n_B n over the merges are n (n - 1) / 2 and (n^3 - n) / 3 or less, since n^2 and n^3
 * grow by 2 n_A n_B and 3 n_A n_B n; so the sum of w k^2 is g at most, that of 64 w (n + 2) is 64
 * n^2, and Cauchy and Schwarz give D sqrt(S), products of two errors D^2 / 4.  Each term has 6
 * roundings and takes part in n sums, and the quotient has 2.  Later orders are below a factor of
 * exp((5 n + 16) u).  QED.
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
    double divisor;     /* of a mean, where it is not the count; else 0 */
    bool running_means; /* of a variance: its bound is that of this alternative */
} ReduceInput;
void reduce_reference(Ref *ref, const ReduceInput *input, Arena *arena);

/* Element i of ref from count values: reduction, correction and divisor count.  other asks for the
 * alternative that reduce_policy names; NULL where there is none. */
void reduce_put(Ref *ref, size_t i, const ReduceInput *input, const double *values, int64_t count,
                bool other);
const char *reduce_policy(Reduction reduction);

/* The sum of exp(x_i - greatest), and of those times |x_i - greatest|: what logsumexp and softmax
 * have in common.  The sums are 0 where greatest is not finite or has_nan. */
typedef struct Exponentials {
    double greatest;
    bool has_nan;
    long double sum, weighted;
} Exponentials;
Exponentials exponentials_of(const double *x, int64_t count);

/* Bound of the sum, relative to it: n exponentials within 3 ulp, each of a rounded difference, that
 * may be flushed to 0. */
double exponentials_error(const Exponentials *e, int64_t count, const Format *format);

/* Mean and variance about it of count values, with n - correction below the variance, and what a
 * kernel may be off in either; in one pass as the alternative has it.  regular is false where
 * values are not finite or squares leave the range. */
typedef struct Moments {
    long double mean, variance, squares; /* squares: sum of x^2 */
    double of_mean, of_variance;
    bool regular;
    unsigned classes; /* of values that are not finite */
} Moments;
typedef struct MomentsOptions {
    double correction;
    bool about_zero, one_pass; /* about_zero: no mean is subtracted */
    bool running;              /* by running means, or in two passes */
} MomentsOptions;
Moments moments_of(const double *x, int64_t count, const MomentsOptions *options,
                   const Format *format);

/* Running sums or products along the last axis of x, forwards or backwards, without the element
 * itself where exclusive. */
typedef struct RunningInput {
    Tensor x;
    bool multiplies, backwards, exclusive;
} RunningInput;
void running_reference(Ref *ref, const RunningInput *input, Arena *arena);

/* What underflow costs a product of count factors in any order, in what one operation loses by it:
 * the last term of the bound at the head, where one loses `losses` times as much, `above` is the
 * logarithm of A to the base 2 and `relative` what is subtracted from 1 beside underflow. */
double product_underflow(int64_t count, double above, double losses, double relative,
                         const Format *format);

/* An upper bound of the error of a kernel's sum, by the lemma of oracle/bound.h; infinite where the
 * lemma gives none.  sum is the exact sum, size the sum of the magnitudes; terms >= 0, size >= 0.
 */
double reduction_error(double terms, double size, double sum, double unit);

/* The same of a kernel that compensates its sum, by the theorem of oracle/bound.h. */
double compensated_error(double terms, double size, double unit);

/* Sums of numbers to about 100 bits, with what a bound needs. */
typedef struct Sum {
    Wide value;
    double factors; /* of products: sum of the magnitudes of their factors */
    double size;    /* of the magnitudes, rounded up */
    int64_t terms;  /* that are not 0 */
    int64_t zeros;  /* that are */
    int lattice;    /* every term is a multiple of 2^lattice */
    unsigned classes;
} Sum;
Sum sum_begin(void);
void sum_add(Sum *sum, double term);
/* Adds x w.  The lattice of a sum of products is that of all x plus that of all w: it is left to
 * the caller. */
void sum_add_product(Sum *sum, double x, double w);
/* The values of a tensor in row-major order, and the lattice that they lie on. */
double *tensor_read(const Tensor *tensor, int *lattice, Arena *arena);
/* Puts a sum of which `products` terms are products that are rounded, and may underflow. */
void ref_put_products(Ref *ref, size_t element, const Sum *sum, double products);
/* Bound of its error in arithmetic of the format; 0 where no order rounds. */
double sum_error(const Sum *sum, const Format *format);
/* Puts factor times the sum with the given bound, by the classes of its terms. */
void ref_put_sum(Ref *ref, size_t element, const Sum *sum, long double factor, double bound);

#endif
