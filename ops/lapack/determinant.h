/* Determinants and their logarithms, of real and of complex matrices.
 *
 * With singular values s_i and E = p u |A|, |det(A + E) - det A| <= product (s_i + |E|) - product
 * s_i (Ipsen and Rehman, Perturbation Bounds for Determinants and Characteristic Polynomials, SIAM
 * J. Matrix Anal. Appl. 30 (2008), corollary 2.7), and n roundings of the product; one of complex
 * numbers has a relative error of at most sqrt(2) gamma_2 (Higham, Accuracy and Stability of
 * Numerical Algorithms, 2nd ed., lemma 3.5).  The exact one is found in 64 bits, with an error of
 * the same form.  Each part of a complex one is within the bound of the whole.
 *
 * Of a logarithm the matrix is scaled by a power of two first, since no determinant need be formed
 * (NumPy, slogdet: more robust against overflow and underflow).  Where the change is a share c < 1
 * of the determinant its sign is known, and the logarithm is between those of both ends; a sign of
 * complex numbers is off by at most 2 c, since |x / |x| - y / |y|| <= 2 |x - y| / |x|, and by what
 * is rounded of n quotients of modulus 1, of their moduli and of their product.  Where it is not
 * known, the logarithm is at most that of the upper end, and that of n pivots that are the least of
 * numbers at least; a sign of 0 is that of -infinity, and the other way round (array API standard,
 * slogdet). */
#ifndef OPS_LAPACK_DETERMINANT_H
#define OPS_LAPACK_DETERMINANT_H

#include "matrix.h"

/* bound: p u, and what underflow adds to it. */
typedef struct DeterminantInput {
    const Matrix *a;
    DType dtype;
    double norm, bound;
    Arena *arena;
} DeterminantInput;

/* Puts the determinant at an element of a reference from ref_allocate_bounded; nothing where it may
 * leave the range. */
void determinant_put(Ref *ref, size_t element, const DeterminantInput *input);

/* Puts a sign and the logarithm that goes with it; got: the sign that a kernel computed. */
void determinant_put_logarithm(Ref *sign, Ref *logarithm, size_t element, Scalar got,
                               const DeterminantInput *input);

/* The determinant, or where `logarithm` is not NULL its sign and the logarithm of its modulus. */
Scalar determinant_of(const Matrix *a, double *logarithm, Arena *arena);

#endif
