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
