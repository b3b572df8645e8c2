/* Kernels whose results are known for all inputs: t_exhaust.sh counts them. */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static uint16_t pattern_of(_Float16 x)
{
    uint16_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Correctly rounded: binary64 has more than twice the bits, and no result lies near a midpoint. */
static _Float16 right(_Float16 x)
{
    return (_Float16)exp((double)x);
}

#define KERNEL(name, value)                                                                        \
    __attribute__((visibility("default"))) void name(const _Float16 *x, _Float16 *y, long n);      \
    void name(const _Float16 *x, _Float16 *y, long n)                                              \
    {                                                                                              \
        for (long i = 0; i < n; i++)                                                               \
            y[i] = (value);                                                                        \
    }

/* 0x3e01 is 1.5009765625. */
static _Float16 once(_Float16 x)
{
    return pattern_of(x) == 0x3e01 ? (_Float16)5 : right(x);
}

/* One ulp above the right result for a whole binade, 1 to 2. */
static _Float16 above(_Float16 x)
{
    _Float16 y = right(x);
    uint16_t bits = pattern_of(x), up = (uint16_t)(pattern_of(y) + 1);
    if (bits >= 0x3c00 && bits < 0x4000)
        memcpy(&y, &up, sizeof y);
    return y;
}

static _Float16 crash(_Float16 x)
{
    if (pattern_of(x) == 0x3e01)
        *(volatile int *)8 = 1;
    return right(x);
}

static _Float16 flush(_Float16 x)
{
    _Float16 y = right(x);
    return (pattern_of(y) & 0x7c00) ? y : (_Float16)0;
}

static _Float16 late(_Float16 x)
{
    if (pattern_of(x) % 512 == 0)
        (void)usleep(20000);
    return right(x);
}

static _Float16 nan_lost(_Float16 x)
{
    return x == x ? right(x) : (_Float16)0;
}

KERNEL(k_right, right(x[i]))
KERNEL(k_once, once(x[i]))
KERNEL(k_above, above(x[i]))
KERNEL(k_crash, crash(x[i]))
KERNEL(k_flush, flush(x[i]))
KERNEL(k_late, late(x[i]))
KERNEL(k_nan_lost, nan_lost(x[i]))

/* Of binary32, rounded from binary64: with no result near a midpoint that is right as well. */
#define KERNEL32(name, value)                                                                      \
    __attribute__((visibility("default"))) void name(const float *x, float *y, long n);            \
    void name(const float *x, float *y, long n)                                                    \
    {                                                                                              \
        for (long i = 0; i < n; i++)                                                               \
            y[i] = (value);                                                                        \
    }

/* One ulp from the right result at a single input, 0x3f012345. */
static float once32(float x)
{
    float y = (float)exp((double)x);
    return x == 0x1.02468ap-1f ? nextafterf(y, 2) : y;
}

/* The wrong sign of one zero, and a sum that is far off once. */
static float sign32(float x)
{
    return x == 0 ? 0.0f : x == 0x1.02468ap-1f ? 3.0f : sqrtf(x);
}

KERNEL32(k_exp32, (float)exp((double)x[i]))
KERNEL32(k_once32, once32(x[i]))
KERNEL32(k_sign32, sign32(x[i]))
