/* Inverses of triangular matrices, and of products of a triangular matrix with its conjugate
 * transpose.
 *
 * Theorem.  Let L be lower triangular of order n, S its inverse, and Y computed so that
 *     |Y L - I| <= gamma |Y| |L|   or   |L Y - I| <= gamma |L| |Y|,   gamma = gamma_(n+2),
 * which each method of Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section
 * 14.2, that substitutes by rows or by columns, in blocks or not, satisfies on one side (lemmas
 * 14.1 to 14.3, with one rounding more for a reciprocal of the diagonal).  Then, element by
 * element,
 *     |Y - S| <= D,   D = K |S| + K D,   K = gamma |S| |L|.
 * Proof.  Of the first kind Y = (I + E) S with |E| <= gamma |Y| |L| <= gamma (|S| + |E| |S|) |L| =
 * K + |E| K, so that |E| <= K (I - K)^-1 and |Y - S| <= K (I - K)^-1 |S| = (I - K)^-1 K |S|.  Of
 * the second kind Y = S (I + E) with |E| <= gamma |L| |Y|, and in the same way |Y - S| <= |S|
 * gamma |L| |S| (I - gamma |L| |S|)^-1, which is the same matrix.  K is triangular with gamma on
 * its diagonal, so that (I - K)^-1 is not negative whatever the condition of L.  QED.
 *
 * Of complex matrices gamma is 2 gamma_(2 n + 12), and magnitudes are |re| + |im| (reference/
 * equation.h).  Products, quotients and reciprocals that underflow add c eta (1 + |l_kk|) to each
 * element of the residual, eta the smallest subnormal and c = 4 n + 8.
 *
 * Corollary.  X = Y^H Y, formed in any order, is within
 *     D^H |S| + |S|^H D + D^H D + gamma_n (|S| + D)^H (|S| + D)
 * of S^H S, the inverse of L L^H. */
#ifndef OPS_LAPACK_INVERSE_H
#define OPS_LAPACK_INVERSE_H

#include "lapack.h"
#include "reference/wide_complex.h"

/* S, row-major, in double-double, with |S|, an upper bound of its own error, and D. */
typedef struct TriangleInverse {
    int64_t n;
    WideComplex *values;
    double *sizes, *errors, *bounds;
    bool known; /* false where numbers are not finite, or may overflow or lose their reciprocals */
} TriangleInverse;

/* Of a lower triangular matrix, whose diagonal is written out, without zeros on it. */
TriangleInverse triangle_inverse(const Matrix *lower, DType dtype, Arena *arena);

/* Puts an element into element `at` of a reference from ref_allocate_bounded; anything where it is
 * not known. */
typedef void TrianglePut(const TriangleInverse *inverse, Ref *ref, size_t at, int64_t i, int64_t j);
/* Element (i, j) of S, and of S^H S. */
void triangle_inverse_put(const TriangleInverse *inverse, Ref *ref, size_t at, int64_t i,
                          int64_t j);
void triangle_gram_put(const TriangleInverse *inverse, Ref *ref, size_t at, int64_t i, int64_t j);

/* The reference of a routine whose operands are a triangle, which is overwritten, and info: the
 * number of the first 0 on the diagonal of the factor, with which nothing is said of the triangle.
 * turned: element (i, j) of the triangle is element (j, i) of what is put. */
void triangle_reference(Ref *refs, const ReferenceInput *input, const Matrix *lower,
                        TrianglePut *put, bool turned, Arena *arena);

#endif
