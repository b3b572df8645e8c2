/* Puts operators together whose rows are alike. */
#include "zeros.h"

#include <string.h>

static void put_name(Text *operators, const OpDesc *op)
{
    text_printf(operators, "%s%s/%s", operators->length > 0 ? " " : "", op->family, op->name);
}

static bool is_alike(const ZeroSign *a, const ZeroSign *b)
{
    bool same_source =
        a->source && b->source ? !strcmp(a->source, b->source) : !a->source && !b->source;
    return same_source && !strcmp(a->which, b->which);
}

static bool has_alike(const OpDesc *op, const ZeroSign *wanted)
{
    for (const ZeroSign *zeros = op->zeros; zeros && zeros->which; zeros++)
        if (is_alike(zeros, wanted))
            return true;
    return false;
}

static bool is_first(const OpDesc *const *op, const ZeroSign *zeros)
{
    for (const OpDesc *const *before = op_registry; before < op; before++)
        if (has_alike(*before, zeros))
            return false;
    return true;
}

void zeros_visit(ZerosPut *put, const void *context)
{
    for (const OpDesc *const *op = op_registry; *op; op++)
        for (const ZeroSign *zeros = (*op)->zeros; zeros && zeros->which; zeros++) {
            if (!is_first(op, zeros))
                continue;
            Text operators = {0};
            for (const OpDesc *const *other = op; *other; other++)
                if (has_alike(*other, zeros))
                    put_name(&operators, *other);
            put(context, zeros, text_string(&operators));
            text_release(&operators);
        }
}

const char *zeros_source(const ZeroSign *zeros)
{
    return zeros->source ? zeros->source : "no text";
}

static bool has_nan_by(const OpDesc *op, const char *text)
{
    return op->nan && !strcmp(op->nan, text);
}

void nan_visit(NanPut *put, const void *context)
{
    for (const OpDesc *const *op = op_registry; *op; op++) {
        bool first = (*op)->nan != NULL;
        for (const OpDesc *const *before = op_registry; first && before < op; before++)
            first = !has_nan_by(*before, (*op)->nan);
        Text operators = {0};
        for (const OpDesc *const *other = op; first && *other; other++)
            if (has_nan_by(*other, (*op)->nan))
                put_name(&operators, *other);
        if (first)
            put(context, (*op)->nan, text_string(&operators));
        text_release(&operators);
    }
}

/* Why a parameter is no extent of 0; NULL where it may be one, or is no extent. */
static const char *why_full(const Param *param)
{
    bool begins_at_one = param->kind == PARAM_DIM && param->minimum > 0;
    return param->full ? param->full : begins_at_one ? "no text was found" : NULL;
}

static const Param *param_alike(const OpDesc *op, const Param *wanted)
{
    for (const Param *param = op->params; param->name; param++)
        if (why_full(param) && !strcmp(param->name, wanted->name) &&
            !strcmp(why_full(param), why_full(wanted)))
            return param;
    return NULL;
}

static void put_full(const OpDesc *const *op, const Param *param, FullPut *put)
{
    Text operators = {0};
    int count = 0;
    bool first = why_full(param) != NULL;
    for (const OpDesc *const *before = op_registry; first && before < op; before++)
        first = !param_alike(*before, param);
    for (; first && *op; op++)
        if (param_alike(*op, param)) {
            put_name(&operators, *op);
            count++;
        }
    if (first)
        put(param->name, why_full(param), count, text_string(&operators));
    text_release(&operators);
}

void full_visit(FullPut *put)
{
    for (const OpDesc *const *op = op_registry; *op; op++)
        for (const Param *param = (*op)->params; param->name; param++)
            put_full(op, param, put);
}
