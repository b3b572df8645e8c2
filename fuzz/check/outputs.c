#include "outputs.h"

#include <stdio.h>
#include <string.h>

void outputs_read(const Operands *o, Outputs *outputs, Arena *arena)
{
    *outputs = (Outputs){0};
    for (int i = 0; i < o->shapes.count; i++) {
        if (!operands_is_output(o, i))
            continue;
        size_t count = operands_components(o, i) + 1;
        outputs->got[i] = arena_take(arena, count, sizeof(double));
        outputs->canary[i] = arena_take(arena, count, 1);
        operands_output(o, i, outputs->got[i], outputs->canary[i]);
    }
}

void outputs_judge_repeat(const Operands *o, const Ref *refs, const Outputs *first,
                          const Outputs *again, CheckResult *result)
{
    for (int k = 0; k < o->shapes.count; k++) {
        for (size_t i = 0; first->got[k] && i < operands_components(o, k); i++) {
            bool unspecified = refs[k].unspecified && refs[k].unspecified[i];
            if (unspecified || memcmp(&first->got[k][i], &again->got[k][i], sizeof(double)) == 0)
                continue;
            Judgement *j = &result->judgement;
            j->kind = VERDICT_INVARIANCE;
            j->worst = i;
            j->expected_high = first->got[k][i];
            j->expected_low = 0;
            j->got = again->got[k][i];
            result->output = k;
            (void)snprintf(result->detail, sizeof result->detail,
                           "a repeated call gives other bits");
            return;
        }
    }
}
