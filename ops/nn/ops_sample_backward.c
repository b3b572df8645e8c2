/* Gradients of interpolation and of sampling along a grid (reference/sample.h): each element of dx
 * is the sum of dy over the elements of y that read it, times their weights; that of a coordinate
 * the sum of dy times the slope of all channels there, with either slope at a kink. */
#include <math.h>

#include "nn_sample.h"
#include "reference/share.h"

static const char *const resize_tensors[] = {"dy", "dx", NULL};
static const char *const grid_tensors[] = {"dy", "x", "grid", "dx", "dgrid", NULL};
enum { DY, X, GRID, DX, D_GRID };

static void resize_shape(const void *params_of_case, Shapes *shapes)
{
    Shapes forward;
    nn_resize_shape(params_of_case, &forward);
    *shapes = (Shapes){.count = 2, .depth = 1, .tensor = {forward.tensor[1], forward.tensor[0]}};
    shapes->tensor[0].role = ROLE_IN;
    shapes->tensor[1].role = ROLE_OUT;
}

static void grid_shape(const void *params_of_case, Shapes *shapes)
{
    Shapes forward;
    nn_grid_shape(params_of_case, &forward);
    const TensorSpec *x = &forward.tensor[0], *grid = &forward.tensor[1], *y = &forward.tensor[2];
    *shapes = (Shapes){.count = D_GRID + 1, .depth = 1, .tensor = {*y, *x, *grid, *x, *grid}};
    for (int i = DY; i <= D_GRID; i++)
        shapes->tensor[i].role = i >= DX ? ROLE_OUT : ROLE_IN;
}

static double resize_work(const void *params_of_case)
{
    return 16 * nn_resize_work(params_of_case);
}

static double grid_work(const void *params_of_case)
{
    return 16 * nn_grid_work(params_of_case);
}

/* A tensor with the extents of x that the points of dy read from; its data may be NULL. */
typedef struct Reading {
    const Sample *q;
    const Tensor *x, *dy, *grid; /* grid is NULL for images of another size */
    const Format *format;
    double unit;
    int64_t points; /* of one channel of dy */
    SampleShare *shares;
} Reading;

static Reading reading_of(const ReferenceInput *input, const Tensor *x, const Ref *ref, double unit,
                          Arena *arena)
{
    const Sample *q = input->params;
    bool has_grid = input->op->tensors == grid_tensors;
    return (Reading){.q = q,
                     .x = x,
                     .dy = &input->tensors[DY],
                     .grid = has_grid ? &input->tensors[GRID] : NULL,
                     .format = dtype_format(ref->accumulator),
                     .unit = unit,
                     .points = shape_count(&q->output_size),
                     .shares = arena_take(arena, SAMPLE_SHARES_MAX, sizeof(SampleShare))};
}

static SampleInput channel_at(const Reading *r, int64_t channel)
{
    return (r->grid ? nn_grid_channel : nn_resize_channel)(r->q, r->x, channel);
}

static SamplePoint point_at(const Reading *r, int64_t channel, int64_t number)
{
    if (!r->grid)
        return nn_resize_point(r->q, number, r->unit);
    return nn_grid_point(r->q, r->grid, channel / r->q->channels * r->points + number, r->unit);
}

/* Adds dy times the weight of each share to the element that was read; of a coordinate of which
 * nothing is known, as of NaN, what it may send to any element of the channel. */
static void scatter(const Reading *r, Shares *sums)
{
    int64_t area = shape_count(&r->q->input_size);
    for (int64_t i = 0; i < tensor_count(r->dy); i++) {
        int64_t channel = i / r->points;
        SampleInput in = channel_at(r, channel);
        SamplePoint point = point_at(r, channel, i % r->points);
        int taken = sample_shares(&in, &point, r->format, r->shares);
        Ball dy = ball_exact(tensor_value(r->dy, i));
        for (int k = 0; k < taken; k++)
            if (r->shares[k].offset >= 0)
                shares_add(sums, (size_t)(channel * area + r->shares[k].offset),
                           sample_product(r->format, dy, r->shares[k].weight));
        for (int64_t k = 0; taken < 0 && k < area; k++)
            shares_add(sums, (size_t)(channel * area + k), sample_share_of_any_point(&in, dy));
    }
}

static void spread(Ref *ref, const ReferenceInput *input, const Tensor *dx, double unit,
                   Arena *arena)
{
    Shares sums = shares_begin(arena);
    ref_allocate_bounded(ref, dx->dtype, dx, arena);
    Reading r = reading_of(input, dx, ref, unit, arena);
    scatter(&r, &sums);
    shares_put(&sums, ref);
}

static void resize_all(Ref *ref, const ReferenceInput *input, double unit, Arena *arena)
{
    spread(ref, input, &input->tensors[1], unit, arena);
}

static void grid_all(Ref *ref, const ReferenceInput *input, double unit, Arena *arena)
{
    spread(ref, input, &input->tensors[DX], unit, arena);
}

/* The sum over all channels of a sample of dy times the slope along an axis: dy multiplies each
 * share, or the sum of those of a channel.  terms has room for all shares of all channels. */
static Ball slope_in_order(const Reading *r, int64_t sample, int64_t number, int axis, bool above,
                           bool late, Ball *terms)
{
    size_t count = 0;
    for (int64_t c = 0; c < r->q->channels; c++) {
        int64_t channel = sample * r->q->channels + c;
        SampleInput in = channel_at(r, channel);
        SamplePoint point = point_at(r, channel, number);
        int taken = sample_slopes(&in, &point, r->format, axis, above, r->shares);
        Ball dy = ball_exact(tensor_value(r->dy, channel * r->points + number));
        size_t first = count;
        if (taken < 0)
            terms[count++] = ball_multiply(r->format, dy, sample_slope_of_any_point(&in));
        if (taken < 0)
            continue;
        for (int k = 0; k < taken; k++) {
            int64_t offset = r->shares[k].offset;
            if (offset < 0)
                continue;
            Ball x = ball_exact(dtype_load(in.x.dtype, in.x.origin, offset));
            Ball share = sample_product(r->format, x, r->shares[k].weight);
            terms[count++] = late ? share : ball_multiply(r->format, dy, share);
        }
        if (late) {
            Ball sum = ball_sum(r->format, &terms[first], count - first);
            terms[first] = ball_multiply(r->format, dy, sum);
            count = first + 1;
        }
    }
    return ball_sum(r->format, terms, count);
}

static Ball slope_of(const Reading *r, int64_t sample, int64_t number, int axis, bool above,
                     Ball *terms)
{
    return ball_either(slope_in_order(r, sample, number, axis, above, false, terms),
                       slope_in_order(r, sample, number, axis, above, true, terms));
}

/* Gradients of coordinates: in elements, times the elements that a unit of the grid spans. */
static void coordinates_all(Ref *ref, const ReferenceInput *input, double unit, Arena *arena)
{
    const Sample *q = input->params;
    const Tensor *d_grid = &input->tensors[D_GRID];
    int axes = (int)q->input_size.rank;
    ref_allocate_bounded(ref, d_grid->dtype, d_grid, arena);
    Reading r = reading_of(input, &input->tensors[X], ref, unit, arena);
    Ball *terms = arena_take(arena, (size_t)q->channels * SAMPLE_SHARES_MAX + 1, sizeof *terms);
    for (int64_t i = 0; i < (int64_t)ref->count; i++) {
        int axis = axes - 1 - (int)(i % axes);
        int64_t sample = i / axes / r.points, number = i / axes % r.points;
        SampleInput in = channel_at(&r, sample * q->channels);
        SamplePoint point = point_at(&r, sample * q->channels, number);
        double span = (double)(q->input_size.extent[axis] - (q->align_corners ? 1 : 0)) / 2;
        Ball slope = slope_of(&r, sample, number, axis, true, terms);
        if (sample_has_kink(&in, &point, axis))
            slope = ball_either(slope, slope_of(&r, sample, number, axis, false, terms));
        ref_put_ball(ref, (size_t)i, ball_multiply(r.format, slope, ball_exact(span)));
    }
}

static void resize_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    nn_sample_reference(&refs[1], input, resize_all, arena);
}

static void grid_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    nn_sample_reference(&refs[DX], input, grid_all, arena);
    nn_sample_reference(&refs[D_GRID], input, coordinates_all, arena);
}

#define SAMPLE_BACKWARD_OP                                                                         \
    NN_OP(Sample, 2), .dtypes = DTYPES_REAL, .fills = nn_moderate_fills,                           \
                      .policy = "float-coordinates"

static const OpDesc resize[] = {
    {SAMPLE_BACKWARD_OP, .name = "interpolate%dd_backward", .summary = "gradient of interpolate%dd",
     .params = nn_resize_params, .tensors = resize_tensors, .normalise = nn_normalise_resize,
     .shape = resize_shape, .work = resize_work, .reference = resize_reference},
};
static const OpDesc grid = {SAMPLE_BACKWARD_OP,
                            .name = "grid_sample_backward",
                            .summary = "gradients of grid_sample",
                            .params = nn_grid_params,
                            .tensors = grid_tensors,
                            .normalise = nn_normalise_grid,
                            .shape = grid_shape,
                            .work = grid_work,
                            .reference = grid_reference};

OP_TABLE(ops_sample_backward)
{
    static OpDesc table[3 * COUNT_OF(resize) + 2];
    static SpreadOp storage[3 * COUNT_OF(resize)];
    nn_spread_axes(table, storage, resize, COUNT_OF(resize));
    table[3 * COUNT_OF(resize)] = grid;
    return table;
}
