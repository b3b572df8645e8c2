/* Double-double arithmetic: an unevaluated sum high + low.  Valid only in round-to-nearest without
 * contraction, which selftest_run checks. */
#ifndef REFERENCE_WIDE_H
#define REFERENCE_WIDE_H

#include <math.h>

#include "power.h"

typedef struct Wide {
    double high, low;
} Wide;

/* a + b exactly, short of overflow (Knuth). */
static inline Wide wide_two_sum(double a, double b)
{
    double sum = a + b, part = sum - a;
    return (Wide){sum, (a - (sum - part)) + (b - part)};
}

/* a * b exactly, short of overflow and of products below 2^-969. */
static inline Wide wide_two_product(double a, double b)
{
    double product = a * b;
    return (Wide){product, fma(a, b, -product)};
}

/* x + y with relative error at most 3 u^2 + O(u^3), u = 2^-53 (Joldes, Muller, Popescu, ACM TOMS
 * 44(2), 2017, algorithm AccurateDWPlusDW). */
static inline Wide wide_add(Wide x, Wide y)
{
    Wide s = wide_two_sum(x.high, y.high), t = wide_two_sum(x.low, y.low);
    Wide v = wide_two_sum(s.high, s.low + t.high);
    return wide_two_sum(v.high, t.low + v.low);
}

/* x * y with relative error at most 2 u^2 + O(u^3) (ibid., algorithm DWTimesFP3). */
static inline Wide wide_scale(Wide x, double y)
{
    Wide p = wide_two_product(x.high, y);
    return wide_two_sum(p.high, fma(x.low, y, p.low));
}

/* Above the relative error of any of these operations on what they add: 16 u^2. */
static const double WIDE_UNIT = 0x1p-102;

static inline Wide wide_ldexp(Wide x, int exponent)
{
    return (Wide){times_power_of_two(x.high, exponent), times_power_of_two(x.low, exponent)};
}

#endif
