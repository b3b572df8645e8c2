/* Operators that move elements and change none: every element of y is one of x, to the bit, or a
 * constant.  A row says where each comes from. */
#include <string.h>

#include "nn_move.h"
#include "reference/elementwise.h"

static const char *const tensors[] = {"x", "y", NULL};
static const char *const pad_modes[] = {"constant", "reflect", "edge", "wrap", NULL};
enum { PAD_CONSTANT, PAD_REFLECT, PAD_EDGE, PAD_WRAP };

int64_t nn_number_at(const Tensor *x, const int64_t *index)
{
    int64_t number = 0;
    for (int axis = 0; axis < x->rank; axis++)
        number = number * x->extent[axis] + index[axis];
    return number;
}

int64_t nn_number_beside(const Tensor *x, const int64_t *index, int64_t axis, int64_t at)
{
    int64_t own[TENSOR_RANK_MAX];
    memcpy(own, index, sizeof own);
    own[axis] = at;
    return nn_number_at(x, own);
}

Shape nn_move_same(const Move *q)
{
    return q->shape;
}

int64_t nn_modulo(int64_t value, int64_t extent)
{
    return extent > 0 ? (value % extent + extent) % extent : 0;
}

/* transpose: axis i of y is axis order(i) of x, where order rotates the axes or reverses them. */
static int order_of(const Move *q, int i)
{
    int rank = (int)q->shape.rank;
    return q->reverse ? rank - 1 - (int)nn_modulo(i + q->rotate, rank)
                      : (int)nn_modulo(i + q->rotate, rank);
}

static const Param transpose_params[] = {
    NN_DTYPE(Move), NN_INPUT_SHAPE(Move),
    P_INTEGER(Move, rotate, 0, 4, 0, "places by which the axes rotate", .formerly = "axis"),
    P_CHOICE(Move, reverse, nn_yes_no, "axes in the opposite order", .formerly = "backwards"),
    P_END};

static void normalise_transpose(void *params)
{
    Move *q = params;
    nn_fit_axis(&q->shape, &q->rotate);
}

static Shape transpose_result(const Move *q)
{
    Shape y = {.rank = q->shape.rank};
    for (int i = 0; i < (int)y.rank; i++)
        y.extent[i] = q->shape.extent[order_of(q, i)];
    return y;
}

static int64_t transpose_source(const Move *q, const Tensor *x, const int64_t *index)
{
    int64_t own[TENSOR_RANK_MAX];
    for (int i = 0; i < x->rank; i++)
        own[order_of(q, i)] = index[i];
    return nn_number_at(x, own);
}

/* slice: from start by step along one axis, count elements; now and then from behind the last one.
 */
enum { BEYOND = 3 };
static const Param slice_params[] = {
    NN_DTYPE(Move),
    NN_INPUT_SHAPE(Move),
    NN_AXIS(Move),
    P_INTEGER(Move, start, 0, 65535, 0, "first element"),
    P_INTEGER(Move, step, 1, 9, 1, "distance of elements"),
    P_CHOICE(Move, reverse, nn_yes_no, "from the end to the front", .formerly = "backwards"),
    P_END};

static void normalise_axis(void *params)
{
    Move *q = params;
    nn_fit_axis(&q->shape, &q->axis);
}

/* Where a slice begins: from behind the last element there are none to the end, and all to the
 * front (ONNX, Slice: clamped; Python, Sequence Types). */
static int64_t slice_begin(const Move *q)
{
    int64_t extent = q->shape.extent[q->axis], last = q->reverse ? extent - 1 : extent;
    return q->start < last ? q->start : last;
}

static int64_t slice_count(const Move *q)
{
    int64_t extent = q->shape.extent[q->axis], begin = slice_begin(q);
    int64_t room = q->reverse ? begin + 1 : extent - begin;
    return (room + q->step - 1) / q->step;
}

static void normalise_slice(void *params)
{
    Move *q = params;
    normalise_axis(params);
    q->start = nn_modulo(q->start, q->shape.extent[q->axis] + BEYOND);
}

static Shape slice_result(const Move *q)
{
    Shape y = q->shape;
    y.extent[q->axis] = slice_count(q);
    return y;
}

static int64_t slice_source(const Move *q, const Tensor *x, const int64_t *index)
{
    int64_t step = q->reverse ? -q->step : q->step;
    return nn_number_beside(x, index, q->axis, slice_begin(q) + index[q->axis] * step);
}

static const Param flip_params[] = {NN_DTYPE(Move), NN_INPUT_SHAPE(Move), NN_AXIS(Move), P_END};

static int64_t flip_source(const Move *q, const Tensor *x, const int64_t *index)
{
    return nn_number_beside(x, index, q->axis, x->extent[q->axis] - 1 - index[q->axis]);
}

static const Param roll_params[] = {
    NN_DTYPE(Move), NN_INPUT_SHAPE(Move), NN_AXIS(Move),
    P_INTEGER(Move, shifts, 0, 65535, 0, "places", .formerly = "start"), P_END};

static int64_t roll_source(const Move *q, const Tensor *x, const int64_t *index)
{
    return nn_number_beside(x, index, q->axis,
                            nn_modulo(index[q->axis] - q->shifts, x->extent[q->axis]));
}

/* tile: repeats along one axis. */
static const Param tile_params[] = {NN_DTYPE(Move), NN_INPUT_SHAPE(Move), NN_AXIS(Move),
                                    P_INTEGER(Move, repeats, 1, 9, 1, "copies", .formerly = "step"),
                                    P_END};

static Shape tile_result(const Move *q)
{
    Shape y = q->shape;
    y.extent[q->axis] *= q->repeats;
    return y;
}

static int64_t tile_source(const Move *q, const Tensor *x, const int64_t *index)
{
    return nn_number_beside(x, index, q->axis, nn_modulo(index[q->axis], x->extent[q->axis]));
}

/* expand: broadcasts the axes of a mask, whose extent in x is 1. */
static const Param expand_params[] = {NN_DTYPE(Move), NN_SHAPE(Move),
                                      P_INTEGER(Move, broadcast_x, 0, 31, 0,
                                                "axes that are broadcast, as bits",
                                                .formerly = "expand_a"),
                                      P_END};

static void normalise_expand(void *params)
{
    Move *q = params;
    q->broadcast_x = nn_broadcast_axes(&q->shape, q->broadcast_x, 0);
}

static int64_t expand_source(const Move *q, const Tensor *x, const int64_t *index)
{
    int64_t own[TENSOR_RANK_MAX];
    for (int axis = 0; axis < x->rank; axis++)
        own[axis] = q->broadcast_x >> (x->rank - 1 - axis) & 1 ? 0 : index[axis];
    return nn_number_at(x, own);
}

/* pad: by elements in front and behind along one axis. */
static const Param pad_params[] = {
    NN_DTYPE(Move),
    NN_INPUT_SHAPE(Move),
    NN_AXIS(Move),
    P_INTEGER(Move, pads_begin, 0, 64, 0, "elements in front", .formerly = "start"),
    P_INTEGER(Move, pads_end, 0, 64, 0, "elements behind", .formerly = "step"),
    P_CHOICE(Move, mode, pad_modes, "what the new elements are"),
    P_END};

/* Reflection needs an element more than it adds, the others need one. */
static void normalise_pad(void *params)
{
    Move *q = params;
    normalise_axis(params);
    int64_t extent = q->shape.extent[q->axis], most = extent;
    if (q->mode == PAD_REFLECT)
        most = extent - 1;
    if (q->mode == PAD_CONSTANT || (q->mode == PAD_EDGE && extent > 0))
        most = 64;
    most = most > 0 ? most : 0;
    q->pads_begin = q->pads_begin < most ? q->pads_begin : most;
    q->pads_end = q->pads_end < most ? q->pads_end : most;
}

static Shape pad_result(const Move *q)
{
    Shape y = q->shape;
    y.extent[q->axis] += q->pads_begin + q->pads_end;
    return y;
}

static int64_t pad_source(const Move *q, const Tensor *x, const int64_t *index)
{
    int64_t extent = x->extent[q->axis], at = index[q->axis] - q->pads_begin;
    if (q->mode == PAD_CONSTANT && (at < 0 || at >= extent))
        return NN_FROM_NOWHERE;
    if (q->mode == PAD_REFLECT)
        at = at < 0 ? -at : at >= extent ? 2 * extent - 2 - at : at;
    if (q->mode == PAD_EDGE)
        at = at < 0 ? 0 : at >= extent ? extent - 1 : at;
    return nn_number_beside(x, index, q->axis, q->mode == PAD_WRAP ? nn_modulo(at, extent) : at);
}

/* tril and triu: of the last two axes, from a diagonal on. */
static const Param triangle_params[] = {
    NN_DTYPE(Move), P_SHAPE(Move, shape, 2, TENSOR_RANK_MAX, "extents of the input"),
    P_INTEGER(Move, diagonal, -64, 64, 0, "diagonal, the main one is 0"), P_END};

static int64_t lower_source(const Move *q, const Tensor *x, const int64_t *index)
{
    bool kept = index[x->rank - 1] - index[x->rank - 2] <= q->diagonal;
    return kept ? nn_number_at(x, index) : NN_FROM_NOWHERE;
}

static int64_t upper_source(const Move *q, const Tensor *x, const int64_t *index)
{
    bool kept = index[x->rank - 1] - index[x->rank - 2] >= q->diagonal;
    return kept ? nn_number_at(x, index) : NN_FROM_NOWHERE;
}

/* pixel_shuffle and its inverse: channels become blocks of block_size x block_size elements. */
static const Param shuffle_params[] = {
    NN_DTYPE(Move),
    P_DIM(Move, batch, 0, 16, "samples"),
    P_DIM(Move, channels, 1, 32, "channels of the image"),
    P_SHAPE(Move, size, 2, 2, "extents of the small images"),
    P_INTEGER(Move, block_size, 1, 5, 1, "side of a block", .formerly = "step"),
    P_END};

/* The input's shape goes where the other rows have it. */
static void normalise_shuffle(void *params)
{
    Move *q = params;
    q->shape = (Shape){4,
                       {q->batch, q->channels * q->block_size * q->block_size, q->size.extent[0],
                        q->size.extent[1]}};
}

static void normalise_unshuffle(void *params)
{
    Move *q = params;
    q->shape = (Shape){4,
                       {q->batch, q->channels, q->size.extent[0] * q->block_size,
                        q->size.extent[1] * q->block_size}};
}

static Shape shuffle_result(const Move *q)
{
    return (Shape){4,
                   {q->batch, q->channels, q->size.extent[0] * q->block_size,
                    q->size.extent[1] * q->block_size}};
}

static Shape unshuffle_result(const Move *q)
{
    return (Shape){4,
                   {q->batch, q->channels * q->block_size * q->block_size, q->size.extent[0],
                    q->size.extent[1]}};
}

static int64_t shuffle_source(const Move *q, const Tensor *x, const int64_t *index)
{
    int64_t r = q->block_size, block = index[2] % r * r + index[3] % r;
    const int64_t own[TENSOR_RANK_MAX] = {index[0], index[1] * r * r + block, index[2] / r,
                                          index[3] / r};
    return nn_number_at(x, own);
}

/* Blocks come first here: channel number block * channels + channel. */
static int64_t unshuffle_source(const Move *q, const Tensor *x, const int64_t *index)
{
    int64_t r = q->block_size, block = index[1] / q->channels;
    const int64_t own[TENSOR_RANK_MAX] = {index[0], index[1] % q->channels,
                                          index[2] * r + block / r, index[3] * r + block % r};
    return nn_number_at(x, own);
}

static double work(const void *params)
{
    return nn_work_elements(&((const Move *)params)->shape, 64);
}

static double shuffle_work(const void *params)
{
    const Move *q = params;
    return 64.0 * (double)(q->batch * q->channels * q->block_size * q->block_size) *
           (double)shape_count(&q->size);
}

const MoveRow nn_moves[] = {
    {"transpose", "axes in another order", 2, transpose_params, normalise_transpose,
     transpose_result, transpose_source, work, false, false},
    {"slice", "some of the elements along an axis", 2, slice_params, normalise_slice, slice_result,
     slice_source, work, false, false},
    {"flip", "an axis backwards", 1, flip_params, normalise_axis, nn_move_same, flip_source, work,
     false, false},
    {"roll", "an axis moved in a circle", 2, roll_params, normalise_axis, nn_move_same, roll_source,
     work, false, false},
    {"tile", "copies along an axis", 2, tile_params, normalise_axis, tile_result, tile_source, work,
     false, false},
    {"expand", "axes of one element repeated", 2, expand_params, normalise_expand, nn_move_same,
     expand_source, work, false, false},
    {"pad", "elements in front and behind", 2, pad_params, normalise_pad, pad_result, pad_source,
     work, false, true},
    {"tril", "lower triangles", 1, triangle_params, NULL, nn_move_same, lower_source, work, false,
     true},
    {"triu", "upper triangles", 1, triangle_params, NULL, nn_move_same, upper_source, work, false,
     true},
    {"pixel_shuffle", "channels to blocks of elements", 2, shuffle_params, normalise_shuffle,
     shuffle_result, shuffle_source, shuffle_work, false, false},
    {"space_to_depth", "blocks of elements to channels", 2, shuffle_params, normalise_unshuffle,
     unshuffle_result, unshuffle_source, shuffle_work, false, false},
    {.name = NULL},
};

void nn_move_shape(const MoveRow *row, const void *params, Shapes *shapes)
{
    const Move *q = params;
    Shape y = row->result(q);
    *shapes = (Shapes){.count = 2, .depth = 1};
    shapes->tensor[0] = row->source == expand_source
                            ? nn_broadcast_operand(nn_dtype(q), &q->shape, q->broadcast_x)
                            : nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
}

int64_t nn_move_source(const MoveRow *row, const Move *q, const Tensor *x, const Tensor *y,
                       int64_t number)
{
    int64_t index[TENSOR_RANK_MAX] = {0};
    for (int axis = y->rank - 1; axis >= 0; axis--)
        index[axis] = tensor_take_index(&number, y->extent[axis]);
    return row->source(q, x, index);
}

static void shape(const OpDesc *op, const void *params, Shapes *shapes)
{
    nn_move_shape(op->detail, params, shapes);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *x = &input->tensors[0], *y = &input->tensors[1];
    Ref *ref = &refs[1];
    ref_allocate_exact(ref, y, arena);
    for (size_t i = 0; i < ref->count; i++) {
        int64_t from = nn_move_source(input->op->detail, input->params, x, y, (int64_t)i);
        if (from == NN_FROM_NOWHERE)
            ref_set_exact(ref, i, 0, MATCH_USUAL);
        else
            ref_set_exact(ref, i, tensor_value(x, from), MATCH_BITS);
    }
}

double nn_move_work(const OpDesc *op, const void *params)
{
    const MoveRow *row = op->detail;
    const Move *q = params;
    if (row->work)
        return row->work(params);
    Shape y = row->result(q);
    return nn_work_elements(&q->shape, 64) + nn_work_elements(&y, 64);
}

static const IllegalRule *illegal_of(const MoveRow *row)
{
    static const IllegalRule order[] = {{ILLEGAL_WRITTEN, "order", 2}, {0}},
                             crop[] = {{ILLEGAL_CROP, "pads_begin", 0}, {0}},
                             step[] = {{ILLEGAL_INTEGER, "step", 0}, {0}},
                             repeats[] = {{ILLEGAL_INTEGER, "repeats", -1}, {0}},
                             block[] = {{ILLEGAL_INTEGER, "block_size", 0}, {0}};
    const struct {
        bool is_of;
        const IllegalRule *rules;
    } lists[] = {
        {row->source == transpose_source, order}, {row->source == pad_source, crop},
        {row->source == slice_source, step},      {row->source == tile_source, repeats},
        {row->params == shuffle_params, block},   {row->source == flip_source, nn_illegal_axis}};
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        if (lists[i].is_of)
            return lists[i].rules;
    return NULL;
}

OpDesc nn_describe_move(const MoveRow *row)
{
    return (OpDesc){
        NN_OP(Move, row->version),
        .name = row->name,
        .summary = row->summary,
        .params = row->params,
        .tensors = tensors,
        NN_ANY_ELEMENT,
        .normalise = row->normalise,
        .shape_of_row = shape,
        .work_of_row = nn_move_work,
        .reference = reference,
        .zeros = row->fills ? nn_zeros_beside : nn_zeros_copied,
        .illegal = illegal_of(row),
        .detail = row,
    };
}

OP_TABLE(ops_move)
{
    static OpDesc table[NN_MOVES_MAX + 1];
    for (int i = 0; nn_moves[i].name; i++)
        table[i] = nn_describe_move(&nn_moves[i]);
    return table;
}
