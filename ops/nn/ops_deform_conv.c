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
 * In gradients a sample has the sum over the channels of y of dy times the weights of its tap,
 * which its mask, the weights of the elements and their slopes along each axis multiply; where a
 * coordinate may lie on an element, either slope is right.
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

/* The sum over the elements that a sample takes from, of what was put into shares. */
static Ball sum_of_shares(const Reading *r, const Site *s, const SampleInput *in,
                          const SamplePoint *point, int count)
{
    double size = 0;
    bool is_inside = true;
    size_t terms = 0;
    for (int i = 0; i < count; i++) {
        int64_t offset = r->shares[i].offset;
        is_inside = is_inside && offset >= 0;
        if (offset < 0)
            continue;
        double x = dtype_load(in->x.dtype, in->x.origin, offset);
        size = isfinite(x) ? fmax(size, fabs(x)) : size;
        r->terms[terms++] = sample_product(r->format, ball_exact(x), r->shares[i].weight);
    }
    Ball sum = ball_sum(r->format, r->terms, terms);
    if (sum.radius > 0 || !steps_are_exact(r, in, point))
        sum.radius += 12 * (1 + 0x1p-20) * r->format->unit * size;
    bool is_finite = r->is_finite[s->image * r->channels + s->channel];
    return is_inside || is_finite ? sum : ball_or(sum, CLASS_NAN);
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
    bool is_finite = r->is_finite[s->image * r->channels + s->channel];
    return is_finite ? ball_exact(0) : ball_or(ball_exact(0), CLASS_NAN);
}

static bool may_be_outside(const Reading *r, const Site *s)
{
    SampleInput in = image_of(r, s);
    SamplePoint point;
    return find_point(r, s, &point) && sample_side(&in, &point, true) != SAMPLE_INSIDE;
}

/* What is made of a sample times a factor. */
static Ball times(const Reading *r, const Site *s, Ball made, double factor)
{
    Ball product = ball_multiply(r->format, made, ball_exact(factor));
    return !isfinite(factor) && may_be_outside(r, s) ? ball_either(product, ball_exact(0))
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

/* A sample times its mask and another factor, in any order. */
static Ball product_of(const Reading *r, const Site *s, Ball sample, double factor)
{
    if (!r->mask)
        return times(r, s, sample, factor);
    double mask = mask_of(r, s);
    const Ball factors[] = {sample, ball_exact(mask), ball_exact(factor)};
    if (ball_products_leave(r->format, factors, COUNT_OF(factors)))
        return ball_unknown();
    Ball product = times(r, s, times(r, s, sample, mask), factor);
    if (mask == 0 || fabs(mask) == 1)
        return product;
    Ball of_others = ball_multiply(r->format, factors[1], factors[2]);
    product = ball_either(product, ball_multiply(r->format, sample, of_others));
    return ball_either(product, times(r, s, times(r, s, sample, factor), mask));
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
            terms[count++] = product_of(r, &s, samples[number_of(r, &s)], weight_of(r, &s, out));
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

OP_TABLE(ops_deform_conv)
{
    static OpDesc table[2];
    table[0] = deform_conv;
    return table;
}
