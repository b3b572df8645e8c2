/* Gradients of normalisations from the mean and variance that the forward pass saved, in balls:
 *
 *     r = 1 / sqrt(variance + epsilon), h = (x - mean) r, g = dy scale
 *     dx = r (g - (sum of g + h sum of g h) / n), dscale = sum of dy h, dbias = sum of dy
 *
 * with sums over the n elements of a group for dx, over all that a scale belongs to for the others.
 * Either form of the second sum, of products with h or with x - mean times r, is right. */
#include "nn_norm.h"

enum { DY, X, SCALE, MEAN, VARIANCE, DX, D_SCALE, D_BIAS };

static const Param params[] = {NN_DTYPE(LayerNorm), NN_NORM_SHAPE, NN_EPSILON(LayerNorm), P_END};
static const Param batch_params[] = {NN_CHANNEL_NORM(32), P_END};
static const Param group_params[] = {NN_GROUP_NORM(32), P_END};
static const char *const tensors[] = {"dy", "x",      "scale", "mean", "variance",
                                      "dx", "dscale", "dbias", NULL};

static void normalise(void *params_of_case)
{
    LayerNorm *q = params_of_case;
    nn_need_axis(&q->shape);
    nn_normalise_epsilon(&q->epsilon);
}

static void shape_of(DType dtype, const Shape *x, const Shape *scale, const Shape *mean,
                     Shapes *shapes)
{
    const Shape *const extents[] = {x, x, scale, mean, mean, x, scale, scale};
    *shapes = (Shapes){.count = D_BIAS + 1, .depth = shape_count(x)};
    for (int i = DY; i <= D_BIAS; i++)
        shapes->tensor[i] = nn_tensor(dtype, extents[i], i >= DX ? ROLE_OUT : ROLE_IN);
    shapes->tensor[VARIANCE].positive = true;
}

/* The last axis is the layer. */
static void layer_shape(const void *params_of_case, Shapes *shapes)
{
    const LayerNorm *q = params_of_case;
    Shape mean = q->shape, scale = {1, {q->shape.extent[q->shape.rank - 1]}};
    mean.extent[--mean.rank] = 0;
    shape_of(nn_dtype(q), &q->shape, &scale, &mean, shapes);
}

static void batch_shape(const void *params_of_case, Shapes *shapes)
{
    const ChannelNorm *q = params_of_case;
    Shape x = nn_image(q->batch, q->channels, &q->input_size), channels = {1, {q->channels}};
    shape_of(nn_dtype(q), &x, &channels, &channels, shapes);
}

/* Each sample has means of its own. */
static void group_shape(const void *params_of_case, Shapes *shapes)
{
    const ChannelNorm *q = params_of_case;
    bool has_groups = q->num_groups > 0;
    int64_t channels = q->channels * (has_groups ? q->num_groups : 1);
    Shape x = nn_image(q->batch, channels, &q->input_size), scale = {1, {channels}};
    Shape mean = {2, {q->batch, has_groups ? q->num_groups : channels}};
    shape_of(nn_dtype(q), &x, &scale, &mean, shapes);
}

static double layer_work(const void *params_of_case)
{
    return nn_work_elements(&((const LayerNorm *)params_of_case)->shape, 512);
}

static double batch_work(const void *params_of_case)
{
    const ChannelNorm *q = params_of_case;
    int64_t channels = q->channels * (q->num_groups > 0 ? q->num_groups : 1);
    return 512.0 * (double)(q->batch * channels) * (double)shape_count(&q->input_size);
}

/* x as groups: element k of group g is number g * group + k / run * between + k % run, and belongs
 * to scale number g % cycle * (elements / per_scale) + k / per_scale. */
typedef struct Groups {
    int64_t count, elements, group, run, between, cycle, per_scale;
} Groups;

static int64_t number_of(const Groups *s, int64_t g, int64_t k)
{
    return g * s->group + k / s->run * s->between + k % s->run;
}

static int64_t scale_of(const Groups *s, int64_t g, int64_t k)
{
    return g % s->cycle * (s->elements / s->per_scale) + k / s->per_scale;
}

Ball nn_reciprocal_root(const Format *f, Ball variance)
{
    return ball_number(variance) == 0 ? ball_unknown()
                                      : ball_divide(f, ball_exact(1), ball_sqrt(f, variance));
}

typedef struct Backward {
    const Tensor *t;
    const Format *format;
    Ball *g, *h, *distance, *product, *dx; /* of one group */
    Ball *to_scale, *to_bias;              /* terms of the other gradients, by number of x */
    Ball *spare;                           /* as many */
} Backward;

static Ball input(const Backward *b, int operand, int64_t number)
{
    return ball_exact(tensor_value(&b->t[operand], number));
}

/* h times the moment, a distance and a root times it in any order: the moment times the distance
 * may overflow first. */
static Ball along_distance(const Format *f, Ball distance, Ball h, Ball moment, Ball r)
{
    Ball early = ball_multiply(f, h, moment);
    Ball late = ball_multiply(f, ball_multiply(f, distance, moment), r);
    return ball_round(f,
                      ball_either(ball_either(early, late),
                                  ball_multiply(f, distance, ball_multiply(f, moment, r))),
                      1);
}

/* dx from g, h and the distances of x from the mean, where a factor multiplies in the end. */
static void propagate(const Backward *b, size_t count, Ball r, Ball factor)
{
    const Format *f = b->format;
    for (size_t k = 0; k < count; k++)
        b->product[k] = ball_multiply(f, b->g[k], b->h[k]);
    Ball sum = ball_sum(f, b->g, count), moment = ball_sum(f, b->product, count);
    for (size_t k = 0; k < count; k++)
        b->product[k] = ball_multiply(f, b->g[k], b->distance[k]);
    moment = ball_either(moment, ball_multiply(f, ball_sum(f, b->product, count), r));
    for (size_t k = 0; k < count; k++) {
        Ball along = along_distance(f, b->distance[k], b->h[k], moment, r);
        Ball terms[] = {b->g[k], ball_negate(ball_mean(f, sum, (double)count)),
                        ball_negate(ball_mean(f, along, (double)count))};
        b->dx[k] = ball_multiply(f, factor, ball_sum(f, terms, COUNT_OF(terms)));
    }
}

/* A scale that the group shares may multiply in the end, or the root before both multiply. */
static void allow_late_scale(const Backward *b, const Groups *s, int64_t group, Ball r)
{
    Ball *known = b->spare, scale = input(b, SCALE, scale_of(s, group, 0));
    for (int64_t k = 0; k < s->elements; k++) {
        known[k] = b->dx[k];
        b->g[k] = input(b, DY, number_of(s, group, k));
    }
    propagate(b, (size_t)s->elements, r, r);
    for (int64_t k = 0; k < s->elements; k++)
        known[k] = ball_either(known[k], ball_multiply(b->format, b->dx[k], scale));
    propagate(b, (size_t)s->elements, r, ball_multiply(b->format, r, scale));
    for (int64_t k = 0; k < s->elements; k++)
        b->dx[k] = ball_either(known[k], b->dx[k]);
}

/* dy h, whose factors may be multiplied in any order: dy times the distance may overflow first. */
static Ball scale_term(const Format *f, Ball dy, Ball distance, Ball h, Ball r)
{
    return ball_either(ball_multiply(f, dy, h),
                       ball_multiply(f, ball_multiply(f, dy, distance), r));
}

static void put_group(Ref *dx, const Backward *b, const Groups *s, double epsilon, int64_t group)
{
    const Format *f = b->format;
    Ball mean = input(b, MEAN, group);
    Ball r = nn_reciprocal_root(f, ball_add(f, input(b, VARIANCE, group), ball_exact(epsilon)));
    for (int64_t k = 0; k < s->elements; k++) {
        int64_t at = number_of(s, group, k), scale = scale_of(s, group, k);
        b->distance[k] = ball_subtract(f, input(b, X, at), mean);
        b->h[k] = ball_multiply(f, b->distance[k], r);
        b->g[k] = ball_multiply(f, input(b, DY, at), input(b, SCALE, scale));
        b->to_bias[at] = input(b, DY, at);
        b->to_scale[at] = scale_term(f, input(b, DY, at), b->distance[k], b->h[k], r);
    }
    propagate(b, (size_t)s->elements, r, r);
    if (s->elements > 0 && s->per_scale == s->elements)
        allow_late_scale(b, s, group, r);
    for (int64_t k = 0; k < s->elements; k++)
        ref_put_ball(dx, (size_t)number_of(s, group, k), b->dx[k]);
}

/* Sums over everything that a scale belongs to: as many terms for each. */
static void put_sums(Ref *ref, const Backward *b, const Groups *s, const Ball *all, Ball *terms,
                     size_t *filled)
{
    size_t each = ref->count > 0 ? (size_t)(s->count * s->elements) / ref->count : 0;
    for (size_t i = 0; i < ref->count; i++)
        filled[i] = 0;
    for (int64_t g = 0; g < s->count; g++)
        for (int64_t k = 0; k < s->elements; k++) {
            size_t scale = (size_t)scale_of(s, g, k);
            terms[scale * each + filled[scale]++] = all[number_of(s, g, k)];
        }
    for (size_t i = 0; i < ref->count; i++)
        ref_put_ball(ref, i, ball_sum(b->format, terms + i * each, each));
}

static void reference_of(Ref *refs, const ReferenceInput *input_of_op, const Groups *s,
                         double epsilon, Arena *arena)
{
    const Tensor *t = input_of_op->tensors;
    size_t elements = (size_t)s->elements, all = (size_t)tensor_count(&t[X]);
    for (int i = DX; i <= D_BIAS; i++)
        ref_allocate_bounded(&refs[i], t[i].dtype, &t[i], arena);
    Ball *balls = arena_take(arena, 5 * elements + 3 * all + 1, sizeof *balls);
    Backward b = {.t = t,
                  .format = dtype_format(refs[DX].accumulator),
                  .g = balls,
                  .h = balls + elements,
                  .distance = balls + 2 * elements,
                  .product = balls + 3 * elements,
                  .dx = balls + 4 * elements,
                  .to_scale = balls + 5 * elements,
                  .to_bias = balls + 5 * elements + all,
                  .spare = balls + 5 * elements + 2 * all};
    for (int64_t g = 0; g < s->count; g++)
        put_group(&refs[DX], &b, s, epsilon, g);
    size_t *filled = arena_take(arena, refs[D_SCALE].count + 1, sizeof *filled);
    put_sums(&refs[D_SCALE], &b, s, b.to_scale, b.spare, filled);
    put_sums(&refs[D_BIAS], &b, s, b.to_bias, b.spare, filled);
}

static void layer_reference(Ref *refs, const ReferenceInput *input_of_op, Arena *arena)
{
    const LayerNorm *q = input_of_op->params;
    const Tensor *x = &input_of_op->tensors[X];
    int64_t elements = x->extent[x->rank - 1];
    int64_t rows = elements > 0 ? tensor_count(x) / elements : 0;
    Groups groups = {rows, elements, elements, elements, 0, 1, 1};
    reference_of(refs, input_of_op, &groups, q->epsilon.re, arena);
}

static void batch_reference(Ref *refs, const ReferenceInput *input_of_op, Arena *arena)
{
    const ChannelNorm *q = input_of_op->params;
    int64_t area = shape_count(&q->input_size);
    int64_t elements = q->batch * area;
    Groups groups = {q->channels, elements, area, area, q->channels * area, q->channels, elements};
    reference_of(refs, input_of_op, &groups, q->epsilon.re, arena);
}

static void group_reference(Ref *refs, const ReferenceInput *input_of_op, Arena *arena)
{
    const ChannelNorm *q = input_of_op->params;
    int64_t area = shape_count(&q->input_size),
            groups_of_sample = q->num_groups > 0 ? q->num_groups : q->channels;
    int64_t elements = area * (q->num_groups > 0 ? q->channels : 1);
    Groups groups = {
        q->batch * groups_of_sample, elements, elements, elements, 0, groups_of_sample, area};
    reference_of(refs, input_of_op, &groups, q->epsilon.re, arena);
}

#define NORM_BACKWARD_TABLES .tensors = tensors, .dtypes = DTYPES_REAL, .fills = nn_moderate_fills
#define CHANNEL_OP                                                                                 \
    NN_OP(ChannelNorm, 2), NORM_BACKWARD_TABLES, .normalise = nn_normalise_channels,               \
                                                 .work = batch_work

static const OpDesc table[] = {
    {NN_OP(LayerNorm, 1), NORM_BACKWARD_TABLES, .name = "layer_norm_backward",
     .summary = "gradients of layer_norm over the last axis", .params = params,
     .normalise = normalise, .shape = layer_shape, .work = layer_work,
     .reference = layer_reference},
    {CHANNEL_OP, .name = "batch_norm_backward", .summary = "gradients of batch_norm_train",
     .params = batch_params, .shape = batch_shape, .reference = batch_reference},
    {CHANNEL_OP, .name = "instance_norm_backward", .summary = "gradients of instance_norm",
     .params = batch_params, .shape = group_shape, .reference = group_reference},
    {CHANNEL_OP, .name = "group_norm_backward", .summary = "gradients of group_norm",
     .params = group_params, .shape = group_shape, .reference = group_reference},
    {.name = NULL},
};

OP_TABLE(ops_norm_backward)
{
    return table;
}
