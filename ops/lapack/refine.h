/* Error bounds of computed solutions, as the routines of refinement give them.
 *
 * berr is the componentwise relative backward error of a column x, the least relative change of
 * elements of A and b that makes x exact: the largest |b - A x|_i / (|A| |x| + |b|)_i (Oettli and
 * Prager; Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., theorem 7.3).  In any
 * order of evaluation the residual is off by gamma (|A| |x| + |b|)_i, and that sum by gamma of
 * itself (lemma 8.4).  Rows whose sum is below nz times the smallest normal number over eps, nz one
 * more than the elements of a row, may have nz times that number added to both (dgerfs.f, SAFE1 and
 * SAFE2), which takes their quotient towards 1.
 *
 * ferr is an estimate of an upper bound of the largest |x - x'|_i over the largest |x|_i, the norm
 * of |A^-1| w by rows over that, w = |b - A x| + nz eps (|A| |x| + |b|), as reliable as those of
 * condition numbers: |diag(w) A^-H z| / |z| in the norm of columns for some z, found by their
 * method (condition.h), with w between what the error of the residual admits.
 *
 * Where the norm of A^-1 is found, not estimated (condition.h), the largest number of w may take
 * the place of w (dptrfs.f), so that ferr is at most that times the norm.
 *
 * Of complex numbers magnitudes may be |re| + |im|, as in LAPACK, or moduli; each quotient is one
 * of these or between them. */
#ifndef OPS_LAPACK_REFINE_H
#define OPS_LAPACK_REFINE_H

#include "condition.h"

#define LAPACK_LDX P_PAD(Lapack, ldx, 1 << 16, "leading dimension of X beyond its minimum")
#define LAPACK_LDAF                                                                                \
    P_PAD(Lapack, ldaf, 1 << 16, "leading dimension of the factors beyond its minimum")

/* A whole matrix, its factors, and nz. */
typedef struct Refinement {
    DType dtype;
    const Matrix *a;
    Condition factors;
    double nonzeros,
        most_nonzeros; /* one more than elements of a row, exactly or counted roughly */
    /* Of a system that was scaled: what came out, row i of which is factor i times that of the
     * solution but for a rounding, which the counts of terms have room for; and the ratio of the
     * least factor to the largest one within 32 roundings, by which ferr is divided. */
    const Matrix *scaled;
    const double *factors_of_x;
    double ratio;
} Refinement;

/* op(A) for a transpose of the BLAS: the matrix, and which norm of the factors' inverse it asks. */
Matrix refine_transposed(const Matrix *a, int64_t trans, Arena *arena);

/* X of op(A) X = B, where no kernel was called: steps with the inverse of the factors in wider
 * arithmetic, each rounded. */
Matrix refine_solve(const Refinement *r, const Matrix *b, int64_t trans, Arena *arena);

/* Puts ferr and berr of each column of X, into references that are allocated. */
void refine_put_bounds(Ref *ferr, Ref *berr, const Refinement *r, const Matrix *b, const Matrix *x,
                       Arena *arena);

/* Puts X after steps that begin with X0 where A is F G but for gamma |F| |G|.
 *
 * Theorem.  Let delta = 8 gamma | |A^-1| |F| |G| | by rows be below 2^-10.  A step solves with F G
 * for the residual of x and adds the result d: the new residual is (A - F G - E) d and what
 * rounding adds, at most 3 gamma |F| |G| |d| + gamma (|A| |x| + |b|) + u |A| |x + d| (theorem 9.4),
 * and |d| is at most twice the error of x, which each step makes delta times as large but for gamma
 * of | |A^-1| |F| |G| | |x|.  So row i of the residual of the last x, where at least one step was
 * made, is at most 32 gamma (|F| |G| e)_i (|x0| + |x|), in the norm of the largest element. */
void refine_put_solution(Ref *ref, const Refinement *r, const Matrix *b, const Matrix *before,
                         const Matrix *x, Arena *arena);

#endif
