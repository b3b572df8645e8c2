/* Bounds of many elements at once: the loops that bound.c has element by element, with the same
 * operations in the same order, so that the results are the same bits.  Compiled once for each
 * instruction set; private to bound.c. */
#ifndef ORACLE_BOUND_ROWS_H
#define ORACLE_BOUND_ROWS_H

#include "bound.h"

enum { BOUND_RUN = 64 };

/* True for the rules whose bounds the loops give: sums by IEEE additions, without flushing,
 * splitting, slices or transforms. */
bool bound_rule_is_plain(const BoundRule *rule, const Ref *ref, const Model *model);

/* Elements first..first + count - 1, count <= BOUND_RUN, of a plain rule.  Where odd is set, the
 * bounds have no meaning and bound.c finds them: classes other than CLASS_FINITE, sums that may
 * overflow, and bounds that leave the normal numbers. */
typedef void BoundRunKernel(const BoundRule *rule, const Ref *ref, size_t first, size_t count,
                            Bound *bounds, uint8_t *odd);

BoundRunKernel bound_run_baseline, bound_run_avx2, bound_run_avx512;

#endif
