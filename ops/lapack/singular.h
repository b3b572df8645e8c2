/* Singular values and vectors: those of A are eigenvalues and eigenvectors of ((0, A), (A^H, 0)),
 * with their opposites and zeros (Golub and Van Loan, Matrix Computations, 4th ed., section 8.6.1).
 * They are judged as eigenvalues are (spectrum.h), with 2 p(max(m, n)). */
#ifndef OPS_LAPACK_SINGULAR_H
#define OPS_LAPACK_SINGULAR_H

#include "spectrum.h"

/* Of ((0, A), (A^H, 0)); vectors of values above 0 alone.
 *
 * They are found by the one-sided method of Jacobi in 64 bits (Golub and Van Loan, section 8.6.3):
 * rotations, each with a relative error below 24 units of that arithmetic of the columns that it
 * changes, make the columns of W = A V orthogonal.  Theorem.  Let d_j be the norms of the columns,
 * X = W D^-1 (of a column that is 0 any one orthogonal to the others) and F = X^H X - I.  The
 * singular values of X lie within sqrt(1 +- |F|), and those of W = X D, ordered, within a factor of
 * these of the d_j (Horn and Johnson, Topics in Matrix Analysis, theorem 3.3.16).  So d_j is off by
 * at most |F| d_j where |F| <= 1, and by the rotations' errors (Weyl).  Columns below 2^-60 |A| are
 * taken for 0, which adds twice their norm (Weyl). */
Spectrum singular_spectrum(const Matrix *a, Arena *arena);

/* Puts values that a kernel computed, within their bound, none above the one before it, none
 * negative, from component number `first` of a reference on. */
void singular_put_values(Ref *ref, size_t first, DType dtype, const Matrix *a,
                         const Spectrum *doubled, const double *got);

/* Puts vectors, the columns of X, which are those of `ref`, or conjugate its rows: the element of
 * A Y - X diag(s) over the norm, of columns that have a value, or of X^H X - I, whichever is
 * larger. */
void singular_put_vectors(Ref *ref, size_t first, const Matrix *a, const Matrix *x, const Matrix *y,
                          const double *s, int64_t values, double norm, bool turned);

/* `count` vectors of `extent` elements from place `first` of those of the doubled matrix, and where
 * the value is 0 any that complete them. */
Matrix singular_vectors(const Spectrum *doubled, const Matrix *a, int64_t first, int64_t extent,
                        int64_t count, Arena *arena);

/* Makes column j of X orthogonal to those before it and of norm 1; its norm before. */
double singular_orthonormalise(Matrix *x, int64_t j);

#endif
