/* LU factors with partial pivoting, as getrf and the drivers that call it give them.
 *
 * Given the rows as ipiv exchanges them, |P A - L U| is bounded element by element (reference/
 * equation.h), which needs no bound on the growth of U.  ipiv(k) is at least k and at most m.
 * Elements of L are at most 1, and sqrt 2 for complex types, whose pivots are the largest by
 * |re| + |im| (i?amax), but for the roundings of a reciprocal and a product; not where A has
 * numbers that are not finite, since NaN have no order.  info is the number of the first element of
 * U's diagonal that is exactly 0: the column of L below it is not computed.  A diagonal with NaN
 * leaves info open. */
#ifndef OPS_LAPACK_LU_H
#define OPS_LAPACK_LU_H

#include "lapack.h"

/* The references to fill, and the operands before the call and after it (NULL: there are none). */
typedef struct LapackLu {
    Ref *a_ref, *ipiv_ref, *info_ref;
    const Tensor *a, *ipiv, *info, *computed_a, *computed_ipiv, *computed_info;
} LapackLu;

/* What systems are solved with: of the kernel where it was called, else our own. */
typedef struct LuFactors {
    Matrix lu;
    int64_t *pivots; /* rows from 0 */
} LuFactors;

/* True where the factors can be used: info is 0, and ipiv has rows.  factors may be NULL. */
bool lapack_lu_reference(const LapackLu *lu, LuFactors *factors, Arena *arena);

#endif
