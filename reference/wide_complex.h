/* Complex numbers in double-double arithmetic, made of sums of products of binary64. */
#ifndef REFERENCE_WIDE_COMPLEX_H
#define REFERENCE_WIDE_COMPLEX_H

#include "dtype.h"
#include "wide.h"

typedef struct WideComplex {
    Wide re, im;
} WideComplex;

/* |re| + |im|, which is at least the modulus and at most sqrt 2 of it. */
static inline double scalar_size(Scalar x)
{
    return fabs(x.re) + fabs(x.im);
}

static inline bool scalar_is_finite(Scalar x)
{
    return isfinite(x.re) && isfinite(x.im);
}

/* sum += sign x y. */
void wide_complex_add_product(WideComplex *sum, double sign, Scalar x, Scalar y);
/* The same for a y in double-double. */
void wide_complex_add_scaled(WideComplex *sum, double sign, Scalar x, const WideComplex *y);
/* sum / t to about 100 bits, where t is finite and not 0. */
WideComplex wide_complex_divide(WideComplex sum, Scalar t);

#endif
