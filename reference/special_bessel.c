/* Bessel's functions and Airy's. */
#include "special.h"

static const long double pi = 3.14159265358979323846264338327950288L;
static const long double euler_gamma = 0.577215664901532860606512090082402431L;

/* DLMF 10.25.2: all terms are positive. */
static long double series_i(int order, long double x)
{
    long double square = x * x / 4, term = order ? x / 2 : 1, sum = term;
    for (int k = 1; term > sum * 0x1p-70L; k++) {
        term *= square / ((long double)k * (k + order));
        sum += term;
    }
    return sum;
}

/* DLMF 10.40.1 without the exponential: terms fall to exp(-2 x). */
static long double far_i(int order, long double x)
{
    enum { TERMS = 60 };
    long double term = 1, sum = 1;
    for (int k = 1; k < TERMS && fabsl(term) > 0x1p-70L; k++) {
        long double odd = 2 * k - 1;
        term *= (odd * odd - 4 * order) / (8 * k * x);
        sum += term;
    }
    return sum / sqrtl(2 * pi * x);
}

static FunctionValue bessel_i(int order, bool scaled, long double x)
{
    enum { FAR = 32 };
    long double size = fabsl(x), value;
    if (isnan(x))
        return exactly(x);
    if (size < FAR)
        value = series_i(order, size) * (scaled ? expl(-size) : 1);
    else
        value = far_i(order, size) * (scaled ? 1 : expl(size));
    FunctionValue v = relative(order ? copysignl(value, x) : value, 128);
    v.peak = scaled ? 0 : expl(size);
    return v;
}

FunctionValue special_i0(long double x)
{
    return bessel_i(0, false, x);
}

FunctionValue special_i0e(long double x)
{
    return bessel_i(0, true, x);
}

FunctionValue special_i1(long double x)
{
    return bessel_i(1, false, x);
}

FunctionValue special_i1e(long double x)
{
    return bessel_i(1, true, x);
}

/* DLMF 10.31.1 and 10.31.2, for x up to 1. */
static long double series_k(int order, long double x)
{
    enum { TERMS = 24 };
    long double square = x * x / 4, term = order ? x / 4 : 1, psi = -euler_gamma, sum = 0;
    for (int k = 0; k < TERMS; k++) {
        sum += term * (order ? 2 * psi + 1.0L / (k + 1) : psi);
        psi += 1.0L / (k + 1);
        term *= square / ((long double)(k + 1) * (k + 1 + order));
    }
    long double logarithm = logl(x / 2) * series_i(order, x);
    return order ? 1 / x + logarithm - sum : sum - logarithm;
}

/* exp(x) K(x) for x from 1 on, by the trapezoidal rule on DLMF 10.32.9: all terms are positive. The
 * integrand is analytic, and exp(x (1 - cos d)) large, within d < pi/2 of the real axis; the rule
 * of step h is off by that times exp(-2 pi d / h) (Trefethen and Weideman, SIAM Review 56, theorem
 * 5.1), below 2^-70 for this h. */
static long double integral_k(long double order, long double x)
{
    enum { EXPONENT = 48 };
    long double h = fminl(0.125L, 0.6L / sqrtl(x)), sum = 0.5L;
    for (int k = 1;; k++) {
        long double half = sinhl(k * h / 2), exponent = 2 * x * half * half;
        if (exponent > EXPONENT)
            return sum * h;
        sum += expl(-exponent) * (order == 0 ? 1 : coshl(order * k * h));
    }
}

static FunctionValue bessel_k(int order, bool scaled, long double x)
{
    if (isnan(x))
        return exactly(x);
    if (x <= 1)
        return relative(series_k(order, x) * (scaled ? expl(x) : 1), 128);
    return relative(integral_k(order, x) * (scaled ? 1 : expl(-x)), 128);
}

FunctionValue special_k0(long double x)
{
    return bessel_k(0, false, x);
}

FunctionValue special_k0e(long double x)
{
    return bessel_k(0, true, x);
}

FunctionValue special_k1(long double x)
{
    return bessel_k(1, false, x);
}

FunctionValue special_k1e(long double x)
{
    return bessel_k(1, true, x);
}

/* The size of the oscillation is what its error is relative to. */
static FunctionValue oscillating(long double value, long double size)
{
    return (FunctionValue){.value = value, .error = (fabsl(value) + size) * 0x1p-58L};
}

static long double envelope(long double x)
{
    return fminl(1, sqrtl(2 / (pi * fabsl(x))));
}

static FunctionValue bessel_j(int order, long double x)
{
    if (fabsl(x) < 1)
        return relative(order ? j1l(x) : j0l(x), 64);
    return oscillating(order ? j1l(x) : j0l(x), envelope(x));
}

FunctionValue special_j0(long double x)
{
    return bessel_j(0, x);
}

FunctionValue special_j1(long double x)
{
    return bessel_j(1, x);
}

static FunctionValue bessel_y(int order, long double x)
{
    return oscillating(order ? y1l(x) : y0l(x), envelope(x));
}

FunctionValue special_y0(long double x)
{
    return bessel_y(0, x);
}

FunctionValue special_y1(long double x)
{
    return bessel_y(1, x);
}

FunctionValue special_spherical_j0(long double x)
{
    return relative(sinl(x) / x, 4);
}

/* Taylor's series about 0 and then about the ends of steps: y'' = x y makes each coefficient of two
 * earlier ones. */
static void airy_step(long double at, long double h, long double *y, long double *slope)
{
    enum { TERMS = 40 };
    long double c[TERMS] = {*y, *slope, at * *y / 2}, power = h;
    for (int k = 3; k < TERMS; k++)
        c[k] = (at * c[k - 2] + c[k - 3]) / (k * (k - 1));
    *slope = c[1];
    *y = c[0] + c[1] * h;
    for (int k = 2; k < TERMS; k++) {
        *slope += k * c[k] * power;
        power *= h;
        *y += c[k] * power;
    }
}

static FunctionValue near_airy(long double x)
{
    const long double most = 0.5L;
    long double y = 0.355028053887817239260063186004183176L;
    long double slope = -0.258819403792806798405183560189203963L, at = 0;
    while (at != x) {
        long double h = fminl(fmaxl(x - at, -most), most);
        airy_step(at, h, &y, &slope);
        at = fabsl(x - at) <= most ? x : at + h;
    }
    return (FunctionValue){.value = y, .error = (fabsl(y) + 1) * 0x1p-58L};
}

/* DLMF 9.7.9 for x up to -11: terms fall to exp(-2 zeta). */
static FunctionValue far_airy(long double x)
{
    enum { TERMS = 40 };
    long double zeta = 2 * -x * sqrtl(-x) / 3, term = 1, even = 0, odd = 0;
    for (int k = 0; k < TERMS && term > 0x1p-70L; k++) {
        long double sign = k / 2 % 2 ? -1 : 1;
        *(k % 2 ? &odd : &even) += sign * term;
        long double m = 6 * (k + 1);
        term *= (m - 5) * (m - 3) * (m - 1) / (216 * (k + 1) * (2.0L * k + 1) * zeta);
    }
    long double size = 1 / sqrtl(pi * sqrtl(-x)), phase = zeta - pi / 4;
    return (FunctionValue){.value = size * (cosl(phase) * even + sinl(phase) * odd),
                           .error = size * (zeta + 16) * 0x1p-61L};
}

/* DLMF 9.6.2 where zeta is at least 1. */
FunctionValue special_airy_ai(long double x)
{
    if (isnan(x))
        return exactly(x);
    if (x <= 1.5L)
        return x < -11 ? far_airy(x) : near_airy(x);
    long double zeta = 2 * x * sqrtl(x) / 3;
    return relative(sqrtl(x / 3) / pi * expl(-zeta) * integral_k(1 / 3.0L, zeta), 128 + 4 * zeta);
}
