/* Distributions: their functions, and a way to draw from each. */
#include <math.h>

#include "chance.h"
#include "random.h"

static const double pi = 3.14159265358979323846;

double chance_unit(uint64_t stream, uint64_t i, int which)
{
    return random_unit(random_at(stream, 2 * i + (uint64_t)which));
}

static double clipped(double probability)
{
    return probability < 0 ? 0 : probability > 1 ? 1 : probability;
}

/* Most laws have a place and a scale. */
static double of_scale(const double *p)
{
    return fabs(p[0]) + 8 * fabs(p[1]);
}

/* Uniform in [p0, p1). */
static double uniform_below(const double *p, double x)
{
    return clipped((x - p[0]) / (p[1] - p[0]));
}

static double uniform_draw(const double *p, double u, double v)
{
    (void)v;
    return p[0] + (p[1] - p[0]) * u;
}

static double uniform_scale(const double *p)
{
    return fmax(fabs(p[0]), fabs(p[1])) + (p[1] - p[0]);
}

/* Mean p0, deviation p1. */
static double normal_below(const double *p, double x)
{
    return erfc((p[0] - x) / p[1] * sqrt(0.5)) / 2;
}

/* Box and Muller, 1958. */
static double standard_normal(double u, double v)
{
    return sqrt(-2 * log1p(-u)) * cos(2 * pi * v);
}

static double normal_draw(const double *p, double u, double v)
{
    return p[0] + p[1] * standard_normal(u, v);
}

static double log_normal_below(const double *p, double x)
{
    return x <= 0 ? 0 : normal_below(p, log(x));
}

static double log_normal_draw(const double *p, double u, double v)
{
    return exp(normal_draw(p, u, v));
}

/* exp multiplies the rounding of its argument. */
static double no_scale(const double *p)
{
    (void)p;
    return 0;
}

/* Of rate p0. */
static double exponential_below(const double *p, double x)
{
    return x <= 0 ? 0 : -expm1(-p[0] * x);
}

static double exponential_draw(const double *p, double u, double v)
{
    (void)v;
    return -log1p(-u) / p[0];
}

static double rate_scale(const double *p)
{
    return 1 / p[0];
}

/* Median p0, scale p1. */
static double cauchy_below(const double *p, double x)
{
    return 0.5 + atan((x - p[0]) / p[1]) / pi;
}

static double cauchy_draw(const double *p, double u, double v)
{
    (void)v;
    return p[0] + p[1] * tan(pi * (u - 0.5));
}

static double laplace_below(const double *p, double x)
{
    double z = (x - p[0]) / p[1];
    return z < 0 ? exp(z) / 2 : 1 - exp(-z) / 2;
}

static double laplace_draw(const double *p, double u, double v)
{
    return p[0] + (v < 0.5 ? 1 : -1) * p[1] * log1p(-u);
}

static double gumbel_below(const double *p, double x)
{
    return exp(-exp(-(x - p[0]) / p[1]));
}

static double gumbel_draw(const double *p, double u, double v)
{
    (void)v;
    return p[0] - p[1] * log(-log1p(-u));
}

static double logistic_below(const double *p, double x)
{
    return 1 / (1 + exp(-(x - p[0]) / p[1]));
}

static double logistic_draw(const double *p, double u, double v)
{
    (void)v;
    return p[0] + p[1] * (log(u) - log1p(-u));
}

/* Of scale p0. */
static double rayleigh_below(const double *p, double x)
{
    return x <= 0 ? 0 : -expm1(-x / p[0] * (x / p[0]) / 2);
}

static double rayleigh_draw(const double *p, double u, double v)
{
    (void)v;
    return p[0] * sqrt(-2 * log1p(-u));
}

static double first_scale(const double *p)
{
    return p[0];
}

/* Scale p0, shape p1. */
static double weibull_below(const double *p, double x)
{
    return x <= 0 ? 0 : -expm1(-pow(x / p[0], p[1]));
}

static double weibull_draw(const double *p, double u, double v)
{
    (void)v;
    return p[0] * pow(-log1p(-u), 1 / p[1]);
}

/* Trials up to the first success, of chance p0. */
static double geometric_below(const double *p, double x)
{
    double k = floor(x);
    return k < 1 ? 0 : p[0] >= 1 ? 1 : -expm1(k * log1p(-p[0]));
}

static double geometric_draw(const double *p, double u, double v)
{
    (void)v;
    return p[0] >= 1 ? 1 : fmax(1, ceil(log1p(-u) / log1p(-p[0])));
}

/* The sum of the terms of a discrete law up to x. */
typedef double Term(const double *p, int64_t k);

static double sum_of_terms(Term *term, const double *p, double x)
{
    double sum = 0;
    for (int64_t k = 0; (double)k <= x; k++) {
        double more = term(p, k);
        sum += more;
        if (sum > 0.5 && more < 0x1p-60)
            break;
    }
    return clipped(sum);
}

static double inverse_of_terms(Term *term, const double *p, double u)
{
    enum { MOST = 1 << 16 };
    double sum = 0;
    for (int64_t k = 0; k < MOST; k++) {
        sum += term(p, k);
        if (u < sum)
            return (double)k;
    }
    return p[0];
}

/* Of mean p0. */
static double poisson_term(const double *p, int64_t k)
{
    return p[0] == 0 ? k == 0 : exp((double)k * log(p[0]) - p[0] - lgamma((double)k + 1));
}

static double poisson_below(const double *p, double x)
{
    return sum_of_terms(poisson_term, p, x);
}

static double poisson_draw(const double *p, double u, double v)
{
    (void)v;
    return inverse_of_terms(poisson_term, p, u);
}

/* Successes among p0 trials of chance p1. */
static double binomial_term(const double *p, int64_t k)
{
    double n = p[0], i = (double)k;
    if (i > n || p[1] <= 0 || p[1] >= 1)
        return p[1] <= 0 ? k == 0 : p[1] >= 1 && i == n;
    return exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) + i * log(p[1]) +
               (n - i) * log1p(-p[1]));
}

static double binomial_below(const double *p, double x)
{
    return x >= p[0] ? 1 : sum_of_terms(binomial_term, p, x);
}

static double binomial_draw(const double *p, double u, double v)
{
    (void)v;
    return fmin(inverse_of_terms(binomial_term, p, u), p[0]);
}

/* 1 with chance p0, else 0. */
static double bernoulli_below(const double *p, double x)
{
    return x < 0 ? 0 : x < 1 ? 1 - p[0] : 1;
}

static double bernoulli_draw(const double *p, double u, double v)
{
    (void)v;
    return u < p[0];
}

/* Whole numbers from p0 up to p1, which is not among them. */
static double whole_below(const double *p, double x)
{
    return clipped((floor(x) - p[0] + 1) / (p[1] - p[0]));
}

static double whole_draw(const double *p, double u, double v)
{
    (void)v;
    return p[0] + floor((p[1] - p[0]) * u);
}

/* Normal numbers of mean p0 and deviation p1, of which those outside [p2, p3] are drawn again. */
static double truncated_below(const double *p, double x)
{
    double front = normal_below(p, p[2]), behind = normal_below(p, p[3]);
    return x < p[2] ? 0 : x >= p[3] ? 1 : clipped((normal_below(p, x) - front) / (behind - front));
}

/* Bisection of the distribution function. */
static double truncated_draw(const double *p, double u, double v)
{
    enum { HALVINGS = 60 };
    double low = p[2], high = p[3];
    (void)v;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = low + (high - low) / 2;
        if (truncated_below(p, middle) < u)
            low = middle;
        else
            high = middle;
    }
    return low;
}

const Law law_uniform = {"uniform", false, false, uniform_below, uniform_draw, uniform_scale};
const Law law_normal = {"normal", false, true, normal_below, normal_draw, of_scale};
const Law law_log_normal = {"log-normal",     false,           false,
                            log_normal_below, log_normal_draw, no_scale};
const Law law_exponential = {"exponential",    false,     false, exponential_below,
                             exponential_draw, rate_scale};
const Law law_cauchy = {"Cauchy", false, false, cauchy_below, cauchy_draw, of_scale};
const Law law_laplace = {"Laplace", false, false, laplace_below, laplace_draw, of_scale};
const Law law_gumbel = {"Gumbel", false, false, gumbel_below, gumbel_draw, of_scale};
const Law law_logistic = {"logistic", false, false, logistic_below, logistic_draw, of_scale};
const Law law_rayleigh = {"Rayleigh", false, false, rayleigh_below, rayleigh_draw, first_scale};
const Law law_weibull = {"Weibull", false, false, weibull_below, weibull_draw, first_scale};
const Law law_geometric = {"geometric", true, false, geometric_below, geometric_draw, no_scale};
const Law law_poisson = {"Poisson", true, false, poisson_below, poisson_draw, no_scale};
const Law law_binomial = {"binomial", true, false, binomial_below, binomial_draw, no_scale};
const Law law_bernoulli = {"Bernoulli", true, false, bernoulli_below, bernoulli_draw, no_scale};
const Law law_whole = {"whole numbers", true, false, whole_below, whole_draw, no_scale};
const Law law_truncated_normal = {"truncated normal", false,          false,
                                  truncated_below,    truncated_draw, of_scale};
