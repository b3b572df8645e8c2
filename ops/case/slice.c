/* Tries the extents among the parameters: one by which operands and results shrink in proportion is
 * an axis of parts. */
#include "slice.h"

#include <string.h>

#include "extent.h"

enum { ALL_AXES = -1, AXES_MAX = 16 };

/* An extent of a case: of an axis of a shape or of a tuple, or all axes of a shape. */
typedef struct SliceAxis {
    const Param *param;
    int axis;
} SliceAxis;

/* The indices of a part of an axis. */
typedef struct SliceRange {
    int64_t whole, count, start;
} SliceRange;

static int64_t *extent_at(const SliceAxis *axis, Case *c)
{
    return axis->param->kind == PARAM_DIM
               ? param_integer(axis->param, c->params)
               : &param_shape(axis->param, c->params)->extent[axis->axis];
}

/* Sets an extent; false where the case does not stay as it is otherwise. */
static bool set_extent(Case *c, const SliceAxis *axis, int64_t count)
{
    if (axis->axis == ALL_AXES) {
        Shape *shape = param_shape(axis->param, c->params);
        for (int i = 0; i < shape->rank; i++)
            shape->extent[i] = 1;
    } else {
        *extent_at(axis, c) = count;
    }
    Case legal = *c;
    case_normalise(&legal, NULL);
    for (const Param *param = c->op->params; param->name; param++)
        if (!param_equal(param, c->params, legal.params))
            return false;
    return true;
}

/* True where operands are made alike but for their extents. */
static bool is_alike(const TensorSpec *whole, const TensorSpec *part)
{
    return whole->role == part->role && whole->part == part->part &&
           whole->contraction == part->contraction && whole->ignored == part->ignored &&
           whole->index_below == part->index_below && whole->index_first == part->index_first &&
           whole->index_axis == part->index_axis && whole->block.first == part->block.first &&
           whole->block.end == part->block.end && whole->has_head == part->has_head &&
           whole->has_last == part->has_last && whole->arrangement == part->arrangement &&
           whole->layout.rank == part->layout.rank && whole->layout.dtype == part->layout.dtype &&
           whole->layout.limited == part->layout.limited &&
           whole->layout.packing == part->layout.packing;
}

/* Places a part of an operand; *moved says whether it is another one than the whole. */
static bool place_operand(const TensorSpec *whole, const TensorSpec *part, const SliceRange *range,
                          SlicePlace *place, bool *moved)
{
    *moved = false;
    if (!is_alike(whole, part))
        return false;
    for (int axis = 0; axis < whole->layout.rank; axis++) {
        int64_t from = whole->layout.extent[axis], to = part->layout.extent[axis];
        place->extent[axis] = from;
        place->start[axis] = 0;
        if (from == to)
            continue;
        if (axis == whole->contraction || whole->layout.limited || whole->has_head ||
            whole->has_last || whole->block.end || from % range->whole != 0 ||
            to != from / range->whole * range->count)
            return false;
        place->start[axis] = from / range->whole * range->start;
        place->joined = place->joined || from != range->whole;
        *moved = true;
    }
    return true;
}

/* One element of operands, each of which has the extents of the result or repeats along an axis. */
static bool place_element(const Tensor *whole, const Shape *shape, int64_t number,
                          SlicePlace *place)
{
    memcpy(place->extent, whole->extent, sizeof place->extent);
    if (whole->rank != shape->rank)
        return tensor_count(whole) == 1;
    for (int axis = whole->rank - 1; axis >= 0; axis--) {
        int64_t index = tensor_take_index(&number, shape->extent[axis]);
        place->start[axis] = whole->extent[axis] == 1 ? 0 : index;
        if (whole->extent[axis] != 1 && whole->extent[axis] != shape->extent[axis])
            return false;
    }
    return true;
}

static bool place_all(const Case *c, const SliceAxis *axis, const Case *part,
                      const SliceRange *range, SlicePlace *places)
{
    Shapes whole, parts;
    op_shape(c->op, c->params, &whole);
    op_shape(part->op, part->params, &parts);
    bool result = false;
    for (int i = 0; i < whole.count; i++) {
        bool moved = true;
        const TensorSpec *from = &whole.tensor[i], *to = &parts.tensor[i];
        memset(&places[i], 0, sizeof places[i]);
        if (axis->axis == ALL_AXES
                ? !is_alike(from, to) ||
                      !place_element(&from->layout, (const void *)(c->params + axis->param->offset),
                                     range->start, &places[i])
                : !place_operand(from, to, range, &places[i], &moved))
            return false;
        result |= moved && from->role != ROLE_IN;
    }
    return result && whole.count == parts.count;
}

/* Mostly the indices at one end: what stands behind the last whole block is often computed apart.
 */
static SliceRange range_of(SliceKind kind, int64_t whole, int64_t choice)
{
    enum { AT_END, AT_START, ANYWHERE, PLACES };
    int64_t count = kind == SLICE_HALF ? (whole + 1) / 2 : 1, free = whole - count;
    if (kind == SLICE_ROTATED)
        return (SliceRange){whole, count, 1 + choice % (whole - 1)};
    int64_t start = choice % PLACES == AT_END     ? free
                    : choice % PLACES == AT_START ? 0
                                                  : choice / PLACES % (free + 1);
    return (SliceRange){whole, count, start};
}

/* The case of a part with what it has of each operand; false where the axis has no such part. */
static bool make_part(const Case *c, SliceKind kind, const SliceAxis *axis, int64_t choice,
                      Case *part, SlicePlace *places)
{
    *part = *c;
    int64_t whole = axis->axis == ALL_AXES ? shape_count(param_shape(axis->param, part->params))
                                           : *extent_at(axis, part);
    if (whole < 2 || whole == INT64_MAX)
        return false;
    SliceRange range = range_of(kind, whole, choice);
    if (!set_extent(part, axis, range.count) || !place_all(c, axis, part, &range, places))
        return false;
    if (kind == SLICE_ROTATED)
        *part = *c;
    return true;
}

/* An axis that sums or comparisons go along has no parts. */
static bool is_worked_along(const Case *c, const Param *param, int axis)
{
    return !strcmp(param->name, "shape") && (case_has(c, "axes") || case_has(c, "axis")) &&
           extent_is_column(c, axis);
}

static int list_axes(const Case *c, SliceKind kind, SliceAxis axes[AXES_MAX])
{
    int count = 0;
    for (const Param *param = c->op->params; param->name && count < AXES_MAX; param++) {
        bool shape = param->kind == PARAM_SHAPE || param->kind == PARAM_TUPLE;
        int64_t rank = shape ? ((const Shape *)(const void *)(c->params + param->offset))->rank
                             : param->kind == PARAM_DIM;
        if (param->kind == PARAM_SHAPE && c->op->in_place && kind == SLICE_ONE) {
            axes[count++] = (SliceAxis){param, ALL_AXES};
            continue;
        }
        for (int axis = 0; axis < rank && count < AXES_MAX; axis++)
            if (!shape || !is_worked_along(c, param, axis))
                axes[count++] = (SliceAxis){param, axis};
    }
    return count;
}

bool slice_make(const Case *c, SliceKind kind, Case *part, SlicePlace *places)
{
    SliceAxis axes[AXES_MAX];
    int count = list_axes(c, kind, axes);
    int64_t choice = c->fill[0].seed;
    for (int tries = 0; tries < count; tries++)
        if (make_part(c, kind, &axes[(choice + tries) % count], choice / count, part, places))
            return true;
    return false;
}

void slice_whole(const Case *c, SlicePlace *places)
{
    Shapes shapes;
    op_shape(c->op, c->params, &shapes);
    memset(places, 0, OP_TENSORS_MAX * sizeof *places);
    for (int i = 0; i < shapes.count; i++)
        memcpy(places[i].extent, shapes.tensor[i].layout.extent, sizeof places[i].extent);
}

int64_t slice_number(const SlicePlace *place, const Tensor *part, int64_t number)
{
    int64_t index[TENSOR_RANK_MAX] = {0}, source = 0;
    for (int axis = part->rank - 1; axis >= 0; axis--)
        index[axis] = tensor_take_index(&number, part->extent[axis]);
    for (int axis = 0; axis < part->rank; axis++)
        source =
            source * place->extent[axis] + (place->start[axis] + index[axis]) % place->extent[axis];
    return source;
}
