/* Storage of parameters.  Their text and bytes are in param_text.c; drawing and shrinking in
 * param_draw.c and param_shrink.c. */
#include "param.h"

#include <string.h>

const char *param_common_name(const Param *param)
{
    return param->like ? param->like : param->name;
}

int64_t *param_integer(const Param *param, void *values)
{
    return (int64_t *)(void *)((char *)values + param->offset);
}

Scalar *param_scalar(const Param *param, void *values)
{
    return (Scalar *)(void *)((char *)values + param->offset);
}

ValueList *param_list(const Param *param, void *values)
{
    return (ValueList *)(void *)((char *)values + param->offset);
}

Shape *param_shape(const Param *param, void *values)
{
    return (Shape *)(void *)((char *)values + param->offset);
}

Code *param_code(const Param *param, void *values)
{
    return (Code *)(void *)((char *)values + param->offset);
}

bool param_excludes_zero(const Param *param)
{
    return param->kind == PARAM_INCREMENT && !param->may_be_zero;
}

Param param_former(const Param *param)
{
    Param former = *param;
    if (param->formerly)
        former.name = param->formerly;
    if (param->former_names)
        former.names = param->former_names;
    return former;
}

Shape shape_without_axis(const Shape *shape, int64_t axis)
{
    Shape rest = {0};
    for (int64_t i = 0; i < shape->rank; i++)
        if (i != axis)
            rest.extent[rest.rank++] = shape->extent[i];
    return rest;
}

Shape shape_of_tensor(const Tensor *layout)
{
    Shape shape = {.rank = layout->rank};
    for (int axis = 0; axis < layout->rank; axis++)
        shape.extent[axis] = layout->extent[axis];
    return shape;
}

int64_t shape_count(const Shape *shape)
{
    int64_t count = 1;
    for (int64_t axis = 0; axis < shape->rank; axis++)
        if (shape->extent[axis] == 0)
            return 0;
    for (int64_t axis = 0; axis < shape->rank; axis++)
        if (__builtin_mul_overflow(count, shape->extent[axis], &count))
            return INT64_MAX;
    return count;
}

int param_extents(const Param *param, void *values, int64_t *extents[TENSOR_RANK_MAX])
{
    Shape *shape = param_shape(param, values);
    if (param->kind == PARAM_DIM) {
        extents[0] = param_integer(param, values);
        return 1;
    }
    for (int64_t axis = 0; param->kind == PARAM_SHAPE && axis < shape->rank; axis++)
        extents[axis] = &shape->extent[axis];
    return param->kind == PARAM_SHAPE ? (int)shape->rank : 0;
}

static size_t param_size(const Param *param)
{
    if (param->kind == PARAM_SHAPE || param->kind == PARAM_TUPLE)
        return sizeof(Shape);
    if (param->kind == PARAM_SCALAR)
        return sizeof(Scalar);
    if (param->kind == PARAM_CODE)
        return sizeof(Code);
    return param->kind == PARAM_LIST ? sizeof(ValueList) : sizeof(int64_t);
}

void param_move(const Param *param, void *values, const Param *other, const void *from)
{
    memcpy((char *)values + param->offset, (const char *)from + other->offset, param_size(param));
}

void param_copy(const Param *param, void *values, const void *from)
{
    param_move(param, values, param, from);
}

double param_usual(const Param *param)
{
    return param->usual != 0 ? param->usual : (double)param->simplest;
}

void param_set_simplest(const Param *param, void *values)
{
    memset((char *)values + param->offset, 0, param_size(param));
    if (param->kind == PARAM_SHAPE || param->kind == PARAM_TUPLE) {
        Shape *shape = param_shape(param, values);
        bool tuple = param->kind == PARAM_TUPLE;
        shape->rank = tuple ? param->rank : param->minimum;
        for (int64_t axis = 0; axis < shape->rank; axis++)
            shape->extent[axis] = tuple ? param->simplest : 1;
        return;
    }
    if (param->kind == PARAM_SCALAR)
        param_scalar(param, values)->re = param_usual(param);
    else if (param->kind != PARAM_LIST)
        *param_integer(param, values) = param->simplest;
}

bool param_equal(const Param *param, const void *values, const void *others)
{
    return !memcmp((const char *)values + param->offset, (const char *)others + param->offset,
                   param_size(param));
}

bool param_is_simplest(const Param *param, const void *values)
{
    char simplest[sizeof(ValueList)] = {0};
    Param local = *param;
    local.offset = 0;
    param_set_simplest(&local, simplest);
    return memcmp((const char *)values + param->offset, simplest, param_size(param)) == 0;
}

uint16_t name_tag(const char *prefix, const char *name)
{
    uint32_t hash = 2166136261u;
    for (const char *part = prefix; *part; part++)
        hash = (hash ^ (unsigned char)*part) * 16777619u;
    hash = (hash ^ '.') * 16777619u;
    for (const char *part = name; *part; part++)
        hash = (hash ^ (unsigned char)*part) * 16777619u;
    return (uint16_t)(hash ^ (hash >> 16));
}
