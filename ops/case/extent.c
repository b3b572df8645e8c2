/* Sides of a shape, and products of parameters. */
#include "extent.h"

#include <stddef.h>
#include <string.h>

const ExtentRow extent_rows[] = {
    {"n", "shape", EXTENT_ALL, "shape", NULL, "the number of elements"},
    {"rows", "shape", EXTENT_ROWS, "shape", NULL, "extents before the columns, as a product"},
    {"cols", "shape", EXTENT_COLUMNS, "shape", NULL,
     "extents of the axes that are worked along, else of the last one, as a product"},
    {"outer", "shape axis", EXTENT_OUTER, "shape", NULL, "extents before the axis, as a product"},
    {"inner", "shape axis", EXTENT_INNER, "shape", NULL, "extents behind the axis, as a product"},
    {"area", "input_size", EXTENT_ALL, "input_size", NULL, "the elements of a channel"},
    {"channels", "channels_per_group num_groups", EXTENT_ALL, NULL, "num_groups channels_per_group",
     "channels of all groups"},
    {"in_channels", "in_channels_per_group groups", EXTENT_ALL, NULL,
     "groups in_channels_per_group", "channels of x, of all groups"},
    {"out_channels", "out_channels_per_group groups", EXTENT_ALL, NULL,
     "groups out_channels_per_group", "channels of y, of all groups"},
    {"q_num_heads", "kv_num_heads group_size", EXTENT_ALL, NULL, "kv_num_heads group_size",
     "heads of q"},
    {0}};

const ExtentRow *extent_row(const OpDesc *op, const char *word)
{
    for (const ExtentRow *row = extent_rows; row->name; row++)
        if (!strcmp(row->name, word) && op_has_params(op, row->needs) &&
            !op_param(op, word, strlen(word)))
            return row;
    return NULL;
}

bool extent_is_column(const Case *c, int axis)
{
    int rank = (int)case_shape(c, "shape")->rank;
    if (case_has(c, "axes"))
        return case_int(c, "axes") >> (rank - 1 - axis) & 1;
    if (!case_has(c, "axis"))
        return axis == rank - 1;
    return case_has(c, "epsilon") ? axis >= case_int(c, "axis") : axis == case_int(c, "axis");
}

static bool is_on_side(const Case *c, ExtentSide side, int axis)
{
    switch (side) {
    case EXTENT_ROWS:
        return !extent_is_column(c, axis);
    case EXTENT_COLUMNS:
        return extent_is_column(c, axis);
    case EXTENT_OUTER:
        return axis < case_int(c, "axis");
    case EXTENT_INNER:
        return axis > case_int(c, "axis");
    default:
        return true;
    }
}

Extents extent_numbers(const ExtentRow *row, const Case *c)
{
    Extents extents = {0};
    for (const char *name = row->factors; name && *name;) {
        size_t length = strcspn(name, " ");
        extents.offset[extents.count++] = op_param(c->op, name, length)->offset;
        name += length + (name[length] == ' ');
    }
    if (row->factors)
        return extents;
    const Param *param = case_param(c, row->of);
    const Shape *shape = case_shape(c, row->of);
    for (int axis = 0; axis < shape->rank; axis++)
        if (is_on_side(c, row->side, axis))
            extents.offset[extents.count++] =
                param->offset + offsetof(Shape, extent) + (size_t)axis * sizeof(int64_t);
    return extents;
}

int64_t extents_product(const Extents *extents, const Case *c)
{
    int64_t product = 1;
    for (int i = 0; i < extents->count; i++) {
        int64_t extent;
        memcpy(&extent, c->params + extents->offset[i], sizeof extent);
        if (extent == 0)
            return 0;
        if (__builtin_mul_overflow(product, extent, &product))
            return INT64_MAX;
    }
    return product;
}
