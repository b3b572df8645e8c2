/* Magnitudes: upper bounds in binary64, by arithmetic that rounds to nearest.  Every bound of an
 * error, of a reference or of a kernel, is formed with these operations, whose names say where they
 * round: `_up` gives a number that is not below the exact result, `_down` one that is not above it.
 *
 * Theorem.  Let x and y be non-negative, unless said otherwise, infinity included.  Then the exact
 * result of each operation lies on the side that its name says, also where it underflows or
 * overflows, and within 3 units in the last place of the result, or within 2 of the smallest
 * subnormal 2^-1074.  A sum, product or quotient of which an exact operand is 0 stays 0.
 *
 * Proof.  Let z be the result rounded to nearest, u = 2^-53.  A z that is normal is off by at most
 * half a unit in the last place, and z (1 + 2 u) lies at least one such unit above z: rounded to
 * nearest, it is the next number or a larger one.  Sums and differences that are subnormal are
 * exact, and 2 u of them rounds away.  Other results that are subnormal are exact, or off by at
 * most 2^-1075: adding 2^-1074, which is exact, is enough.  Square roots are 0 or normal.  z (1 -
 * u) lies at least half a unit below z and rounds to the number below or a smaller one.  QED.
 *
 * NaN comes out where an operand is NaN or the operation has no value (0 times infinity).  Valid in
 * round-to-nearest with subnormals, which selftest_run checks. */
#ifndef REFERENCE_MAG_H
#define REFERENCE_MAG_H

#include <math.h>

#include "power.h"

/* At least x + y; either may be negative where their sum is not. */
static inline double add_up(double x, double y)
{
    return (x + y) * (1 + 0x1p-52);
}

/* At most x - y; where x < y it is not positive. */
static inline double sub_down(double x, double y)
{
    return (x - y) * (1 - 0x1p-53);
}

/* The same for a result z that is subnormal, 0 or NaN. */
double mul_up_tiny(double x, double y, double z);
double div_up_tiny(double x, double z);
double ldexp_up_tiny(double x, int exponent, double z);

static inline double mul_up(double x, double y)
{
    double z = x * y;
    return z >= 0x1p-1022 ? z * (1 + 0x1p-52) : mul_up_tiny(x, y, z);
}

/* y is positive: for a lower bound of the divisor, as sub_down gives it. */
static inline double div_up(double x, double y)
{
    double z = x / y;
    return z >= 0x1p-1022 ? z * (1 + 0x1p-52) : div_up_tiny(x, z);
}

static inline double sqrt_up(double x)
{
    return sqrt(x) * (1 + 0x1p-52);
}

/* x 2^exponent. */
static inline double ldexp_up(double x, int exponent)
{
    double z = x;
    if (exponent == 0 || x == 0)
        return x;
    z = times_power_of_two(x, exponent);
    return z >= 0x1p-1022 ? z : ldexp_up_tiny(x, exponent, z);
}

/* A magnitude of 64 bits in binary64: at least, or at most, every number that rounds to x there. */
static inline double double_up(long double x)
{
    double z = (double)x;
    return z >= 0x1p-1022 ? z * (1 + 0x1p-52) : z + (x == 0 ? 0 : 0x1p-1074);
}

static inline double double_down(long double x)
{
    double z = (double)x;
    if (z == INFINITY)
        return 0x1.fffffffffffffp1023;
    return z < 0x1p-1022 ? fmax(z - 0x1p-1074, 0) : z * (1 - 0x1p-53);
}

/* For formulas that are clearer in one line than in the operations above: x is the value of an
 * expression of at most `operations` sums, products, quotients and square roots of magnitudes, each
 * rounded to nearest and none of them subnormal.  At least its exact value; operations < 2^20. */
static inline double formula_up(double x, int operations)
{
    return x * (1 + (operations + 1) * 0x1p-52);
}

#endif
