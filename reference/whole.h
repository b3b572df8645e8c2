/* Integers of any size, of which the lowest 64 bits are known, and the value but for an error: what
 * two's complement leaves of a formula, and on which side of a range it lies (ref_put_whole). */
#ifndef REFERENCE_WHOLE_H
#define REFERENCE_WHOLE_H

#include <math.h>
#include <stdint.h>

#include "dtype.h"

typedef struct Whole {
    uint64_t bits;
    long double value, error;
} Whole;

/* One rounding to 64 bits, and a half more for the roundings of errors. */
static inline Whole whole_rounded(uint64_t bits, long double value, long double error)
{
    return (Whole){bits, value, 1.5L * error + 0x1p-63L * fabsl(value)};
}

static inline Whole whole_of(double x)
{
    return (Whole){dtype_bits_of(x), x, 0};
}

static inline Whole whole_add(Whole a, Whole b)
{
    return whole_rounded(a.bits + b.bits, a.value + b.value, a.error + b.error);
}

static inline Whole whole_subtract(Whole a, Whole b)
{
    return whole_rounded(a.bits - b.bits, a.value - b.value, a.error + b.error);
}

static inline Whole whole_multiply(Whole a, Whole b)
{
    return whole_rounded(a.bits * b.bits, a.value * b.value,
                         fabsl(a.value) * b.error + a.error * fabsl(b.value) + a.error * b.error);
}

#endif
