/* Operators that move elements and change none: every element of y is one of x, to the bit, or a
 * constant.  A row says where each comes from. */
#include <string.h>

#include "nn_move.h"
#include "reference/elementwise.h"

static const char *const tensors[] = {"x", "y", NULL};
static const char *const pad_modes[] = {"constant", "reflect", "edge", "wrap", NULL};
enum { PAD_CONSTANT, PAD_REFLECT, PAD_EDGE, PAD_WRAP };

static int64_t number_at(const Tensor *x, const int64_t *index)
{
    int64_t number = 0;
    for (int axis = 0; axis < x->rank; axis++)
        number = number * x->extent[axis] + index[axis];
    return number;
}

static Shape same(const Nn *q)
{
    return q->shape;
}

static int64_t modulo(int64_t value, int64_t extent)
{
    return extent > 0 ? (value % extent + extent) % extent : 0;
}

/* transpose: axis i of y is axis order(i) of x, where order rotates the axes or reverses them. */
static int order_of(const Nn *q, int i)
{
    int rank = (int)q->shape.rank;
    return q->backwards ? rank - 1 - (int)modulo(i + q->axis, rank)
                        : (int)modulo(i + q->axis, rank);
}

static const Param transpose_params[] = {
    NN_DTYPE, NN_INPUT_SHAPE, P_INTEGER(Nn, axis, 0, 4, 0, "places by which the axes rotate"),
    P_CHOICE(Nn, backwards, nn_yes_no, "axes in the opposite order"), P_END};

static Shape transpose_result(const Nn *q)
{
    Shape y = {.rank = q->shape.rank};
    for (int i = 0; i < (int)y.rank; i++)
        y.extent[i] = q->shape.extent[order_of(q, i)];
    return y;
}

static int64_t transpose_source(const Nn *q, const Tensor *x, const int64_t *index)
{
    int64_t own[TENSOR_RANK_MAX];
    for (int i = 0; i < x->rank; i++)
        own[order_of(q, i)] = index[i];
    return number_at(x, own);
}

/* slice: from start by step along one axis, count elements. */
static const Param slice_params[] = {
    NN_DTYPE,
    NN_INPUT_SHAPE,
    NN_AXIS,
    P_INTEGER(Nn, start, 0, 65535, 0, "first element"),
    P_INTEGER(Nn, step, 1, 9, 1, "distance of elements"),
    P_CHOICE(Nn, backwards, nn_yes_no, "from the end to the front"),
    P_END};

static int64_t slice_count(const Nn *q)
{
    int64_t extent = q->shape.extent[q->axis];
    int64_t room = q->backwards ? q->start + 1 : extent - q->start;
    return extent == 0 ? 0 : (room + q->step - 1) / q->step;
}

static void normalise_slice(void *params)
{
    Nn *q = params;
    nn_normalise_axis(params);
    q->start = modulo(q->start, q->shape.extent[q->axis]);
}

static Shape slice_result(const Nn *q)
{
    Shape y = q->shape;
    y.extent[q->axis] = slice_count(q);
    return y;
}

static int64_t slice_source(const Nn *q, const Tensor *x, const int64_t *index)
{
    int64_t own[TENSOR_RANK_MAX], step = q->backwards ? -q->step : q->step;
    memcpy(own, index, sizeof own);
    own[q->axis] = q->start + index[q->axis] * step;
    return number_at(x, own);
}

/* flip and roll */
static const Param axis_params[] = {NN_DTYPE, NN_INPUT_SHAPE, NN_AXIS, P_END};

static int64_t flip_source(const Nn *q, const Tensor *x, const int64_t *index)
{
    int64_t own[TENSOR_RANK_MAX];
    memcpy(own, index, sizeof own);
    own[q->axis] = x->extent[q->axis] - 1 - index[q->axis];
    return number_at(x, own);
}

static const Param roll_params[] = {NN_DTYPE, NN_INPUT_SHAPE, NN_AXIS,
                                    P_INTEGER(Nn, start, 0, 65535, 0, "places"), P_END};

static int64_t roll_source(const Nn *q, const Tensor *x, const int64_t *index)
{
    int64_t own[TENSOR_RANK_MAX];
    memcpy(own, index, sizeof own);
    own[q->axis] = modulo(index[q->axis] - q->start, x->extent[q->axis]);
    return number_at(x, own);
}

/* tile: repeats along one axis. */
static const Param tile_params[] = {NN_DTYPE, NN_INPUT_SHAPE, NN_AXIS,
                                    P_INTEGER(Nn, step, 1, 9, 1, "copies"), P_END};

static Shape tile_result(const Nn *q)
{
    Shape y = q->shape;
    y.extent[q->axis] *= q->step;
    return y;
}

static int64_t tile_source(const Nn *q, const Tensor *x, const int64_t *index)
{
    int64_t own[TENSOR_RANK_MAX];
    memcpy(own, index, sizeof own);
    own[q->axis] = modulo(index[q->axis], x->extent[q->axis]);
    return number_at(x, own);
}

/* expand: repeats the axes of a mask, whose extent in x is 1. */
static const Param expand_params[] = {
    NN_DTYPE, NN_SHAPE, P_INTEGER(Nn, expand_a, 0, 31, 0, "axes that are repeated"), P_END};

static void normalise_expand(void *params)
{
    Nn *q = params;
    q->expand_a = nn_expansion(&q->shape, q->expand_a, 0);
}

static int64_t expand_source(const Nn *q, const Tensor *x, const int64_t *index)
{
    int64_t own[TENSOR_RANK_MAX];
    for (int axis = 0; axis < x->rank; axis++)
        own[axis] = q->expand_a >> (x->rank - 1 - axis) & 1 ? 0 : index[axis];
    return number_at(x, own);
}

/* pad: by `before` and `after` elements along one axis. */
static const Param pad_params[] = {NN_DTYPE,
                                   NN_INPUT_SHAPE,
                                   NN_AXIS,
                                   P_INTEGER(Nn, start, 0, 64, 0, "elements in front"),
                                   P_INTEGER(Nn, step, 0, 64, 0, "elements behind"),
                                   P_CHOICE(Nn, mode, pad_modes, "what the new elements are"),
                                   P_END};

/* Reflection needs an element more than it adds, the others need one. */
static void normalise_pad(void *params)
{
    Nn *q = params;
    nn_normalise_axis(params);
    int64_t extent = q->shape.extent[q->axis], most = extent;
    if (q->mode == PAD_REFLECT)
        most = extent - 1;
    if (q->mode == PAD_CONSTANT || (q->mode == PAD_EDGE && extent > 0))
        most = 64;
    most = most > 0 ? most : 0;
    q->start = q->start < most ? q->start : most;
    q->step = q->step < most ? q->step : most;
}

static Shape pad_result(const Nn *q)
{
    Shape y = q->shape;
    y.extent[q->axis] += q->start + q->step;
    return y;
}

static int64_t pad_source(const Nn *q, const Tensor *x, const int64_t *index)
{
    int64_t own[TENSOR_RANK_MAX], extent = x->extent[q->axis], at = index[q->axis] - q->start;
    memcpy(own, index, sizeof own);
    if (q->mode == PAD_CONSTANT && (at < 0 || at >= extent))
        return NN_FROM_NOWHERE;
    if (q->mode == PAD_REFLECT)
        at = at < 0 ? -at : at >= extent ? 2 * extent - 2 - at : at;
    if (q->mode == PAD_EDGE)
        at = at < 0 ? 0 : at >= extent ? extent - 1 : at;
    own[q->axis] = q->mode == PAD_WRAP ? modulo(at, extent) : at;
    return number_at(x, own);
}

/* tril and triu: of the last two axes, from a diagonal on. */
static const Param triangle_params[] = {
    NN_DTYPE, P_SHAPE(Nn, shape, 2, TENSOR_RANK_MAX, "extents of the input"),
    P_INTEGER(Nn, diagonal, -64, 64, 0, "diagonal, the main one is 0"), P_END};

static int64_t lower_source(const Nn *q, const Tensor *x, const int64_t *index)
{
    bool kept = index[x->rank - 1] - index[x->rank - 2] <= q->diagonal;
    return kept ? number_at(x, index) : NN_FROM_NOWHERE;
}

static int64_t upper_source(const Nn *q, const Tensor *x, const int64_t *index)
{
    bool kept = index[x->rank - 1] - index[x->rank - 2] >= q->diagonal;
    return kept ? number_at(x, index) : NN_FROM_NOWHERE;
}

/* pixel_shuffle and its inverse: channels become blocks of step x step elements. */
static const Param shuffle_params[] = {NN_DTYPE,
                                       P_DIM(Nn, batch, 1, 16, "samples"),
                                       P_DIM(Nn, channels, 1, 32, "channels of the image"),
                                       P_SHAPE(Nn, size, 2, 2, "extents of the small images"),
                                       P_INTEGER(Nn, step, 1, 5, 1, "side of a block"),
                                       P_END};

/* The input's shape goes where the other rows have it. */
static void normalise_shuffle(void *params)
{
    Nn *q = params;
    q->shape = (Shape){
        4, {q->batch, q->channels * q->step * q->step, q->size.extent[0], q->size.extent[1]}};
}

static void normalise_unshuffle(void *params)
{
    Nn *q = params;
    q->shape = (Shape){
        4, {q->batch, q->channels, q->size.extent[0] * q->step, q->size.extent[1] * q->step}};
}

static Shape shuffle_result(const Nn *q)
{
    return (Shape){
        4, {q->batch, q->channels, q->size.extent[0] * q->step, q->size.extent[1] * q->step}};
}

static Shape unshuffle_result(const Nn *q)
{
    return (Shape){
        4, {q->batch, q->channels * q->step * q->step, q->size.extent[0], q->size.extent[1]}};
}

static int64_t shuffle_source(const Nn *q, const Tensor *x, const int64_t *index)
{
    int64_t r = q->step, block = index[2] % r * r + index[3] % r;
    const int64_t own[TENSOR_RANK_MAX] = {index[0], index[1] * r * r + block, index[2] / r,
                                          index[3] / r};
    return number_at(x, own);
}

/* Blocks come first here: channel number block * channels + channel. */
static int64_t unshuffle_source(const Nn *q, const Tensor *x, const int64_t *index)
{
    int64_t r = q->step, block = index[1] / q->channels;
    const int64_t own[TENSOR_RANK_MAX] = {index[0], index[1] % q->channels,
                                          index[2] * r + block / r, index[3] * r + block % r};
    return number_at(x, own);
}

static double work(const void *params)
{
    return nn_work_elements(params, 64);
}

static double shuffle_work(const void *params)
{
    const Nn *q = params;
    return 64.0 * (double)(q->batch * q->channels * q->step * q->step) *
           (double)shape_count(&q->size);
}

const MoveRow nn_moves[] = {
    {"transpose", "axes in another order", transpose_params, nn_normalise_axis, transpose_result,
     transpose_source, work},
    {"slice", "some of the elements along an axis", slice_params, normalise_slice, slice_result,
     slice_source, work},
    {"flip", "an axis backwards", axis_params, nn_normalise_axis, same, flip_source, work},
    {"roll", "an axis moved in a circle", roll_params, nn_normalise_axis, same, roll_source, work},
    {"tile", "copies along an axis", tile_params, nn_normalise_axis, tile_result, tile_source,
     work},
    {"expand", "axes of one element repeated", expand_params, normalise_expand, same, expand_source,
     work},
    {"pad", "elements in front and behind", pad_params, normalise_pad, pad_result, pad_source,
     work},
    {"tril", "lower triangles", triangle_params, NULL, same, lower_source, work},
    {"triu", "upper triangles", triangle_params, NULL, same, upper_source, work},
    {"pixel_shuffle", "channels to blocks of elements", shuffle_params, normalise_shuffle,
     shuffle_result, shuffle_source, shuffle_work},
    {"space_to_depth", "blocks of elements to channels", shuffle_params, normalise_unshuffle,
     unshuffle_result, unshuffle_source, shuffle_work},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};

void nn_move_shape(const MoveRow *row, const void *params, Shapes *shapes)
{
    const Nn *q = params;
    Shape y = row->result(q);
    *shapes = (Shapes){.count = 2, .depth = 1};
    shapes->tensor[0] = row->source == expand_source
                            ? nn_expanded(nn_dtype(q), &q->shape, q->expand_a)
                            : nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
}

int64_t nn_move_source(const MoveRow *row, const Nn *q, const Tensor *x, const Tensor *y,
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
        double value = from == NN_FROM_NOWHERE ? 0 : tensor_value(x, from);
        ref_set_exact(ref, i, value, MATCH_BITS);
    }
}

const OpDesc *ops_move(void)
{
    static OpDesc table[NN_MOVES_MAX + 1];
    for (int i = 0; nn_moves[i].name; i++)
        table[i] = (OpDesc){
            NN_OP_TABLES,
            .name = nn_moves[i].name,
            .summary = nn_moves[i].summary,
            .params = nn_moves[i].params,
            .tensors = tensors,
            NN_ANY_ELEMENT,
            .normalise = nn_moves[i].normalise,
            .shape_of_row = shape,
            .work = nn_moves[i].work,
            .reference = reference,
            .detail = &nn_moves[i],
        };
    return table;
}
