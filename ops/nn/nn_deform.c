/* What the convolution and its gradients both have of a case. */
#include "nn_deform.h"

#include <math.h>

void deform_normalise(void *params_of_case)
{
    DeformConv *q = params_of_case;
    nn_fit_kernel(&q->window);
    while (q->in_channels_per_group * q->groups % q->offset_groups)
        q->offset_groups--;
}

void deform_shape(const void *params_of_case, Shapes *shapes)
{
    const DeformConv *q = params_of_case;
    const Window *w = &q->window;
    int64_t out = q->out_channels_per_group * q->groups, taps = shape_count(&w->kernel_size);
    Shape places = nn_outputs(w), bias = {1, {out}};
    const Shape extents[] = {
        nn_image(q->batch, q->in_channels_per_group * q->groups, &w->input_size),
        nn_image(out, q->in_channels_per_group, &w->kernel_size),
        nn_image(q->batch, q->offset_groups * taps * DEFORM_AXES, &places),
        nn_image(q->batch, q->offset_groups * taps, &places),
        bias,
        nn_image(q->batch, out, &places),
    };
    *shapes = (Shapes){.depth = q->in_channels_per_group * taps};
    for (int i = DEFORM_X; i <= DEFORM_Y; i++)
        nn_add_operand(shapes, nn_dtype(q), &extents[i], i == DEFORM_Y ? ROLE_OUT : ROLE_IN);
    shapes->tensor[DEFORM_W].part = PART_RIGHT;
    shapes->tensor[DEFORM_MASK].ignored = q->unmasked;
    shapes->tensor[DEFORM_BIAS].ignored = !q->bias;
    shapes->tensor[DEFORM_BIAS].part = PART_ADDEND;
}

double deform_work(const void *params_of_case)
{
    const DeformConv *q = params_of_case;
    Shape places = nn_outputs(&q->window);
    double samples = (double)(q->batch * q->in_channels_per_group * q->groups) *
                     (double)shape_count(&q->window.kernel_size) * (double)shape_count(&places);
    return samples * (1024 + 128 * (double)q->out_channels_per_group);
}

static bool *find_finite(const Tensor *x, int64_t channels, Arena *arena)
{
    bool *is_finite = arena_take(arena, (size_t)channels + 1, sizeof *is_finite);
    int64_t area = channels > 0 ? tensor_count(x) / channels : 0;
    for (int64_t i = 0; i < channels; i++) {
        is_finite[i] = true;
        for (int64_t k = 0; k < area; k++)
            is_finite[i] = is_finite[i] && isfinite(tensor_value(x, i * area + k));
    }
    return is_finite;
}

DeformReading deform_reading(const ReferenceInput *input, const Tensor *first, DType accumulator,
                             Arena *arena)
{
    const DeformConv *q = input->params;
    Shape places = nn_outputs(&q->window);
    int64_t channels = q->in_channels_per_group * q->groups;
    return (DeformReading){.q = q,
                           .x = &first[DEFORM_X],
                           .w = &first[DEFORM_W],
                           .offset = &first[DEFORM_OFFSET],
                           .mask = q->unmasked ? NULL : &first[DEFORM_MASK],
                           .format = dtype_format(accumulator),
                           .taps = shape_count(&q->window.kernel_size),
                           .places = shape_count(&places),
                           .channels = channels,
                           .sharing = channels / q->offset_groups,
                           .is_finite = find_finite(&first[DEFORM_X], q->batch * channels, arena),
                           .shares = arena_take(arena, SAMPLE_SHARES_MAX, sizeof(SampleShare)),
                           .terms = arena_take(arena, SAMPLE_SHARES_MAX, sizeof(Ball))};
}

int64_t deform_count_sites(const DeformReading *r)
{
    return r->q->batch * r->channels * r->taps * r->places;
}

int64_t deform_site_number(const DeformReading *r, const DeformSite *s)
{
    return ((s->image * r->channels + s->channel) * r->taps + s->tap) * r->places + s->place;
}

DeformSite deform_site_at(const DeformReading *r, int64_t number)
{
    DeformSite s = {.place = tensor_take_index(&number, r->places)};
    s.tap = tensor_take_index(&number, r->taps);
    s.channel = tensor_take_index(&number, r->channels);
    s.image = number;
    return s;
}

/* The number of its tap among those of all groups of offsets. */
static int64_t offset_tap(const DeformReading *r, const DeformSite *s)
{
    return (s->image * r->q->offset_groups + s->channel / r->sharing) * r->taps + s->tap;
}

double deform_mask(const DeformReading *r, const DeformSite *s)
{
    return tensor_value(r->mask, offset_tap(r, s) * r->places + s->place);
}

bool deform_find_point(const DeformReading *r, const DeformSite *s, SamplePoint *point)
{
    const Window *w = &r->q->window;
    Shape places = nn_outputs(w);
    int64_t at = s->place, tap = s->tap;
    *point = (SamplePoint){{0}, {0}};
    for (int axis = DEFORM_AXES - 1; axis >= 0; axis--) {
        int64_t first =
            tensor_take_index(&at, places.extent[axis]) * w->stride.extent[axis] +
            tensor_take_index(&tap, w->kernel_size.extent[axis]) * w->dilation.extent[axis] -
            w->pads_begin.extent[axis];
        int64_t element = (offset_tap(r, s) * DEFORM_AXES + axis) * r->places + s->place;
        Ball c = ball_add(r->format, ball_exact((double)first),
                          ball_exact(tensor_value(r->offset, element)));
        if (!ball_is_known(c))
            return false;
        point->coordinate[axis] = c.value;
        point->radius[axis] = c.radius;
    }
    return true;
}

SampleInput deform_image(const DeformReading *r, const DeformSite *s)
{
    SampleInput in = sample_channel(r->x, s->image * r->channels + s->channel, SAMPLE_LINEAR);
    in.edge = EDGE_ZEROS;
    return in;
}

/* True where steps between the four elements about an exact coordinate do not round. */
static bool steps_are_exact(const DeformReading *r, const SampleInput *in, const SamplePoint *p)
{
    int64_t cell[DEFORM_AXES];
    Ball share[DEFORM_AXES], row[2];
    for (int axis = 0; axis < DEFORM_AXES; axis++) {
        cell[axis] = (int64_t)floorl(p->coordinate[axis]);
        share[axis] = (Ball){p->coordinate[axis] - (long double)cell[axis], 0, 0};
    }
    for (int i = 0; i < 2; i++) {
        Ball pair[2];
        for (int j = 0; j < 2; j++)
            pair[j] = ball_exact(sample_element(in, (const int64_t[]){cell[0] + i, cell[1] + j}));
        row[i] = ball_lerp(r->format, pair[0], pair[1], share[1]);
    }
    Ball result = ball_lerp(r->format, row[0], row[1], share[0]);
    return p->radius[0] == 0 && p->radius[1] == 0 && ball_is_known(result) && result.radius == 0;
}

Ball deform_or_nan(const DeformReading *r, const DeformSite *s, Ball found)
{
    bool is_finite = r->is_finite[s->image * r->channels + s->channel];
    return is_finite ? found : ball_or(found, CLASS_NAN);
}

DeformProducts deform_share_products(const DeformReading *r, const SampleInput *in, int shares,
                                     Ball *terms)
{
    DeformProducts p = {.is_inside = true};
    for (int i = 0; i < shares; i++) {
        int64_t offset = r->shares[i].offset;
        p.is_inside = p.is_inside && offset >= 0;
        if (offset < 0)
            continue;
        double x = dtype_load(in->x.dtype, in->x.origin, offset);
        p.size = isfinite(x) ? fmax(p.size, fabs(x)) : p.size;
        terms[p.count++] = sample_product(r->format, ball_exact(x), r->shares[i].weight);
    }
    return p;
}

double deform_steps_error(const DeformReading *r, double size)
{
    return 12 * (1 + 0x1p-20) * r->format->unit * size;
}

static Ball sum_of_shares(const DeformReading *r, const DeformSite *s, const SampleInput *in,
                          const SamplePoint *point, int count)
{
    DeformProducts p = deform_share_products(r, in, count, r->terms);
    Ball sum = ball_sum(r->format, r->terms, p.count);
    if (sum.radius > 0 || !steps_are_exact(r, in, point))
        sum.radius += deform_steps_error(r, p.size);
    return p.is_inside ? sum : deform_or_nan(r, s, sum);
}

static Ball sample_at(const DeformReading *r, const DeformSite *s)
{
    SampleInput in = deform_image(r, s);
    SamplePoint point;
    if (!deform_find_point(r, s, &point))
        return sample_of_any_point(&in);
    int count = sample_shares(&in, &point, r->format, r->shares);
    if (sample_side(&in, &point, true) != SAMPLE_OUTSIDE)
        return count < 0 ? sample_of_any_point(&in) : sum_of_shares(r, s, &in, &point, count);
    return deform_or_nan(r, s, ball_exact(0));
}

static bool may_be_outside(const DeformReading *r, const DeformSite *s)
{
    SampleInput in = deform_image(r, s);
    SamplePoint point;
    return !deform_find_point(r, s, &point) || sample_side(&in, &point, true) != SAMPLE_INSIDE;
}

Ball deform_times(const DeformReading *r, const DeformSite *s, Ball made, Ball factor)
{
    Ball product = ball_multiply(r->format, made, factor);
    return !ball_is_known(factor) && may_be_outside(r, s) ? ball_either(product, ball_exact(0))
                                                          : product;
}

Ball *deform_make_samples(const DeformReading *r, Arena *arena)
{
    int64_t count = deform_count_sites(r);
    Ball *samples = arena_take(arena, (size_t)count + 1, sizeof *samples);
    for (int64_t i = 0; i < count; i++) {
        DeformSite s = deform_site_at(r, i);
        samples[i] = sample_at(r, &s);
    }
    return samples;
}

double deform_weight(const DeformReading *r, const DeformSite *s, int64_t out)
{
    int64_t channel = s->channel % r->q->in_channels_per_group;
    return tensor_value(r->w, (out * r->q->in_channels_per_group + channel) * r->taps + s->tap);
}

Ball deform_product(const DeformReading *r, const DeformSite *s, Ball made, Ball factor)
{
    if (!r->mask)
        return deform_times(r, s, made, factor);
    double mask = deform_mask(r, s);
    const Ball factors[] = {made, ball_exact(mask), factor};
    if (ball_products_leave(r->format, factors, COUNT_OF(factors)))
        return ball_unknown();
    Ball product = deform_times(r, s, deform_times(r, s, made, factors[1]), factor);
    if (mask == 0 || fabs(mask) == 1)
        return product;
    Ball of_others = ball_multiply(r->format, factors[1], factor);
    product = ball_either(product, ball_multiply(r->format, made, of_others));
    return ball_either(product, deform_times(r, s, deform_times(r, s, made, factor), factors[1]));
}
