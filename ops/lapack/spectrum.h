/* Eigenvalues and eigenvectors of hermitian matrices.
 *
 * The eigenvalues of A that a backward stable routine gives are within p(n) u |A| of the exact ones
 * (Weyl; LAPACK Users' Guide, 3rd ed., section 4.7), its vectors Z, as columns, satisfy |A z - w
 * z|_2 <= p(n) u |A| and |Z^H Z - I| <= p(n) u.  No theorem gives p for all the algorithms in use:
 * it is 100 n, which is what LAPACK's own test programs accept (LAPACK Working Note 41; threshold
 * 50 in units of n ulp, ulp = 2 u), with Frobenius' norm of A.
 *
 * Relatively robust representations find each vector for itself.  |A z - w z|_2 <= r |A| of two
 * vectors gives |z_i^H z_j| <= 2 r |A| / |w_i - w_j|, and where values are nearer than 10^-3 |A|
 * they are shifted until their relative gaps are larger, so that the inner product is at most 10^3
 * p(n) u (Dhillon and Parlett, Multiple representations to compute orthogonal eigenvectors of
 * symmetric tridiagonal matrices, Linear Algebra and its Applications 387, 2004; 10^-3 is MINRGP of
 * LAPACK's xSTEMR).  So of these it is admitted |A| / |w_i - w_j| times p(n) u, but no less than
 * once and no more than 10^3 times.
 *
 * What is exact is found by Jacobi's method with cyclic rotations in 64 bits.  A rotation changes
 * two rows and two columns with a relative error below 12 units of that arithmetic (Higham,
 * Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 19.9); rotations and what is left
 * beside the diagonal bound the error of each eigenvalue (Weyl). */
#ifndef OPS_LAPACK_SPECTRUM_H
#define OPS_LAPACK_SPECTRUM_H

#include "matrix.h"

/* Values ascending, vectors as columns, rounded to binary64; low parts of the values, and an upper
 * bound of their error.  known is false where the matrix is not finite, or its norm is not within
 * the range of binary64: then values are NaN. */
typedef struct Spectrum {
    bool known;
    double *values, *lows, error, norm;
    Matrix vectors;
} Spectrum;

/* Of a hermitian matrix, of which the lower triangle is read, and of its diagonal the real parts.
 */
Spectrum spectrum_of(const Matrix *a, Arena *arena);

/* p(n) u, for a type. */
double spectrum_factor(DType dtype, int64_t n);

/* Puts what is expected at element number `at` of a reference from ref_allocate_bounded: what was
 * computed less its defect; any finite number where that is none. */
void spectrum_put_defect(Ref *ref, size_t at, Scalar got, Scalar defect, double bound);

/* Puts eigenvalues and eigenvectors, as columns, of the matrix whose lower triangle is `lower`, for
 * those that a kernel computed, into a reference from ref_allocate_bounded whose component number
 * `first` is their first one: values within their bound, none below the one before it; of vectors
 * the element of A Z - Z diag(w) over the norm, or of Z^H Z - I in units of what is admitted of it,
 * whichever is larger.  got[i] is the eigenvalue of number from + i, from 0; Z has at least `count`
 * columns, of which so many are judged.  most_apart: how many times p(n) u inner products may be at
 * most; 1, or SPECTRUM_ROBUST where each vector is found for itself. */
enum { SPECTRUM_ROBUST = 1000 };
void spectrum_put_values(Ref *ref, size_t first, const Spectrum *spectrum, DType dtype,
                         const double *got, int64_t from, int64_t count);
void spectrum_put_vectors(Ref *ref, size_t first, const Matrix *lower, const Matrix *z,
                          const double *w, int64_t count, double norm, double most_apart);

#endif
