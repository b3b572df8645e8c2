/* Plain solutions and factors of real matrices in 64 bits. */
#ifndef OPS_LAPACK_DENSE_H
#define OPS_LAPACK_DENSE_H

#include "matrix.h"

/* The real parts of a matrix. */
long double *dense_widened(const Matrix *a, Arena *arena);

/* Gaussian elimination with partial pivoting of n rows of n numbers; X of A X = B in place of B,
 * which has `columns`.  The determinant. */
long double dense_eliminate(long double *a, long double *b, int64_t n, int64_t columns);

/* X of A X = B, of A^T A X = A^T B where A is no square, or the inverse where there is no B. */
Matrix dense_solve(const Matrix *a, const Matrix *b, Arena *arena);

/* Columns of Q by orthogonalisation, any where A's depend on each other, and Q^T A. */
void dense_factor_qr(const Matrix *a, Matrix *q, Matrix *r);

/* Frobenius' norm of columns first to end - 1. */
double dense_norm(const Matrix *a, int64_t first, int64_t end);

#endif
