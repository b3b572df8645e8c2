#include "nn_sample.h"

#include <math.h>

static const char *const modes[] = {"nearest", "linear", "cubic", NULL};
static const char *const transformations[] = {"half_pixel", "asymmetric", "align_corners", NULL};
enum { HALF_PIXEL, ASYMMETRIC, ALIGN_CORNERS };
static const char *const roundings[] = {"floor", "round_prefer_floor", NULL};
static const char *const paddings[] = {"zeros", "border", "reflection", NULL};
enum { PADDING_ZEROS, PADDING_BORDER, PADDING_REFLECTION };

#define RESIZE_PARAMS(axes)                                                                        \
    NN_DTYPE, NN_BATCH, P_DIM(Nn, channels, 1, 32, "channels"), NN_SIZE(axes),                     \
        P_TUPLE(Nn, extra, axes, 1, 64, 1, "spatial extents of y"),                                \
        P_CHOICE(Nn, mode, modes, "kind of interpolation"),                                        \
        P_CHOICE(Nn, transformation, transformations, "where an element of y lies in x"),          \
        P_CHOICE(Nn, rounding, roundings, "which one is nearest")

const Param nn_resize_params[3][NN_RESIZE_PARAMS_MAX] = {
    {RESIZE_PARAMS(1), P_END}, {RESIZE_PARAMS(2), P_END}, {RESIZE_PARAMS(3), P_END}};
const Param nn_grid_params[] = {
    NN_DTYPE,
    NN_BATCH,
    P_DIM(Nn, channels, 1, 32, "channels"),
    P_SHAPE(Nn, size, 2, 3, "spatial extents of x"),
    P_SHAPE(Nn, shape, 2, 3, "spatial extents of y"),
    P_CHOICE(Nn, mode, modes, "kind of interpolation"),
    P_CHOICE(Nn, padding, paddings, "what lies outside"),
    P_CHOICE(Nn, align_corners, nn_yes_no, "-1 and 1 are the centres of the outer elements"),
    P_END};
/* A channel of y has at most 4,096 elements: the budget of a case halves extents, not tuples. */
static void limit_result(Shape *extents)
{
    enum { ELEMENTS_MAX = 4096 };
    while (shape_count(extents) > ELEMENTS_MAX) {
        int64_t *largest = &extents->extent[0];
        for (int axis = 1; axis < extents->rank; axis++)
            largest = extents->extent[axis] > *largest ? &extents->extent[axis] : largest;
        *largest /= 2;
    }
}

/* Cubic interpolation takes two axes; rounding is of the nearest one. */
void nn_normalise_resize(void *params_of_case)
{
    Nn *q = params_of_case;
    limit_result(&q->extra);
    nn_fill_empty(&q->size);
    if (q->mode == SAMPLE_CUBIC && q->size.rank != 2)
        q->mode = SAMPLE_LINEAR;
    if (q->mode != SAMPLE_NEAREST)
        q->rounding = 0;
}

void nn_normalise_grid(void *params_of_case)
{
    Nn *q = params_of_case;
    nn_fill_empty(&q->size);
    nn_fill_empty(&q->shape);
    while (q->shape.rank < q->size.rank)
        q->shape.extent[q->shape.rank++] = 1;
    while (q->shape.rank > q->size.rank)
        q->shape.extent[--q->shape.rank] = 0;
    if (q->mode == SAMPLE_CUBIC && q->size.rank != 2)
        q->mode = SAMPLE_LINEAR;
}

void nn_resize_shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    Shape x = nn_image(q->batch, q->channels, &q->size);
    Shape y = nn_image(q->batch, q->channels, &q->extra);
    *shapes = (Shapes){.count = 2, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &x, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
}

void nn_grid_shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    Shape x = nn_image(q->batch, q->channels, &q->size);
    Shape y = nn_image(q->batch, q->channels, &q->shape), grid = {q->size.rank + 2, {q->batch}};
    for (int64_t axis = 0; axis < q->size.rank; axis++)
        grid.extent[axis + 1] = q->shape.extent[axis];
    grid.extent[q->size.rank + 1] = q->size.rank;
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &x, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &grid, ROLE_IN);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
}

static double elements_work(const Nn *q, const Shape *result)
{
    double images = (double)(q->batch * q->channels);
    return images * (1024.0 * (double)shape_count(result) + 8.0 * (double)shape_count(&q->size));
}

double nn_resize_work(const void *params_of_case)
{
    const Nn *q = params_of_case;
    return elements_work(q, &q->extra);
}

double nn_grid_work(const void *params_of_case)
{
    const Nn *q = params_of_case;
    return elements_work(q, &q->shape);
}

/* Where element i of `count` lies among `size` elements. */
static long double resized(const Nn *q, int64_t i, int64_t count, int64_t size, double unit,
                           double *radius)
{
    int64_t above = size, below = count;
    long double at = i, back = 0;
    if (q->transformation == HALF_PIXEL) {
        at += 0.5;
        back = 0.5;
    } else if (q->transformation == ALIGN_CORNERS) {
        above = size - 1;
        below = count - 1;
    }
    if (below == 0) {
        *radius = 0;
        return 0;
    }
    long double coordinate = at * above / below - back;
    bool exact = is_power_of_two_or_zero((double)above / (double)below);
    *radius = exact ? 0 : 4 * unit * ((double)fabsl(coordinate) + 1);
    return coordinate;
}

static SampleInput channel_of(const Nn *q, const Tensor *x, int64_t number)
{
    SampleInput in = {.x = *x, .mode = (SampleMode)q->mode};
    int64_t area = shape_count(&q->size);
    in.x.rank = (int)q->size.rank;
    for (int axis = 0; axis < in.x.rank; axis++) {
        in.x.extent[axis] = x->extent[axis + 2];
        in.x.stride[axis] = x->stride[axis + 2];
    }
    in.x.origin = (char *)x->origin + (size_t)(number * area) * dtype_size(x->dtype);
    return in;
}

SampleInput nn_resize_channel(const Nn *q, const Tensor *x, int64_t number)
{
    SampleInput in = channel_of(q, x, number);
    in.rounding = q->rounding ? SAMPLE_TIES_DOWN : SAMPLE_FLOOR;
    return in;
}

SampleInput nn_grid_channel(const Nn *q, const Tensor *x, int64_t number)
{
    const SampleEdge edges[] = {EDGE_ZEROS, EDGE_CLAMP,
                                q->align_corners ? EDGE_MIRROR_ELEMENT : EDGE_MIRROR_BORDER};
    SampleInput in = channel_of(q, x, number);
    in.rounding = SAMPLE_TIES_EVEN;
    in.edge = edges[q->padding];
    return in;
}

SamplePoint nn_resize_point(const Nn *q, int64_t i, double unit)
{
    SamplePoint point = {{0}, {0}};
    for (int axis = (int)q->size.rank - 1; axis >= 0; axis--)
        point.coordinate[axis] =
            resized(q, tensor_take_index(&i, q->extra.extent[axis]), q->extra.extent[axis],
                    q->size.extent[axis], unit, &point.radius[axis]);
    return point;
}

/* Coordinates go from -1 to 1 over the elements or over their outer edges; the innermost axis comes
 * first. */
SamplePoint nn_grid_point(const Nn *q, const Tensor *grid, int64_t number, double unit)
{
    SamplePoint point = {{0}, {0}};
    int axes = (int)q->size.rank;
    for (int axis = 0; axis < axes; axis++) {
        double g = tensor_value(grid, (number + 1) * axes - 1 - axis);
        double size = (double)q->size.extent[axis];
        long double along = (long double)g + 1;
        point.coordinate[axis] = q->align_corners ? along / 2 * (size - 1) : (along * size - 1) / 2;
        point.radius[axis] = 8 * unit * ((fabs(g) + 1) * size + 1);
    }
    return point;
}

void nn_sample_reference(Ref *ref, const ReferenceInput *input, NnSampleAll *all, Arena *arena)
{
    DType dtype = input->tensors[0].dtype, wide = dtype == DT_F64 ? DT_F64 : DT_F32;
    Ref other;
    all(ref, input, dtype_format(wide)->unit, arena);
    if (dtype != DT_F64)
        return;
    all(&other, input, dtype_format(DT_F32)->unit, arena);
    ref_add_alternative(ref, &other, "float-coordinates", arena);
}
