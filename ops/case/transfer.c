/* Parameters go by their names, data by the names and roles of operands. */
#include "transfer.h"

#include <string.h>

#include "trigger.h"

/* Which spatial axis of the one case is which of the other where the operators have other numbers
 * of them, -1 for none: those that matter keep their order. */
typedef struct AxisMap {
    int64_t from, to; /* how many there are, 0 where the numbers are alike */
    int axis[TENSOR_RANK_MAX];
    bool fits;
} AxisMap;

/* The only number of axes that the values of a parameter may have; 0 where there is none. */
static int64_t rank_of(const Param *param)
{
    if (param->kind == PARAM_TUPLE)
        return param->rank;
    return param->kind == PARAM_SHAPE && param->minimum == param->maximum ? param->minimum : 0;
}

static const Shape *tuple_of(const Param *param, const Case *c)
{
    return (const Shape *)(const void *)(c->params + param->offset);
}

static const Param *counterpart(const OpDesc *op, const Param *param)
{
    for (const Param *other = op->params; other->name; other++)
        if (!strcmp(param_common_name(other), param_common_name(param)))
            return other->kind == param->kind && other->names == param->names ? other : NULL;
    return NULL;
}

static bool is_spread(const Param *param, const Param *other)
{
    return other && rank_of(param) > 0 && rank_of(other) > 0 && rank_of(param) != rank_of(other);
}

static AxisMap map_axes(const OpDesc *to, const Case *from)
{
    AxisMap map = {0};
    bool matters[TENSOR_RANK_MAX] = {false};
    for (int axis = 0; axis < TENSOR_RANK_MAX; axis++)
        map.axis[axis] = -1;
    for (const Param *param = from->op->params; param->name; param++) {
        const Param *other = counterpart(to, param);
        if (!is_spread(param, other))
            continue;
        map.from = rank_of(param);
        map.to = rank_of(other);
        const Shape *tuple = tuple_of(param, from);
        for (int axis = 0; axis < map.from; axis++)
            matters[axis] = matters[axis] || tuple->extent[axis] != param->simplest;
    }
    int64_t used = 0;
    for (int axis = 0; axis < map.from; axis++)
        if (matters[axis] && used++ < map.to)
            map.axis[used - 1] = axis;
    map.fits = used <= map.to;
    return map;
}

/* The values of the axes that matter, the simplest for others. */
static void spread_axes(const AxisMap *map, const Param *other, Case *to, const Param *param,
                        const Case *from)
{
    const Shape *tuple = tuple_of(param, from);
    Shape *moved = param_shape(other, to->params);
    for (int axis = 0; axis < map->to; axis++)
        if (map->axis[axis] >= 0)
            moved->extent[axis] = tuple->extent[map->axis[axis]];
}

/* Extents or numbers by axis: trailing ones at their simplest are left out, or added, where the
 * other parameter has fewer or more axes.  False where others would be lost. */
static bool move_axes(const Param *other, Case *to, const Param *param, const Case *from)
{
    Case copy = *from;
    Shape shape = *param_shape(param, copy.params);
    bool tuple = other->kind == PARAM_TUPLE;
    int64_t least = tuple ? other->rank : other->minimum;
    int64_t most = tuple ? other->rank : other->maximum;
    while (shape.rank > most && shape.extent[shape.rank - 1] == param->simplest)
        shape.extent[--shape.rank] = 0;
    while (shape.rank < least)
        shape.extent[shape.rank++] = other->simplest;
    if (shape.rank > most)
        return false;
    *param_shape(other, to->params) = shape;
    return true;
}

/* Copies what is not at its simplest; false where the other table has no place for it. */
static bool move_param(Case *to, const Param *param, const Case *from, const AxisMap *map)
{
    const Param *other = counterpart(to->op, param);
    bool alike = other != NULL;
    bool by_axis = param->kind == PARAM_SHAPE || param->kind == PARAM_TUPLE;
    if (param->kind == PARAM_DTYPE || case_is_simplest(from, 0, param))
        return true;
    if (is_spread(param, other)) {
        spread_axes(map, other, to, param, from);
        return map->fits;
    }
    if (alike && by_axis)
        alike = move_axes(other, to, param, from);
    else if (alike)
        param_move(other, to->params, param, from->params);
    return alike || trigger_is_placement(param, from->params) || param->kind == PARAM_DIM;
}

/* An extent of several names, as widths of a band are: it is no side of a square. */
static bool is_width(const Param *param)
{
    return param->kind == PARAM_DIM && param->like;
}

/* Gives every width that the other operator has the largest that the case has. */
static void move_widths(Case *to, const Case *from)
{
    for (const Param *other = to->op->params; other->name; other++) {
        int64_t largest = -1;
        for (const Param *param = from->op->params; param->name && is_width(other); param++) {
            const int64_t *width = (const void *)(from->params + param->offset);
            if (is_width(param) && !strcmp(param->like, other->like) && *width > largest)
                largest = *width;
        }
        if (largest >= 0)
            *param_integer(other, to->params) = largest;
    }
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
    bool reads = from_shapes->tensor[i].role != ROLE_OUT;
    if (same >= 0 && (to_shapes->tensor[same].role != ROLE_OUT) == reads)
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
            int count = is_width(param) ? 0 : param_extents(param, of->params, extents);
            for (int i = 0; i < count; i++) {
                largest = !pass && *extents[i] > largest ? *extents[i] : largest;
                if (pass)
                    *extents[i] = largest;
            }
        }
    }
}

bool case_transfer(Case *to, const OpDesc *op, DType dtype, bool square, const Case *from)
{
    Shapes to_shapes, from_shapes;
    bool whole = from->exec.illegal == 0;
    AxisMap map = map_axes(op, from);
    case_init(to, op);
    for (const Param *param = from->op->params; param->name; param++)
        whole = move_param(to, param, from, &map) && whole;
    move_widths(to, from);
    if (square)
        make_square(to, from);
    case_set_dtype(to, dtype);
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
    return whole && case_dtype(to) == dtype && case_returns_from_line(to);
}

/* The number of elements that are written. */
static int64_t count_written(const Case *c)
{
    Shapes shapes;
    int64_t count = 0;
    op_shape(c->op, c->params, &shapes);
    for (int i = 0; i < shapes.count; i++)
        if (shapes.tensor[i].role != ROLE_IN) {
            Shape shape = shape_of_tensor(&shapes.tensor[i].layout);
            count += shape_count(&shape);
        }
    return count;
}

/* Changes one extent, which is added or multiplies, so that so many elements are written. */
static bool fit_extent(Case *c, const Param *param, int place, int64_t wanted)
{
    const Case original = *c;
    int64_t *extents[TENSOR_RANK_MAX], had = count_written(c);
    for (int multiplies = 0; multiplies < 2; multiplies++) {
        if (had <= 0 || place >= param_extents(param, c->params, extents))
            return false;
        int64_t fit = multiplies ? *extents[place] * wanted / had : *extents[place] + wanted - had;
        *extents[place] = fit;
        if (fit > 0 && fit <= SHAPE_EXTENT_MAX) {
            case_normalise(c, NULL);
            if (count_written(c) == wanted)
                return true;
        }
        *c = original;
    }
    return false;
}

bool case_match_written(Case *c, const Case *from)
{
    int64_t wanted = count_written(from), had = count_written(c);
    if (wanted == had || wanted == 0 || had == 0 || wanted > SHAPE_EXTENT_MAX)
        return false;
    for (const Param *param = c->op->params; param->name; param++)
        for (int place = 0; place < TENSOR_RANK_MAX; place++)
            if (fit_extent(c, param, place, wanted))
                return case_returns_from_line(c);
    return false;
}

bool case_turn(Case *c, const Case *from)
{
    bool turned = false;
    for (const Param *param = c->op->params; param->name; param++)
        if (param->placement && param->kind == PARAM_CHOICE && !counterpart(from->op, param)) {
            *param_integer(param, c->params) = 1;
            turned = true;
        }
    case_normalise(c, NULL);
    return turned;
}

void case_vary(Case *c, int64_t seed)
{
    Shapes shapes;
    op_shape(c->op, c->params, &shapes);
    for (int i = 0; i < shapes.count; i++) {
        if (shapes.tensor[i].index_below > 0)
            c->fill[i].seed = seed;
        else if (shapes.tensor[i].role != ROLE_OUT && !trigger_of_fill(&c->fill[i], case_dtype(c)))
            c->fill[i] = (Fill){.kind = FILL_INT, .seed = seed + i};
    }
    case_normalise(c, NULL);
}

bool case_make_plain(Case *c)
{
    Case original = *c;
    DType dtype = case_dtype(c);
    for (const Param *param = c->op->params; param->name; param++) {
        Scalar *scalar = (void *)((char *)c->params + param->offset);
        if (param->kind == PARAM_SCALAR && trigger_of_scalar(scalar->re, dtype))
            scalar->re = 1;
        if (param->kind == PARAM_SCALAR && trigger_of_scalar(scalar->im, dtype))
            scalar->im = 1;
    }
    for (int i = 0; i < op_tensor_count(c->op); i++)
        if (trigger_of_fill(&c->fill[i], dtype))
            c->fill[i] = (Fill){.kind = FILL_INT, .seed = i};
    c->exec.overlap = c->exec.relation = 0;
    case_normalise(c, NULL);
    return memcmp(&original, c, sizeof original) != 0;
}

bool case_set_factors(Case *c)
{
    Case original = *c;
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == PARAM_SCALAR)
            param_set_simplest(param, c->params);
    case_normalise(c, NULL);
    return memcmp(&original, c, sizeof original) != 0;
}

bool case_set_alone(Case *c)
{
    bool changed = c->exec.overlap != 0 || c->exec.relation != 0;
    c->exec.overlap = c->exec.relation = 0;
    return changed;
}

bool case_widen(Case *c)
{
    DType dtype = case_dtype(c);
    bool narrow = dtype == DT_F16 || dtype == DT_BF16;
    if (narrow)
        case_set_dtype(c, DT_F32);
    case_normalise(c, NULL);
    return narrow && case_dtype(c) == DT_F32;
}

bool case_grow(Case *c, int64_t by)
{
    for (const Param *param = c->op->params; param->name; param++) {
        int64_t *extents[TENSOR_RANK_MAX];
        int count = param_extents(param, c->params, extents);
        for (int i = 0; i < count; i++)
            *extents[i] += *extents[i] > 1 ? by : 0;
    }
    case_normalise(c, NULL);
    return case_returns_from_line(c);
}
