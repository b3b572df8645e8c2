/* Norms of matrices whose elements are all known.
 *
 * The largest magnitude is exact, or for complex types within 4 ulp of the modulus (hypot: OpenCL C
 * 3.0, 7.4).  A sum of k magnitudes in any order is within gamma_(k-1) of it (Higham, Accuracy and
 * Stability of Numerical Algorithms, 2nd ed., (4.6)), and gamma_(k+7) for complex ones; so is the
 * largest of such sums.  The Frobenius norm is bounded as that of a vector of all components is
 * (reference/norm.h), with two roundings more for elements that are counted twice; nothing may
 * overflow on the way.
 *
 * NaN among the elements makes NaN, as the routines of Reference LAPACK test for it (since 3.4.2);
 * an infinity makes infinity, or of the Frobenius norm NaN, whose scaling divides infinities. */
#ifndef OPS_LAPACK_NORM_H
#define OPS_LAPACK_NORM_H

#include "lapack.h"

enum { NORM_LARGEST, NORM_ONE, NORM_INFINITY, NORM_FROBENIUS };

/* The 1 x 1 reference of a norm of the whole matrix, whose element type is dtype. */
void lapack_norm_reference(Ref *ref, const Matrix *a, DType dtype, int64_t norm, Arena *arena);

/* The operand that takes it. */
TensorSpec lapack_norm_result(const Lapack *q);
/* OpDesc.work. */
double lapack_norm_work(const void *params);

#endif
