#include "draft.h"

#include <string.h>

/* What engines take from a case in any operator (case_decode). */
static const double work_most = 1 << 23;

bool draft_refuse(Draft *draft, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_clear(&draft->why);
    text_vprintf(&draft->why, format, arguments);
    va_end(arguments);
    return false;
}

/* The data that nothing is known of: normal where they suit the operator. */
static FillKind plain_kind(const OpDesc *op)
{
    uint32_t kinds = op->fills;
    return kinds == 0 || kinds >> FILL_NORMAL & 1 ? FILL_NORMAL : (FillKind)__builtin_ctz(kinds);
}

bool draft_begin(Draft *draft, const char *name, DType dtype)
{
    const OpDesc *op = op_find(name);
    draft->reduced = false;
    if (!op)
        return draft_refuse(draft, "there is no operator %s", name);
    if (!(op_dtypes(op) >> dtype & 1))
        return draft_refuse(draft, "%s has no element type %s", name, dtype_name(dtype));
    case_init(&draft->c, op);
    case_set_dtype(&draft->c, dtype);
    for (int i = 0; op->tensors[i]; i++)
        draft->c.fill[i] = (Fill){.kind = plain_kind(op), .seed = i + 1};
    return true;
}

static const Param *find(Draft *draft, const char *name)
{
    const Param *param = op_param(draft->c.op, name, strlen(name));
    if (!param)
        (void)draft_refuse(draft, "%s has no parameter %s", draft->c.op->name, name);
    return param;
}

bool draft_integer(Draft *draft, const char *name, int64_t value)
{
    const Param *param = find(draft, name);
    if (!param)
        return false;
    if (param->kind == PARAM_INCREMENT && value == 0 && param_excludes_zero(param))
        return draft_refuse(draft, "%s=0 is not legal", name);
    if (value < param->minimum && param->kind != PARAM_INCREMENT)
        return draft_refuse(draft, "%s=%lld is not legal", name, (long long)value);
    int64_t kept = value > param->maximum   ? param->maximum
                   : value < param->minimum ? param->minimum
                                            : value;
    draft->reduced = draft->reduced || kept != value;
    *param_integer(param, draft->c.params) = kept;
    return true;
}

static bool is_range(Draft *draft, const Param *param, const char *name, const Shape *shape)
{
    int64_t fewest = param->kind == PARAM_TUPLE ? param->rank : param->minimum;
    int64_t most = param->kind == PARAM_TUPLE ? param->rank : param->maximum;
    if (shape->rank < fewest || shape->rank > most)
        return draft_refuse(draft, "%s has %lld axes", name, (long long)shape->rank);
    for (int64_t i = 0; i < shape->rank; i++)
        if (shape->extent[i] < (param->kind == PARAM_TUPLE ? param->minimum : 0))
            return draft_refuse(draft, "%s has a %lld among its numbers", name,
                                (long long)shape->extent[i]);
    return true;
}

bool draft_shape(Draft *draft, const char *name, const Shape *shape)
{
    const Param *param = find(draft, name);
    if (!param || !is_range(draft, param, name, shape))
        return false;
    int64_t most = param->kind == PARAM_TUPLE ? param->maximum : SHAPE_EXTENT_MAX;
    Shape *own = param_shape(param, draft->c.params);
    *own = *shape;
    for (int64_t i = 0; i < own->rank; i++) {
        draft->reduced = draft->reduced || own->extent[i] > most;
        own->extent[i] = own->extent[i] > most ? most : own->extent[i];
    }
    return true;
}

bool draft_choice(Draft *draft, const char *name, const char *word)
{
    const Param *param = find(draft, name);
    for (int64_t i = 0; param && param->kind == PARAM_CHOICE && param->names[i]; i++)
        if (!strcmp(param->names[i], word)) {
            *param_integer(param, draft->c.params) = i;
            return true;
        }
    return param && draft_refuse(draft, "%s=%s is not offered", name, word);
}

bool draft_scalar(Draft *draft, const char *name, double re, double im)
{
    const Param *param = find(draft, name);
    if (param)
        *param_scalar(param, draft->c.params) = (Scalar){re, im};
    return param != NULL;
}

/* False where a legal case has another value of a parameter than was given, but for numbers that
 * are rounded to the element type. */
static bool is_as_given(Draft *draft, const Case *given)
{
    for (const Param *param = given->op->params; param->name; param++) {
        if (param->kind == PARAM_SCALAR || param_equal(param, draft->c.params, given->params))
            continue;
        Text text = {0};
        param_print(param, given->params, &text);
        (void)draft_refuse(draft, "%s cannot have %s=%s with its other parameters", given->op->name,
                           param->name, text_string(&text));
        text_release(&text);
        return false;
    }
    return true;
}

bool draft_end(Draft *draft, double scale)
{
    Case given = draft->c;
    case_normalise(&draft->c, NULL);
    if (!is_as_given(draft, &given))
        return false;
    double budget = work_most * (scale > 1 ? scale : 1);
    if (case_work(&draft->c) > budget || case_components(&draft->c) > CASE_COMPONENTS_MAX) {
        case_limit(&draft->c, budget);
        draft->reduced = true;
    }
    return case_returns_from_line(&draft->c) ||
           draft_refuse(draft, "%s: its line is that of another case", draft->c.op->name);
}

void draft_release(Draft *draft)
{
    text_release(&draft->why);
}
