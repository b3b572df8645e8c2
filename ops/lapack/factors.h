/* What the factors and solutions of a large system satisfy (OpDesc.factors): the bounds that lu.h,
 * ops_cholesky.c and solve.h have for each element, by sums of rows (reference/factor_sums.h). */
#ifndef OPS_LAPACK_FACTORS_H
#define OPS_LAPACK_FACTORS_H

#include "lapack.h"
#include "reference/factor_sums.h"

/* P A = L U as it stands in operand `a`, with rows from 0 in `pivots` and an order of the rows of A
 * that follows from them. */
void lapack_check_lu(FactorChecks *checks, const ReferenceInput *input, int a,
                     const int64_t *order);
/* A = L L^H or U^H U. */
void lapack_check_cholesky(FactorChecks *checks, const ReferenceInput *input, int a, bool lower);

/* F G X = B for what stands in a whole matrix: L U, U^T L^T or U^H L^H, or a triangle's L L^H or
 * U^H U. */
typedef struct LargeSolve {
    int a, b;
    bool cholesky, lower, transposed, conjugate;
    const int64_t *order; /* of rows of B, or of X where A is transposed; NULL: as they lie */
} LargeSolve;
void lapack_check_solution(FactorChecks *checks, const ReferenceInput *input,
                           const LargeSolve *solve);

/* op(A) X = B for a triangle A: X by substitution satisfies |B - op(A) X| <= gamma |op(A)| |X|
 * (Higham, ibid., theorem 8.5). */
typedef struct LargeTriangle {
    int a, b;
    bool lower, unit, transposed, conjugate;
} LargeTriangle;
void lapack_check_triangle(FactorChecks *checks, const ReferenceInput *input,
                           const LargeTriangle *triangle);

/* OpDesc.is_product of operators with these: data that are not made near singular. */
bool lapack_is_plain_matrix(const void *params);

#endif
