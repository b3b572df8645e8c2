/* Puts operators together whose rows are alike. */
#include "zeros.h"

#include <string.h>

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
                    text_printf(&operators, "%s%s/%s", operators.length > 0 ? " " : "",
                                (*other)->family, (*other)->name);
            put(context, zeros, text_string(&operators));
            text_release(&operators);
        }
}

const char *zeros_source(const ZeroSign *zeros)
{
    return zeros->source ? zeros->source : "no text";
}
