/* Functions with a degree: orthogonal polynomials by their three-term recurrences (DLMF 18.9), and
 * those about the gamma function whose degree is a whole number. */
#include "special.h"

static const long double pi = 3.14159265358979323846264338327950288L;

/* p(k) = (scale x + shift) p(k - 1) - before p(k - 2). */
typedef struct Recurrence {
    long double scale, shift, before;
} Recurrence;
typedef Recurrence RecurrenceOf(int k);

static Recurrence of_chebyshev(int k)
{
    (void)k;
    return (Recurrence){2, 0, 1};
}

static Recurrence of_hermite(int k)
{
    return (Recurrence){2, 0, 2 * (k - 1)};
}

static Recurrence of_hermite_e(int k)
{
    return (Recurrence){1, 0, k - 1};
}

static Recurrence of_laguerre(int k)
{
    return (Recurrence){-1.0L / k, (2 * k - 1) / (long double)k, (k - 1) / (long double)k};
}

static Recurrence of_legendre(int k)
{
    return (Recurrence){(2 * k - 1) / (long double)k, 0, (k - 1) / (long double)k};
}

/* What a rounding of p(k) alone is in p(degree). */
static long double carried(RecurrenceOf *of, int k, int degree, long double x)
{
    long double before = 0, value = 1;
    for (int i = k + 1; i <= degree; i++) {
        Recurrence r = of(i);
        long double next = (r.scale * x + r.shift) * value - r.before * before;
        before = value;
        value = next;
    }
    return value;
}

/* The terms are those of each step, as far as they reach the end: the first-order bound of the
 * recurrence in floating-point arithmetic (Higham, 2nd edition, 3.3, running error analysis). */
static FunctionValue polynomial(RecurrenceOf *of, long double first_scale, long double first_shift,
                                int degree, long double x)
{
    long double before = 1, value = first_scale * x + first_shift;
    long double terms = 0, peak = 0;
    if (degree == 0)
        return (FunctionValue){.value = 1, .or_nan = isnan(x)};
    if (isnan(x) || isinf(x))
        return (FunctionValue){.value = isnan(x) ? x : copysignl(x, carried(of, 0, degree, x)),
                               .or_nan = true};
    terms = (fabsl(first_scale * x) + fabsl(first_shift)) * fabsl(carried(of, 1, degree, x));
    for (int k = 2; k <= degree; k++) {
        Recurrence r = of(k);
        long double factor = r.scale * x + r.shift, next = factor * value - r.before * before;
        long double size = (fabsl(r.scale * x) + fabsl(r.shift)) * fabsl(value);
        size += fabsl(r.before * before);
        terms += size * fabsl(carried(of, k, degree, x));
        peak = fmaxl(peak, 2 * k * size);
        before = value;
        value = next;
    }
    return (FunctionValue){.value = value, .error = terms * 0x1p-60L, .terms = terms, .peak = peak};
}

/* The four kinds by what p(1) is, and by half of the angle that their trigonometric form divides
 * by: cos(n t), sin((n + 1) t) / sin(t), cos((n + 1/2) t) / cos(t / 2), sin((n + 1/2) t) / sin(t /
 * 2). */
typedef enum Kind { FIRST, SECOND, THIRD, FOURTH } Kind;

/* By that form as well, where it holds: the angle is rounded, and what it divides by. */
static FunctionValue chebyshev(Kind kind, int degree, long double x)
{
    static const long double scale[] = {1, 2, 2, 2}, shift[] = {0, 0, -1, 1};
    FunctionValue v = polynomial(of_chebyshev, scale[kind], shift[kind], degree, x);
    if (fabsl(x) < 1) {
        long double t = acosl(x);
        const long double divisor[] = {1, sinl(t), cosl(t / 2), sinl(t / 2)};
        v.terms += pi * (degree + 1 + fabsl(v.value)) / divisor[kind];
    }
    return v;
}

/* In y = 2 x - 1, whose rounding moves the value too. */
static FunctionValue shifted(Kind kind, int degree, long double x)
{
    const long double step = 0x1p-24L;
    long double y = 2 * x - 1;
    FunctionValue v = chebyshev(kind, degree, y);
    if (isfinite(y)) {
        long double more = chebyshev(kind, degree, y + step).value;
        long double less = chebyshev(kind, degree, y - step).value;
        v.terms += fabsl(more - less) / (2 * step) * (2 * fabsl(x) + 1);
    }
    return v;
}

static FunctionValue chebyshev_t(long double x, const FunctionParams *p)
{
    return chebyshev(FIRST, p->degree, x);
}

static FunctionValue shifted_t(long double x, const FunctionParams *p)
{
    return shifted(FIRST, p->degree, x);
}

static FunctionValue chebyshev_u(long double x, const FunctionParams *p)
{
    return chebyshev(SECOND, p->degree, x);
}

static FunctionValue shifted_u(long double x, const FunctionParams *p)
{
    return shifted(SECOND, p->degree, x);
}

static FunctionValue chebyshev_v(long double x, const FunctionParams *p)
{
    return chebyshev(THIRD, p->degree, x);
}

static FunctionValue shifted_v(long double x, const FunctionParams *p)
{
    return shifted(THIRD, p->degree, x);
}

static FunctionValue chebyshev_w(long double x, const FunctionParams *p)
{
    return chebyshev(FOURTH, p->degree, x);
}

static FunctionValue shifted_w(long double x, const FunctionParams *p)
{
    return shifted(FOURTH, p->degree, x);
}

static FunctionValue hermite_h(long double x, const FunctionParams *p)
{
    return polynomial(of_hermite, 2, 0, p->degree, x);
}

static FunctionValue hermite_he(long double x, const FunctionParams *p)
{
    return polynomial(of_hermite_e, 1, 0, p->degree, x);
}

static FunctionValue laguerre_l(long double x, const FunctionParams *p)
{
    return polynomial(of_laguerre, -1, 1, p->degree, x);
}

static FunctionValue legendre_p(long double x, const FunctionParams *p)
{
    return polynomial(of_legendre, 1, 0, p->degree, x);
}

/* (-1)^(n + 1) n! zeta(n + 1, x) (DLMF 5.15.1). */
static FunctionValue polygamma(long double x, const FunctionParams *p)
{
    if (p->degree == 0) {
        const FunctionLimit *limit = limit_find(special_digamma_limits, false, x, 0);
        return limit ? function_at(limit, x, 0) : special_digamma(x);
    }
    /* DLMF 5.15.9. */
    if (isinf(x) && x > 0)
        return exactly(0);
    FunctionValue v = special_zeta(p->degree + 1, x);
    long double factor = (p->degree % 2 ? 1 : -1) * tgammal(p->degree + 1);
    v.value *= factor;
    v.error = v.error * fabsl(factor) + fabsl(v.value) * 0x1p-60L;
    v.terms *= fabsl(factor);
    return v;
}

/* DLMF 35.3.4; nothing is said of x up to (p - 1) / 2. */
static FunctionValue multigammaln(long double x, const FunctionParams *p)
{
    long double constant = p->degree * (p->degree - 1) / 4.0L * logl(pi);
    FunctionValue v = {.value = constant, .terms = constant};
    if (isnan(x))
        return (FunctionValue){.value = x};
    if (!(x > (p->degree - 1) / 2.0L))
        return (FunctionValue){.value = NAN, .any = true};
    for (int j = 0; j < p->degree; j++) {
        FunctionValue part = special_lgamma(x - j / 2.0L);
        v.value += part.value;
        v.terms += fabsl(part.value);
        v.error += part.error;
    }
    v.error += v.terms * 0x1p-60L;
    return v;
}

/* The least accurate of the recurrences has four roundings in a step. */
#define POLYNOMIAL(of_name, text, of)                                                              \
    {                                                                                              \
        .name = (of_name), .summary = (text), .evaluate = (of), .ulps = 16, .moved = 16,           \
        .of_terms = 4, .steps = 1, .degree = "degree"                                              \
    }

const Function functions_with_degree[] = {
    POLYNOMIAL("chebyshev_t", "Chebyshev polynomial of the first kind", chebyshev_t),
    POLYNOMIAL("chebyshev_u", "Chebyshev polynomial of the second kind", chebyshev_u),
    POLYNOMIAL("chebyshev_v", "Chebyshev polynomial of the third kind", chebyshev_v),
    POLYNOMIAL("chebyshev_w", "Chebyshev polynomial of the fourth kind", chebyshev_w),
    POLYNOMIAL("shifted_chebyshev_t", "chebyshev_t of 2 x - 1", shifted_t),
    POLYNOMIAL("shifted_chebyshev_u", "chebyshev_u of 2 x - 1", shifted_u),
    POLYNOMIAL("shifted_chebyshev_v", "chebyshev_v of 2 x - 1", shifted_v),
    POLYNOMIAL("shifted_chebyshev_w", "chebyshev_w of 2 x - 1", shifted_w),
    POLYNOMIAL("hermite_h", "Hermite polynomial of physicists", hermite_h),
    POLYNOMIAL("hermite_he", "Hermite polynomial of probability", hermite_he),
    POLYNOMIAL("laguerre_l", "Laguerre polynomial", laguerre_l),
    POLYNOMIAL("legendre_p", "Legendre polynomial", legendre_p),
    {.name = "polygamma",
     .summary = "derivative of digamma",
     .evaluate = polygamma,
     .ulps = 16,
     .moved = 16,
     .of_terms = 4,
     .degree = "order"},
    {.name = "multigammaln",
     .summary = "logarithm of the multivariate gamma function",
     .evaluate = multigammaln,
     .ulps = 16,
     .moved = 16,
     .of_terms = 16,
     .past_degree = true,
     .limits = LIMITS(NEAR(INFINITY, INFINITY, INFINITY)),
     .source = "a limit: DLMF, 35.3.4",
     .degree = "p"},
    {.name = NULL},
};
