/* The outputs of two related calls are compared to the bit. */
#include "check_relation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "admission.h"

void outputs_keep(KeptOutputs *kept, const Operands *o, const Ref *refs, Arena *arena)
{
    *kept = (KeptOutputs){0};
    for (int i = 0; i < o->shapes.count; i++) {
        if (!operands_is_output(o, i))
            continue;
        size_t count = operands_components(o, i), mark = arena->used;
        kept->counts[i] = count;
        kept->values[i] = memory_allocate(count, sizeof(double));
        if (refs && refs[i].unspecified) {
            kept->open[i] = memory_allocate(count, 1);
            memcpy(kept->open[i], refs[i].unspecified, count);
        }
        operands_output(o, i, kept->values[i], arena_take(arena, count + 1, 1));
        arena->used = mark;
    }
}

void outputs_release(KeptOutputs *kept)
{
    for (int i = 0; i < OP_TENSORS_MAX; i++) {
        free(kept->values[i]);
        free(kept->open[i]);
    }
    *kept = (KeptOutputs){0};
}

void reference_keep(KeptReference *kept, const Ref *refs)
{
    *kept = (KeptReference){0};
    for (int i = 0; i < OP_TENSORS_MAX; i++) {
        size_t count = refs[i].count;
        if (count == 0)
            continue;
        kept->counts[i] = count;
        kept->exponents[i] = refs[i].exponent;
        kept->high[i] = memory_allocate(count, sizeof(double));
        kept->low[i] = memory_allocate(count, sizeof(double));
        kept->classes[i] = memory_allocate(count, 1);
        memcpy(kept->classes[i], refs[i].classes, count);
        memcpy(kept->high[i], refs[i].high, count * sizeof(double));
        memcpy(kept->low[i], refs[i].low, count * sizeof(double));
    }
}

void reference_release(KeptReference *kept)
{
    for (int i = 0; i < OP_TENSORS_MAX; i++) {
        free(kept->high[i]);
        free(kept->low[i]);
        free(kept->classes[i]);
    }
    *kept = (KeptReference){0};
}

static unsigned negated_classes(unsigned classes)
{
    unsigned other = classes & ~(unsigned)CLASS_INFINITE;
    other |= classes & CLASS_POSITIVE_INFINITY ? CLASS_NEGATIVE_INFINITY : 0;
    return other | (classes & CLASS_NEGATIVE_INFINITY ? CLASS_POSITIVE_INFINITY : 0);
}

static bool is_image(const KeptReference *first, const Ref *second, int i, size_t k, size_t image,
                     double factor)
{
    unsigned classes = first->classes[i][image];
    return value_same(second->high[k], factor * first->high[i][image]) &&
           value_same(second->low[k], factor * first->low[i][image]) &&
           second->classes[k] == (factor < 0 ? negated_classes(classes) : classes);
}

static bool is_true_of(const Related *related, const Operands *o, const KeptReference *first,
                       const Ref *second)
{
    for (int i = 0; i < o->shapes.count; i++) {
        size_t count = operands_is_output(o, i) ? operands_components(o, i) : 0;
        if ((first->counts[i] == 0) != (count == 0) || second[i].count != count ||
            (related->data != RELATED_PLACED && first->counts[i] != count) ||
            first->exponents[i] != second[i].exponent ||
            (related->data == RELATED_CONJUGATED && second[i].rule == RULE_RELATIVE))
            return false;
        for (size_t k = 0; k < count; k++) {
            double factor;
            size_t image = relation_image(related, o, i, k, &factor);
            if (!is_image(first, &second[i], i, k, image, factor))
                return false;
        }
    }
    return true;
}

bool relation_is_true(Related *related, const Operands *o, const KeptReference *first,
                      const Ref *second)
{
    bool mirrored = relation_is_mirrored(related);
    if (is_true_of(related, o, first, second))
        return true;
    related->factor *= mirrored ? -1 : 1;
    return mirrored && is_true_of(related, o, first, second);
}

bool relation_is_moderate(const Operands *o, const Ref *refs)
{
    for (int i = 0; i < o->shapes.count; i++) {
        double most = ldexp(1, dtype_format(refs[i].dtype)->maximum_exponent * 3 / 4);
        for (size_t k = 0; k < refs[i].count; k++) {
            bool is_number = refs[i].classes[k] == CLASS_FINITE && fabs(refs[i].high[k]) < most;
            if (!is_number && refs[i].classes[k] != CLASS_NAN)
                return false;
        }
    }
    return true;
}

bool relation_needs_numbers(const Case *c, const CheckResult *result)
{
    const Judgement *j = &result->judgement;
    bool follows_by_place = c->op->in_place && c->exec.relation != RELATION_MIRRORED;
    bool other_class =
        j->defect == DEFECT_NAN || j->defect == DEFECT_LOST || j->defect == DEFECT_INFINITY;
    return j->kind == VERDICT_INVARIANCE && c->exec.relation >= RELATION_ALONE &&
           !follows_by_place && other_class;
}

bool relation_concerns(const CheckResult *result, bool same_answer)
{
    switch (result->judgement.kind) {
    case VERDICT_AGREE:
        return true;
    case VERDICT_POLICY:
    case VERDICT_VACUOUS:
    case VERDICT_UNDECIDED:
        return same_answer;
    default:
        return false;
    }
}

bool relation_asks_answer(const Related *related, const CheckResult *result)
{
    return related->same_answer || (related->data != RELATED_SAME && related->whatever &&
                                    result->judgement.kind != VERDICT_AGREE);
}

static bool is_left_open(const KeptOutputs *kept, int output, size_t component)
{
    return kept->open[output] && kept->open[output][component];
}

static bool all_in_range(const Operands *o, const Related *related, const KeptOutputs *kept)
{
    for (int i = 0; i < o->shapes.count; i++)
        for (size_t k = 0; k < kept->counts[i]; k++)
            if (!is_left_open(kept, i, k) &&
                !relation_in_range(related, o->view[i].dtype, kept->values[i][k]))
                return false;
    return true;
}

/* A component of the second call's outputs, and what it must be. */
typedef struct Compared {
    int output;
    size_t at;
    double expected, got;
    Defect defect;
} Compared;

static void put_difference(const RelatedCalls *calls, const Compared *component,
                           CheckResult *result)
{
    const Case *c = calls->c;
    bool same_answer = calls->same_answer;
    result->judgement = (Judgement){.kind = VERDICT_INVARIANCE,
                                    .defect = component->defect,
                                    .model = result->judgement.model,
                                    .worst = component->at,
                                    .total = calls->kept->counts[component->output],
                                    .expected_high = component->expected,
                                    .got = component->got};
    if (c->exec.relation == RELATION_MOVED || c->exec.relation == RELATION_REVERSED)
        admission_name(&(Documented){calls->backend, c->op, case_dtype(c)}, POLICY_POSITION,
                       &result->judgement);
    result->output = component->output;
    (void)snprintf(result->detail, sizeof result->detail,
                   same_answer ? "the related call (%s) gives another answer"
                               : "the related call (%s) gives other bits",
                   relation_names[c->exec.relation]);
}

/* What is known of the answers of one output. */
typedef struct Answers {
    const Ref *ref;
    bool alone; /* each element counts alone, and is a function of the same numbers in both calls */
    bool tame;
    bool mirrored; /* operands have other signs in the second call */
    bool joined;   /* that both calls have the same numbers follows from their references alone */
} Answers;

/* Whether two classes of value are two answers.  Sums that may overflow do so in one order and not
 * in another. */
static bool is_other_class(const Answers *answers, double expected, double got)
{
    unsigned classes = value_class(expected) | value_class(got);
    double least = fmin(fabs(expected), fabs(got));
    int reach = dtype_format(answers->ref->dtype)->maximum_exponent / 2;
    if (classes & CLASS_NAN)
        return answers->alone || answers->tame;
    return answers->tame && (isinf(least) || least < ldexp(1, reach));
}

/* Whether an element's second answer does not follow from the first.  Where references alone tell
 * that both calls have the same numbers, they do by elements of one class; and neither that a
 * function is odd or even nor the sign of its infinities follows from one that admits all. */
static bool is_open(const Answers *answers, size_t k, unsigned expects, unsigned class)
{
    unsigned admitted = answers->ref->classes[k];
    if (answers->joined && (admitted & (admitted - 1)))
        return true;
    bool opposite = (expects | class) == CLASS_INFINITE;
    return answers->mirrored &&
           (admitted == CLASS_ANY || (opposite && (admitted & CLASS_INFINITE) == CLASS_INFINITE));
}

static Defect answer_defect(const Answers *answers, size_t k, double expected, double got)
{
    unsigned expects = value_class(expected), class = value_class(got);
    if (is_open(answers, k, expects, class) ||
        (class != expects && !is_other_class(answers, expected, got)))
        return DEFECT_NONE;
    if (class != expects)
        return class == CLASS_NAN      ? DEFECT_NAN
               : class == CLASS_FINITE ? DEFECT_LOST
                                       : DEFECT_INFINITY;
    if (class != CLASS_FINITE || !answers->alone)
        return DEFECT_NONE;
    bool one_of = dtype_is_integer(answers->ref->dtype) || answers->ref->match[k] == MATCH_SET;
    if (got == 0 && expected == 0)
        return signbit(got) != signbit(expected) ? DEFECT_ZERO_SIGN : DEFECT_NONE;
    return one_of && got != expected ? DEFECT_VALUE : DEFECT_NONE;
}

static bool is_joined(const RelatedCalls *calls)
{
    bool joined = false;
    for (int i = 0; calls->related->data == RELATED_PLACED && i < calls->second->shapes.count; i++)
        joined = joined || calls->related->places[i].joined;
    return joined;
}

/* True where a component of an output differs more than it may.  What the first call's reference
 * leaves open may be anything in each call. */
static bool find_difference(const RelatedCalls *calls, const KeptOutputs *second, int i,
                            Compared *component)
{
    const Related *related = calls->related;
    bool mirrored = relation_is_mirrored(related);
    Answers answers = {&calls->refs[i], calls->c->op->in_place && !mirrored,
                       relation_is_tame(calls->c), mirrored, is_joined(calls)};
    for (size_t k = 0; k < second->counts[i]; k++) {
        double factor, got = second->values[i][k];
        size_t image = relation_image(related, calls->second, i, k, &factor);
        double expected = factor * calls->kept->values[i][image];
        if (is_left_open(calls->kept, i, image))
            continue;
        Defect defect =
            related->same_answer ? answer_defect(&answers, k, expected, got) : DEFECT_NONE;
        *component = (Compared){i, k, expected, got, defect};
        if (defect != DEFECT_NONE || (!calls->same_answer && !value_same(got, expected)))
            return true;
    }
    return false;
}

bool relation_judge(const RelatedCalls *calls, CheckResult *result, Arena *arena)
{
    KeptOutputs second;
    Compared component;
    const Operands *o = calls->second;
    if (!calls->related->whatever && !all_in_range(o, calls->related, calls->kept))
        return false;
    outputs_keep(&second, o, NULL, arena);
    for (int i = 0; i < o->shapes.count; i++) {
        if (!find_difference(calls, &second, i, &component))
            continue;
        put_difference(calls, &component, result);
        break;
    }
    outputs_release(&second);
    return true;
}
