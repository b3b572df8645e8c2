/* Square matrices of complex numbers with 64 bits. */
#ifndef OPS_LAPACK_LONG_MATRIX_H
#define OPS_LAPACK_LONG_MATRIX_H

#include <complex.h>

#include "matrix.h"

typedef struct LongMatrix {
    int64_t n;
    long double _Complex *values; /* row-major; in an arena */
} LongMatrix;

LongMatrix long_matrix_of(const Matrix *a, Arena *arena);
/* A B, or A B^H. */
LongMatrix long_matrix_product(const LongMatrix *a, const LongMatrix *b, bool turned, Arena *arena);
/* An element over a divisor. */
Scalar long_matrix_element(const LongMatrix *a, int64_t i, int64_t j, double divisor);

#endif
