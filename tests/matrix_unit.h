/* The additions of a matrix unit (oracle/bound.h), bit by bit: what tests judge and simulate. */
#ifndef TESTS_MATRIX_UNIT_H
#define TESTS_MATRIX_UNIT_H

#include <math.h>

/* The value without what lies below the quantum. */
static inline double matrix_unit_cut(double value, double quantum)
{
    return trunc(value / quantum) * quantum;
}

/* sum + products[0] + ... + products[count - 1], each cut below 2^-kept of the largest, the result
 * cut to binary32.  Products are exact in binary64; count is at most 64 and kept at most 40. */
static inline float matrix_unit_step(float sum, const double *products, int count, int kept)
{
    double largest = fabs((double)sum), total;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(products[i]));
    if (!(largest > 0) || !isfinite(largest)) {
        total = sum;
        for (int i = 0; i < count; i++)
            total += products[i];
        return (float)total;
    }
    double quantum = ldexp(1, ilogb(largest) - kept);
    total = matrix_unit_cut(sum, quantum);
    for (int i = 0; i < count; i++)
        total += matrix_unit_cut(products[i], quantum);
    if (total == 0)
        return 0;
    int exponent = ilogb(total);
    return (float)matrix_unit_cut(total, ldexp(1, (exponent < -126 ? -126 : exponent) - 23));
}

#endif
