/* Operators that give the elements of x other extents, and change none: views, windows, diagonals.
 * A row says where each element of y comes from; what comes from nowhere is 0. */
#include <string.h>

#include "nn_move.h"

#define VIEW(low, high) NN_DTYPE(Move), P_SHAPE(Move, shape, low, high, "extents of the input")
#define VIEW_OF_AXIS(low, high)                                                                    \
    VIEW(low, high), P_INTEGER(Move, axis, 0, TENSOR_RANK_MAX - 1, 0, "axis, the outermost is 0")
#define SECOND_AXIS P_INTEGER(Move, axis2, 0, TENSOR_RANK_MAX - 1, 1, "another axis")
#define OFFSET      P_INTEGER(Move, offset, -64, 64, 0, "diagonal, the main one is 0")

static Shape with_axis(Shape shape, int64_t at, int64_t extent)
{
    for (int64_t axis = shape.rank; axis > at; axis--)
        shape.extent[axis] = shape.extent[axis - 1];
    shape.extent[at] = extent;
    shape.rank++;
    return shape;
}

static Shape without_axis(Shape shape, int64_t at)
{
    for (int64_t axis = at; axis + 1 < shape.rank; axis++)
        shape.extent[axis] = shape.extent[axis + 1];
    shape.extent[--shape.rank] = 0;
    return shape;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The number of the element in row-major order of y, which x shares where no order changes. */
static int64_t same_number(const Shape *y, const int64_t *index)
{
    int64_t number = 0;
    for (int64_t axis = 0; axis < y->rank; axis++)
        number = number * y->extent[axis] + index[axis];
    return number;
}

static void normalise_axis(void *params)
{
    Move *q = params;
    nn_fit_axis(&q->shape, &q->axis);
}

/* reshape: the extents in another order, the elements in the same. */
static const Param reshape_params[] = {
    NN_DTYPE(Move), NN_INPUT_SHAPE(Move),
    P_INTEGER(Move, rotate, 0, TENSOR_RANK_MAX - 1, 0, "places by which the extents rotate"),
    P_END};

static Shape reshape_result(const Move *q)
{
    Shape y = q->shape;
    for (int64_t axis = 0; axis < y.rank; axis++)
        y.extent[axis] = q->shape.extent[(axis + q->rotate) % y.rank];
    return y;
}

static int64_t reshape_source(const Move *q, const Tensor *x, const int64_t *index)
{
    Shape y = reshape_result(q);
    (void)x;
    return same_number(&y, index);
}

/* flatten: one axis of those from a given one on. */
static const Param flatten_params[] = {VIEW_OF_AXIS(0, TENSOR_RANK_MAX), P_END};

static Shape flatten_result(const Move *q)
{
    Shape y = {.rank = q->axis + 1};
    y.extent[q->axis] = 1;
    for (int64_t axis = 0; axis < q->shape.rank; axis++)
        if (axis < q->axis)
            y.extent[axis] = q->shape.extent[axis];
        else
            y.extent[q->axis] *= q->shape.extent[axis];
    return y;
}

static int64_t flatten_source(const Move *q, const Tensor *x, const int64_t *index)
{
    Shape y = flatten_result(q);
    (void)x;
    return same_number(&y, index);
}

/* unflatten: one axis as `parts` rows. */
static const Param unflatten_params[] = {
    VIEW_OF_AXIS(0, TENSOR_RANK_MAX - 1),
    P_INTEGER(Move, parts, 1, 64, 1, "rows that the axis becomes"), P_END};

static void normalise_unflatten(void *params)
{
    Move *q = params;
    nn_fit_axis(&q->shape, &q->axis);
    while (q->shape.extent[q->axis] % q->parts != 0)
        q->parts--;
}

static Shape unflatten_result(const Move *q)
{
    Shape y = with_axis(q->shape, q->axis, q->parts);
    y.extent[q->axis + 1] /= q->parts;
    return y;
}

static int64_t unflatten_source(const Move *q, const Tensor *x, const int64_t *index)
{
    Shape y = unflatten_result(q);
    (void)x;
    return same_number(&y, index);
}

/* unsqueeze and squeeze: an axis of one element more or less. */
static const Param unsqueeze_params[] = {
    VIEW(0, TENSOR_RANK_MAX - 1),
    P_INTEGER_AS("dim", Move, axis, 0, TENSOR_RANK_MAX - 1, 0, "axis that is new"), P_END};
static const Param squeeze_params[] = {VIEW_OF_AXIS(1, TENSOR_RANK_MAX), P_END};

static void normalise_unsqueeze(void *params)
{
    Move *q = params;
    q->axis %= q->shape.rank + 1;
}

static void normalise_squeeze(void *params)
{
    Move *q = params;
    nn_fit_axis(&q->shape, &q->axis);
    q->shape.extent[q->axis] = 1;
}

static Shape unsqueeze_result(const Move *q)
{
    return with_axis(q->shape, q->axis, 1);
}

static int64_t unsqueeze_source(const Move *q, const Tensor *x, const int64_t *index)
{
    Shape y = unsqueeze_result(q);
    (void)x;
    return same_number(&y, index);
}

static Shape squeeze_result(const Move *q)
{
    return without_axis(q->shape, q->axis);
}

static int64_t squeeze_source(const Move *q, const Tensor *x, const int64_t *index)
{
    Shape y = squeeze_result(q);
    (void)x;
    return same_number(&y, index);
}

/* diagonal: elements (i, i + offset) of two axes, which become the last axis; below the main one
 * (i - offset, i). */
static const Param diagonal_params[] = {VIEW_OF_AXIS(2, TENSOR_RANK_MAX), SECOND_AXIS, OFFSET,
                                        P_END};

static void normalise_two_axes(void *params)
{
    Move *q = params;
    q->axis %= q->shape.rank;
    q->axis2 %= q->shape.rank;
    if (q->axis == q->axis2)
        q->axis2 = (q->axis + 1) % q->shape.rank;
}

static Shape diagonal_result(const Move *q)
{
    int64_t rows = q->shape.extent[q->axis], columns = q->shape.extent[q->axis2];
    int64_t length =
        q->offset < 0 ? least(rows + q->offset, columns) : least(rows, columns - q->offset);
    int64_t first = least(q->axis, q->axis2), second = q->axis + q->axis2 - first;
    Shape rest = without_axis(without_axis(q->shape, second), first);
    return with_axis(rest, rest.rank, length > 0 ? length : 0);
}

static int64_t diagonal_source(const Move *q, const Tensor *x, const int64_t *index)
{
    int64_t own[TENSOR_RANK_MAX], at = index[x->rank - 2];
    for (int axis = 0, from = 0; axis < x->rank; axis++)
        if (axis == q->axis)
            own[axis] = at + (q->offset < 0 ? -q->offset : 0);
        else if (axis == q->axis2)
            own[axis] = at + (q->offset > 0 ? q->offset : 0);
        else
            own[axis] = index[from++];
    return nn_number_at(x, own);
}

/* diag_embed: the last axis as a diagonal of a square matrix. */
static const Param diag_embed_params[] = {VIEW(1, TENSOR_RANK_MAX - 1), OFFSET, P_END};

static Shape diag_embed_result(const Move *q)
{
    Shape y = q->shape;
    int64_t side = y.extent[y.rank - 1] + (q->offset < 0 ? -q->offset : q->offset);
    y.extent[y.rank - 1] = side;
    return with_axis(y, y.rank, side);
}

static int64_t diag_embed_source(const Move *q, const Tensor *x, const int64_t *index)
{
    int64_t row = index[x->rank - 1], column = index[x->rank];
    if (column - row != q->offset)
        return NN_FROM_NOWHERE;
    return nn_number_beside(x, index, x->rank - 1, q->offset < 0 ? column : row);
}

/* rot90: by k quarter turns from one axis to the other. */
static const Param rot90_params[] = {VIEW_OF_AXIS(2, TENSOR_RANK_MAX), SECOND_AXIS,
                                     P_INTEGER(Move, k, -5, 5, 1, "quarter turns"), P_END};

static Shape rot90_result(const Move *q)
{
    Shape y = q->shape;
    if (nn_modulo(q->k, 2) == 1) {
        y.extent[q->axis] = q->shape.extent[q->axis2];
        y.extent[q->axis2] = q->shape.extent[q->axis];
    }
    return y;
}

static int64_t rot90_source(const Move *q, const Tensor *x, const int64_t *index)
{
    int64_t own[TENSOR_RANK_MAX], turns = nn_modulo(q->k, 4);
    int64_t first = index[q->axis], second = index[q->axis2];
    memcpy(own, index, sizeof own);
    own[q->axis] = turns % 2 == 1 ? second : first;
    own[q->axis2] = turns % 2 == 1 ? first : second;
    if (turns >= 2)
        own[q->axis] = x->extent[q->axis] - 1 - own[q->axis];
    if (turns == 1 || turns == 2)
        own[q->axis2] = x->extent[q->axis2] - 1 - own[q->axis2];
    return nn_number_at(x, own);
}

/* select: one element of an axis, which goes; negative indices count from the end. */
static const Param select_params[] = {VIEW_OF_AXIS(1, TENSOR_RANK_MAX),
                                      P_INTEGER(Move, index, -64, 64, 0, "place along the axis"),
                                      P_END};

static void normalise_select(void *params)
{
    Move *q = params;
    nn_fit_axis(&q->shape, &q->axis);
    int64_t *extent = &q->shape.extent[q->axis];
    *extent = *extent > 1 ? *extent : 1;
    if (q->index >= *extent || q->index < -*extent)
        q->index = nn_modulo(q->index, *extent);
}

static int64_t select_source(const Move *q, const Tensor *x, const int64_t *index)
{
    int64_t own[TENSOR_RANK_MAX];
    for (int axis = 0; axis < x->rank; axis++)
        own[axis] = axis == q->axis ? nn_modulo(q->index, x->extent[axis])
                                    : index[axis < q->axis ? axis : axis - 1];
    return nn_number_at(x, own);
}

/* repeat_interleave: each element of an axis several times. */
static const Param repeat_params[] = {VIEW_OF_AXIS(0, TENSOR_RANK_MAX),
                                      P_INTEGER(Move, repeats, 0, 9, 1, "copies of each"), P_END};

static Shape repeat_result(const Move *q)
{
    Shape y = q->shape;
    y.extent[q->axis] *= q->repeats;
    return y;
}

static int64_t repeat_source(const Move *q, const Tensor *x, const int64_t *index)
{
    return nn_number_beside(x, index, q->axis, index[q->axis] / q->repeats);
}

/* unfold: all windows of an axis that begin `step` apart; their elements are the last axis. */
static const Param unfold_params[] = {
    VIEW_OF_AXIS(1, TENSOR_RANK_MAX - 1),
    P_INTEGER_AS("size", Move, window, 1, 512, 1, "elements of a window"),
    P_INTEGER(Move, step, 1, 9, 1, "distance of windows"), P_END};

static void normalise_unfold(void *params)
{
    Move *q = params;
    nn_fit_axis(&q->shape, &q->axis);
    int64_t *extent = &q->shape.extent[q->axis];
    *extent = *extent > 1 ? *extent : 1;
    q->window = least(q->window, *extent);
}

static Shape unfold_result(const Move *q)
{
    Shape y = q->shape;
    y.extent[q->axis] = (y.extent[q->axis] - q->window) / q->step + 1;
    return with_axis(y, y.rank, q->window);
}

static int64_t unfold_source(const Move *q, const Tensor *x, const int64_t *index)
{
    return nn_number_beside(x, index, q->axis, index[q->axis] * q->step + index[x->rank]);
}

/* fftshift and ifftshift: an axis begins with the element behind its first half, n / 2 rounded up
 * or down (NumPy, numpy.fft). */
static const Param half_params[] = {VIEW_OF_AXIS(1, TENSOR_RANK_MAX), P_END};

static int64_t turned_source(const Move *q, const Tensor *x, const int64_t *index, int64_t first)
{
    return nn_number_beside(x, index, q->axis, (index[q->axis] + first) % x->extent[q->axis]);
}

static int64_t upper_half_source(const Move *q, const Tensor *x, const int64_t *index)
{
    return turned_source(q, x, index, (x->extent[q->axis] + 1) / 2);
}

static int64_t lower_half_source(const Move *q, const Tensor *x, const int64_t *index)
{
    return turned_source(q, x, index, x->extent[q->axis] / 2);
}

/* as_strided: any element of x by its place in memory. */
static const Param as_strided_params[] = {
    NN_DTYPE(Move),
    P_SHAPE(Move, shape, 0, 3, "extents of the input", .full = "a view begins at an element"),
    P_SHAPE_AS("size", Move, view_size, 0, 3, "extents of the view"),
    P_TUPLE_AS("strides", Move, view_stride, 3, 0, 64, 1, "distances of elements in memory"),
    P_INTEGER_AS("storage_offset", Move, offset, 0, 512, 0, "place of the first element"),
    P_END};

/* Distances shrink until the last element is one of x. */
static void normalise_as_strided(void *params)
{
    Move *q = params;
    int64_t count = shape_count(&q->shape);
    q->offset %= count;
    int64_t room = count - 1 - q->offset;
    for (int64_t axis = 0; axis < 3; axis++) {
        int64_t steps = axis < q->view_size.rank ? q->view_size.extent[axis] - 1 : 0;
        if (steps > 0)
            q->view_stride.extent[axis] = least(q->view_stride.extent[axis], room / steps);
        room -= steps > 0 ? steps * q->view_stride.extent[axis] : 0;
    }
}

static Shape as_strided_result(const Move *q)
{
    return q->view_size;
}

static int64_t as_strided_source(const Move *q, const Tensor *x, const int64_t *index)
{
    int64_t number = q->offset;
    (void)x;
    for (int64_t axis = 0; axis < q->view_size.rank; axis++)
        number += index[axis] * q->view_stride.extent[axis];
    return number;
}

/* center_crop_pad: the middle of an axis, or zeros around it; the half is rounded down in front
 * (ONNX, CenterCropPad). */
static const Param crop_params[] = {
    VIEW_OF_AXIS(0, TENSOR_RANK_MAX),
    P_DIM_AS("size", Move, window, 0, 512, "elements that are left"), P_END};

static Shape crop_result(const Move *q)
{
    Shape y = q->shape;
    y.extent[q->axis] = q->window;
    return y;
}

static int64_t crop_source(const Move *q, const Tensor *x, const int64_t *index)
{
    int64_t extent = x->extent[q->axis];
    int64_t front = extent > q->window ? (extent - q->window) / 2 : -((q->window - extent) / 2);
    int64_t at = index[q->axis] + front;
    bool inside = at >= 0 && at < extent;
    return inside ? nn_number_beside(x, index, q->axis, at) : NN_FROM_NOWHERE;
}

/* channel_shuffle and pixel_unshuffle: of images. */
#define IMAGES                                                                                     \
    NN_DTYPE(Move), P_DIM(Move, batch, 1, 06, "samples"),                                          \
        P_DIM(Move, channels, 1, 32, "channels of an image, or of a group of them"),               \
        P_SHAPE(Move, size, 2, 2, "extents of the small images")

static const Param channel_params[] = {IMAGES, P_INTEGER(Move, groups, 1, 9, 1, "of channels"),
                                       P_END};
static const Param unshuffle_params[] = {
    IMAGES, P_INTEGER(Move, block_size, 1, 5, 1, "side of a block"), P_END};

static void normalise_channels(void *params)
{
    Move *q = params;
    q->shape =
        (Shape){4, {q->batch, q->channels * q->groups, q->size.extent[0], q->size.extent[1]}};
}

static int64_t channel_source(const Move *q, const Tensor *x, const int64_t *index)
{
    return nn_number_beside(x, index, 1, index[1] % q->groups * q->channels + index[1] / q->groups);
}

static void normalise_unshuffle(void *params)
{
    Move *q = params;
    int64_t r = q->block_size;
    q->shape = (Shape){4, {q->batch, q->channels, q->size.extent[0] * r, q->size.extent[1] * r}};
}

static Shape unshuffle_result(const Move *q)
{
    int64_t r = q->block_size;
    return (Shape){4, {q->batch, q->channels * r * r, q->size.extent[0], q->size.extent[1]}};
}

static int64_t unshuffle_source(const Move *q, const Tensor *x, const int64_t *index)
{
    int64_t r = q->block_size, block = index[1] % (r * r);
    const int64_t own[TENSOR_RANK_MAX] = {index[0], index[1] / (r * r), index[2] * r + block / r,
                                          index[3] * r + block % r};
    return nn_number_at(x, own);
}

/* im2col: the elements of each window of an image as a column; zeros around the image. */
static const Param im2col_params[] = {
    NN_DTYPE(Move),
    P_DIM(Move, batch, 0, 8, "samples"),
    P_DIM(Move, channels, 1, 16, "channels of the image"),
    P_SHAPE(Move, size, 2, 2, "extents of the image",
            .full = "PyTorch, unfold: \"possibly 0 batch size and other non-zero dimensions\""),
    P_TUPLE(Move, kernel_size, 2, 1, 9, 1, "extents of a window"),
    P_TUPLE(Move, dilation, 2, 1, 3, 1, "distance of its elements"),
    P_TUPLE(Move, padding, 2, 0, 4, 0, "zeros on each side"),
    P_TUPLE(Move, stride, 2, 1, 4, 1, "distance of windows"),
    P_END};

static int64_t windows_along(const Move *q, int axis)
{
    int64_t span = q->dilation.extent[axis] * (q->kernel_size.extent[axis] - 1) + 1;
    return (q->size.extent[axis] + 2 * q->padding.extent[axis] - span) / q->stride.extent[axis] + 1;
}

/* One window fits. */
static void normalise_im2col(void *params)
{
    Move *q = params;
    for (int axis = 0; axis < 2; axis++) {
        int64_t room = q->size.extent[axis] + 2 * q->padding.extent[axis];
        int64_t most = (room - 1) / q->dilation.extent[axis] + 1;
        q->kernel_size.extent[axis] = least(q->kernel_size.extent[axis], most);
    }
    q->shape = (Shape){4, {q->batch, q->channels, q->size.extent[0], q->size.extent[1]}};
}

static Shape im2col_result(const Move *q)
{
    return (Shape){3,
                   {q->batch, q->channels * shape_count(&q->kernel_size),
                    windows_along(q, 0) * windows_along(q, 1)}};
}

static int64_t im2col_source(const Move *q, const Tensor *x, const int64_t *index)
{
    int64_t inside = index[1] % shape_count(&q->kernel_size), across = windows_along(q, 1);
    const int64_t tap[2] = {inside / q->kernel_size.extent[1], inside % q->kernel_size.extent[1]};
    const int64_t window[2] = {index[2] / across, index[2] % across};
    int64_t own[TENSOR_RANK_MAX] = {index[0], index[1] / shape_count(&q->kernel_size)};
    for (int axis = 0; axis < 2; axis++) {
        int64_t at = window[axis] * q->stride.extent[axis] + tap[axis] * q->dilation.extent[axis] -
                     q->padding.extent[axis];
        if (at < 0 || at >= q->size.extent[axis])
            return NN_FROM_NOWHERE;
        own[2 + axis] = at;
    }
    return nn_number_at(x, own);
}

#define ROW(name, summary, params, normalise, result, source)                                      \
    {                                                                                              \
        name, summary, 1, params, normalise, result, source, NULL, false, false                    \
    }

const MoveRow nn_views[] = {
    ROW("reshape", "other extents", reshape_params, NULL, reshape_result, reshape_source),
    ROW("flatten", "axes as one", flatten_params, normalise_axis, flatten_result, flatten_source),
    ROW("unflatten", "an axis as two", unflatten_params, normalise_unflatten, unflatten_result,
        unflatten_source),
    ROW("unsqueeze", "a new axis of one element", unsqueeze_params, normalise_unsqueeze,
        unsqueeze_result, unsqueeze_source),
    ROW("squeeze", "without an axis of one element", squeeze_params, normalise_squeeze,
        squeeze_result, squeeze_source),
    ROW("diagonal_view", "a diagonal of two axes", diagonal_params, normalise_two_axes,
        diagonal_result, diagonal_source),
    {"diag_embed", "matrices with a diagonal", 1, diag_embed_params, NULL, diag_embed_result,
     diag_embed_source, NULL, false, true},
    ROW("rot90", "two axes in quarter turns", rot90_params, normalise_two_axes, rot90_result,
        rot90_source),
    ROW("select", "one element of an axis", select_params, normalise_select, squeeze_result,
        select_source),
    ROW("repeat_interleave", "each element of an axis several times", repeat_params, normalise_axis,
        repeat_result, repeat_source),
    ROW("unfold", "windows of an axis", unfold_params, normalise_unfold, unfold_result,
        unfold_source),
    ROW("as_strided", "elements by their place in memory", as_strided_params, normalise_as_strided,
        as_strided_result, as_strided_source),
    ROW("channel_shuffle", "channels of groups in turn", channel_params, normalise_channels,
        nn_move_same, channel_source),
    ROW("pixel_unshuffle", "blocks of elements to channels, the channel first", unshuffle_params,
        normalise_unshuffle, unshuffle_result, unshuffle_source),
    {"im2col", "windows of images as columns", 1, im2col_params, normalise_im2col, im2col_result,
     im2col_source, NULL, false, true},
    {"center_crop_pad", "the middle of an axis, or zeros around it", 1, crop_params, normalise_axis,
     crop_result, crop_source, NULL, true, true},
    {"fftshift", "the second half of an axis in front", 1, half_params, normalise_axis,
     nn_move_same, upper_half_source, NULL, true, false},
    {"ifftshift", "inverse of fftshift", 1, half_params, normalise_axis, nn_move_same,
     lower_half_source, NULL, true, false},
    {.name = NULL},
};

static bool has_axis(const MoveRow *row)
{
    for (const Param *param = row->params; param->name; param++)
        if (!strcmp(param->name, "axis"))
            return true;
    return false;
}

static const IllegalRule *illegal_of(const MoveRow *row)
{
    static const IllegalRule inferred[] = {{ILLEGAL_WRITTEN, "inferred", 2}, {0}},
                             windows[] = {{ILLEGAL_AXIS, "axis", 0},
                                          {ILLEGAL_INTEGER, "step", 0},
                                          {ILLEGAL_BEYOND, "size", 0},
                                          {0}},
                             repeats[] = {{ILLEGAL_AXIS, "axis", 0},
                                          {ILLEGAL_INTEGER, "repeats", -1},
                                          {0}},
                             place[] = {{ILLEGAL_AXIS, "axis", 0},
                                        {ILLEGAL_BEYOND, "index", 0},
                                        {0}},
                             groups[] = {{ILLEGAL_INTEGER, "groups", 0}, {0}},
                             block[] = {{ILLEGAL_INTEGER, "block_size", 0}, {0}};
    const struct {
        bool is_of;
        const IllegalRule *rules;
    } lists[] = {
        {row->source == reshape_source, inferred}, {row->source == unfold_source, windows},
        {row->source == repeat_source, repeats},   {row->source == select_source, place},
        {row->source == channel_source, groups},   {row->source == unshuffle_source, block},
        {has_axis(row), nn_illegal_axis}};
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        if (lists[i].is_of)
            return lists[i].rules;
    return NULL;
}

OP_TABLE(ops_view)
{
    static OpDesc table[NN_MOVES_MAX + 1];
    for (int i = 0; nn_views[i].name; i++) {
        table[i] = nn_describe_move(&nn_views[i]);
        table[i].illegal = illegal_of(&nn_views[i]);
    }
    return table;
}
