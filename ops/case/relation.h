/* Relations that need no reference: a second call on related operands whose result follows from the
 * first to the bit, since every rounding is symmetric and scales with powers of two as long as
 * nothing overflows or underflows.
 *
 * Relations that hold only up to rounding (padding, slices, threads) are not here: both sides are
 * judged against the reference, which implies them. */
#ifndef OPS_RELATION_H
#define OPS_RELATION_H

#include "case.h"

/* The second call, whose results must be factor times those of the first.  Whatever the data are,
 * where `whatever` says so; else results near the ends of the range say nothing. */
typedef struct Related {
    Case c;
    double factor;
    bool whatever;
} Related;

/* The second call that exec.relation names; false where the relation does not hold or the data come
 * near the ends of the range. */
bool relation_apply(const Case *c, Related *related);

/* True when values of this size are multiplied by the factor without rounding, and so were the
 * sums that led to them.  In types of a short range 0 may be what is left of a number that the
 * factor makes greater. */
bool relation_in_range(const Related *related, DType dtype, double value);

#endif
