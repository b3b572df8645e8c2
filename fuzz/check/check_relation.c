/* The outputs of two related calls are compared to the bit. */
#include "check_relation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "admission.h"

void outputs_keep(KeptOutputs *kept, const Operands *o, Arena *arena)
{
    *kept = (KeptOutputs){0};
    for (int i = 0; i < o->shapes.count; i++) {
        if (!operands_is_output(o, i))
            continue;
        size_t count = operands_components(o, i), mark = arena->used;
        kept->counts[i] = count;
        kept->values[i] = memory_allocate(count, sizeof(double));
        operands_output(o, i, kept->values[i], arena_take(arena, count + 1, 1));
        arena->used = mark;
    }
}

void outputs_release(KeptOutputs *kept)
{
    for (int i = 0; i < OP_TENSORS_MAX; i++)
        free(kept->values[i]);
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
        memcpy(kept->high[i], refs[i].high, count * sizeof(double));
        memcpy(kept->low[i], refs[i].low, count * sizeof(double));
    }
}

void reference_release(KeptReference *kept)
{
    for (int i = 0; i < OP_TENSORS_MAX; i++) {
        free(kept->high[i]);
        free(kept->low[i]);
    }
    *kept = (KeptReference){0};
}

bool relation_is_true(const Related *related, const Operands *o, const KeptReference *first,
                      const Ref *second)
{
    for (int i = 0; i < o->shapes.count; i++) {
        size_t count = operands_is_output(o, i) ? operands_components(o, i) : 0;
        if (first->counts[i] != count || second[i].count != count ||
            first->exponents[i] != second[i].exponent ||
            (related->data == RELATED_CONJUGATED && second[i].rule == RULE_RELATIVE))
            return false;
        for (size_t k = 0; k < count; k++) {
            double factor;
            size_t image = relation_image(related, o, i, k, &factor);
            if (!value_same(second[i].high[k], factor * first->high[i][image]) ||
                !value_same(second[i].low[k], factor * first->low[i][image]))
                return false;
        }
    }
    return true;
}

static bool all_in_range(const Operands *o, const Related *related, const KeptOutputs *kept)
{
    for (int i = 0; i < o->shapes.count; i++)
        for (size_t k = 0; k < kept->counts[i]; k++)
            if (!relation_in_range(related, o->view[i].dtype, kept->values[i][k]))
                return false;
    return true;
}

static void put_difference(const Backend *backend, CheckResult *result, const Case *c, int output,
                           size_t at, double expected, double got)
{
    Judgement *j = &result->judgement;
    j->kind = VERDICT_INVARIANCE;
    if (c->exec.relation == RELATION_MOVED || c->exec.relation == RELATION_REVERSED)
        admission_name(&(Documented){backend, c->op, case_dtype(c)}, POLICY_POSITION, j);
    j->worst = at;
    j->expected_high = expected;
    j->expected_low = 0;
    j->got = got;
    result->output = output;
    (void)snprintf(result->detail, sizeof result->detail, "the related call (%s) gives other bits",
                   relation_names[c->exec.relation]);
}

bool relation_judge(const Backend *backend, const Operands *o, const Related *related,
                    const KeptOutputs *first, const Case *c, CheckResult *result, Arena *arena)
{
    KeptOutputs second;
    if (!related->whatever && !all_in_range(o, related, first))
        return false;
    outputs_keep(&second, o, arena);
    bool same = true;
    for (int i = 0; same && i < o->shapes.count; i++)
        for (size_t k = 0; same && k < second.counts[i]; k++) {
            double factor, got = second.values[i][k];
            size_t image = relation_image(related, o, i, k, &factor);
            double expected = factor * first->values[i][image];
            same = value_same(got, expected);
            if (!same)
                put_difference(backend, result, c, i, k, expected, got);
        }
    outputs_release(&second);
    return true;
}
