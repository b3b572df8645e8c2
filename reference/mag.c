/* The ends of the range, which the operations of mag.h leave to functions. */
#include "mag.h"

double mul_up_tiny(double x, double y, double z)
{
    const double scale = 0x1p600;
    double lesser = fmin(x, y), greater = fmax(x, y);
    if (x == 0 || y == 0 || isnan(z))
        return z;
    /* From the smallest subnormal on, scaled products lose no bit, and show whether z is exact. */
    if (z > 0 && fma(lesser * scale, greater, -z * scale) == 0)
        return z;
    return z + 0x1p-1074;
}

double div_up_tiny(double x, double z)
{
    return x == 0 ? 0 : z + 0x1p-1074;
}

double ldexp_up_tiny(double x, int exponent, double z)
{
    return ldexp(z, -exponent) == x ? z : z + 0x1p-1074;
}
