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

/* Singular values with a small relative error, descending.
 *
 * Theorem (after Demmel and Veselic, Jacobi's method is more accurate than QR, SIAM Journal on
 * Matrix Analysis and Applications 13, 1992).  Let A = B D have m rows, columns of B of norm 1, D
 * the norms of A's columns, and C = B^H B.  A rotation that makes columns x and y, |x| >= |y|,
 * orthogonal has |s| |x| <= 2 |y|: where |x|^2 >= 2 |y|^2, |s| <= |x^H y| / (|x|^2 - |y|^2) <=
 * 2 |y| / |x|, else |x| <= sqrt 2 |y|.  So its rounding errors, u (|c| |x| + |s| |y|) of x and
 * u (|s| |x| + |c| |y|) of y, turned back, are those of columns that are off by at most 8 u of
 * their own norms: of A + E, |E D^-1| <= 16 u.  As (B + F) D has singular values within a factor of
 * 1 +- |F| |B^-1| of those of B D (Horn and Johnson, Topics in Matrix Analysis, theorem 3.3.16),
 * each is off by 16 u / smin(B) of itself.  Nor does smin(B) become small on the way: a rotation
 * multiplies det C by 1 / (1 - |c_xy|^2), and the others of n eigenvalues whose sum is n have a
 * product of at most (n / (n - 1))^(n - 1) < e, so that smin(B)^2 >= det C / e from the first step
 * to the last.  QED.
 *
 * How many rotations a column meets is not known: p(m) u, of spectrum.h, is taken for what they
 * come to together, a convention, here as a factor of 2 / sqrt(det C / e).  known is false where
 * that is above 1/16, or the norm of a column other than 0, of which the theorem says nothing, is
 * near the ends of the range: below sqrt safmin / u or above u sqrt overflow.  error and bound are
 * relative.
 */
typedef struct RelativeValues {
    bool known;
    long double *values;
    double error, bound;
} RelativeValues;
RelativeValues singular_relative(const Matrix *a, DType dtype, Arena *arena);

/* Puts values that a kernel computed, within their bound, none above the one before it, none
 * negative, from component number `first` of a reference on. */
void singular_put_values(Ref *ref, size_t first, DType dtype, const Matrix *a,
                         const Spectrum *doubled, const double *got);
/* The same of `count` values, from number `from` on, from 0. */
void singular_put_some(Ref *ref, size_t first, DType dtype, const Matrix *a,
                       const Spectrum *doubled, const double *got, int64_t from, int64_t count);
/* How far a value may be from the exact one. */
double singular_distance(DType dtype, const Matrix *a, const Spectrum *doubled);

/* Puts vectors, the columns of X, which are those of `ref`, or conjugate its rows: the element of
 * A Y - X diag(s) over the norm, of columns that have a value, or of X^H X - I, whichever is
 * larger. */
void singular_put_vectors(Ref *ref, size_t first, const Matrix *a, const Matrix *x, const Matrix *y,
                          const double *s, int64_t values, double norm, bool turned);

/* The same where Y is not known, of columns that all have a value, which are vectors of A A^H:
 * with |A^H x - s y| and |A y - s x| within e |A| each, |A A^H x - s^2 x| is within 2 e |A|^2. */
void singular_put_alone(Ref *ref, size_t first, const Matrix *a, const Matrix *x, const double *s,
                        double norm, bool turned, Arena *arena);

/* `count` vectors of `extent` elements from place `first` of those of the doubled matrix, and where
 * the value is 0 any that complete them. */
Matrix singular_vectors(const Spectrum *doubled, const Matrix *a, int64_t first, int64_t extent,
                        int64_t count, Arena *arena);

/* Makes column j of X orthogonal to those before it and of norm 1; its norm before. */
double singular_orthonormalise(Matrix *x, int64_t j);

#endif
