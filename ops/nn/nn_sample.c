/* Coordinates, channels and shapes of sampling operators. */
#include "nn_sample.h"

#include <math.h>

static const char *const modes[] = {"nearest", "linear", "cubic", NULL};
static const char *const transformations[] = {"half_pixel", "asymmetric", "align_corners", NULL};
enum { HALF_PIXEL, ASYMMETRIC, ALIGN_CORNERS };
static const char *const roundings[] = {"floor", "round_prefer_floor", NULL};
static const char *const paddings[] = {"zeros", "border", "reflection", NULL};

#define NN_CHANNELS P_DIM(Sample, channels, 1, 32, "channels")
#define NN_MODE     P_CHOICE(Sample, mode, modes, "kind of interpolation")

const Param nn_resize_params[] = {
    NN_DTYPE(Sample),
    NN_BATCH(Sample),
    NN_CHANNELS,
    NN_INPUT_SIZE(Sample, input_size, NN_ANY_AXES, "samples are of elements"),
    NN_OUTPUT_SIZE(Sample, 64, "spatial extents of y"),
    NN_MODE,
    P_CHOICE(Sample, coordinate_transformation_mode, transformations,
             "where an element of y lies in x", .formerly = "transformation"),
    P_CHOICE(Sample, nearest_mode, roundings, "which one is nearest", .formerly = "rounding"),
    P_END};
const Param nn_grid_params[] = {
    NN_DTYPE(Sample),
    NN_BATCH(Sample),
    NN_CHANNELS,
    P_SHAPE(Sample, input_size, 2, 3, "spatial extents of x", .formerly = "size",
            .full = "samples are of elements"),
    P_SHAPE(Sample, output_size, 2, 3, "spatial extents of y", .formerly = "shape"),
    NN_MODE,
    P_CHOICE(Sample, padding_mode, paddings, "what lies outside", .formerly = "padding"),
    P_CHOICE(Sample, align_corners, nn_yes_no, "-1 and 1 are the centres of the outer elements"),
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

/* Cubic interpolation takes two axes; rounding is of the nearest one.  Of bytes elements are
 * copied: how the results of others are rounded no text says. */
void nn_normalise_resize(void *params_of_case)
{
    Sample *q = params_of_case;
    limit_result(&q->output_size);
    if (q->mode == SAMPLE_CUBIC && q->input_size.rank != 2)
        q->mode = SAMPLE_LINEAR;
    if (dtype_is_integer(nn_dtype(q)))
        q->mode = SAMPLE_NEAREST;
    if (q->mode != SAMPLE_NEAREST)
        q->nearest_mode = 0;
}

void nn_normalise_grid(void *params_of_case)
{
    Sample *q = params_of_case;
    while (q->output_size.rank < q->input_size.rank)
        q->output_size.extent[q->output_size.rank++] = 1;
    while (q->output_size.rank > q->input_size.rank)
        q->output_size.extent[--q->output_size.rank] = 0;
    if (q->mode == SAMPLE_CUBIC && q->input_size.rank != 2)
        q->mode = SAMPLE_LINEAR;
}

void nn_resize_shape(const void *params_of_case, Shapes *shapes)
{
    const Sample *q = params_of_case;
    Shape x = nn_image(q->batch, q->channels, &q->input_size);
    Shape y = nn_image(q->batch, q->channels, &q->output_size);
    *shapes = (Shapes){.count = 2, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &x, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
}

void nn_grid_shape(const void *params_of_case, Shapes *shapes)
{
    const Sample *q = params_of_case;
    Shape x = nn_image(q->batch, q->channels, &q->input_size);
    Shape y = nn_image(q->batch, q->channels, &q->output_size),
          grid = {q->input_size.rank + 2, {q->batch}};
    for (int64_t axis = 0; axis < q->input_size.rank; axis++)
        grid.extent[axis + 1] = q->output_size.extent[axis];
    grid.extent[q->input_size.rank + 1] = q->input_size.rank;
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &x, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &grid, ROLE_IN);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
}

static double elements_work(const Sample *q, const Shape *result)
{
    double images = (double)(q->batch * q->channels);
    return images *
           (1024.0 * (double)shape_count(result) + 8.0 * (double)shape_count(&q->input_size));
}

double nn_resize_work(const void *params_of_case)
{
    const Sample *q = params_of_case;
    return elements_work(q, &q->output_size);
}

double nn_grid_work(const void *params_of_case)
{
    const Sample *q = params_of_case;
    return elements_work(q, &q->output_size);
}

/* Where element i of `count` lies among `size` elements. */
static long double resized(const Sample *q, int64_t i, int64_t count, int64_t size, double unit,
                           double *radius)
{
    int64_t above = size, below = count;
    long double at = i, back = 0;
    if (q->coordinate_transformation_mode == HALF_PIXEL) {
        at += 0.5;
        back = 0.5;
    } else if (q->coordinate_transformation_mode == ALIGN_CORNERS) {
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

SampleInput nn_resize_channel(const Sample *q, const Tensor *x, int64_t number)
{
    SampleInput in = sample_channel(x, number, (SampleMode)q->mode);
    in.rounding = q->nearest_mode ? SAMPLE_TIES_DOWN : SAMPLE_FLOOR;
    return in;
}

SampleInput nn_grid_channel(const Sample *q, const Tensor *x, int64_t number)
{
    const SampleEdge edges[] = {EDGE_ZEROS, EDGE_CLAMP,
                                q->align_corners ? EDGE_MIRROR_ELEMENT : EDGE_MIRROR_BORDER};
    SampleInput in = sample_channel(x, number, (SampleMode)q->mode);
    in.rounding = SAMPLE_TIES_EVEN;
    in.edge = edges[q->padding_mode];
    return in;
}

SamplePoint nn_resize_point(const Sample *q, int64_t i, double unit)
{
    SamplePoint point = {{0}, {0}};
    for (int axis = (int)q->input_size.rank - 1; axis >= 0; axis--)
        point.coordinate[axis] = resized(q, tensor_take_index(&i, q->output_size.extent[axis]),
                                         q->output_size.extent[axis], q->input_size.extent[axis],
                                         unit, &point.radius[axis]);
    return point;
}

/* Coordinates go from -1 to 1 over the elements or over their outer edges; the innermost axis comes
 * first. */
SamplePoint nn_grid_point(const Sample *q, const Tensor *grid, int64_t number, double unit)
{
    SamplePoint point = {{0}, {0}};
    int axes = (int)q->input_size.rank;
    for (int axis = 0; axis < axes; axis++) {
        double g = tensor_value(grid, (number + 1) * axes - 1 - axis);
        double size = (double)q->input_size.extent[axis];
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
