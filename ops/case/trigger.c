/* Every word comes from the kind of a parameter. */
#include "trigger.h"

#include <math.h>
#include <string.h>

static const char *class_of(double value)
{
    return isnan(value) ? "nan" : isinf(value) ? "inf" : value == 0 && signbit(value) ? "-0" : NULL;
}

static void put_scalar(const Param *param, const Scalar *scalar, Trigger *trigger)
{
    const char *class = class_of(scalar->re) ? class_of(scalar->re) : class_of(scalar->im);
    text_printf(&trigger->meaning, class ? "%s=%s " : "%s ", param->name, class);
}

static void put_extents(const Param *param, const Shape *shape, Trigger *trigger)
{
    if (shape->rank > param->minimum)
        text_printf(&trigger->size, "rank ");
    text_put(&trigger->size, shape_count(shape) == 0 ? "empty " : "extent ");
}

static void put_param(const Param *param, const void *values, Trigger *trigger)
{
    const void *at = (const char *)values + param->offset;
    const int64_t *integer = at;
    switch (param->kind) {
    case PARAM_DTYPE:
    case PARAM_SEED:
    case PARAM_LIST:
        break;
    case PARAM_SCALAR:
        put_scalar(param, at, trigger);
        break;
    case PARAM_INCREMENT:
        text_put(&trigger->structure, *integer < 0 ? "backwards " : "stride ");
        break;
    case PARAM_PAD:
        text_put(&trigger->structure, "gap ");
        break;
    case PARAM_DIM:
        text_put(&trigger->size, *integer == 0 ? "empty " : "extent ");
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

/* Special values of one operand, as a recipe or as explicit values. */
static void put_fill(const Fill *fill, TensorRole role, Trigger *trigger)
{
    for (const Param *param = fill_params; param->name; param++)
        if (param->offset == offsetof(Fill, special) && !param_is_simplest(param, fill))
            text_printf(&trigger->meaning, "%s=%s ", role_name(role), param->names[fill->special]);
    for (int64_t i = 0; fill->kind == FILL_LIST && i < fill->values.count; i++) {
        const char *class = class_of(fill->values.values[i]);
        if (class && !strstr(text_string(&trigger->meaning), class))
            text_printf(&trigger->meaning, "%s=%s ", role_name(role), class);
    }
}

/* Where operands lie says nothing, and what accepts an illegal argument names it. */
static bool is_told_otherwise(const Param *param, const Param *group)
{
    return param->placement || (group == exec_params && param->offset == offsetof(Exec, illegal));
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
            put_fill(&minimal->fill[g - 1], shapes.tensor[g - 1].role, trigger);
            continue;
        }
        for (const Param *param = groups[g].params; param->name; param++)
            if (!is_told_otherwise(param, groups[g].params) &&
                !param_is_simplest(param, groups[g].values))
                put_param(param, groups[g].values, trigger);
    }
}

void trigger_release(Trigger *trigger)
{
    text_release(&trigger->meaning);
    text_release(&trigger->structure);
    text_release(&trigger->size);
}

/* Copies what is not at its simplest; false where the other table has no place for it. */
static bool move_param(Case *to, const Param *param, const Case *from)
{
    const Param *other = op_param(to->op, param->name, strlen(param->name));
    bool alike = other && other->kind == param->kind && other->names == param->names &&
                 other->rank == param->rank;
    if (param->kind == PARAM_DTYPE || param_is_simplest(param, from->params))
        return true;
    if (alike)
        param_move(other, to->params, param, from->params);
    return alike || param->placement || param->kind == PARAM_DIM;
}

static bool is_plain(const Fill *fill)
{
    return fill->kind == FILL_ONES && !fill->special && !fill->scale;
}

/* The operand of the other operator that takes the data of operand i, or -1. */
static int operand_for(const Case *to, const Shapes *to_shapes, const Case *from,
                       const Shapes *from_shapes, int i)
{
    int same = op_operand(to->op, from->op->tensors[i]);
    bool writes = from_shapes->tensor[i].role != ROLE_IN;
    if (same >= 0 && (to_shapes->tensor[same].role != ROLE_IN) == writes)
        return same;
    int place = 0;
    for (int j = 0; j < i; j++)
        place += (from_shapes->tensor[j].role != ROLE_IN) == writes;
    for (int j = 0; j < to_shapes->count; j++)
        if ((to_shapes->tensor[j].role != ROLE_IN) == writes && place-- == 0)
            return j;
    return -1;
}

static void make_square(Case *c, const Case *from)
{
    int64_t largest = 1;
    for (int pass = 0; pass < 2; pass++) {
        Case copy = *from;
        Case *of = pass ? c : &copy;
        for (const Param *param = of->op->params; param->name; param++) {
            int64_t *extents[TENSOR_RANK_MAX];
            int count = param_extents(param, of->params, extents);
            for (int i = 0; i < count; i++) {
                largest = !pass && *extents[i] > largest ? *extents[i] : largest;
                if (pass)
                    *extents[i] = largest;
            }
        }
    }
}

static void set_dtype(Case *c, DType dtype)
{
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == PARAM_DTYPE) {
            *param_integer(param, c->params) = dtype;
            return;
        }
}

bool case_transfer(Case *to, const OpDesc *op, DType dtype, bool square, const Case *from)
{
    Shapes to_shapes, from_shapes;
    bool whole = from->exec.illegal == 0;
    case_init(to, op);
    for (const Param *param = from->op->params; param->name; param++)
        whole = move_param(to, param, from) && whole;
    if (square)
        make_square(to, from);
    set_dtype(to, dtype);
    to->exec = from->exec;
    case_normalise(to, NULL);
    op_shape(op, to->params, &to_shapes);
    op_shape(from->op, from->params, &from_shapes);
    for (int i = 0; i < from_shapes.count; i++) {
        int place = operand_for(to, &to_shapes, from, &from_shapes, i);
        if (place >= 0)
            to->fill[place] = from->fill[i];
        whole = whole && (place >= 0 || is_plain(&from->fill[i]));
    }
    case_normalise(to, NULL);
    return whole && case_dtype(to) == dtype;
}
