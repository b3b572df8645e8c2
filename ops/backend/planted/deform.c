/* Faults of deformable convolutions, and kernels that compute them in another way and are right. */
#include <math.h>

#include "ops/nn/nn.h"
#include "planted.h"

enum { X, W, OFFSET, MASK, BIAS, Y, AXES = 2 };

/* One call; its extents are those of the operands. */
typedef struct Deform {
    const Tensor *x, *w, *offset, *mask, *bias, *y; /* mask and bias may be NULL */
    const Shape *stride, *dilation, *pads_begin;
    int64_t taps, places, sharing; /* sharing: channels with the same offsets */
    DType dtype;
} Deform;

static Deform deform_of(const PlantedCall *call)
{
    const Case *c = &call->altered;
    const Tensor *v = call->operands->view;
    int64_t taps = v[W].extent[2] * v[W].extent[3];
    return (Deform){.x = &v[X],
                    .w = &v[W],
                    .offset = &v[OFFSET],
                    .mask = case_int(c, "unmasked") ? NULL : &v[MASK],
                    .bias = case_int(c, "bias") ? &v[BIAS] : NULL,
                    .y = &v[Y],
                    .stride = case_shape(c, "stride"),
                    .dilation = case_shape(c, "dilation"),
                    .pads_begin = case_shape(c, "pads_begin"),
                    .taps = taps,
                    .places = v[Y].extent[2] * v[Y].extent[3],
                    .sharing = v[X].extent[1] / case_int(c, "offset_groups"),
                    .dtype = v[X].dtype};
}

/* Where a tap reads along an axis without its offset. */
static double grid_at(const Deform *d, int64_t tap, int64_t place, int axis)
{
    int64_t columns = d->y->extent[3], width = d->w->extent[3];
    int64_t at = axis ? place % columns : place / columns, of = axis ? tap % width : tap / width;
    return (double)(at * d->stride->extent[axis] + of * d->dilation->extent[axis] -
                    d->pads_begin->extent[axis]);
}

/* What a fault makes of the offset along an axis, of the number `place` of y. */
typedef double ChangeOffset(const Deform *d, const Tensor *offset, int64_t tap, int axis,
                            int64_t place, int64_t first);

static void change_offsets(PlantedCall *call, ChangeOffset *change)
{
    const Deform d = deform_of(call);
    const Tensor *offset = &call->view[OFFSET];
    double *changed = arena_take(call->arena, (size_t)tensor_count(offset) + 1, sizeof *changed);
    for (int64_t i = 0; i < tensor_count(offset); i++) {
        int64_t channel = i / d.places;
        changed[i] = change(&d, offset, channel / AXES % d.taps, (int)(channel % AXES),
                            i % d.places, (channel - channel % AXES) * d.places);
    }
    char *copy = planted_copy(call, OFFSET);
    for (int64_t i = 0; i < tensor_count(offset); i++)
        dtype_store(d.dtype, copy, i, changed[i]);
}

static double across(const Deform *d, const Tensor *offset, int64_t tap, int axis, int64_t place,
                     int64_t first)
{
    (void)tap;
    return tensor_value(offset, first + (1 - axis) * d->places + place);
}

static double whole(const Deform *d, const Tensor *offset, int64_t tap, int axis, int64_t place,
                    int64_t first)
{
    (void)tap;
    return rint(tensor_value(offset, first + axis * d->places + place));
}

/* Places outside are those of the nearest element. */
static double within(const Deform *d, const Tensor *offset, int64_t tap, int axis, int64_t place,
                     int64_t first)
{
    double grid = grid_at(d, tap, place, axis), end = (double)d->x->extent[axis + 2] - 1;
    double moved = grid + tensor_value(offset, first + axis * d->places + place);
    return fmin(fmax(moved, 0), end) - grid;
}

static double of_first_group(const Deform *d, const Tensor *offset, int64_t tap, int axis,
                             int64_t place, int64_t first)
{
    int64_t sample = first / d->places / d->offset->extent[1];
    int64_t channel = sample * d->offset->extent[1] + tap * AXES + axis;
    return tensor_value(offset, channel * d->places + place);
}

static void prepare_across(PlantedCall *call)
{
    change_offsets(call, across);
}

static void prepare_whole(PlantedCall *call)
{
    change_offsets(call, whole);
}

static void prepare_within(PlantedCall *call)
{
    change_offsets(call, within);
}

static void prepare_first_group(PlantedCall *call)
{
    change_offsets(call, of_first_group);
}

static double rounded(const Deform *d, double value)
{
    return dtype_round(d->dtype, value);
}

static double pixel(const Deform *d, int64_t plane, double row, double column)
{
    int64_t height = d->x->extent[2], width = d->x->extent[3];
    if (row < 0 || row >= (double)height || column < 0 || column >= (double)width)
        return 0;
    return tensor_value(d->x, (plane * height + (int64_t)row) * width + (int64_t)column);
}

/* A sample at a place between four elements. */
typedef double Interpolate(const Deform *d, int64_t plane, double row, double column);

static double by_weights(const Deform *d, int64_t plane, double row, double column)
{
    double top = floor(row), left = floor(column), sum = 0;
    double down = rounded(d, row - top), right = rounded(d, column - left);
    for (int corner = 0; corner < 4; corner++) {
        double along = corner & 2 ? down : rounded(d, 1 - down);
        double across_it = corner & 1 ? right : rounded(d, 1 - right);
        double value = pixel(d, plane, top + (corner >> 1), left + (corner & 1));
        sum = rounded(d, sum + rounded(d, rounded(d, along * across_it) * value));
    }
    return sum;
}

static double step_between(const Deform *d, double low, double high, double share)
{
    return rounded(d, low + rounded(d, share * rounded(d, high - low)));
}

static double by_steps(const Deform *d, int64_t plane, double row, double column)
{
    double top = floor(row), left = floor(column);
    double down = rounded(d, row - top), right = rounded(d, column - left), between[2];
    for (int i = 0; i < 2; i++)
        between[i] = step_between(d, pixel(d, plane, top + i, left),
                                  pixel(d, plane, top + i, left + 1), right);
    return step_between(d, between[0], between[1], down);
}

static double sample_of(const Deform *d, Interpolate *interpolate, int64_t image, int64_t channel,
                        int64_t tap, int64_t place)
{
    int64_t groups = d->x->extent[1] / d->sharing;
    int64_t of_tap = (image * groups + channel / d->sharing) * d->taps + tap;
    double at[AXES];
    for (int axis = 0; axis < AXES; axis++) {
        double moved = tensor_value(d->offset, (of_tap * AXES + axis) * d->places + place);
        at[axis] = rounded(d, grid_at(d, tap, place, axis) + moved);
        if (at[axis] <= -1 || at[axis] >= (double)d->x->extent[axis + 2])
            return 0;
    }
    return interpolate(d, image * d->x->extent[1] + channel, at[0], at[1]);
}

static double mask_of(const Deform *d, int64_t image, int64_t channel, int64_t tap, int64_t place)
{
    int64_t groups = d->x->extent[1] / d->sharing;
    int64_t of_tap = (image * groups + channel / d->sharing) * d->taps + tap;
    return d->mask ? tensor_value(d->mask, of_tap * d->places + place) : 1;
}

/* Where factors leave the range, or are not finite, the reference's way is as good. */
static bool is_moderate(const Tensor *t)
{
    for (int64_t i = 0; t && i < tensor_count(t); i++) {
        double size = fabs(tensor_value(t, i));
        if (size != 0 && !(size > 0x1p-30 && size < 0x1p30))
            return false;
    }
    return true;
}

/* y, as sums over taps and channels; `late` multiplies weights with masks, and adds the bias first.
 */
static void finish_sums(PlantedCall *call, Interpolate *interpolate, bool late)
{
    const Deform d = deform_of(call);
    if (!is_moderate(d.x) || !is_moderate(d.w) || !is_moderate(d.offset) || !is_moderate(d.mask) ||
        !is_moderate(d.bias))
        return;
    int64_t depth = d.w->extent[1], out = d.y->extent[1];
    int64_t per_group = out / (d.x->extent[1] / depth);
    for (int64_t i = 0; i < tensor_count(d.y); i++) {
        int64_t place = i % d.places, k = i / d.places % out, image = i / d.places / out;
        double bias = d.bias ? tensor_value(d.bias, k) : 0, sum = late ? bias : 0;
        for (int64_t term = 0; term < depth * d.taps; term++) {
            int64_t tap = term % d.taps, channel = k / per_group * depth + term / d.taps;
            double weight = tensor_value(d.w, k * depth * d.taps + term);
            double mask = mask_of(&d, image, channel, tap, place);
            double sample = sample_of(&d, interpolate, image, channel, tap, place);
            double product =
                late ? rounded(&d, mask * weight) * sample : rounded(&d, mask * sample) * weight;
            sum = rounded(&d, sum + rounded(&d, product));
        }
        dtype_store(d.dtype, d.y->origin, i, late ? sum : rounded(&d, sum + bias));
    }
}

static void finish_columns(PlantedCall *call)
{
    finish_sums(call, by_weights, false);
}

static void finish_steps(PlantedCall *call)
{
    finish_sums(call, by_steps, true);
}

const PlantedFault planted_deform_faults[] = {
    {"deform-across", "deform_conv2d", "offsets of rows and columns are exchanged", prepare_across,
     NULL},
    {"deform-nearest", "deform_conv2d", "places between elements", prepare_whole, NULL},
    {"deform-clamped", "deform_conv2d", "places outside", prepare_within, NULL},
    {"deform-first-group", "deform_conv2d", "groups of offsets", prepare_first_group, NULL},
    {"ok-deform-columns", "deform_conv2d", "right: samples, then a product of matrices", NULL,
     finish_columns},
    {"ok-deform-steps", "deform_conv2d", "right: steps between elements, masked weights", NULL,
     finish_steps},
    {NULL, NULL, NULL, NULL, NULL},
};
