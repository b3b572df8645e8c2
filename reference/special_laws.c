/* Beta functions, and the distributions of chance: densities, their logarithms and distribution
 * functions, each with place 0 and scale 1. */
#include <math.h>

#include "special.h"

static const long double log_2 = 0.693147180559945309417232121458176568L;
static const long double log_pi = 1.14472988584940017414342735135305871L;
static const long double log_root_2_pi = 0.918938533204672741780329736405617640L;

static FunctionValue unjudged(void)
{
    return (FunctionValue){.value = NAN, .any = true};
}

/* A sum of terms that are `size` together, each within some units, and logarithms of gamma
 * functions beside their zeros within some units of 1. */
static FunctionValue sum_of(long double value, long double size)
{
    return (FunctionValue){.value = value, .error = size * 0x1p-57L, .terms = size + 1};
}

static bool is_pole(long double x)
{
    return x <= 0 && x == rintl(x);
}

/* DLMF 5.12.1.  Where a factor is a pole it depends on the way there what the quotient is, and
 * beyond the largest type nothing is said. */
static FunctionValue log_of_beta(long double a, long double b, int *sign)
{
    enum { REACH = 1 << 13 };
    int of_a, of_b, of_sum;
    if (isnan(a) || isnan(b))
        return exactly(NAN);
    if (is_pole(a) || is_pole(b) || is_pole(a + b) || !isfinite(a) || !isfinite(b) ||
        fabsl(a) > 0x1p+200L || fabsl(b) > 0x1p+200L || a < -REACH || b < -REACH)
        return unjudged();
    long double first = lgammal_r(a, &of_a), second = lgammal_r(b, &of_b);
    long double third = lgammal_r(a + b, &of_sum);
    *sign = of_a * of_b * of_sum;
    FunctionValue v = sum_of(first + second - third, fabsl(first) + fabsl(second) + fabsl(third));
    /* The rounding of a + b is that of an argument. */
    v.error += fabsl(a + b) * 0x1p-63L * fabsl(special_digamma(a + b).value);
    v.peak = fabsl(third);
    return v;
}

static FunctionValue betaln(long double a, long double b)
{
    int sign;
    return log_of_beta(a, b, &sign);
}

/* By way of the logarithm, whose error is relative to the result. */
static FunctionValue beta(long double a, long double b)
{
    int sign = 1;
    FunctionValue v = log_of_beta(a, b, &sign);
    if (v.any || isnan(v.value))
        return v;
    long double value = sign * expl(v.value), size = fabsl(value);
    return (FunctionValue){.value = value,
                           .error = size * (v.error + 0x1p-60L),
                           .terms = size * v.terms,
                           .peak = v.peak};
}

/* x log(x / y), which is 0 where x is, and infinite outside the quadrant (SciPy, rel_entr). */
static FunctionValue rel_entr(long double x, long double y)
{
    if (isnan(x) || isnan(y) || isinf(x) || isinf(y))
        return isnan(x) && isnan(y) ? exactly(NAN) : unjudged();
    if (!(x > 0 && y > 0))
        return exactly(x == 0 && y >= 0 ? 0 : INFINITY);
    long double first = x * logl(x), second = x * logl(y);
    FunctionValue v = sum_of(x * logl(x / y), fabsl(first) + fabsl(second));
    v.peak = fmaxl(fabsl(first), fabsl(second));
    return v;
}

/* x log(x / y) - x + y (SciPy, kl_div). */
static FunctionValue kl_term(long double x, long double y)
{
    FunctionValue v = rel_entr(x, y);
    if (v.any || !isfinite(v.value))
        return v;
    v.value += y - x;
    v.terms += fabsl(x) + fabsl(y);
    v.error = v.terms * 0x1p-57L;
    return v;
}

/* The density x^(a - 1) exp(-x) / Gamma(a) of x, times a constant. */
static FunctionValue log_gamma_density(long double x, long double a, long double constant)
{
    if (!(a > 0) || isinf(a) || isinf(x) || isnan(x))
        return isnan(x) && isnan(a) ? exactly(NAN) : unjudged();
    if (x < 0)
        return exactly(-INFINITY);
    long double gamma = special_lgamma(a).value;
    if (x == 0)
        return a == 1 ? sum_of(constant, fabsl(constant)) : exactly(a < 1 ? INFINITY : -INFINITY);
    long double power = a == 1 ? 0 : (a - 1) * logl(x);
    long double size = (a + 1) * fabsl(logl(x)) + x + fabsl(gamma) + (a + 1) * fabsl(constant);
    FunctionValue v = sum_of(power - x - gamma + constant, size);
    v.peak = size;
    return v;
}

static FunctionValue gamma_logpdf(long double x, long double a)
{
    return isnan(x) && !isnan(a) && a > 0 ? exactly(NAN) : log_gamma_density(x, a, 0);
}

/* That of x / 2 with half of the degrees of freedom. */
static FunctionValue chi2_logpdf(long double x, long double df)
{
    return isnan(x) && !isnan(df) && df > 0 ? exactly(NAN)
                                            : log_gamma_density(x / 2, df / 2, -log_2);
}

/* Student's, by the logarithm of the quotient of two gamma functions. */
static FunctionValue t_logpdf(long double x, long double df)
{
    if (isnan(x) || isnan(df))
        return exactly(NAN);
    if (!(df > 0) || isinf(df) || isinf(x))
        return unjudged();
    long double half = df / 2, power = (half + 0.5L) * log1pl(x * (x / df));
    long double above = special_lgamma(half + 0.5L).value, below = special_lgamma(half).value;
    long double root = (log_pi + logl(df)) / 2;
    long double size = fabsl(above) + fabsl(below) + (log_pi + fabsl(logl(df))) / 2 + power;
    FunctionValue v = sum_of(above - below - root - power, size);
    v.rise = x * x * fmaxl(1, 1 / df);
    v.peak = fmaxl(df * 4, size);
    return v;
}

static FunctionValue poisson_logpmf(long double k, long double mu)
{
    if (isnan(k) || isnan(mu))
        return isnan(k) != isnan(mu) && k < 0 ? unjudged() : exactly(NAN);
    if (mu < 0 || isinf(mu) || isinf(k) || k != rintl(k))
        return unjudged();
    if (k < 0)
        return exactly(-INFINITY);
    if (mu == 0)
        return k == 0 ? sum_of(0, 0) : exactly(-INFINITY);
    long double power = k == 0 ? 0 : k * logl(mu), factorial = special_lgamma(k + 1).value;
    FunctionValue v = sum_of(power - factorial - mu, fabsl(power) + fabsl(factorial) + mu);
    v.peak = v.terms;
    return v;
}

/* DLMF 8.4.10: the incomplete gamma function of one more than the greatest integer up to k. */
static FunctionValue poisson_cdf(long double k, long double mu)
{
    if (isnan(k) || isnan(mu))
        return isnan(mu) && k < 0 ? unjudged() : exactly(NAN);
    if (mu < 0 || (isinf(mu) && isinf(k)))
        return unjudged();
    if (k < 0)
        return exactly(0);
    if (isinf(mu) || isinf(k))
        return exactly(isinf(k) ? 1 : 0);
    return special_igammac(floorl(k) + 1, mu);
}

static FunctionValue cauchy_cdf(long double x)
{
    return relative(x < -1 ? atanl(-1 / x) / LIMIT_PI : 0.5L + atanl(x) / LIMIT_PI, 8);
}

static FunctionValue cauchy_logpdf(long double x)
{
    FunctionValue v = relative(-log_pi - log1pl(x * x), 8);
    v.rise = x * x;
    return v;
}

static FunctionValue expon_cdf(long double x)
{
    return x > 0 ? relative(-expm1l(-x), 8) : exactly(x);
}

static FunctionValue expon_sf(long double x)
{
    return relative(expl(-x), 8);
}

static FunctionValue expon_logpdf(long double x)
{
    return exactly(-x);
}

static FunctionValue laplace_cdf(long double x)
{
    return relative(x < 0 ? expl(x) / 2 : 1 - expl(-x) / 2, 8);
}

static FunctionValue laplace_logpdf(long double x)
{
    return relative(-fabsl(x) - log_2, 4);
}

static FunctionValue logistic_logpdf(long double x)
{
    return relative(-fabsl(x) - 2 * log1pl(expl(-fabsl(x))), 8);
}

static FunctionValue norm_logpdf(long double x)
{
    FunctionValue v = relative(-x * x / 2 - log_root_2_pi, 8);
    v.rise = x * x;
    return v;
}

static FunctionValue uniform_cdf(long double x)
{
    return exactly(x);
}

#define A_DISTRIBUTION   "a limit: a distribution"
#define BELOW_THE_VALUES "no values are below 0; a limit: a distribution"
#define BOTH_ENDS(y)     LIMITS(AT(-INFINITY, y), AT(INFINITY, y))

/* Distribution functions are as accurate as the whole, which is 1: 1 - exp(-x) is a usual way. */
const Function functions_of_laws[] = {
    {.name = "cauchy_cdf",
     .summary = "distribution of Cauchy's law",
     .special = cauchy_cdf,
     .absolute = 6,
     .of_value = 2,
     .limits = LIMITS(NEAR(-INFINITY, -INFINITY, 0), NEAR(INFINITY, INFINITY, 1)),
     .source = A_DISTRIBUTION},
    {.name = "cauchy_logpdf",
     .summary = "logarithm of the density of Cauchy's law",
     .special = cauchy_logpdf,
     .ulps = 4,
     .of_value = 4,
     .limits = BOTH_ENDS(-INFINITY),
     .source = "a limit: -log(pi (1 + x x))"},
    {.name = "expon_cdf",
     .summary = "distribution of the exponential law",
     .special = expon_cdf,
     .ulps = 4,
     .of_value = 1,
     .absolute = 2,
     .limits = LIMITS(NEAR(-INFINITY, 0.0L, 0), NEAR(INFINITY, INFINITY, 1)),
     .source = BELOW_THE_VALUES,
     .results = {0, 1, "a distribution", "a distribution"}},
    {.name = "expon_logpdf",
     .summary = "logarithm of the density of the exponential law",
     .special = expon_logpdf,
     .ulps = 1,
     .limits = LIMITS(BETWEEN(-INFINITY, BELOW_ZERO, -INFINITY), NEAR(-0.0L, 0.0L, 0),
                      AT(INFINITY, -INFINITY)),
     .source = "no values are below 0; a limit: -x"},
    {.name = "expon_sf",
     .summary = "1 - expon_cdf(x)",
     .special = expon_sf,
     .ulps = 3,
     .of_value = 1,
     .steps = 2,
     .limits = LIMITS(BETWEEN(-INFINITY, 0.0L, 1), NEAR(INFINITY, INFINITY, 0)),
     .source = BELOW_THE_VALUES,
     .results = {0, 1, KEEPS_SIGN, NULL}},
    {.name = "laplace_cdf",
     .summary = "distribution of Laplace's law",
     .special = laplace_cdf,
     .ulps = 6,
     .absolute = 2,
     .limits = LIMITS(NEAR(-INFINITY, -INFINITY, 0), NEAR(INFINITY, INFINITY, 1)),
     .source = A_DISTRIBUTION,
     .results = {0, 1, NULL, NULL}},
    {.name = "laplace_logpdf",
     .summary = "logarithm of the density of Laplace's law",
     .special = laplace_logpdf,
     .ulps = 4,
     .of_value = 2,
     .limits = BOTH_ENDS(-INFINITY),
     .source = "a limit: -|x| - log(2)"},
    {.name = "logistic_logpdf",
     .summary = "logarithm of the density of the logistic law",
     .special = logistic_logpdf,
     .ulps = 4,
     .of_value = 4,
     .absolute = 16,
     .limits = BOTH_ENDS(-INFINITY),
     .source = "a limit: -|x| - 2 log(1 + exp(-|x|))"},
    {.name = "norm_logpdf",
     .summary = "logarithm of the density of the normal law",
     .special = norm_logpdf,
     .ulps = 4,
     .of_value = 4,
     .limits = BOTH_ENDS(-INFINITY),
     .source = "a limit: -(x x + log(2 pi)) / 2"},
    {.name = "uniform_cdf",
     .summary = "x between 0 and 1, the ends beyond",
     .special = uniform_cdf,
     .ulps = 1,
     .limits = LIMITS(NEAR(-INFINITY, 0.0L, 0), BETWEEN(1, INFINITY, 1)),
     .source = "a distribution: the share of the interval",
     .results = {0, 1, "a distribution", "a distribution"}},
    {.name = NULL},
};

/* Densities whose logarithm is a sum of terms, each of which a kernel rounds, with logarithms and
 * those of gamma functions within 16 ulp. */
#define LOG_DENSITY(of_name, text, of)                                                             \
    .name = (of_name), .summary = (text), .evaluate_pair = (of), .ulps = 4, .of_terms = 24

const Function functions_of_law_pairs[] = {
    {.name = "euler_beta",
     .summary = "gamma(a) gamma(b) / gamma(a + b)",
     .evaluate_pair = beta,
     .ulps = 16,
     .moved = 16,
     .of_terms = 24,
     .steps = 1,
     .limits = LIMITS(NEAR_OF_TWO(FINITE_POSITIVE, ONLY(INFINITY), 0),
                      NEAR_OF_TWO(ONLY(INFINITY), FINITE_POSITIVE, 0),
                      NEAR_OF_TWO(PLUS_ZERO, FINITE_POSITIVE, INFINITY),
                      NEAR_OF_TWO(FINITE_POSITIVE, PLUS_ZERO, INFINITY)),
     .source = "a limit: DLMF, 5.12.1"},
    {.name = "betaln",
     .summary = "logarithm of the size of euler_beta(a, b)",
     .evaluate_pair = betaln,
     .ulps = 16,
     .moved = 16,
     .of_terms = 24,
     .limits = LIMITS(OF_TWO(FINITE_POSITIVE, ONLY(INFINITY), -INFINITY),
                      OF_TWO(ONLY(INFINITY), FINITE_POSITIVE, -INFINITY),
                      NEAR_OF_TWO(PLUS_ZERO, FINITE_POSITIVE, INFINITY),
                      NEAR_OF_TWO(FINITE_POSITIVE, PLUS_ZERO, INFINITY)),
     .source = "a limit: DLMF, 5.12.1"},
    {LOG_DENSITY("chi2_logpdf", "logarithm of the density of the chi-square law, b degrees",
                 chi2_logpdf),
     .limits = LIMITS(OF_TWO(NEGATIVE, FINITE_POSITIVE, -INFINITY),
                      VALUE_OR_NAN_OF_TWO(ONLY(INFINITY), FINITE_POSITIVE, -INFINITY)),
     .source = "no values are below 0; a limit: SciPy, stats.chi2"},
    {LOG_DENSITY("gamma_logpdf", "logarithm of the density of the gamma law of shape b",
                 gamma_logpdf),
     .limits = LIMITS(OF_TWO(NEGATIVE, FINITE_POSITIVE, -INFINITY),
                      VALUE_OR_NAN_OF_TWO(ONLY(INFINITY), FINITE_POSITIVE, -INFINITY)),
     .source = "no values are below 0; a limit: SciPy, stats.gamma"},
    {.name = "kl_term",
     .summary = "a log(a / b) - a + b, the term of a divergence",
     .evaluate_pair = kl_term,
     .ulps = 4,
     .of_terms = 8,
     .steps = 1},
    {.name = "rel_entr",
     .summary = "a log(a / b), the term of a relative entropy",
     .evaluate_pair = rel_entr,
     .ulps = 4,
     .of_terms = 8,
     .steps = 1},
    {.name = "poisson_cdf",
     .summary = "distribution of Poisson's law of mean b",
     .evaluate_pair = poisson_cdf,
     .ulps = 16,
     .of_terms = 24,
     .steps = 1,
     .limits = LIMITS(NEAR_OF_TWO(NEGATIVE, FINITE_POSITIVE, 0),
                      OF_TWO(ONLY(INFINITY), FINITE_POSITIVE, 1)),
     .source = "no values are below 0; a distribution: SciPy, stats.poisson",
     .results = {0, 1, NULL, NULL}},
    {LOG_DENSITY("poisson_logpmf", "logarithm of the chance of a by Poisson's law of mean b",
                 poisson_logpmf),
     .limits = LIMITS(OF_TWO(NEGATIVE, FINITE_POSITIVE, -INFINITY),
                      VALUE_OR_NAN_OF_TWO(ONLY(INFINITY), FINITE_POSITIVE, -INFINITY)),
     .source = "no values are below 0; a limit: SciPy, stats.poisson"},
    {LOG_DENSITY("t_logpdf", "logarithm of the density of Student's law, b degrees", t_logpdf),
     .limits = LIMITS(OF_TWO(ONLY(-INFINITY), FINITE_POSITIVE, -INFINITY),
                      OF_TWO(ONLY(INFINITY), FINITE_POSITIVE, -INFINITY)),
     .source = "a limit: SciPy, stats.t"},
    {.name = NULL},
};
