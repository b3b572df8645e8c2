/* What judge.c says of single elements; private to judgements. */
#ifndef ORACLE_JUDGE_PARTS_H
#define ORACLE_JUDGE_PARTS_H

#include "judge.h"

/* The verdict on one component: TIER_NONE when it is admitted. */
typedef struct ElementVerdict {
    Tier tier;
    Defect defect;
    double ratio;
    bool undecided, informative, anything;
    Bound bound;
} ElementVerdict;

ElementVerdict judge_element(const BoundTable *table, const Ref *ref, size_t i, double got);

/* The element is the worst. */
void judge_note_worst(Judgement *j, const Ref *ref, size_t i, const ElementVerdict *v, double got);

#endif
