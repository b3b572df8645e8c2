/* Faults of deformable convolutions, and kernels that compute them in another way and are right. */
#include <math.h>

#include "ops/nn/nn.h"
#include "planted.h"

enum { X, W, OFFSET, MASK, BIAS, Y, AXES = 2 };
/* Of gradients: dy stands in front of the inputs, whose gradients follow. */
enum { DY, INPUTS, DX = INPUTS + MASK + 1, DW, D_OFFSET, D_MASK, D_BIAS };

/* One call; its extents are those of the operands. */
typedef struct Deform {
    const Tensor *x, *w, *offset, *mask, *bias, *y; /* mask and bias may be NULL; y may be dy */
    const Shape *stride, *dilation, *pads_begin;
    int64_t taps, places, sharing; /* sharing: channels with the same offsets */
    DType dtype;
} Deform;

/* Of a call with these inputs, and y or dy. */
static Deform deform_with(const PlantedCall *call, const Tensor *v, const Tensor *y)
{
    const Case *c = &call->altered;
    int64_t taps = v[W].extent[2] * v[W].extent[3];
    return (Deform){.x = &v[X],
                    .w = &v[W],
                    .offset = &v[OFFSET],
                    .mask = case_int(c, "unmasked") ? NULL : &v[MASK],
                    .y = y,
                    .stride = case_shape(c, "stride"),
                    .dilation = case_shape(c, "dilation"),
                    .pads_begin = case_shape(c, "pads_begin"),
                    .taps = taps,
                    .places = y->extent[2] * y->extent[3],
                    .sharing = v[X].extent[1] / case_int(c, "offset_groups"),
                    .dtype = v[X].dtype};
}

static Deform deform_of(const PlantedCall *call)
{
    const Tensor *v = call->operands->view;
    Deform d = deform_with(call, v, &v[Y]);
    d.bias = case_int(&call->altered, "bias") ? &v[BIAS] : NULL;
    return d;
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

/* What is not finite lies outside. */
static double outside(const Deform *d, const Tensor *offset, int64_t tap, int axis, int64_t place,
                      int64_t first)
{
    double value = tensor_value(offset, first + axis * d->places + place);
    (void)tap;
    return isfinite(value) ? value : 0x1p15;
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

static void prepare_outside(PlantedCall *call)
{
    change_offsets(call, outside);
}

/* An index that is made of NaN reads what lies behind the image. */
static void finish_behind_image(PlantedCall *call)
{
    const Deform d = deform_of(call);
    int64_t channels = d.offset->extent[1], outs = d.y->extent[1];
    for (int64_t i = 0; i < tensor_count(d.offset); i++) {
        int64_t image = i / (channels * d.places), place = i % d.places;
        for (int64_t out = 0; out < outs && isnan(tensor_value(d.offset, i)); out++)
            dtype_store(d.dtype, d.y->origin, (image * outs + out) * d.places + place, 0x1p100);
    }
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

/* The number of a tap of an image and channel among those of all groups of offsets. */
static int64_t tap_of(const Deform *d, int64_t image, int64_t channel, int64_t tap)
{
    int64_t groups = d->x->extent[1] / d->sharing;
    return (image * groups + channel / d->sharing) * d->taps + tap;
}

/* Where a sample lies; false where that is outside. */
static bool find_place(const Deform *d, int64_t of_tap, int64_t place, double at[AXES])
{
    bool is_inside = true;
    for (int axis = 0; axis < AXES; axis++) {
        double moved = tensor_value(d->offset, (of_tap * AXES + axis) * d->places + place);
        at[axis] = rounded(d, grid_at(d, of_tap % d->taps, place, axis) + moved);
        is_inside = is_inside && at[axis] > -1 && at[axis] < (double)d->x->extent[axis + 2];
    }
    return is_inside;
}

static double sample_of(const Deform *d, Interpolate *interpolate, int64_t image, int64_t channel,
                        int64_t tap, int64_t place)
{
    double at[AXES];
    bool is_inside = find_place(d, tap_of(d, image, channel, tap), place, at);
    return is_inside ? interpolate(d, image * d->x->extent[1] + channel, at[0], at[1]) : 0;
}

static double mask_of(const Deform *d, int64_t image, int64_t channel, int64_t tap, int64_t place)
{
    int64_t of_tap = tap_of(d, image, channel, tap);
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

/* What a kernel of the gradients gets wrong. */
typedef enum Mistake {
    RIGHT,
    SLOPES_UNMASKED,
    SLOPES_INSIDE_ONLY,
    SLOPES_EXCHANGED,
    WEIGHTS_OF_FIRST_GROUP,
    WEIGHTS_OF_LAST_IMAGE,
    ELEMENTS_BELOW_ONLY
} Mistake;

/* The gradients, which sums are added to in the element type. */
typedef struct Gradients {
    Deform d;
    Mistake mistake;
    double *of[D_BIAS + 1];
} Gradients;

/* A sample: of an image and channel, for a tap at a place of y. */
typedef struct Site {
    int64_t image, channel, tap, place;
    double at[AXES], mask;
} Site;

static void add(const Gradients *g, int output, int64_t i, double term)
{
    double *sum = &g->of[output][i];
    *sum = rounded(&g->d, *sum + rounded(&g->d, term));
}

/* What a sample has from dy: the sum over the channels of y of its group. */
static double sample_gradient(const Gradients *g, const Site *s)
{
    const Deform *d = &g->d;
    int64_t depth = d->w->extent[1], outs = d->y->extent[1], channels = d->x->extent[1];
    int64_t per_group = outs / (channels / depth), group = s->channel / depth;
    int64_t first = g->mistake == WEIGHTS_OF_FIRST_GROUP ? 0 : group * per_group;
    double sum = 0;
    for (int64_t k = 0; k < per_group; k++) {
        double dy =
            tensor_value(d->y, (s->image * outs + group * per_group + k) * d->places + s->place);
        double weight =
            tensor_value(d->w, ((first + k) * depth + s->channel % depth) * d->taps + s->tap);
        sum = rounded(d, sum + rounded(d, dy * weight));
    }
    return sum;
}

static void add_elements(const Gradients *g, const Site *s, double gradient)
{
    const Deform *d = &g->d;
    int64_t height = d->x->extent[2], width = d->x->extent[3];
    int64_t plane = s->image * d->x->extent[1] + s->channel;
    int corners = g->mistake == ELEMENTS_BELOW_ONLY ? 1 : 4;
    for (int corner = 0; corner < corners; corner++) {
        double row = floor(s->at[0]) + (corner >> 1), column = floor(s->at[1]) + (corner & 1);
        if (row < 0 || row >= (double)height || column < 0 || column >= (double)width)
            continue;
        double along = rounded(d, 1 - rounded(d, fabs(s->at[0] - row)));
        double across_it = rounded(d, 1 - rounded(d, fabs(s->at[1] - column)));
        double weight = rounded(d, along * across_it);
        add(g, DX, (plane * height + (int64_t)row) * width + (int64_t)column, weight * gradient);
    }
}

/* The slope along an axis: the differences of the elements along it, in a step along the other one.
 */
static double slope_along(const Deform *d, const Site *s, int axis)
{
    int64_t plane = s->image * d->x->extent[1] + s->channel;
    double top = floor(s->at[0]), left = floor(s->at[1]), apart[2];
    double share = rounded(d, s->at[1 - axis] - floor(s->at[1 - axis]));
    for (int i = 0; i < 2; i++) {
        double low = axis ? pixel(d, plane, top + i, left) : pixel(d, plane, top, left + i);
        double high =
            axis ? pixel(d, plane, top + i, left + 1) : pixel(d, plane, top + 1, left + i);
        apart[i] = rounded(d, high - low);
    }
    return step_between(d, apart[0], apart[1], share);
}

static void add_slopes(const Gradients *g, const Site *s, double gradient)
{
    const Deform *d = &g->d;
    int64_t of_tap = tap_of(d, s->image, s->channel, s->tap);
    for (int axis = 0; axis < AXES; axis++) {
        bool is_inside = s->at[0] >= 0 && s->at[0] <= (double)(d->x->extent[2] - 1) &&
                         s->at[1] >= 0 && s->at[1] <= (double)(d->x->extent[3] - 1);
        if (g->mistake == SLOPES_INSIDE_ONLY && !is_inside)
            continue;
        int target = g->mistake == SLOPES_EXCHANGED ? 1 - axis : axis;
        add(g, D_OFFSET, (of_tap * AXES + target) * d->places + s->place,
            slope_along(d, s, axis) * gradient);
    }
}

static void add_weights(const Gradients *g, const Site *s, double sample)
{
    const Deform *d = &g->d;
    int64_t depth = d->w->extent[1], outs = d->y->extent[1];
    int64_t per_group = outs / (d->x->extent[1] / depth), group = s->channel / depth;
    for (int64_t k = group * per_group; k < (group + 1) * per_group; k++) {
        double dy = tensor_value(d->y, (s->image * outs + k) * d->places + s->place);
        int64_t weight = (k * depth + s->channel % depth) * d->taps + s->tap;
        if (g->mistake == WEIGHTS_OF_LAST_IMAGE && s->tap + s->place == 0)
            for (int64_t tap = 0; tap < d->taps; tap++)
                g->of[DW][weight + tap] = 0;
        add(g, DW, weight, rounded(d, s->mask * sample) * dy);
    }
}

static void add_sample(const Gradients *g, Site *s)
{
    const Deform *d = &g->d;
    int64_t of_tap = tap_of(d, s->image, s->channel, s->tap);
    double sample = sample_of(d, by_weights, s->image, s->channel, s->tap, s->place);
    double gradient = sample_gradient(g, s), masked = rounded(d, gradient * s->mask);
    add_weights(g, s, sample);
    if (!find_place(d, of_tap, s->place, s->at))
        return;
    if (d->mask)
        add(g, D_MASK, of_tap * d->places + s->place, gradient * sample);
    add_elements(g, s, masked);
    add_slopes(g, s, g->mistake == SLOPES_UNMASKED ? gradient : masked);
}

static void add_samples(const Gradients *g)
{
    const Deform *d = &g->d;
    int64_t images = d->x->extent[0], channels = d->x->extent[1];
    for (int64_t i = 0; i < images * channels * d->taps * d->places; i++) {
        int64_t number = i;
        Site s = {.place = tensor_take_index(&number, d->places)};
        s.tap = tensor_take_index(&number, d->taps);
        s.channel = tensor_take_index(&number, channels);
        s.image = number;
        s.mask = mask_of(d, s.image, s.channel, s.tap, s.place);
        add_sample(g, &s);
    }
    for (int64_t i = 0; i < tensor_count(d->y); i++)
        add(g, D_BIAS, i / d->places % d->y->extent[1], tensor_value(d->y, i));
}

static void finish_gradients(PlantedCall *call, Mistake mistake)
{
    const Tensor *v = call->operands->view;
    Gradients g = {.d = deform_with(call, &v[INPUTS], &v[DY]), .mistake = mistake};
    if (!is_moderate(g.d.x) || !is_moderate(g.d.w) || !is_moderate(g.d.offset) ||
        !is_moderate(g.d.mask) || !is_moderate(g.d.y))
        return;
    for (int i = DX; i <= D_BIAS; i++)
        g.of[i] = arena_take_zeroed(call->arena, (size_t)tensor_count(&v[i]) + 1, sizeof(double));
    add_samples(&g);
    for (int output = DX; output <= D_BIAS; output++)
        for (int64_t i = 0; i < tensor_count(&v[output]); i++)
            dtype_store(g.d.dtype, v[output].origin, i, g.of[output][i]);
}

static void finish_right(PlantedCall *call)
{
    finish_gradients(call, RIGHT);
}

static void finish_slopes_unmasked(PlantedCall *call)
{
    finish_gradients(call, SLOPES_UNMASKED);
}

static void finish_slopes_inside(PlantedCall *call)
{
    finish_gradients(call, SLOPES_INSIDE_ONLY);
}

static void finish_slopes_exchanged(PlantedCall *call)
{
    finish_gradients(call, SLOPES_EXCHANGED);
}

static void finish_first_group(PlantedCall *call)
{
    finish_gradients(call, WEIGHTS_OF_FIRST_GROUP);
}

static void finish_last_image(PlantedCall *call)
{
    finish_gradients(call, WEIGHTS_OF_LAST_IMAGE);
}

static void finish_elements_below(PlantedCall *call)
{
    finish_gradients(call, ELEMENTS_BELOW_ONLY);
}

const PlantedFault planted_deform_faults[] = {
    {"deform-across", "deform_conv2d", "offsets of rows and columns are exchanged", prepare_across,
     NULL},
    {"deform-nearest", "deform_conv2d", "places between elements", prepare_whole, NULL},
    {"deform-clamped", "deform_conv2d", "places outside", prepare_within, NULL},
    {"deform-behind-image", "deform_conv2d", "offsets of NaN", NULL, finish_behind_image},
    {"ok-deform-outside", "deform_conv2d", "right: offsets that are not finite lie outside",
     prepare_outside, NULL},
    {"deform-first-group", "deform_conv2d", "groups of offsets", prepare_first_group, NULL},
    {"ok-deform-columns", "deform_conv2d", "right: samples, then a product of matrices", NULL,
     finish_columns},
    {"ok-deform-steps", "deform_conv2d", "right: steps between elements, masked weights", NULL,
     finish_steps},
    {"deform-gradient-unmasked", "deform_conv2d_backward", "offsets beside masks", NULL,
     finish_slopes_unmasked},
    {"deform-gradient-inside", "deform_conv2d_backward",
     "offsets of samples that are partly outside", NULL, finish_slopes_inside},
    {"deform-gradient-across", "deform_conv2d_backward", "offsets of rows and columns", NULL,
     finish_slopes_exchanged},
    {"deform-gradient-first-group", "deform_conv2d_backward", "groups of channels", NULL,
     finish_first_group},
    {"deform-gradient-last-image", "deform_conv2d_backward", "two samples or more", NULL,
     finish_last_image},
    {"deform-gradient-nearest", "deform_conv2d_backward", "places between elements", NULL,
     finish_elements_below},
    {"ok-deform-gradients", "deform_conv2d_backward", "right: sample by sample, slopes in steps",
     NULL, finish_right},
    {NULL, NULL, NULL, NULL, NULL},
};
