/* Exponential integrals and the dilogarithm. */
#include "special.h"

static const long double pi = 3.14159265358979323846264338327950288L;
static const long double euler = 0.577215664901532860606512090082402431L;

/* The sum of x^k / (k k!), whose terms rise to exp(|x|) / |x| (DLMF 6.6.2). */
static long double power_sum(long double x, long double *size)
{
    enum { TERMS = 400 };
    long double term = 1, sum = 0;
    *size = 0;
    for (int k = 1; k < TERMS; k++) {
        term *= x / k;
        sum += term / k;
        *size += fabsl(term / k);
        if (fabsl(term) <= *size * 0x1p-80L)
            break;
    }
    return sum;
}

FunctionValue special_exp1(long double x)
{
    if (!(x > 0))
        return exactly(NAN);
    if (x > 1)
        return relative(expl(-x) * special_gamma_fraction(0, x, 0x1p-63L), 64);
    long double size, sum = power_sum(-x, &size), logarithm = logl(x);
    return (FunctionValue){.value = -euler - logarithm - sum,
                           .error = (euler + fabsl(logarithm) + size) * 0x1p-60L};
}

/* DLMF 6.2.7, and 6.12.2 from 56 on, where the least term is below 2^-70.  The usual way forms
 * exp(x) before it divides. */
FunctionValue special_expi(long double x)
{
    enum { FAR = 56 };
    if (isnan(x) || x == 0)
        return exactly(isnan(x) ? x : -INFINITY);
    if (x < 0) {
        FunctionValue v = special_exp1(-x);
        v.value = -v.value;
        return v;
    }
    FunctionValue v;
    if (x < FAR) {
        long double size, sum = power_sum(x, &size), logarithm = logl(x);
        v = (FunctionValue){.value = euler + logarithm + sum,
                            .error = (euler + fabsl(logarithm) + size) * 0x1p-59L};
    } else {
        long double term = 1, sum = 1;
        for (int k = 1; k < x && term > 0x1p-70L; k++)
            sum += term *= k / x;
        v = relative(expl(x) / x * sum, 64);
    }
    v.rise = expl(x);
    return v;
}

/* The dilogarithm of 0 to 1/2 by its series (DLMF 25.12.1). */
static long double dilogarithm(long double z)
{
    long double power = 1, sum = 0;
    for (int k = 1; power > 0x1p-80L; k++) {
        power *= z;
        sum += power / ((long double)k * k);
    }
    return sum;
}

/* The integral of log(t) / (1 - t) from 1 to x, which is the dilogarithm of 1 - x: reflected below
 * 1/2 (DLMF 25.12.6), turned up to 2 and inverted beyond (25.12.3 and 25.12.4). */
FunctionValue special_spence(long double x)
{
    if (isnan(x) || x < 0)
        return exactly(NAN);
    if (x == 0)
        return relative(pi * pi / 6, 4);
    if (x < 0.5L) {
        long double parts = pi * pi / 6 - logl(x) * log1pl(-x);
        return relative(parts - dilogarithm(x), 64);
    }
    if (x <= 1)
        return relative(dilogarithm(1 - x), 64);
    long double logarithm = logl(x);
    if (x <= 2) {
        logarithm = log1pl(x - 1);
        return relative(-dilogarithm((x - 1) / x) - logarithm * logarithm / 2, 64);
    }
    FunctionValue inverse = special_spence(1 / x);
    return relative(-inverse.value - logarithm * logarithm / 2, 128);
}

/* Dawson's integral, exp(-x^2) times that of exp(t^2) from 0 to x: a series of positive terms up to
 * 8 (DLMF 7.6.2), and beyond 7.12.1, whose least terms are below 2^-90. */
FunctionValue special_dawsn(long double x)
{
    enum { MODERATE = 8, TERMS = 1000 };
    long double size = fabsl(x), square = x * x;
    if (isnan(x) || isinf(x))
        return exactly(isnan(x) ? x : copysignl(0, x));
    if (size <= MODERATE) {
        long double term = x, sum = x;
        for (int k = 1; k < TERMS && fabsl(term) > fabsl(sum) * 0x1p-80L; k++) {
            term *= square / k;
            sum += term / (2 * k + 1);
        }
        return relative(expl(-square) * sum, 64 + 2 * square);
    }
    long double term = 1, sum = 1;
    for (int k = 1; k < square && term > 0x1p-70L; k++)
        sum += term *= (2 * k - 1) / (2 * square);
    return relative(sum / (2 * x), 16);
}
