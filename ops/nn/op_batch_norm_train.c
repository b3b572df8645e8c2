/* Batch normalisation in training: each channel is normalised by the mean and variance of the batch
 * (reference/normalise.h), and running statistics move towards them:
 *
 *     running' = running momentum + batch (1 - momentum)
 *
 * with the variance over n, as ONNX and PaddlePaddle have it, or over n - 1, as PyTorch and OneFlow
 * do.  1 - momentum is rounded, each product and the sum. */
#include <math.h>

#include "nn_norm.h"
#include "reference/ball.h"
#include "reference/normalise.h"

enum { X, SCALE, BIAS, MEAN, VARIANCE, Y, NEW_MEAN, NEW_VARIANCE };

static const Param params[] = {
    NN_CHANNEL_NORM(64), P_REAL(ChannelNorm, momentum, 0, "momentum", .formerly = "alpha"),
    P_INTEGER(ChannelNorm, correction, 0, 1, 0,
              "what is subtracted from the count of the running variance"),
    P_END};
static const char *const tensors[] = {
    "x", "scale", "bias", "mean", "variance", "y", "running_mean", "running_variance", NULL};

/* Numbers as binary32 has them: attributes are of that type.  So is 1 - momentum, which some
 * libraries take instead: a number has 20 binary places, and is at most 8.  No text says what the
 * statistics of no samples are. */
static void normalise(void *params_of_case)
{
    ChannelNorm *q = params_of_case;
    double momentum = fmax(fmin(q->momentum.re, 8), -8);
    nn_normalise_channels(q);
    q->batch = q->batch > 0 ? q->batch : 1;
    for (int64_t axis = 0; axis < q->input_size.rank; axis++)
        nn_fill_axis(&q->input_size, axis);
    if (q->batch * shape_count(&q->input_size) < 2)
        q->correction = 0;
    if (isfinite(q->momentum.re))
        q->momentum.re = rint(momentum * 0x1p20) * 0x1p-20;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const ChannelNorm *q = params_of_case;
    Shape image = nn_image(q->batch, q->channels, &q->input_size), line = {1, {q->channels}};
    *shapes = (Shapes){.count = NEW_VARIANCE + 1, .depth = q->batch * shape_count(&q->input_size)};
    for (int i = X; i <= NEW_VARIANCE; i++)
        shapes->tensor[i] =
            nn_tensor(nn_dtype(q), i == X || i == Y ? &image : &line, i >= Y ? ROLE_OUT : ROLE_IN);
    shapes->tensor[VARIANCE].positive = true;
}

static double work(const void *params_of_case)
{
    const ChannelNorm *q = params_of_case;
    return 128.0 * (double)(q->batch * q->channels) * (double)shape_count(&q->input_size);
}

/* x with the channels first, dense. */
static Tensor by_channels(const Tensor *x, Arena *arena)
{
    int64_t samples = x->extent[0], channels = x->extent[1];
    int64_t count = tensor_count(x), area = count / samples / channels;
    double *values = arena_take(arena, (size_t)count + 1, sizeof *values);
    for (int64_t i = 0; i < count; i++) {
        int64_t channel = i / area % channels, sample = i / area / channels;
        values[(channel * samples + sample) * area + i % area] = tensor_value(x, i);
    }
    return tensor_matrix(DT_F64, channels, samples * area, samples * area, 1, (char *)values);
}

/* The normalised values back in the order of y. */
static void put_back(Ref *ref, const Ref *moved, const Tensor *y, Arena *arena)
{
    Tensor order = *y;
    int64_t area = 1;
    for (int axis = 2; axis < y->rank; axis++)
        area *= y->extent[axis];
    order.stride[0] = area;
    order.stride[1] = y->extent[0] * area;
    ref_gather(ref, moved, &order, arena);
}

static Ball moved_towards(const Format *f, Ball running, Ball batch, Ball momentum)
{
    Ball rest = ball_subtract(f, ball_exact(1), momentum);
    return ball_add(f, ball_multiply(f, running, momentum), ball_multiply(f, batch, rest));
}

/* A mean or variance with the bound of its error.  NaN stays, and infinity less infinity is NaN:
 * only a mean beside one infinity is one. */
static Ball moment(const Moments *m, long double value, double off, bool is_mean)
{
    if (m->classes && is_mean)
        return (Ball){0, INFINITY, sum_class(m->classes)};
    if (m->classes)
        return ball_exact(NAN);
    return m->regular ? (Ball){value, off + 0x1p-56 * (double)fabsl(value), 0} : ball_unknown();
}

static void put_statistics(Ref *means, Ref *variances, const Tensor *x, const ReferenceInput *input,
                           MomentsOptions options, Arena *arena)
{
    const ChannelNorm *q = input->params;
    const Tensor *t = input->tensors;
    ref_allocate_bounded(means, t[NEW_MEAN].dtype, &t[NEW_MEAN], arena);
    ref_allocate_bounded(variances, t[NEW_VARIANCE].dtype, &t[NEW_VARIANCE], arena);
    const Format *f = dtype_format(means->accumulator);
    options.correction = (double)q->correction;
    for (size_t channel = 0; channel < means->count; channel++) {
        int64_t count = x->extent[1];
        const double *row = (const double *)(const void *)x->origin + (int64_t)channel * count;
        Moments m = moments_of(row, count, &options, f);
        Ball momentum = ball_exact(q->momentum.re);
        Ball mean = ball_exact(tensor_value(&t[MEAN], (int64_t)channel));
        Ball variance = ball_exact(tensor_value(&t[VARIANCE], (int64_t)channel));
        mean = moved_towards(f, mean, moment(&m, m.mean, m.of_mean, true), momentum);
        variance =
            moved_towards(f, variance, moment(&m, m.variance, m.of_variance, false), momentum);
        ref_put_ball(means, channel, mean);
        ref_put_ball(variances, channel, variance);
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const ChannelNorm *q = input->params;
    const Tensor *t = input->tensors;
    Ref moved, other[2];
    Tensor x = by_channels(&t[X], arena);
    NormaliseInput in = {.x = x,
                         .scale = &t[SCALE],
                         .bias = &t[BIAS],
                         .epsilon = q->epsilon.re,
                         .first_scale = 1,
                         .folds = true};
    normalise_reference(&moved, &in, t[Y].dtype, arena);
    put_back(&refs[Y], &moved, &t[Y], arena);
    put_statistics(&refs[NEW_MEAN], &refs[NEW_VARIANCE], &x, input, (MomentsOptions){0}, arena);
    put_statistics(&other[0], &other[1], &x, input, (MomentsOptions){.running = true}, arena);
    for (int i = NEW_MEAN; i <= NEW_VARIANCE; i++)
        ref_add_alternative(&refs[i], &other[i - NEW_MEAN], "running-means", arena);
    put_statistics(&other[0], &other[1], &x, input, (MomentsOptions){.one_pass = true}, arena);
    ref_add_alternative(&refs[NEW_VARIANCE], &other[1], "one-pass-variance", arena);
}

const OpDesc op_batch_norm_train = {
    NN_OP(ChannelNorm, 2),
    .name = "batch_norm_train",
    .summary = "normalised by the statistics of the batch",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_REAL,
    .fills = nn_moderate_fills,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .policy = "one-pass-variance",
};
