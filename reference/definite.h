/* Where a Cholesky factorization may end for want of definiteness.
 *
 * Theorem (Demmel; Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., theorem 10.7).
 * Let A = D H D with D^2 = diag(A) positive and gamma = n gamma_(n+1) / (1 - gamma_(n+1)).  Short
 * of underflow and overflow, a Cholesky factorization in floating point succeeds where the least
 * eigenvalue of H is above gamma, and fails where it is at most -gamma.
 *
 * The least eigenvalue of H is above gamma exactly where A - gamma D^2 is positive definite, and a
 * failure at step k concerns leading minors: so none comes before the first leading minor of A -
 * gamma D^2 that is not positive definite, and one must have come by the first of A + gamma D^2
 * that is not.  Both are found by elimination in double-double, for which gamma is raised by far
 * more than its error.  Of complex matrices gamma is that of twice the constant, for 2 n + 12. */
#ifndef REFERENCE_DEFINITE_H
#define REFERENCE_DEFINITE_H

#include "ref.h"

/* n x n, row-major, of which the lower triangle is read, and of its diagonal the real parts. */
typedef struct DefiniteInput {
    const Scalar *values;
    int64_t n;
    DType dtype;
} DefiniteInput;

/* Orders of leading minors from 1: a kernel that gives up does so within first..last, and it need
 * not where may_succeed.  Everything is admitted of matrices that are not finite, or whose numbers
 * are so large or small that the theorem does not hold. */
typedef struct DefiniteRange {
    int64_t first, last; /* n + 1 where none must fail */
    bool may_succeed;
} DefiniteRange;

DefiniteRange definite_range(const DefiniteInput *input, Arena *arena);

#endif
