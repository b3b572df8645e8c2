#include "torch_calls.h"

#include <stdlib.h>
#include <string.h>

#include "ops/case/gradient.h"
#include "wanted.h"

bool torch_put_list(Attribute *value, const char *text)
{
    const char *at = text + 1;
    char *end;
    *value = (Attribute){.kind = ATTRIBUTE_TUPLE};
    while (*at != ']' && value->count < ATTRIBUTE_LIST_MAX) {
        int64_t number = strtoll(at, &end, 10);
        if (end == at)
            return false;
        value->list[value->count++] = number;
        at = end + strspn(end, ", ");
    }
    return *at == ']';
}

void torch_put_number(AskedValue *value, const char *text)
{
    Attribute *number = &value->number;
    bool known = true;
    char *end;
    *number = (Attribute){.kind = ATTRIBUTE_INTEGER, .integer = strtoll(text, &end, 10)};
    if (!strcmp(text, "True") || !strcmp(text, "False"))
        *number = (Attribute){.kind = ATTRIBUTE_BOOLEAN, .integer = *text == 'T'};
    else if (*text == '[')
        known = torch_put_list(number, text);
    else if (*end)
        *number = (Attribute){.kind = ATTRIBUTE_REAL, .real = strtod(text, NULL)};
    value->present = !known || number->kind != ATTRIBUTE_TUPLE || number->count > 0;
    value->constant = known && value->present;
}

/* Arguments that do not matter, such as those that say by which library something is computed; or
 * not where they are usual, as rows have them. */
static const struct {
    const char *name;
    size_t place;
    const char *usual; /* NULL: whatever it is */
} minor_arguments[] = {
    {"aten::add", 2, "1"},
    {"aten::batch_norm", 6, NULL},
    {"aten::batch_norm", 8, NULL},
    {"aten::elu", 2, "1"},
    {"aten::elu", 3, "1"},
    {"aten::group_norm", 5, NULL},
    {"aten::instance_norm", 6, NULL},
    {"aten::instance_norm", 8, NULL},
    {"aten::layer_norm", 5, NULL},
    {"aten::sub", 2, "1"},
};

void torch_leave_minor(Asked *asked, const char *name)
{
    for (size_t i = 0; i < COUNT_OF(minor_arguments); i++) {
        size_t place = minor_arguments[i].place;
        Text own = {0};
        if (strcmp(minor_arguments[i].name, name) != 0 || place >= asked->value_count)
            continue;
        attribute_print(&asked->values[place].number, &own);
        if (!minor_arguments[i].usual)
            asked->values[place].free = true;
        else if (!strcmp(minor_arguments[i].usual, text_string(&own)))
            asked->values[place] = (AskedValue){.maker = -1};
        text_release(&own);
    }
}

/* What graphs leave out, by the names that rows have for it. */
static const struct {
    const char *name, *arguments;
} left_out[] = {
    {"aten::avg_pool2d", "A(pads_begin=0, ceil_mode=False, count_include_pad=True)"},
    {"aten::hardtanh", "A(min=-1.0, max=1.0)"},
    {"aten::leaky_relu", "A(negative_slope=0.01)"},
    {"aten::logsumexp", "A(keepdims=0)"},
    {"aten::max_pool2d", "A(pads_begin=0, dilation=1, ceil_mode=False)"},
};

const char *torch_defaults(const char *name)
{
    static const char *const names[] = {"aten::all",  "aten::amax", "aten::amin", "aten::any",
                                        "aten::mean", "aten::sum",  "aten::var",  "aten::std"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (!strcmp(names[i], name))
            return "A(axes=all, keepdims=0)";
    for (size_t i = 0; i < COUNT_OF(left_out); i++)
        if (!strcmp(left_out[i].name, name))
            return left_out[i].arguments;
    return NULL;
}

bool torch_put_case(Import *import, const Case *found, const char *of)
{
    Draft draft = {0};
    Text reason = {0};
    bool ok = wanted_draft(found, &draft) && import_draft(import, &draft, 1, of);
    if (!ok) {
        text_printf(&reason, "%s: %s", of, text_string(&draft.why));
        import_skip(import, 1, text_string(&reason));
    }
    text_release(&reason);
    draft_release(&draft);
    return ok;
}

bool torch_put_gradients(Import *import, const Case *forward, const char *of)
{
    Text name = {0};
    bool found = false;
    text_printf(&name, "gradient of %s", of);
    for (int i = 0; op_registry[i]; i++) {
        if (gradient_forward(op_registry[i]) != forward->op)
            continue;
        found = true;
        Case c;
        case_init(&c, op_registry[i]);
        for (const Param *param = c.op->params; param->name; param++) {
            const Param *own = op_param(forward->op, param->name, strlen(param->name));
            if (own && own->kind == param->kind)
                param_move(param, c.params, own, forward->params);
        }
        (void)torch_put_case(import, &c, text_string(&name));
    }
    text_release(&name);
    return found;
}
