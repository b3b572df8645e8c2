/* Regions of images, each brought to one size by samples between the elements (ONNX, RoiAlign; He
 * et al., Mask R-CNN, 2017, 3).
 *
 * A region (x1, y1, x2, y2) times spatial_scale, half an element less where it is aligned, is
 * divided into bins, a bin into sampling_ratio samples along each axis, or ceil(extent of a bin)
 * where that is 0.  A result is the mean or the greatest of the samples of its bin, each the linear
 * interpolation of the four elements about it: 0 beyond -1 and the extent, and clamped to the
 * outermost elements before.  A region that is not aligned has an extent of 1 at least.
 *
 * Coordinates, weights (reference/sample.h), products and sums are carried through in balls; the
 * sum of all products of a bin may be taken in any order.  Where a coordinate may lie on either
 * side of the outside, either is right; where one is not finite, or the number of samples depends
 * on a rounding or is 0, a result is NaN or no larger than the elements.  Of the greatest of no
 * samples nothing is said. */
#include <math.h>

#include "nn_spatial.h"
#include "reference/sample.h"

enum { X, REGIONS, BATCH_INDICES, Y, SIDES = 4, AXES = 2, SCALE_OF_MANY = 32, GRID_MAX = 40 };

static const char *const poolings[] = {"avg", "max", NULL};

typedef struct RoiAlign {
    int64_t dtype, batch, channels;
    Shape input_size;
    int64_t num_rois;
    Shape output_size;
    int64_t sampling_ratio, mode, aligned;
    Scalar spatial_scale;
} RoiAlign;

static const IllegalRule illegal[] = {{ILLEGAL_INDEX, "batch_indices", 0}, {0}};

static const Param params[] = {
    NN_DTYPE(RoiAlign),
    P_DIM(RoiAlign, batch, 1, 4, "samples"),
    P_DIM(RoiAlign, channels, 1, 16, "channels"),
    P_SHAPE(RoiAlign, input_size, AXES, AXES, "spatial extents of x",
            .full = "samples are of elements"),
    P_DIM(RoiAlign, num_rois, 0, 16, "regions"),
    P_TUPLE(RoiAlign, output_size, AXES, 1, 7, 1, "bins of a region"),
    P_INTEGER(RoiAlign, sampling_ratio, 0, 4, 1,
              "samples of a bin along an axis, 0: by its extent"),
    P_CHOICE(RoiAlign, mode, poolings, "what a bin becomes"),
    P_CHOICE(RoiAlign, aligned, nn_yes_no, "half an element is subtracted"),
    P_REAL(RoiAlign, spatial_scale, 1, "what regions are multiplied by"),
    P_END};
static const char *const tensors[] = {"x", "rois", "batch_indices", "y", NULL};

/* The samples of a bin are so many that they can be counted. */
static void normalise(void *params_of_case)
{
    RoiAlign *q = params_of_case;
    q->spatial_scale.re = (double)(float)q->spatial_scale.re;
    if (q->sampling_ratio == 0 && !(q->spatial_scale.re <= SCALE_OF_MANY))
        q->sampling_ratio = 1;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const RoiAlign *q = params_of_case;
    Shape image = nn_image(q->batch, q->channels, &q->input_size);
    Shape regions = {2, {q->num_rois, SIDES}}, indices = {1, {q->num_rois}};
    Shape y = nn_image(q->num_rois, q->channels, &q->output_size);
    *shapes = (Shapes){.depth = SIDES};
    nn_add_operand(shapes, nn_dtype(q), &image, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &regions, ROLE_IN);
    shapes->tensor[REGIONS].probability = true;
    shapes->tensor[REGIONS].ascending = true;
    nn_add_operand(shapes, DT_I64, &indices, ROLE_IN);
    shapes->tensor[BATCH_INDICES].index_below = q->batch;
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
}

/* Samples of a bin along an axis, at most. */
static int64_t most_samples(const RoiAlign *q, int axis)
{
    int64_t bins = q->output_size.extent[axis];
    return q->sampling_ratio > 0 ? q->sampling_ratio
                                 : (int64_t)(fmax(q->spatial_scale.re, 1) / (double)bins) + 1;
}

static double work(const void *params_of_case)
{
    const RoiAlign *q = params_of_case;
    double results = (double)(q->num_rois * q->channels) * (double)shape_count(&q->output_size);
    return 256 * results * (double)(most_samples(q, 0) * most_samples(q, 1)) +
           8.0 * (double)(q->batch * q->channels) * (double)shape_count(&q->input_size);
}

/* A region along one axis: its edge, what is subtracted from it where it is aligned, the extent of
 * a bin, and the samples of a bin; 0 where their number is not known. */
typedef struct Span {
    Ball edge, half, bin;
    int64_t samples;
} Span;

static Span span_of(const RoiAlign *q, const Format *f, const Tensor *regions, int64_t region,
                    int axis)
{
    /* The innermost axis comes first in a region. */
    int64_t low = region * SIDES + (AXES - 1 - axis);
    Ball scale = ball_exact(q->spatial_scale.re), half = ball_exact(q->aligned ? 0.5 : 0);
    Ball edge = ball_multiply(f, ball_exact(tensor_value(regions, low)), scale);
    Ball other = ball_multiply(f, ball_exact(tensor_value(regions, low + AXES)), scale);
    Ball extent = ball_subtract(f, ball_subtract(f, other, half), ball_subtract(f, edge, half));
    if (!q->aligned)
        extent = ball_max(extent, ball_exact(1));
    Span span = {edge, half,
                 ball_divide(f, extent, ball_exact((double)q->output_size.extent[axis])),
                 q->sampling_ratio};
    if (q->sampling_ratio == 0 && ball_is_known(span.bin)) {
        long double least = ceill(span.bin.value - span.bin.radius);
        long double most = ceill(span.bin.value + span.bin.radius);
        span.samples = least == most && least > 0 && least <= GRID_MAX ? (int64_t)least : 0;
    }
    return span;
}

/* The half is subtracted from the edge, or from where the sample would be without. */
static Ball coordinate_of(const Format *f, const Span *span, int64_t bin, int64_t sample)
{
    Ball bins = ball_multiply(f, ball_exact((double)bin), span->bin);
    Ball step = ball_multiply(f, ball_exact((double)sample + 0.5), span->bin);
    Ball within = ball_divide(f, step, ball_exact((double)span->samples));
    Ball start = ball_subtract(f, span->edge, span->half);
    Ball first = ball_add(f, ball_add(f, start, bins), within);
    Ball last = ball_add(f, ball_add(f, span->edge, bins), within);
    return ball_either(first, ball_subtract(f, last, span->half));
}

/* The products of one sample; their number is returned, -1 where nothing is known of it.  NaN whose
 * weight may be 0 may be left out. */
static int put_products(const Format *f, const SampleInput *in, const SamplePoint *point,
                        Ball *terms)
{
    static SampleShare shares[SAMPLE_SHARES_MAX];
    int count = sample_shares(in, point, f, shares);
    for (int i = 0; i < count; i++) {
        double x = dtype_load(in->x.dtype, in->x.origin, shares[i].offset);
        bool may_be_left_out = shares[i].weight.value <= shares[i].weight.radius + 64 * f->unit;
        if (isinf(x) && may_be_left_out)
            return -1;
        terms[i] = isnan(x) && may_be_left_out ? ball_or(ball_exact(0), CLASS_NAN)
                                               : ball_multiply(f, ball_exact(x), shares[i].weight);
    }
    return count;
}

/* A bin: what its samples have made so far.  A sample outside is 0, or an element times 0, which is
 * NaN where the image is not finite. */
typedef struct Bin {
    Ball *terms;
    size_t count;
    Ball greatest;
    bool unknown, anywhere, any, is_finite;
} Bin;

static bool is_finite(const Tensor *image)
{
    for (int64_t i = 0, count = tensor_count(image); i < count; i++)
        if (!isfinite(tensor_value(image, i)))
            return false;
    return true;
}

static void take_sample(Bin *b, const Format *f, const SampleInput *in, const Ball *c)
{
    Ball zero = b->is_finite ? ball_exact(0) : ball_or(ball_exact(0), CLASS_NAN), sample = zero;
    if (!ball_is_known(c[0]) || !ball_is_known(c[1])) {
        b->anywhere = true;
        return;
    }
    SamplePoint point = {{c[0].value, c[1].value}, {c[0].radius, c[1].radius}};
    SampleSide where = sample_side(in, &point, false);
    int count = where == SAMPLE_OUTSIDE ? 0 : put_products(f, in, &point, b->terms + b->count);
    if (count < 0) {
        b->unknown = true;
        return;
    }
    if (count > 0) {
        sample = ball_sum(f, b->terms + b->count, (size_t)count);
        for (int i = 0; i < count && where == SAMPLE_EITHER_SIDE; i++)
            b->terms[b->count + (size_t)i] = ball_either(b->terms[b->count + (size_t)i], zero);
        b->count += (size_t)count;
    } else if (!b->is_finite)
        b->terms[b->count++] = zero;
    if (where == SAMPLE_EITHER_SIDE)
        sample = ball_either(sample, zero);
    b->greatest = b->any ? ball_max(b->greatest, sample) : sample;
    b->any = true;
}

static Ball bin_of(const RoiAlign *q, const Format *f, const SampleInput *in, const Span *spans,
                   const int64_t *bin, Ball *room)
{
    Bin b = {room, 0, {0}, false, false, false, is_finite(&in->x)};
    for (int64_t i = 0; i < spans[0].samples && !b.unknown; i++)
        for (int64_t j = 0; j < spans[1].samples && !b.unknown; j++) {
            Ball c[AXES] = {coordinate_of(f, &spans[0], bin[0], i),
                            coordinate_of(f, &spans[1], bin[1], j)};
            take_sample(&b, f, in, c);
        }
    bool is_empty = spans[0].samples == 0 || spans[1].samples == 0;
    if (!b.unknown && (b.anywhere || is_empty) && !(q->mode && is_empty))
        return sample_of_any_point(in);
    if (b.unknown || !b.any)
        return ball_unknown();
    if (q->mode)
        return b.greatest;
    double samples = (double)(spans[0].samples * spans[1].samples);
    return ball_mean(f, ball_sum(f, room, b.count), samples);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { SHARES = 16 };
    const RoiAlign *q = input->params;
    const Tensor *t = input->tensors;
    Ref *ref = &refs[Y];
    ref_allocate_bounded(ref, t[Y].dtype, &t[Y], arena);
    const Format *f = dtype_format(ref->accumulator);
    size_t samples = (size_t)(most_samples(q, 0) + 1) * (size_t)(most_samples(q, 1) + 1);
    Ball *room = arena_take(arena, samples * SHARES + SAMPLE_SHARES_MAX, sizeof *room);
    for (int64_t i = 0; i < (int64_t)ref->count; i++) {
        int64_t number = i, column = tensor_take_index(&number, q->output_size.extent[1]);
        int64_t bin[AXES] = {tensor_take_index(&number, q->output_size.extent[0]), column};
        int64_t channel = tensor_take_index(&number, q->channels), region = number;
        int64_t sample = (int64_t)tensor_value(&t[BATCH_INDICES], region);
        SampleInput in = sample_channel(&t[X], sample * q->channels + channel, SAMPLE_LINEAR);
        Span spans[AXES] = {span_of(q, f, &t[REGIONS], region, 0),
                            span_of(q, f, &t[REGIONS], region, 1)};
        ref_put_ball(ref, (size_t)i, bin_of(q, f, &in, spans, bin, room));
    }
}

const OpDesc op_roi_align = {
    NN_OP(RoiAlign, 1),
    .name = "roi_align",
    .summary = "regions of images brought to one size",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_REAL,
    .fills = nn_moderate_fills,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .illegal = illegal,
};
