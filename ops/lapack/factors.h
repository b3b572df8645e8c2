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

/* The inverse X of a triangle T, in its place: |T X - I| <= gamma |T| |X| or |X T - I| <= gamma |X|
 * |T| (inverse.h), of which the second is an equation of the transposes. */
void lapack_check_triangle_inverse(FactorChecks *checks, const ReferenceInput *input,
                                   const LargeTriangle *triangle);
/* The inverse X of A in the place of its factors, P A = L U: |L U X - P| <= gamma |L| |U| |X|, or
 * the same of U^T L^T X^T (op_getri.c). */
void lapack_check_inverse(FactorChecks *checks, const ReferenceInput *input, int a,
                          const int64_t *order);

/* OpDesc.is_product of operators with these: data that are not made near singular. */
bool lapack_is_plain_matrix(const void *params);
/* OpDesc.well_posed of factors that are given, coefficients of a system; the ones on the diagonal
 * of L and the diagonal of U, which is made from the others, are so large beside small ones. */
void lapack_make_plain(void *params);

#endif
