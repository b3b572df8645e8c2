/* Nodes that move nothing: shapes of results follow from inputs.  Source: "ONNX Operators" of the
 * ONNX documentation. */
#include <string.h>

#include "onnx_read.h"
#include "wanted.h"

/* Of all extents of a value whose shape follows from another one. */
static const int64_t PRODUCT_MAX = WANTED_EXTENT_MAX;

static const Attribute *constant_of(const Asked *asked, const AskedCall *call, const char *keyword,
                                    int place)
{
    for (int i = 0; i < call->argument_count; i++) {
        const AskedValue *value = &asked->values[call->arguments[i].value];
        bool taken = !strcmp(call->arguments[i].keyword, keyword) ||
                     (!*call->arguments[i].keyword && i == place);
        if (taken && value->constant)
            return &value->number;
    }
    return NULL;
}

static bool put_same(const Asked *asked, const AskedCall *call, const Shape *x, Shape *y)
{
    (void)asked;
    (void)call;
    *y = *x;
    return true;
}

/* Two axes: those in front of the axis, and the others. */
static bool put_flat(const Asked *asked, const AskedCall *call, const Shape *x, Shape *y)
{
    const Attribute *axis = constant_of(asked, call, "axis", ASKED_ARGUMENTS_MAX);
    int64_t cut = axis ? axis->integer : 1;
    cut += cut < 0 ? x->rank : 0;
    *y = (Shape){2, {1, 1}};
    if (shape_count(x) > PRODUCT_MAX)
        return false;
    for (int64_t i = 0; i < x->rank; i++)
        y->extent[i >= cut] *= x->extent[i];
    return true;
}

/* 0 is the extent of x, -1 what is left. */
static bool put_reshaped(const Asked *asked, const AskedCall *call, const Shape *x, Shape *y)
{
    const Attribute *shape = constant_of(asked, call, "shape", 1);
    int64_t open = -1, product = 1, count = shape_count(x);
    if (!shape || shape->kind != ATTRIBUTE_TUPLE || shape->count > TENSOR_RANK_MAX)
        return false;
    *y = (Shape){.rank = shape->count};
    for (int i = 0; i < shape->count; i++) {
        bool same = i < x->rank && shape->list[i] == 0;
        y->extent[i] = same ? x->extent[i] : shape->list[i];
        if (y->extent[i] < 0)
            open = i;
        else if (y->extent[i] > WANTED_EXTENT_MAX || product > WANTED_EXTENT_MAX)
            return false;
        else
            product *= y->extent[i];
    }
    if (open >= 0 && product > 0)
        y->extent[open] = count / product;
    return shape_count(y) == count && count <= PRODUCT_MAX;
}

static bool has_axis(const Attribute *axes, int64_t axis, int64_t rank)
{
    bool found = axes->kind == ATTRIBUTE_INTEGER && axes->integer == axis;
    for (int i = 0; axes->kind == ATTRIBUTE_TUPLE && i < axes->count; i++)
        found = found || axes->list[i] == axis || axes->list[i] + rank == axis;
    return found;
}

static bool put_squeezed(const Asked *asked, const AskedCall *call, const Shape *x, Shape *y)
{
    const Attribute *axes = constant_of(asked, call, "axes", 1);
    *y = (Shape){.rank = 0};
    for (int64_t i = 0; i < x->rank; i++)
        if (axes ? !has_axis(axes, i, x->rank) : x->extent[i] != 1)
            y->extent[y->rank++] = x->extent[i];
    return true;
}

static bool put_unsqueezed(const Asked *asked, const AskedCall *call, const Shape *x, Shape *y)
{
    const Attribute *axes = constant_of(asked, call, "axes", 1);
    int64_t taken = 0;
    int64_t rank = x->rank + (axes && axes->kind == ATTRIBUTE_TUPLE ? axes->count : 1);
    if (!axes || rank > TENSOR_RANK_MAX)
        return false;
    *y = (Shape){.rank = rank};
    for (int64_t i = 0; i < rank; i++)
        if (has_axis(axes, i, rank) || taken == x->rank)
            y->extent[i] = 1;
        else
            y->extent[i] = x->extent[taken++];
    return taken == x->rank;
}

static const struct {
    const char *type;
    bool (*put)(const Asked *asked, const AskedCall *call, const Shape *x, Shape *y);
} rows[] = {
    {"Flatten", put_flat},     {"Identity", put_same},        {"Reshape", put_reshaped},
    {"Squeeze", put_squeezed}, {"Unsqueeze", put_unsqueezed},
};

void onnx_pass_on(Asked *asked, const AskedCall *call)
{
    if (call->output_count == 0 || call->argument_count == 0)
        return;
    const AskedValue *x = &asked->values[call->arguments[0].value];
    AskedValue *y = &asked->values[call->outputs[0]];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (strcmp(rows[i].type, call->name) != 0 || !x->shaped)
            continue;
        if (!y->typed)
            y->dtype = x->dtype;
        y->typed = y->typed || x->typed;
        y->shaped = y->shaped || rows[i].put(asked, call, &x->shape, &y->shape);
    }
}
