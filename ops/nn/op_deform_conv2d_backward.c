/* Gradients of the inputs of deform_conv2d, and of a bias. A sample has first the sum over the
 * channels of y of dy times the weights of its tap, a product of matrices.  That of an element is
 * the sum of this times the mask and the weight of the element, which a kernel may form from its
 * coordinate and 1, so that it is off by the rounding of their sum too; that of a mask the sum of
 * this times the sample; that of a weight the sum of dy times mask and sample.  That of an offset
 * is the sum over the channels of this times the mask and the slope: the differences of the
 * elements along the axis, weighted along the other one. With A the greatest of the four a
 * difference rounds by 2 u A; weighted and added, or in a step d + t (d' - d), which rounds by 4 u
 * A twice and by 2 u A, or as the difference of two steps of 5 u A, the slope is off by 12 u A
 * beside what the weights are off by.  The elements may be multiplied before they are added.
 * Where a coordinate may lie on an element, the slopes of both sides, and all between, are right.
 */
#include <math.h>

#include "nn_deform.h"
#include "reference/share.h"

/* Gradients of the inputs, and of a bias, by dy and the inputs. */
enum {
    DY,
    INPUTS,
    DX = INPUTS + DEFORM_MASK + 1,
    DW,
    D_OFFSET,
    D_MASK,
    D_BIAS,
    BACKWARD_TENSORS,
    BACKWARD_WORK = 8
};
static const char *const tensors[] = {"dy", "x",       "w",     "offset", "mask", "dx",
                                      "dw", "doffset", "dmask", "dbias",  NULL};
static const Param params[] = {
    DEFORM_PARAMS, P_CHOICE(DeformConv, unmasked, nn_yes_no, "mask is left out"), P_END};

static void shape(const void *params_of_case, Shapes *shapes)
{
    Shapes forward;
    deform_shape(params_of_case, &forward);
    *shapes = (Shapes){.count = BACKWARD_TENSORS, .depth = forward.depth};
    shapes->tensor[DY] = forward.tensor[DEFORM_Y];
    for (int i = DEFORM_X; i <= DEFORM_MASK; i++)
        shapes->tensor[INPUTS + i] = shapes->tensor[DX + i] = forward.tensor[i];
    shapes->tensor[D_BIAS] = forward.tensor[DEFORM_BIAS];
    for (int i = DY; i <= D_BIAS; i++)
        shapes->tensor[i].role = i >= DX ? ROLE_OUT : ROLE_IN;
    shapes->tensor[D_MASK].ignored = shapes->tensor[D_BIAS].ignored = false;
    for (int i = DX; i <= D_BIAS; i++)
        shapes->tensor[i].part = PART_LEFT;
}

static double work(const void *params_of_case)
{
    return BACKWARD_WORK * deform_work(params_of_case);
}

/* A case of the gradients; samples, and what they have from dy, are numbered as sites are. */
typedef struct Backward {
    DeformReading r;
    const Tensor *dy;
    const Ball *samples, *gradients;
    Ball *terms;
} Backward;

static double dy_at(const Backward *b, int64_t image, int64_t out, int64_t place)
{
    const DeformConv *q = b->r.q;
    int64_t outs = q->out_channels_per_group * q->groups;
    return tensor_value(b->dy, (image * outs + out) * b->r.places + place);
}

/* The sum over the channels of y of its group, of dy times weights. */
static Ball gradient_of_sample(const Backward *b, const DeformSite *s)
{
    const DeformConv *q = b->r.q;
    int64_t first = s->channel / q->in_channels_per_group * q->out_channels_per_group;
    for (int64_t k = 0; k < q->out_channels_per_group; k++)
        b->terms[k] =
            ball_multiply(b->r.format, ball_exact(dy_at(b, s->image, first + k, s->place)),
                          ball_exact(deform_weight(&b->r, s, first + k)));
    return ball_sum(b->r.format, b->terms, (size_t)q->out_channels_per_group);
}

static Ball *make_gradients(const Backward *b, Arena *arena)
{
    int64_t count = deform_count_sites(&b->r);
    Ball *gradients = arena_take(arena, (size_t)count + 1, sizeof *gradients);
    for (int64_t i = 0; i < count; i++) {
        DeformSite s = deform_site_at(&b->r, i);
        gradients[i] = gradient_of_sample(b, &s);
    }
    return gradients;
}

static Backward backward_of(const ReferenceInput *input, DType accumulator, Arena *arena)
{
    const DeformConv *q = input->params;
    Backward b = {.r = deform_reading(input, &input->tensors[INPUTS], accumulator, arena),
                  .dy = &input->tensors[DY]};
    int64_t outs = q->out_channels_per_group, images = q->batch * b.r.places;
    int64_t room = (outs > images ? outs : images) + SAMPLE_SHARES_MAX * b.r.channels;
    b.terms = arena_take(arena, (size_t)room + 1, sizeof *b.terms);
    b.samples = deform_make_samples(&b.r, arena);
    b.gradients = make_gradients(&b, arena);
    return b;
}

/* What a sample has from dy times its mask and the weight of an element, which may be 0. */
static Ball spread_product(const Backward *b, const DeformSite *s, Ball gradient, Ball weight)
{
    const Format *format = b->r.format;
    Ball mask = b->r.mask ? ball_exact(deform_mask(&b->r, s)) : ball_exact(1);
    if (ball_is_known(gradient) && ball_is_known(mask))
        return deform_product(&b->r, s, weight, gradient);
    return sample_product(format, ball_multiply(format, gradient, mask), weight);
}

static void add_to_channel(const Backward *b, const DeformSite *s, Ball term, Shares *sums)
{
    int64_t area = shape_count(&b->r.q->window.input_size);
    int64_t first = (s->image * b->r.channels + s->channel) * area;
    for (int64_t i = 0; i < area; i++)
        shares_add(sums, (size_t)(first + i), term);
}

/* A weight may be the coordinate and 1, rounded, less an index. */
static void round_once_more(const Backward *b, SamplePoint *point)
{
    for (int axis = 0; axis < DEFORM_AXES; axis++) {
        Ball c = {point->coordinate[axis], point->radius[axis], 0};
        point->radius[axis] = ball_add(b->r.format, c, ball_exact(1)).radius;
    }
}

/* Adds what the elements have that a sample takes from. */
static void scatter(const Backward *b, const DeformSite *s, Shares *sums)
{
    const DeformReading *r = &b->r;
    SampleInput in = deform_image(r, s);
    SamplePoint point;
    Ball gradient = b->gradients[deform_site_number(r, s)];
    int64_t plane = (s->image * r->channels + s->channel) * shape_count(&r->q->window.input_size);
    if (!deform_find_point(r, s, &point)) {
        Ball mask = r->mask ? ball_exact(deform_mask(r, s)) : ball_exact(1);
        Ball sent = ball_multiply(r->format, gradient, mask);
        add_to_channel(b, s, sample_share_of_any_point(&in, sent), sums);
        return;
    }
    SampleSide side = sample_side(&in, &point, true);
    bool is_inside = side == SAMPLE_INSIDE;
    round_once_more(b, &point);
    int count = side == SAMPLE_OUTSIDE ? 0 : sample_shares(&in, &point, r->format, r->shares);
    for (int i = 0; i < count; i++) {
        int64_t offset = r->shares[i].offset;
        is_inside = is_inside && offset >= 0;
        if (offset >= 0)
            shares_add(sums, (size_t)(plane + offset),
                       spread_product(b, s, gradient, r->shares[i].weight));
    }
    if (!is_inside && !(ball_is_known(gradient) && (!r->mask || isfinite(deform_mask(r, s)))))
        add_to_channel(b, s, ball_or(ball_exact(0), CLASS_NAN), sums);
}

static void put_elements(const Backward *b, Ref *ref, Arena *arena)
{
    Shares sums = shares_begin(arena);
    for (int64_t i = 0; i < deform_count_sites(&b->r); i++) {
        DeformSite s = deform_site_at(&b->r, i);
        scatter(b, &s, &sums);
    }
    shares_put(&sums, ref);
}

static void put_weights(const Backward *b, Ref *ref)
{
    const DeformReading *r = &b->r;
    const DeformConv *q = r->q;
    for (size_t i = 0; i < ref->count; i++) {
        int64_t number = (int64_t)i, tap = tensor_take_index(&number, r->taps);
        int64_t channel = tensor_take_index(&number, q->in_channels_per_group), out = number;
        channel += out / q->out_channels_per_group * q->in_channels_per_group;
        size_t count = 0;
        for (int64_t image = 0; image < q->batch; image++)
            for (int64_t place = 0; place < r->places; place++) {
                DeformSite s = {image, channel, tap, place};
                b->terms[count++] = deform_product(r, &s, b->samples[deform_site_number(r, &s)],
                                                   ball_exact(dy_at(b, image, out, place)));
            }
        ref_put_ball(ref, i, ball_sum(r->format, b->terms, count));
    }
}

/* The sum over the channels that share an offset that is not finite. */
static Ball slope_nowhere(const Backward *b, DeformSite s)
{
    const DeformReading *r = &b->r;
    for (int64_t i = 0; i < r->sharing; i++, s.channel++) {
        SampleInput in = deform_image(r, &s);
        b->terms[i] = deform_product(r, &s, sample_slope_of_any_point(&in),
                                     b->gradients[deform_site_number(r, &s)]);
    }
    return ball_sum(r->format, b->terms, (size_t)r->sharing);
}

/* The sum over the channels that share an offset, of what they have times the slope along an axis
 * on one side; late, the elements of a channel are added first. */
static Ball slope_sum(const Backward *b, DeformSite s, int axis, bool above, bool late)
{
    const DeformReading *r = &b->r;
    int64_t first = s.channel;
    size_t count = 0;
    SamplePoint point;
    if (!deform_find_point(r, &s, &point))
        return slope_nowhere(b, s);
    for (s.channel = first; s.channel < first + r->sharing; s.channel++) {
        SampleInput in = deform_image(r, &s);
        Ball gradient = b->gradients[deform_site_number(r, &s)], *terms = &b->terms[count];
        bool is_outside = sample_side(&in, &point, true) == SAMPLE_OUTSIDE;
        int shares = is_outside ? 0 : sample_slopes(&in, &point, r->format, axis, above, r->shares);
        if (shares < 0)
            return ball_unknown();
        DeformProducts p = deform_share_products(r, &in, shares, terms);
        if (late || p.count == 0) {
            terms[0] = ball_sum(r->format, terms, p.count);
            terms[0].radius += deform_steps_error(r, p.size);
            p.count = 1;
        }
        if (!p.is_inside || is_outside)
            terms[0] = deform_or_nan(r, &s, terms[0]);
        for (size_t i = 0; i < p.count; i++)
            terms[i] = deform_product(r, &s, terms[i], gradient);
        count += p.count;
    }
    return ball_sum(r->format, b->terms, count);
}

static Ball slope_on_side(const Backward *b, const DeformSite *s, int axis, bool above)
{
    return ball_either(slope_sum(b, *s, axis, above, true), slope_sum(b, *s, axis, above, false));
}

/* The first of the channels that share the offset number `of_taps` of an image, at a place. */
static DeformSite first_site(const DeformReading *r, int64_t of_taps, int64_t place)
{
    int64_t tap = tensor_take_index(&of_taps, r->taps);
    int64_t group = tensor_take_index(&of_taps, r->q->offset_groups);
    return (DeformSite){of_taps, group * r->sharing, tap, place};
}

static void put_offsets(const Backward *b, Ref *ref)
{
    const DeformReading *r = &b->r;
    for (size_t i = 0; i < ref->count; i++) {
        int64_t number = (int64_t)i, place = tensor_take_index(&number, r->places);
        int axis = (int)tensor_take_index(&number, DEFORM_AXES);
        DeformSite s = first_site(r, number, place);
        SampleInput in = deform_image(r, &s);
        SamplePoint point;
        Ball slope = slope_on_side(b, &s, axis, true);
        if (deform_find_point(r, &s, &point) && sample_has_kink(&in, &point, axis))
            slope = ball_either(slope, slope_on_side(b, &s, axis, false));
        ref_put_ball(ref, i, slope);
    }
}

static void put_masks(const Backward *b, Ref *ref)
{
    const DeformReading *r = &b->r;
    for (size_t i = 0; i < ref->count; i++) {
        int64_t number = (int64_t)i, place = tensor_take_index(&number, r->places);
        DeformSite s = first_site(r, number, place);
        size_t count = 0;
        for (int64_t c = 0; r->mask && c < r->sharing; c++, s.channel++)
            b->terms[count++] = deform_times(r, &s, b->samples[deform_site_number(r, &s)],
                                             b->gradients[deform_site_number(r, &s)]);
        ref_put_ball(ref, i, ball_sum(r->format, b->terms, count));
    }
}

static void put_bias(const Backward *b, Ref *ref)
{
    for (size_t i = 0; i < ref->count; i++) {
        size_t count = 0;
        for (int64_t image = 0; image < b->r.q->batch; image++)
            for (int64_t place = 0; place < b->r.places; place++)
                b->terms[count++] = ball_exact(dy_at(b, image, (int64_t)i, place));
        ref_put_ball(ref, i, ball_sum(b->r.format, b->terms, count));
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    for (int i = DX; i <= D_BIAS; i++)
        ref_allocate_bounded(&refs[i], input->tensors[i].dtype, &input->tensors[i], arena);
    Backward b = backward_of(input, refs[DX].accumulator, arena);
    put_elements(&b, &refs[DX], arena);
    put_weights(&b, &refs[DW]);
    put_offsets(&b, &refs[D_OFFSET]);
    put_masks(&b, &refs[D_MASK]);
    put_bias(&b, &refs[D_BIAS]);
}

const OpDesc op_deform_conv2d_backward = {NN_OP(DeformConv, 2),
                                          .name = "deform_conv2d_backward",
                                          .summary = "gradients of deform_conv2d",
                                          .params = params,
                                          .tensors = tensors,
                                          .dtypes = DTYPES_REAL,
                                          .fills = nn_moderate_fills,
                                          .normalise = deform_normalise,
                                          .shape = shape,
                                          .work = work,
                                          .reference = reference};
