/* Names and questions that both languages ask of a plan. */
#include "emit_parts.h"

#include <stdio.h>
#include <string.h>

const char *dnnl_type_name(int type)
{
    static const char *const names[] = {"undef", "f16", "bf16", "f32", "s32", "s8", "u8"};
    return names[type];
}

void dnnl_spell_memory(const DnnlPlan *plan, const Operands *o, int i, char name[DNNL_WORD_BYTES])
{
    int before = 0;
    for (int k = 0; k < i; k++)
        before += plan->memories[k].operand == plan->memories[i].operand;
    (void)snprintf(name, DNNL_WORD_BYTES, before ? "%s%d" : "%s",
                   o->source->op->tensors[plan->memories[i].operand], before + 1);
}

bool dnnl_is_dense(const DnnlMemory *m)
{
    int64_t step = 1;
    bool dense = true;
    for (int axis = m->rank - 1; axis >= 0; axis--) {
        dense = dense && m->stride[axis] == step;
        step *= m->extent[axis];
    }
    return dense;
}

bool dnnl_is_backward(const DnnlPlan *plan)
{
    return strstr(plan->function, "_backward") != NULL;
}
