/* Convolutions whose taps read between the elements of an image, and their gradients (ONNX,
 * DeformConv; Dai et al., Deformable Convolutional Networks, 2017; Zhu et al., 2019, with a mask).
 *
 * A tap reads at out stride - pad + tap dilation, which is exact, plus its offset, which rounds
 * once: the linear interpolation of the four elements about it, of which those outside are 0, by
 * weights or in steps a + t (b - a), which are off by 12 u of the greatest of them at most unless
 * no step rounds (reference/sample.h).  A sample is multiplied by its mask and by the weight of its
 * tap, and the products are summed over the taps and channels of a group, with the bias, in any
 * order.  A kernel that multiplies each of the four elements by mask and weight rounds as often
 * along any path, so that its sum is off by no more than that of the products is.
 *
 * In gradients a sample has first the sum over the channels of y of dy times the weights of its
 * tap, a product of matrices.  That of an element is the sum of this times the mask and the weight
 * of the element, which a kernel may form from its coordinate and 1, so that it is off by the
 * rounding of their sum too; that of a mask the sum of this times the sample; that of a weight the
 * sum of dy times mask and sample.  That of an offset is the sum over the channels of this times
 * the mask and the slope: the differences of the elements along the axis, weighted along the other
 * one. With A the greatest of the four a difference rounds by 2 u A; weighted and added, or in a
 * step d + t (d' - d), which rounds by 4 u A twice and by 2 u A, or as the difference of two steps
 * of 5 u A, the slope is off by 12 u A beside what the weights are off by.  The elements may be
 * multiplied before they are added.  Where a coordinate may lie on an element, the slopes of both
 * sides, and all between, are right.
 *
 * Where products of sample, mask and weight may leave the range, nothing is said of their sum: they
 * may be formed in any order.  A sample outside is 0, which meets a mask or a weight that is not
 * finite, or is left out; an element of the image times 0 may stand in for it, as for a neighbour
 * outside, which is NaN where the image is not finite. */
#include <math.h>

#include "nn_spatial.h"
#include "reference/sample.h"
#include "reference/share.h"

enum { X, W, OFFSET, MASK, BIAS, Y, AXES = 2 };
static const char *const tensors[] = {"x", "w", "offset", "mask", "bias", "y", NULL};

typedef struct DeformConv {
    int64_t dtype, batch, in_channels_per_group, out_channels_per_group, groups;
    Window window;
    int64_t offset_groups, unmasked, bias;
} DeformConv;

#define DEFORM_PARAMS                                                                              \
    NN_DTYPE(DeformConv), NN_CONVOLUTION(DeformConv, AXES),                                        \
        P_INTEGER(DeformConv, offset_groups, 1, 4, 1,                                              \
                  "groups of channels with offsets of their own")

static const Param params[] = {DEFORM_PARAMS,
                               P_CHOICE(DeformConv, unmasked, nn_yes_no, "mask is left out"),
                               P_CHOICE(DeformConv, bias, nn_yes_no, "bias is added"), P_END};

/* Groups of offsets divide the channels. */
static void normalise(void *params_of_case)
{
    DeformConv *q = params_of_case;
    nn_fit_kernel(&q->window);
    while (q->in_channels_per_group * q->groups % q->offset_groups)
        q->offset_groups--;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const DeformConv *q = params_of_case;
    const Window *w = &q->window;
    int64_t out = q->out_channels_per_group * q->groups, taps = shape_count(&w->kernel_size);
    Shape places = nn_outputs(w), bias = {1, {out}};
    const Shape extents[] = {
        nn_image(q->batch, q->in_channels_per_group * q->groups, &w->input_size),
        nn_image(out, q->in_channels_per_group, &w->kernel_size),
        nn_image(q->batch, q->offset_groups * taps * AXES, &places),
        nn_image(q->batch, q->offset_groups * taps, &places),
        bias,
        nn_image(q->batch, out, &places),
    };
    *shapes = (Shapes){.depth = q->in_channels_per_group * taps};
    for (int i = X; i <= Y; i++)
        nn_add_operand(shapes, nn_dtype(q), &extents[i], i == Y ? ROLE_OUT : ROLE_IN);
    shapes->tensor[W].part = PART_RIGHT;
    shapes->tensor[MASK].ignored = q->unmasked;
    shapes->tensor[BIAS].ignored = !q->bias;
    shapes->tensor[BIAS].part = PART_ADDEND;
}

/* Of all samples, and of the products with them. */
static double work(const void *params_of_case)
{
    const DeformConv *q = params_of_case;
    Shape places = nn_outputs(&q->window);
    double samples = (double)(q->batch * q->in_channels_per_group * q->groups) *
                     (double)shape_count(&q->window.kernel_size) * (double)shape_count(&places);
    return samples * (1024 + 128 * (double)q->out_channels_per_group);
}

/* A case with its operands; the mask is NULL where there is none. */
typedef struct Reading {
    const DeformConv *q;
    const Tensor *x, *w, *offset, *mask;
    const Format *format;
    int64_t taps, places, channels, sharing; /* sharing: channels with the same offsets */
    bool *is_finite;                         /* of each channel of x */
    SampleShare *shares;
    Ball *terms;
} Reading;

static bool *find_finite(const Tensor *x, int64_t channels, Arena *arena)
{
    bool *is_finite = arena_take(arena, (size_t)channels + 1, sizeof *is_finite);
    int64_t area = tensor_count(x) / channels;
    for (int64_t i = 0; i < channels; i++) {
        is_finite[i] = true;
        for (int64_t k = 0; k < area; k++)
            is_finite[i] = is_finite[i] && isfinite(tensor_value(x, i * area + k));
    }
    return is_finite;
}

static Reading reading_of(const ReferenceInput *input, const Tensor *first, DType accumulator,
                          Arena *arena)
{
    const DeformConv *q = input->params;
    Shape places = nn_outputs(&q->window);
    int64_t channels = q->in_channels_per_group * q->groups;
    return (Reading){.q = q,
                     .x = &first[X],
                     .w = &first[W],
                     .offset = &first[OFFSET],
                     .mask = q->unmasked ? NULL : &first[MASK],
                     .format = dtype_format(accumulator),
                     .taps = shape_count(&q->window.kernel_size),
                     .places = shape_count(&places),
                     .channels = channels,
                     .sharing = channels / q->offset_groups,
                     .is_finite = find_finite(&first[X], q->batch * channels, arena),
                     .shares = arena_take(arena, SAMPLE_SHARES_MAX, sizeof(SampleShare)),
                     .terms = arena_take(arena, SAMPLE_SHARES_MAX, sizeof(Ball))};
}

/* A sample: of an image and channel, for a tap at a place of y.  They are numbered in this order.
 */
typedef struct Site {
    int64_t image, channel, tap, place;
} Site;

static int64_t count_sites(const Reading *r)
{
    return r->q->batch * r->channels * r->taps * r->places;
}

static int64_t number_of(const Reading *r, const Site *s)
{
    return ((s->image * r->channels + s->channel) * r->taps + s->tap) * r->places + s->place;
}

static Site site_at(const Reading *r, int64_t number)
{
    Site s = {.place = tensor_take_index(&number, r->places)};
    s.tap = tensor_take_index(&number, r->taps);
    s.channel = tensor_take_index(&number, r->channels);
    s.image = number;
    return s;
}

/* The number of its tap among those of all groups of offsets. */
static int64_t offset_tap(const Reading *r, const Site *s)
{
    return (s->image * r->q->offset_groups + s->channel / r->sharing) * r->taps + s->tap;
}

static double mask_of(const Reading *r, const Site *s)
{
    return tensor_value(r->mask, offset_tap(r, s) * r->places + s->place);
}

/* Where a sample lies; false where its offset is not finite. */
static bool find_point(const Reading *r, const Site *s, SamplePoint *point)
{
    const Window *w = &r->q->window;
    Shape places = nn_outputs(w);
    int64_t at = s->place, tap = s->tap;
    *point = (SamplePoint){{0}, {0}};
    for (int axis = AXES - 1; axis >= 0; axis--) {
        int64_t first =
            tensor_take_index(&at, places.extent[axis]) * w->stride.extent[axis] +
            tensor_take_index(&tap, w->kernel_size.extent[axis]) * w->dilation.extent[axis] -
            w->pads_begin.extent[axis];
        int64_t element = (offset_tap(r, s) * AXES + axis) * r->places + s->place;
        Ball c = ball_add(r->format, ball_exact((double)first),
                          ball_exact(tensor_value(r->offset, element)));
        if (!ball_is_known(c))
            return false;
        point->coordinate[axis] = c.value;
        point->radius[axis] = c.radius;
    }
    return true;
}

static SampleInput image_of(const Reading *r, const Site *s)
{
    SampleInput in = sample_channel(r->x, s->image * r->channels + s->channel, SAMPLE_LINEAR);
    in.edge = EDGE_ZEROS;
    return in;
}

/* True where steps between the four elements about an exact coordinate do not round. */
static bool steps_are_exact(const Reading *r, const SampleInput *in, const SamplePoint *p)
{
    int64_t cell[AXES];
    Ball share[AXES], row[2];
    for (int axis = 0; axis < AXES; axis++) {
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

/* Of a number that elements outside take part in, or all of it. */
static Ball or_nan_of_outside(const Reading *r, const Site *s, Ball found)
{
    bool is_finite = r->is_finite[s->image * r->channels + s->channel];
    return is_finite ? found : ball_or(found, CLASS_NAN);
}

/* The elements of the image that a sample takes from, in balls, times what was put into shares. */
typedef struct Products {
    size_t count;
    double size; /* of the greatest element that is finite */
    bool is_inside;
} Products;

static Products share_products(const Reading *r, const SampleInput *in, int shares, Ball *terms)
{
    Products p = {.is_inside = true};
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

/* What sums in steps are off by, beside their weights. */
static double steps_error(const Reading *r, double size)
{
    return 12 * (1 + 0x1p-20) * r->format->unit * size;
}

static Ball sum_of_shares(const Reading *r, const Site *s, const SampleInput *in,
                          const SamplePoint *point, int count)
{
    Products p = share_products(r, in, count, r->terms);
    Ball sum = ball_sum(r->format, r->terms, p.count);
    if (sum.radius > 0 || !steps_are_exact(r, in, point))
        sum.radius += steps_error(r, p.size);
    return p.is_inside ? sum : or_nan_of_outside(r, s, sum);
}

static Ball sample_at(const Reading *r, const Site *s)
{
    SampleInput in = image_of(r, s);
    SamplePoint point;
    if (!find_point(r, s, &point))
        return ball_unknown();
    int count = sample_shares(&in, &point, r->format, r->shares);
    if (sample_side(&in, &point, true) != SAMPLE_OUTSIDE)
        return count < 0 ? ball_unknown() : sum_of_shares(r, s, &in, &point, count);
    return or_nan_of_outside(r, s, ball_exact(0));
}

static bool may_be_outside(const Reading *r, const Site *s)
{
    SampleInput in = image_of(r, s);
    SamplePoint point;
    return !find_point(r, s, &point) || sample_side(&in, &point, true) != SAMPLE_INSIDE;
}

/* What is made of a sample times a factor. */
static Ball times(const Reading *r, const Site *s, Ball made, Ball factor)
{
    Ball product = ball_multiply(r->format, made, factor);
    return !ball_is_known(factor) && may_be_outside(r, s) ? ball_either(product, ball_exact(0))
                                                          : product;
}

static Ball *make_samples(const Reading *r, Arena *arena)
{
    int64_t count = count_sites(r);
    Ball *samples = arena_take(arena, (size_t)count + 1, sizeof *samples);
    for (int64_t i = 0; i < count; i++) {
        Site s = site_at(r, i);
        samples[i] = sample_at(r, &s);
    }
    return samples;
}

/* The weight between a sample and a channel of y in its group. */
static double weight_of(const Reading *r, const Site *s, int64_t out)
{
    int64_t channel = s->channel % r->q->in_channels_per_group;
    return tensor_value(r->w, (out * r->q->in_channels_per_group + channel) * r->taps + s->tap);
}

/* What is made of a sample times its mask and another factor, in any order. */
static Ball product_of(const Reading *r, const Site *s, Ball made, Ball factor)
{
    if (!r->mask)
        return times(r, s, made, factor);
    double mask = mask_of(r, s);
    const Ball factors[] = {made, ball_exact(mask), factor};
    if (ball_products_leave(r->format, factors, COUNT_OF(factors)))
        return ball_unknown();
    Ball product = times(r, s, times(r, s, made, factors[1]), factor);
    if (mask == 0 || fabs(mask) == 1)
        return product;
    Ball of_others = ball_multiply(r->format, factors[1], factor);
    product = ball_either(product, ball_multiply(r->format, made, of_others));
    return ball_either(product, times(r, s, times(r, s, made, factor), factors[1]));
}

static Ball result_of(const Reading *r, const Tensor *bias, const Ball *samples, int64_t number,
                      Ball *terms)
{
    const DeformConv *q = r->q;
    int64_t place = tensor_take_index(&number, r->places);
    int64_t out = tensor_take_index(&number, q->out_channels_per_group * q->groups);
    int64_t first = out / q->out_channels_per_group * q->in_channels_per_group;
    size_t count = 0;
    for (int64_t c = 0; c < q->in_channels_per_group; c++)
        for (int64_t tap = 0; tap < r->taps; tap++) {
            Site s = {number, first + c, tap, place};
            terms[count++] =
                product_of(r, &s, samples[number_of(r, &s)], ball_exact(weight_of(r, &s, out)));
        }
    if (bias)
        terms[count++] = ball_exact(tensor_value(bias, out));
    return ball_sum(r->format, terms, count);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const DeformConv *q = input->params;
    const Tensor *t = input->tensors;
    Ref *ref = &refs[Y];
    ref_allocate_bounded(ref, t[Y].dtype, &t[Y], arena);
    Reading r = reading_of(input, t, ref->accumulator, arena);
    Ball *samples = make_samples(&r, arena);
    Ball *terms = arena_take(arena, (size_t)(q->in_channels_per_group * r.taps) + 1, sizeof *terms);
    for (size_t i = 0; i < ref->count; i++)
        ref_put_ball(ref, i, result_of(&r, q->bias ? &t[BIAS] : NULL, samples, (int64_t)i, terms));
}

/* Gradients of the inputs, and of a bias, by dy and the inputs. */
enum {
    DY,
    INPUTS,
    DX = INPUTS + MASK + 1,
    DW,
    D_OFFSET,
    D_MASK,
    D_BIAS,
    BACKWARD_TENSORS,
    BACKWARD_WORK = 8
};
static const char *const backward_tensors[] = {"dy", "x",       "w",     "offset", "mask", "dx",
                                               "dw", "doffset", "dmask", "dbias",  NULL};
static const Param backward_params[] = {
    DEFORM_PARAMS, P_CHOICE(DeformConv, unmasked, nn_yes_no, "mask is left out"), P_END};

static void backward_shape(const void *params_of_case, Shapes *shapes)
{
    Shapes forward;
    shape(params_of_case, &forward);
    *shapes = (Shapes){.count = BACKWARD_TENSORS, .depth = forward.depth};
    shapes->tensor[DY] = forward.tensor[Y];
    for (int i = X; i <= MASK; i++)
        shapes->tensor[INPUTS + i] = shapes->tensor[DX + i] = forward.tensor[i];
    shapes->tensor[D_BIAS] = forward.tensor[BIAS];
    for (int i = DY; i <= D_BIAS; i++)
        shapes->tensor[i].role = i >= DX ? ROLE_OUT : ROLE_IN;
    shapes->tensor[D_MASK].ignored = shapes->tensor[D_BIAS].ignored = false;
    for (int i = DX; i <= D_BIAS; i++)
        shapes->tensor[i].part = PART_LEFT;
}

static double backward_work(const void *params_of_case)
{
    return BACKWARD_WORK * work(params_of_case);
}

/* A case of the gradients; samples, and what they have from dy, are numbered as sites are. */
typedef struct Backward {
    Reading r;
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
static Ball gradient_of_sample(const Backward *b, const Site *s)
{
    const DeformConv *q = b->r.q;
    int64_t first = s->channel / q->in_channels_per_group * q->out_channels_per_group;
    for (int64_t k = 0; k < q->out_channels_per_group; k++)
        b->terms[k] =
            ball_multiply(b->r.format, ball_exact(dy_at(b, s->image, first + k, s->place)),
                          ball_exact(weight_of(&b->r, s, first + k)));
    return ball_sum(b->r.format, b->terms, (size_t)q->out_channels_per_group);
}

static Ball *make_gradients(const Backward *b, Arena *arena)
{
    int64_t count = count_sites(&b->r);
    Ball *gradients = arena_take(arena, (size_t)count + 1, sizeof *gradients);
    for (int64_t i = 0; i < count; i++) {
        Site s = site_at(&b->r, i);
        gradients[i] = gradient_of_sample(b, &s);
    }
    return gradients;
}

static Backward backward_of(const ReferenceInput *input, DType accumulator, Arena *arena)
{
    const DeformConv *q = input->params;
    Backward b = {.r = reading_of(input, &input->tensors[INPUTS], accumulator, arena),
                  .dy = &input->tensors[DY]};
    int64_t outs = q->out_channels_per_group, images = q->batch * b.r.places;
    int64_t room = (outs > images ? outs : images) + SAMPLE_SHARES_MAX * b.r.channels;
    b.terms = arena_take(arena, (size_t)room + 1, sizeof *b.terms);
    b.samples = make_samples(&b.r, arena);
    b.gradients = make_gradients(&b, arena);
    return b;
}

/* What a sample has from dy times its mask and the weight of an element, which may be 0. */
static Ball spread_product(const Backward *b, const Site *s, Ball gradient, Ball weight)
{
    const Format *format = b->r.format;
    Ball mask = b->r.mask ? ball_exact(mask_of(&b->r, s)) : ball_exact(1);
    if (ball_is_known(gradient) && ball_is_known(mask))
        return product_of(&b->r, s, weight, gradient);
    return sample_product(format, ball_multiply(format, gradient, mask), weight);
}

static void add_to_channel(const Backward *b, const Site *s, Ball term, Shares *sums)
{
    int64_t area = shape_count(&b->r.q->window.input_size);
    int64_t first = (s->image * b->r.channels + s->channel) * area;
    for (int64_t i = 0; i < area; i++)
        shares_add(sums, (size_t)(first + i), term);
}

/* A weight may be the coordinate and 1, rounded, less an index. */
static void round_once_more(const Backward *b, SamplePoint *point)
{
    for (int axis = 0; axis < AXES; axis++) {
        Ball c = {point->coordinate[axis], point->radius[axis], 0};
        point->radius[axis] = ball_add(b->r.format, c, ball_exact(1)).radius;
    }
}

/* Adds what the elements have that a sample takes from. */
static void scatter(const Backward *b, const Site *s, Shares *sums)
{
    const Reading *r = &b->r;
    SampleInput in = image_of(r, s);
    SamplePoint point;
    Ball gradient = b->gradients[number_of(r, s)];
    int64_t plane = (s->image * r->channels + s->channel) * shape_count(&r->q->window.input_size);
    if (!find_point(r, s, &point)) {
        add_to_channel(b, s, ball_unknown(), sums);
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
    if (!is_inside && !(ball_is_known(gradient) && (!r->mask || isfinite(mask_of(r, s)))))
        add_to_channel(b, s, ball_or(ball_exact(0), CLASS_NAN), sums);
}

static void put_elements(const Backward *b, Ref *ref, Arena *arena)
{
    Shares sums = shares_begin(arena);
    for (int64_t i = 0; i < count_sites(&b->r); i++) {
        Site s = site_at(&b->r, i);
        scatter(b, &s, &sums);
    }
    shares_put(&sums, ref);
}

static void put_weights(const Backward *b, Ref *ref)
{
    const Reading *r = &b->r;
    const DeformConv *q = r->q;
    for (size_t i = 0; i < ref->count; i++) {
        int64_t number = (int64_t)i, tap = tensor_take_index(&number, r->taps);
        int64_t channel = tensor_take_index(&number, q->in_channels_per_group), out = number;
        channel += out / q->out_channels_per_group * q->in_channels_per_group;
        size_t count = 0;
        for (int64_t image = 0; image < q->batch; image++)
            for (int64_t place = 0; place < r->places; place++) {
                Site s = {image, channel, tap, place};
                b->terms[count++] = product_of(r, &s, b->samples[number_of(r, &s)],
                                               ball_exact(dy_at(b, image, out, place)));
            }
        ref_put_ball(ref, i, ball_sum(r->format, b->terms, count));
    }
}

/* The sum over the channels that share an offset, of what they have times the slope along an axis
 * on one side; late, the elements of a channel are added first. */
static Ball slope_sum(const Backward *b, Site s, int axis, bool above, bool late)
{
    const Reading *r = &b->r;
    int64_t first = s.channel;
    size_t count = 0;
    SamplePoint point;
    if (!find_point(r, &s, &point))
        return ball_unknown();
    for (s.channel = first; s.channel < first + r->sharing; s.channel++) {
        SampleInput in = image_of(r, &s);
        Ball gradient = b->gradients[number_of(r, &s)], *terms = &b->terms[count];
        bool is_outside = sample_side(&in, &point, true) == SAMPLE_OUTSIDE;
        int shares = is_outside ? 0 : sample_slopes(&in, &point, r->format, axis, above, r->shares);
        if (shares < 0)
            return ball_unknown();
        Products p = share_products(r, &in, shares, terms);
        if (late || p.count == 0) {
            terms[0] = ball_sum(r->format, terms, p.count);
            terms[0].radius += steps_error(r, p.size);
            p.count = 1;
        }
        if (!p.is_inside || is_outside)
            terms[0] = or_nan_of_outside(r, &s, terms[0]);
        for (size_t i = 0; i < p.count; i++)
            terms[i] = product_of(r, &s, terms[i], gradient);
        count += p.count;
    }
    return ball_sum(r->format, b->terms, count);
}

static Ball slope_on_side(const Backward *b, const Site *s, int axis, bool above)
{
    return ball_either(slope_sum(b, *s, axis, above, true), slope_sum(b, *s, axis, above, false));
}

/* The first of the channels that share the offset number `of_taps` of an image, at a place. */
static Site first_site(const Reading *r, int64_t of_taps, int64_t place)
{
    int64_t tap = tensor_take_index(&of_taps, r->taps);
    int64_t group = tensor_take_index(&of_taps, r->q->offset_groups);
    return (Site){of_taps, group * r->sharing, tap, place};
}

static void put_offsets(const Backward *b, Ref *ref)
{
    const Reading *r = &b->r;
    for (size_t i = 0; i < ref->count; i++) {
        int64_t number = (int64_t)i, place = tensor_take_index(&number, r->places);
        int axis = (int)tensor_take_index(&number, AXES);
        Site s = first_site(r, number, place);
        SampleInput in = image_of(r, &s);
        SamplePoint point;
        Ball slope = slope_on_side(b, &s, axis, true);
        if (find_point(r, &s, &point) && sample_has_kink(&in, &point, axis))
            slope = ball_either(slope, slope_on_side(b, &s, axis, false));
        ref_put_ball(ref, i, slope);
    }
}

static void put_masks(const Backward *b, Ref *ref)
{
    const Reading *r = &b->r;
    for (size_t i = 0; i < ref->count; i++) {
        int64_t number = (int64_t)i, place = tensor_take_index(&number, r->places);
        Site s = first_site(r, number, place);
        size_t count = 0;
        for (int64_t c = 0; r->mask && c < r->sharing; c++, s.channel++)
            b->terms[count++] =
                times(r, &s, b->samples[number_of(r, &s)], b->gradients[number_of(r, &s)]);
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

static void backward_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
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

static const IllegalRule illegal[] = {
    {ILLEGAL_EXTENT, "w", 1}, {ILLEGAL_TUPLE, "stride", 0}, {ILLEGAL_TUPLE, "dilation", 0}, {0}};

static const OpDesc deform_conv = {NN_OP(DeformConv, 2),
                                   .name = "deform_conv2d",
                                   .summary = "convolution whose taps are moved by offsets",
                                   .params = params,
                                   .tensors = tensors,
                                   .dtypes = DTYPES_REAL,
                                   .fills = nn_moderate_fills,
                                   .normalise = normalise,
                                   .shape = shape,
                                   .work = work,
                                   .reference = reference,
                                   .illegal = illegal};

static const OpDesc deform_conv_backward = {NN_OP(DeformConv, 2),
                                            .name = "deform_conv2d_backward",
                                            .summary = "gradients of deform_conv2d",
                                            .params = backward_params,
                                            .tensors = backward_tensors,
                                            .dtypes = DTYPES_REAL,
                                            .fills = nn_moderate_fills,
                                            .normalise = normalise,
                                            .shape = backward_shape,
                                            .work = backward_work,
                                            .reference = backward_reference};

OP_TABLE(ops_deform_conv)
{
    static OpDesc table[3];
    table[0] = deform_conv;
    table[1] = deform_conv_backward;
    return table;
}
