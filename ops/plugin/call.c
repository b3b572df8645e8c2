/* Operands and parameters by their names. */
#include "call.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reference/function.h"

static _Thread_local struct {
    bool set;
    jmp_buf back;
    Text *error;
} guard;

void plugin_fail(const char *format, ...)
{
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (!guard.set)
        BUG("%s", words);
    text_put(guard.error, words);
    longjmp(guard.back, 1);
}

bool plugin_run(void (*function)(void *context), void *context, Text *error)
{
    guard.error = error;
    guard.set = true;
    bool ended = setjmp(guard.back) == 0;
    if (ended)
        function(context);
    guard.set = false;
    return ended;
}

void plugin_call_begin(opconform_call *call, const OpDesc *op, const void *params,
                       const Tensor *views, Ref *refs, Arena *arena)
{
    *call =
        (opconform_call){.op = op, .params = params, .count = op_tensor_count(op), .arena = arena};
    for (int i = 0; i < call->count; i++) {
        const Tensor *view = &views[i];
        opconform_tensor *tensor = &call->tensors[i];
        *tensor = (opconform_tensor){.rank = view->rank,
                                     .dtype = (int32_t)view->dtype,
                                     .count = tensor_count(view),
                                     .host = &call->hosts[i]};
        memcpy(tensor->extent, view->extent, sizeof tensor->extent);
        call->hosts[i] = (PluginTensor){.call = call, .view = *view};
        if (!refs || refs[i].rows * refs[i].columns == 0)
            continue;
        call->hosts[i].ref = &refs[i];
        call->hosts[i].given = arena_take_zeroed(arena, (size_t)tensor->count + 1, 1);
    }
}

void plugin_call_widen(opconform_call *call)
{
    Shapes shapes;
    op_shape(call->op, call->params, &shapes);
    for (int i = 0; i < call->count; i++) {
        opconform_tensor *tensor = &call->tensors[i];
        tensor->values = arena_take_zeroed(call->arena, (size_t)tensor->count + 1, sizeof(double));
        for (int64_t k = 0;
             k < tensor->count && shapes.tensor[i].role != ROLE_OUT && !shapes.tensor[i].ignored;
             k++)
            tensor->values[k] = tensor_value(&call->hosts[i].view, k);
    }
}

static const Param *find_param(const opconform_call *call, const char *name, const char *what,
                               bool (*is_kind)(ParamKind kind))
{
    const Param *param = op_param(call->op, name, strlen(name));
    if (!param || !is_kind(param->kind))
        plugin_fail("%s asks for %s, which is no %s of it", call->op->name, name, what);
    return param;
}

static bool is_integer(ParamKind kind)
{
    return kind == PARAM_DIM || kind == PARAM_INTEGER || kind == PARAM_CHOICE;
}

static bool is_real(ParamKind kind)
{
    return kind == PARAM_SCALAR;
}

static bool is_choice(ParamKind kind)
{
    return kind == PARAM_CHOICE;
}

static const void *value_at(const opconform_call *call, const Param *param)
{
    return (const char *)call->params + param->offset;
}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED const opconform_tensor *opconform_operand(opconform_call *call, const char *name)
{
    int operand = op_operand(call->op, name);
    if (operand < 0)
        plugin_fail("%s asks for %s, which is no operand of it", call->op->name, name);
    return &call->tensors[operand];
}

EXPORTED int64_t opconform_integer(opconform_call *call, const char *name)
{
    return *(const int64_t *)value_at(call, find_param(call, name, "whole number", is_integer));
}

EXPORTED double opconform_real(opconform_call *call, const char *name)
{
    return ((const Scalar *)value_at(call, find_param(call, name, "real number", is_real)))->re;
}

EXPORTED const char *opconform_word(opconform_call *call, const char *name)
{
    const Param *param = find_param(call, name, "choice", is_choice);
    return param->names[*(const int64_t *)value_at(call, param)];
}

EXPORTED opconform_dtype opconform_type(opconform_call *call)
{
    return (opconform_dtype) * (const int64_t *)call->params;
}

EXPORTED void *opconform_memory(opconform_call *call, size_t count, size_t size)
{
    return arena_take(call->arena, count + 1, size);
}

EXPORTED void opconform_put_bounded(const opconform_tensor *y, int64_t number, double high,
                                    double low, double error, double bound)
{
    PluginTensor *host = y->host;
    if (!host->ref || number < 0 || number >= y->count)
        plugin_fail("%s puts element %lld of an operand that is no output, or has it not",
                    host->call->op->name, (long long)number);
    host->given[number] = 1;
    if (!(bound < INFINITY) || !(error < INFINITY))
        ref_set_classes(host->ref, (size_t)number, CLASS_ANY);
    else
        ref_put_bounded(host->ref, (size_t)number, (long double)high + low, error, bound);
}
