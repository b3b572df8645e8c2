/* Whether numbers can well be independent draws from a distribution.
 *
 * A case of random numbers may be rejected wrongly with a probability of at most CASE_LEVEL =
 * 1e-17, so that a campaign of 10^8 cases is wrong about one with at most 1e-9.  Each case divides
 * this level evenly among CHANCE_TESTS tests (Bonferroni), more than any case has; with
 * t = ln(2 / level of a test), a sample of n is rejected where
 *
 * - its distribution function leaves that of the law by more than sqrt(t / (2 n)) (Dvoretzky,
 * Kiefer and Wolfowitz with the constant of Massart, Annals of Probability 18, 1990, which holds
 * for any law, discrete ones too).  Of numbers in [a, b] that bounds the mean as Hoeffding's
 * inequality does, since means differ by no more than (b - a) times the distance of the functions;
 * - of n trials k succeed and n KL(k / n, p) > t (Chernoff's bound of the binomial tail; for trials
 *   of unequal p, p is their mean: Hoeffding, JASA 58, 1963, theorem 1 and its remark);
 * - of normal numbers the mean is off by more than deviation sqrt(2 t / n), or the sum Z of squares
 *   leaves [n - 2 sqrt(n t), n + 2 sqrt(n t) + 2 t] (Laurent and Massart, Annals of Statistics 28,
 *   2000, lemma 1);
 * - numbers that lie some places apart lie on the same side of the median too often, or too seldom:
 *   disjoint pairs are trials;
 * - of a permutation more than m elements, m! > 1 / level, are where they were, or behind the one
 *   that they were behind (the expected number of m-sets of such is at most 1 / m!).
 *
 * The law of a generator is that of numbers on a grid.  It is held to this model: P(X <= x) is
 * between F(x - d) - g and F(x + d) + g, where g = 4 u is the step of a uniform number with one bit
 * less than the significand, u the unit of the type, and d the error of some roundings.  No
 * documentation says how fine a generator is: the model is a convention of this tool. */
#ifndef REFERENCE_CHANCE_H
#define REFERENCE_CHANCE_H

#include "base.h"
#include "dtype.h"
#include "flaw.h"

enum { CHANCE_PARAMETERS = 4, CHANCE_TESTS = 64 };

/* A distribution.  below is P(X <= x); draw makes a number of two independent uniform ones of
 * [0, 1).  Errors of roundings are sized by the magnitude of results and `scale`. */
typedef struct Law {
    const char *name;
    bool is_whole, is_normal;
    double (*below)(const double *p, double x);
    double (*draw)(const double *p, double u, double v);
    double (*scale)(const double *p);
} Law;

typedef struct Draws {
    const Law *law;
    const double *p; /* parameters of the law */
    const double *values;
    int64_t count, columns; /* columns: extent of the innermost axis */
    DType dtype;
} Draws;

/* ln(2 / level) of one test. */
double chance_exponent(void);

/* Whether `succeeded` of `count` trials of a chance between low and high are too many or too few.
 */
bool chance_refutes(double succeeded, double count, double low, double high);
/* The same as a flaw, where there is none yet. */
void chance_judge_count(Flaw *flaw, const char *what, double succeeded, double count, double low,
                        double high);

/* What is wrong with a sample; a flaw that there is stays. */
void chance_judge(Flaw *flaw, const Draws *draws, Arena *arena);

/* Whether two samples of other streams would be equal with less than the level of a test. */
bool chance_tells_apart(const Draws *draws);

/* What is wrong with `count` permutations of the numbers below `length`, one after the other, each
 * of which has all of them. */
void chance_judge_permutations(Flaw *flaw, const double *values, int64_t count, int64_t length,
                               Arena *arena);

/* Smallest and largest chance of an infinity beyond the format: 0 where results stay within. */
double chance_of_overflow(const Draws *draws);

/* Uniform numbers of [0, 1) that are number i of a stream: `which` is 0 or 1. */
double chance_unit(uint64_t stream, uint64_t i, int which);

extern const Law law_uniform, law_normal, law_exponential, law_cauchy, law_log_normal, law_laplace,
    law_gumbel, law_logistic, law_rayleigh, law_weibull, law_geometric, law_poisson, law_bernoulli,
    law_whole, law_binomial, law_truncated_normal;

#endif
