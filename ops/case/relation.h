/* Relations by which a library is held against itself: a second call on related operands whose
 * result follows from the first.
 *
 * To the bit, where the same kernel does the same roundings: every rounding to nearest is symmetric
 * and scales with powers of two as long as nothing overflows or underflows, and a function of one
 * element has one value wherever that element lies.
 *
 * As the same answer, where another kernel may take the part or the layout: sums have other orders
 * there and functions other polynomials, and no library promises the last bits.  Both results are
 * within one bound then, which the judgement of the first and that of the second as a case of its
 * own imply.  What is left is what bounds leave open: which of several outcomes it is (NaN or not,
 * an infinity or not, the sign of a zero, which of some numbers), where a text is silent or a
 * departure is documented.  That must not depend on the place in a batch.
 *
 * A run in binary64 that is rounded is no relation: the reference is more accurate than that run,
 * and the bound is what a result may differ from it. */
#ifndef OPS_RELATION_H
#define OPS_RELATION_H

#include "operands.h"
#include "slice.h"

/* How the data of the second call follow from those of the first. */
typedef enum RelatedData {
    RELATED_SAME,       /* the same recipe makes them */
    RELATED_OPPOSITE,   /* operand 0 and what is added are negated */
    RELATED_CONJUGATED, /* all complex operands are conjugated */
    RELATED_REVERSED,   /* elements are in reverse order */
    RELATED_FIRST,      /* operand 0 is negated */
    RELATED_NEGATIVE,   /* all operands are */
    RELATED_PLACED      /* each operand is taken from where Related.places says */
} RelatedData;

/* The second call, whose results must be factor times those of the first.  Whatever the data are,
 * where `whatever` says so; else results near the ends of the range say nothing.  same_answer: they
 * need not have the same bits. */
typedef struct Related {
    Case c;
    double factor;
    bool whatever, same_answer;
    RelatedData data;
    SlicePlace places[OP_TENSORS_MAX];
} Related;

/* Whether operands have other signs, so that references tell what becomes of the result. */
bool relation_is_mirrored(const Related *related);

/* The second call that exec.relation names; false where the relation does not hold or the data come
 * near the ends of the range. */
bool relation_apply(const Case *c, Related *related);

/* The elements of the operands that the first call reads, each row-major; NULL for the others. */
typedef struct RelatedElements {
    char *elements[OP_TENSORS_MAX];
} RelatedElements;
/* Copies what a second call takes from the first one's operands, as they were built. */
void relation_keep(RelatedElements *kept, const Related *related, const Operands *first);
void relation_release(RelatedElements *kept);

/* Gives operands, built of related->c, their data where these are not RELATED_SAME. */
void relation_change(const Related *related, const RelatedElements *kept, Operands *operands);
/* The component of the first call's output that a component of the second's follows from, and what
 * it is to be multiplied by. */
size_t relation_image(const Related *related, const Operands *operands, int output,
                      size_t component, double *factor);

/* True where no number of the case comes near the ends of the range, however it is summed up: its
 * recipes and factors are plain, or put zeros, NaN and infinities among plain numbers. */
bool relation_is_tame(const Case *c);

/* True when values of this size are multiplied by the factor without rounding, and so were the
 * sums that led to them.  In types of a short range 0 may be what is left of a number that the
 * factor makes greater. */
bool relation_in_range(const Related *related, DType dtype, double value);

#endif
