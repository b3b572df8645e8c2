/* Products with powers of two, as ldexp gives them, without its call. */
#ifndef REFERENCE_POWER_H
#define REFERENCE_POWER_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* 2^exponent, for -1022 <= exponent <= 1023. */
static inline double power_of_two(int exponent)
{
    uint64_t bits = (uint64_t)(1023 + exponent) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The same for exponents beyond those of powers that are numbers: by two products, of which the
 * first one is exact. */
static inline double times_far_power(double x, int exponent)
{
    double half = x * power_of_two(exponent < 0 ? -512 : 1023);
    if (exponent > 1023 && exponent <= 2046)
        return half * power_of_two(exponent - 1023);
    if (exponent < -1022 && exponent >= -1534 && fabs(half) >= 0x1p-1022)
        return half * power_of_two(exponent + 512);
    return ldexp(x, exponent);
}

/* ldexp(x, exponent).  A product with a power that is a number rounds once, as ldexp does. */
static inline double times_power_of_two(double x, int exponent)
{
    if (exponent < -1022 || exponent > 1023)
        return times_far_power(x, exponent);
    return x * power_of_two(exponent);
}

#endif
