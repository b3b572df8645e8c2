/* Relations by which a library is held against itself: a second call on related operands whose
 * result follows from the first to the bit, since every rounding to nearest is symmetric and scales
 * with powers of two as long as nothing overflows or underflows, and since a function of one
 * element has one value wherever that element lies.
 *
 * Relations that hold only up to rounding (padding, slices, threads) are not here: both sides are
 * judged against the reference, which implies them. */
#ifndef OPS_RELATION_H
#define OPS_RELATION_H

#include "operands.h"

/* How the data of the second call follow from those of the first. */
typedef enum RelatedData {
    RELATED_SAME,       /* the same recipe makes them */
    RELATED_OPPOSITE,   /* operand 0 and what is added are negated */
    RELATED_CONJUGATED, /* all complex operands are conjugated */
    RELATED_REVERSED    /* elements are in reverse order */
} RelatedData;

/* The second call, whose results must be factor times those of the first.  Whatever the data are,
 * where `whatever` says so; else results near the ends of the range say nothing. */
typedef struct Related {
    Case c;
    double factor;
    bool whatever;
    RelatedData data;
} Related;

/* The second call that exec.relation names; false where the relation does not hold or the data come
 * near the ends of the range. */
bool relation_apply(const Case *c, Related *related);

/* Gives operands, built of related->c, their data where these are not RELATED_SAME. */
void relation_change(const Related *related, Operands *operands);
/* The component of the first call's output that a component of the second's follows from, and what
 * it is to be multiplied by. */
size_t relation_image(const Related *related, const Operands *operands, int output,
                      size_t component, double *factor);

/* True when values of this size are multiplied by the factor without rounding, and so were the
 * sums that led to them.  In types of a short range 0 may be what is left of a number that the
 * factor makes greater. */
bool relation_in_range(const Related *related, DType dtype, double value);

#endif
