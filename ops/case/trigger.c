/* Every word comes from the kind of a parameter. */
#include "trigger.h"

#include <math.h>
#include <string.h>

enum { NEAR_OVERFLOW = 8, NEAR_RANGE_END = 4 };

/* The class of a value that kernels may treat specially, such as "nan" or "tiny", in the range of
 * its element type; NULL for ordinary values. */
static const char *class_of(double value, DType dtype)
{
    const Format *format = dtype_format(dtype);
    if (isnan(value) || isinf(value))
        return isnan(value) ? "nan" : "inf";
    if (value == 0 || format->unit == 0)
        return value == 0 && signbit(value) ? "-0" : NULL;
    return fabs(value) <= format->smallest_normal          ? "tiny"
           : fabs(value) > format->largest / NEAR_OVERFLOW ? "huge"
                                                           : NULL;
}

bool trigger_is_placement(const Param *param, const void *values)
{
    const int64_t *choice = (const void *)((const char *)values + param->offset);
    return param->placement && (param->computing == 0 || *choice < param->computing);
}

/* True for the number of an illegal argument, which is no part of a trigger. */
static bool is_illegal(const Param *param, const Param *group)
{
    return group == exec_params && param->offset == offsetof(Exec, illegal);
}

bool trigger_of_scalar(double value, DType dtype)
{
    return class_of(value, dtype) != NULL;
}

static void put_scalar(const Param *param, const Scalar *scalar, DType dtype, Trigger *trigger)
{
    const char *class = class_of(scalar->re, dtype);
    class = class ? class : scalar->re == 0 && scalar->im == 0 ? "0" : class_of(scalar->im, dtype);
    text_printf(&trigger->meaning, class ? "%s=%s " : "%s ", param->name, class);
}

static void put_extents(const Param *param, const Shape *shape, Trigger *trigger)
{
    if (shape->rank > param->minimum)
        text_printf(&trigger->size, "rank ");
    text_put(&trigger->size, shape_count(shape) == 0 ? TRIGGER_EMPTY " " : "extent ");
}

static void put_param(const Param *param, const void *values, DType dtype, Trigger *trigger)
{
    const void *at = (const char *)values + param->offset;
    const int64_t *integer = at;
    switch (param->kind) {
    case PARAM_DTYPE:
    case PARAM_SEED:
    case PARAM_LIST:
        break;
    case PARAM_SCALAR:
        put_scalar(param, at, dtype, trigger);
        break;
    case PARAM_INCREMENT:
        text_put(&trigger->structure, *integer < 0    ? TRIGGER_BACKWARDS " "
                                      : *integer == 0 ? "repeated "
                                                      : "stride ");
        break;
    case PARAM_PAD:
        text_put(&trigger->structure, "gap ");
        break;
    case PARAM_DIM:
        text_put(&trigger->size, *integer == 0 ? TRIGGER_EMPTY " " : "extent ");
        break;
    case PARAM_SHAPE:
        put_extents(param, at, trigger);
        break;
    case PARAM_CHOICE:
    case PARAM_TUPLE:
    case PARAM_INTEGER:
    case PARAM_CODE:
        param_facet(param, values, &trigger->structure);
        break;
    }
}

static const char *role_name(TensorRole role)
{
    return role == ROLE_IN ? "input" : "output";
}

const char *fill_range(const Fill *fill, DType dtype)
{
    const Format *format = dtype_format(dtype);
    if (format->unit == 0)
        return NULL;
    if (fill->kind == FILL_TINY || fill->scale < format->minimum_exponent / NEAR_RANGE_END)
        return "tiny";
    return fill->kind == FILL_HUGE || fill->scale > format->maximum_exponent / NEAR_RANGE_END
               ? "huge"
               : NULL;
}

static void put_class(const char *class, TensorRole role, Trigger *trigger)
{
    if (class && !strstr(text_string(&trigger->meaning), class))
        text_printf(&trigger->meaning, "%s=%s ", role_name(role), class);
}

/* Values of one operand that ask for a rule, as a recipe or as explicit values. */
static void put_fill(const Fill *fill, TensorRole role, DType dtype, Trigger *trigger)
{
    double special;
    put_class(fill_range(fill, dtype), role, trigger);
    if (fill_special(fill, dtype, &special))
        put_class(class_of(special, dtype), role, trigger);
    for (int64_t i = 0; fill->kind == FILL_LIST && i < fill->values.count; i++)
        put_class(class_of(fill->values.values[i], dtype), role, trigger);
}

bool trigger_of_fill(const Fill *fill, DType dtype)
{
    Trigger trigger = {0};
    put_fill(fill, ROLE_IN, dtype, &trigger);
    bool asks = trigger.meaning.length > 0;
    trigger_release(&trigger);
    return asks;
}

void case_trigger(Case *minimal, const char *needed, Trigger *trigger)
{
    ParamGroup groups[CASE_GROUPS_MAX];
    Shapes shapes;
    int count = case_groups(minimal, groups);
    op_shape(minimal->op, minimal->params, &shapes);
    text_put(&trigger->meaning, needed ? needed : "");
    for (int g = 0; g < count; g++) {
        if (g > 0 && g < count - 1) {
            put_fill(&minimal->fill[g - 1], shapes.tensor[g - 1].role, case_dtype(minimal),
                     trigger);
            continue;
        }
        for (const Param *param = groups[g].params; param->name; param++)
            if (!trigger_is_placement(param, groups[g].values) &&
                !is_illegal(param, groups[g].params) && !case_is_simplest(minimal, g, param))
                put_param(param, groups[g].values, case_dtype(minimal), trigger);
    }
}

void trigger_release(Trigger *trigger)
{
    text_release(&trigger->meaning);
    text_release(&trigger->structure);
    text_release(&trigger->size);
}
