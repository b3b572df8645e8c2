/* Functions about the gamma function. */
#include "special.h"

static const long double pi = 3.14159265358979323846264338327950288L;

FunctionValue special_lgamma(long double x)
{
    int sign;
    return relative(lgammal_r(x, &sign), 64);
}

/* DLMF 5.11.2, where x is at least 16: the first term left out is below 2^-65. */
static long double digamma_series(long double x)
{
    static const long double terms[] = {
        1.0L / 12,       -1.0L / 120, 1.0L / 252,      -1.0L / 240,      1.0L / 132,
        -691.0L / 32760, 1.0L / 12,   -3617.0L / 8160, 43867.0L / 14364, -174611.0L / 6600};
    long double square = 1 / (x * x), sum = 0;
    for (int k = (int)COUNT_OF(terms) - 1; k >= 0; k--)
        sum = (sum + terms[k]) * square;
    return logl(x) - 1 / (2 * x) - sum;
}

const FunctionLimit special_digamma_limits[] = {
    AT_INTEGERS(-INFINITY, BELOW_ZERO, NAN),
    NEAR_OR_NAN(-0.0L, INFINITY),
    NEAR_OR_NAN(0.0L, -INFINITY),
    NEAR(INFINITY, INFINITY, INFINITY),
    {.kind = LIMIT_END},
};

/* DLMF 5.5.2 up to 16, and 5.5.4 for what lies left of 0: x less the nearest integer is exact. */
FunctionValue special_digamma(long double x)
{
    enum { FAR = 16 };
    if (isnan(x))
        return exactly(x);
    long double y = x > 0 ? x : 1 - x, value = 0, size = 0;
    while (y < FAR) {
        value -= 1 / y;
        size += 1 / y;
        y += 1;
    }
    value += digamma_series(y);
    size += logl(y);
    if (x < 0) {
        long double cotangent = pi / tanl(pi * (x - rintl(x)));
        value -= cotangent;
        size += fabsl(cotangent);
    }
    return (FunctionValue){.value = value, .error = size * 0x1p-59L};
}
