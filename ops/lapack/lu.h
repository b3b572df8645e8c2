/* LU factors with partial pivoting, as getrf and the drivers that call it give them.
 *
 * Given the rows as ipiv exchanges them, |P A - L U| is bounded element by element (reference/
 * equation.h), which needs no bound on the growth of U.  ipiv(k) is at least k and at most m.
 * Elements of L are at most 1, and sqrt 2 for complex types, whose pivots are the largest by
 * |re| + |im| (i?amax), but for the roundings of a reciprocal and a product.  Where that sum
 * overflows it orders nothing: the pivot is at least largest / sqrt 2 then, no element is above
 * sqrt 2 largest, and those of L are at most 2.  Nothing is said where A has numbers that are not
 * finite, since NaN have no order.  info is the number of the first element of
 * U's diagonal that is exactly 0: the column of L below it is not computed.  A diagonal with NaN
 * leaves info open.
 *
 * Of a band with kl diagonals below the main one, ipiv(k) is at most k + kl, and the multipliers of
 * a step stay where that step left them: L has them where the exchanges of later steps take them.
 * What A is given beyond ku diagonals above the main one is room, and counts as 0. */
#ifndef OPS_LAPACK_LU_H
#define OPS_LAPACK_LU_H

#include "lapack.h"

/* The references to fill, and the operands before the call and after it (NULL: there are none). */
typedef struct LapackLu {
    Ref *a_ref, *ipiv_ref, *info_ref;
    const Tensor *a, *ipiv, *info, *computed_a, *computed_ipiv, *computed_info;
    bool band;
    int64_t kl, ku; /* of a band */
} LapackLu;

/* What systems are solved with: of the kernel where it was called, else our own. */
typedef struct LuFactors {
    Matrix lu;
    int64_t *pivots; /* rows from 0 */
} LuFactors;

/* True where the factors can be used: info is 0, and ipiv has rows.  factors may be NULL. */
bool lapack_lu_reference(const LapackLu *lu, LuFactors *factors, Arena *arena);

/* Factors by a kernel of our own, as they count and as they are stored; info. */
int64_t lapack_lu_compute(const Matrix *a, DType dtype, bool band, LuFactors *factors,
                          Matrix *stored, Arena *arena);

/* The references of ipiv and info, where U has that diagonal. */
void lapack_lu_integers(const LapackLu *lu, const Scalar *diagonal);

/* order[i] is the row that stands in row i once row k was exchanged with pivots[k] for all k; NULL
 * where one is no row, or with `ahead` a row before its step. */
int64_t *lapack_row_order(const int64_t *pivots, int64_t steps, int64_t rows, bool ahead,
                          Arena *arena);

/* X of A X = B, or of systems with the transpose, by such factors (solve.h). */
void lapack_lu_solve(Ref *b_ref, const LuFactors *factors, int64_t trans, const Tensor *b,
                     const Tensor *computed, Arena *arena);

/* Moves the multipliers of a band's factors from where their steps left them to where they are in
 * L.  pivots[k] is a row from k on, from 0. */
void lapack_exchange_multipliers(Matrix *lu, const int64_t *pivots, Arena *arena);

#endif
