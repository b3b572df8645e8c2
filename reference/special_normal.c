/* Functions about the normal distribution. */
#include "special.h"

static const long double root_half = 0.707106781186547524400844362104849039L;
static const long double root_pi = 1.77245385090551602729816748334114518L;

/* The derivative of the logarithm of the distribution, below 0: the density over it. */
static long double hazard(long double x)
{
    return 0.797884560802865355879892119868763737L / special_erfcx(-x * root_half).value;
}

/* DLMF 7.12.1: terms fall to exp(-x^2), below 2^-70 from 7 on.  Before, the square is taken in
 * two parts, so that its rounding is not multiplied. */
FunctionValue special_erfcx(long double x)
{
    enum { FAR = 7 };
    if (isnan(x))
        return exactly(x);
    if (x < FAR) {
        long double square = x * x, rest = fmal(x, x, -square);
        FunctionValue v = relative(expl(square) * (1 + rest) * erfcl(x), 32);
        v.peak = x < -1 ? expl(square) : 0;
        return v;
    }
    long double term = 1, sum = 1, step = 1 / (2 * x * x);
    for (int k = 1; k < 2 * FAR * FAR && fabsl(term) > 0x1p-70L; k++) {
        long double next = -term * (long double)(2 * k - 1) * step;
        if (fabsl(next) >= fabsl(term))
            break;
        sum += term = next;
    }
    return relative(sum / (x * root_pi), 32);
}

/* The rounded argument of erfc moves it by x^2 times as much (DLMF 7.8.2). */
FunctionValue special_ndtr(long double x)
{
    return relative(erfcl(-x * root_half) / 2, 16 + (x < 0 ? 2 * x * x : 0));
}

FunctionValue special_log_ndtr(long double x)
{
    if (isnan(x))
        return exactly(x);
    if (x > -1)
        return relative(log1pl(-erfcl(x * root_half) / 2), 32 + 2 * x * x);
    return relative(logl(special_erfcx(-x * root_half).value / 2) - x * x / 2, 32);
}

/* Newton's method on log ndtr(x) = log(p): it is concave, so that every step ends left of the root,
 * and steps to the right stop where rounding does. */
static long double lower_quantile(long double p)
{
    enum { STEPS = 64 };
    long double goal = logl(p), x = -sqrtl(-2 * goal);
    for (int i = 0; i < STEPS; i++) {
        long double step = (goal - special_log_ndtr(x).value) / hazard(x);
        x += step;
        if (fabsl(step) <= 0x1p-62L * fabsl(x))
            break;
    }
    return x;
}

/* In the middle the error is absolute: the logarithm of a half has one. */
FunctionValue special_ndtri(long double p)
{
    if (isnan(p))
        return exactly(p);
    long double value = p <= 0.5L ? lower_quantile(p) : -lower_quantile(1 - p);
    return (FunctionValue){.value = value, .error = (fabsl(value) + 1) * 0x1p-57L};
}

/* Newton's method on erf(y) = |x|, which is concave too. */
static long double small_erfinv(long double size)
{
    enum { STEPS = 32 };
    long double y = size * root_pi / 2;
    for (int i = 0; i < STEPS; i++) {
        long double step = (size - erfl(y)) * root_pi / 2 * expl(y * y);
        y += step;
        if (fabsl(step) <= 0x1p-62L * y)
            break;
    }
    return y;
}

FunctionValue special_erfinv(long double x)
{
    long double size = fabsl(x);
    if (isnan(x))
        return exactly(x);
    long double y = size <= 0.5L ? small_erfinv(size) : -lower_quantile((1 - size) / 2) * root_half;
    return relative(copysignl(y, x), 64);
}

FunctionValue special_entr(long double x)
{
    return relative(-x * logl(x), 4);
}
