/* Plain solutions and factors of matrices in 64 bits. */
#ifndef OPS_LAPACK_DENSE_H
#define OPS_LAPACK_DENSE_H

#include <complex.h>

#include "matrix.h"

typedef long double _Complex LongComplex;

LongComplex *dense_widened(const Matrix *a, Arena *arena);
LongComplex dense_product(LongComplex x, LongComplex y);
/* |re| + |im|. */
long double dense_size(LongComplex x);

/* Gaussian elimination with partial pivoting of n rows of n numbers; X of A X = B in place of B,
 * which has `columns`.  The determinant. */
LongComplex dense_eliminate(LongComplex *a, LongComplex *b, int64_t n, int64_t columns);

/* X of A X = B, of A^H A X = A^H B where A is no square, or the inverse where there is no B. */
Matrix dense_solve(const Matrix *a, const Matrix *b, Arena *arena);

/* Columns of Q by orthogonalisation, any where A's depend on each other, and Q^H A. */
void dense_factor_qr(const Matrix *a, Matrix *q, Matrix *r);

/* Frobenius' norm of columns first to end - 1. */
double dense_norm(const Matrix *a, int64_t first, int64_t end);

#endif
