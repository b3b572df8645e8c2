/* The second call of a relation. */
#ifndef FUZZ_CHECK_RELATION_H
#define FUZZ_CHECK_RELATION_H

#include "check.h"

/* Outputs of one backend, kept outside the arena from one case to the related one. */
typedef struct KeptOutputs {
    double *values[OP_TENSORS_MAX];
    uint8_t *open[OP_TENSORS_MAX]; /* Ref.unspecified of the call; NULL: no component is */
    size_t counts[OP_TENSORS_MAX];
} KeptOutputs;

/* Copies the outputs as they are after a call, and what its references, unless they are NULL, leave
 * open of them. */
void outputs_keep(KeptOutputs *kept, const Operands *operands, const Ref *refs, Arena *arena);
void outputs_release(KeptOutputs *kept);

/* The reference's results of the first call, kept for the second. */
typedef struct KeptReference {
    double *high[OP_TENSORS_MAX], *low[OP_TENSORS_MAX];
    uint8_t *classes[OP_TENSORS_MAX];
    size_t counts[OP_TENSORS_MAX];
    int exponents[OP_TENSORS_MAX];
} KeptReference;
void reference_keep(KeptReference *kept, const Ref *refs);
void reference_release(KeptReference *kept);
/* Whether the exact results of the second call follow from those of the first: where data are
 * changed it is the reference that says so, not the name of the operator; and with which factor,
 * where that is one of two.  Complex products that are bounded by both their parts together may be
 * made of sums of both, whose roundings differ for conjugates: of these nothing is said. */
bool relation_is_true(Related *related, const Operands *operands, const KeptReference *first,
                      const Ref *second);
/* Whether each result is NaN, or a number far from the ends of the range. */
bool relation_is_moderate(const Operands *operands, const Ref *refs);
/* Whether another answer counts only where the relation holds for the numbers of the case without
 * the NaN and infinities among them, and all results are moderate then: elements that admit
 * anything are images of each other whatever the operator does, and so they are where products on
 * the way may leave the range. */
bool relation_needs_numbers(const Case *c, const CheckResult *result);
/* Whether a verdict on the first call leaves it to be held against the second: agreement, and where
 * the answer is compared also what the reference leaves open or somebody documents. */
bool relation_concerns(const CheckResult *result, bool same_answer);
/* Whether the answer is compared, not its bits: of what does not agree with the one result that a
 * text demands, too, where there are references of the second call. */
bool relation_asks_answer(const Related *related, const CheckResult *result);

/* The two calls whose results are compared. */
typedef struct RelatedCalls {
    const Backend *backend;
    const Case *c;           /* of the first */
    const Related *related;  /* how the second follows from it */
    const Operands *second;  /* as it left them */
    const Ref *refs;         /* of the second, where the answer is to be the same */
    bool same_answer;        /* that is what is compared, not bits */
    const KeptOutputs *kept; /* of the first */
} RelatedCalls;

/* Compares what the related call gave with what it must give; a difference becomes the result.
 * False where nothing follows, since results come near the ends of the range. */
bool relation_judge(const RelatedCalls *calls, CheckResult *result, Arena *arena);

#endif
