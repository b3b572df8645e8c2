/* The second inputs take the place of the first in memory and in what is restored before calls. */
#include "relation.h"

#include <math.h>
#include <string.h>

#include "reference/function.h"

static void begin_call(opconform_call *call, const Operands *o, double *const *got, Arena *arena)
{
    plugin_call_begin(call, o->source->op, o->source->params, o->view, NULL, arena);
    plugin_call_widen(call);
    for (int i = 0; i < call->count; i++)
        if (got && got[i])
            memcpy(call->tensors[i].values, got[i],
                   (size_t)call->tensors[i].count * sizeof(double));
}

static bool is_input(const Operands *o, int i)
{
    return o->shapes.tensor[i].role != ROLE_OUT && !o->shapes.tensor[i].ignored;
}

static void put_values(const Operands *o, int i, const double *values)
{
    const Tensor *view = &o->view[i];
    for (int64_t k = 0; k < tensor_count(view); k++)
        dtype_store(view->dtype, view->origin, tensor_offset_of(view, k), values[k]);
    memcpy(o->pristine[i], o->block[i].data, o->block[i].bytes);
}

bool plugin_relation_begin(PluginRelated *related, const opconform_relation *relation, Operands *o,
                           double *const *got, Arena *arena)
{
    const Exec *exec = &o->source->exec;
    related->relation = relation;
    if (exec->overlap != OVERLAP_NONE || exec->layout == LAYOUT_EXPANDED)
        return false;
    workspace_unlock(o->workspace);
    operands_restore(o);
    begin_call(&related->first, o, got, arena);
    begin_call(&related->second, o, NULL, arena);
    relation->change(&related->first, &related->second);
    for (int i = 0; i < o->shapes.count; i++) {
        related->kept[i] = arena_take(arena, o->block[i].bytes + 1, 1);
        memcpy(related->kept[i], o->pristine[i], o->block[i].bytes);
        if (is_input(o, i))
            put_values(o, i, related->second.tensors[i].values);
    }
    return true;
}

void plugin_relation_end(PluginRelated *related, Operands *o)
{
    workspace_unlock(o->workspace);
    for (int i = 0; i < o->shapes.count; i++) {
        memcpy(o->pristine[i], related->kept[i], o->block[i].bytes);
        if (is_input(o, i))
            memcpy(o->block[i].data, related->kept[i], o->block[i].bytes);
    }
}

/* NaN goes with NaN, an infinity with the same. */
static bool fits(const PluginRelated *related, DType dtype, double got, double expected)
{
    if (isnan(got) || isnan(expected) || isinf(got) || isinf(expected))
        return value_same(got, expected);
    double ulps = related->relation->ulps;
    return fabs(got - expected) <= ulps * format_ulp(dtype_format(dtype), expected);
}

bool plugin_relation_holds(PluginRelated *related, double *const *got)
{
    opconform_call *first = &related->first;
    for (int i = 0; i < first->count; i++) {
        const opconform_tensor *y = &first->tensors[i];
        for (int64_t k = 0; got[i] && k < y->count; k++) {
            double factor = 1;
            int64_t from = related->relation->source(first, first->op->tensors[i], k, &factor);
            if (from < 0 || from >= y->count ||
                fits(related, (DType)y->dtype, got[i][k], factor * y->values[from]))
                continue;
            related->output = i;
            related->element = (size_t)k;
            related->expected = factor * y->values[from];
            return false;
        }
    }
    return true;
}
