/* Normalisations (reference/normalise.h has the bound): of layers, over the last axes; of instances
 * and groups of channels; of batches as at inference, with given mean and variance; and by the root
 * of the mean square. */
#include <string.h>

#include "nn_norm.h"
#include "reference/normalise.h"

static const Param layer_params[] = {NN_DTYPE(LayerNorm), NN_NORM_SHAPE,
                                     P_INTEGER(LayerNorm, axis, 0, 3, 0, "first axis of the layer"),
                                     NN_EPSILON(LayerNorm), P_END};
static const Param channel_params[] = {NN_CHANNEL_NORM(64), P_END};
static const Param group_params[] = {NN_GROUP_NORM(64), P_END};
static const char *const tensors[] = {"x", "scale", "bias", "y", NULL};
static const char *const batch_tensors[] = {"x", "scale", "bias", "mean", "variance", "y", NULL};
static const char *const root_tensors[] = {"x", "scale", "y", NULL};

static void normalise_layer(void *params_of_case)
{
    LayerNorm *q = params_of_case;
    q->axis %= q->shape.rank;
    nn_normalise_epsilon(&q->epsilon);
}

void nn_normalise_channels(void *params_of_case)
{
    ChannelNorm *q = params_of_case;
    nn_normalise_epsilon(&q->epsilon);
}

/* The axes of the layer. */
static Shape inner(const LayerNorm *q)
{
    Shape shape = {.rank = q->shape.rank - q->axis};
    for (int64_t axis = 0; axis < shape.rank; axis++)
        shape.extent[axis] = q->shape.extent[axis + q->axis];
    return shape;
}

static void shape_of(DType dtype, const Shape *x, const Shape *scale, int scales, Shapes *shapes)
{
    *shapes = (Shapes){.count = scales + 2, .depth = shape_count(x)};
    shapes->tensor[0] = nn_tensor(dtype, x, ROLE_IN);
    for (int i = 1; i <= scales; i++)
        shapes->tensor[i] = nn_tensor(dtype, scale, ROLE_IN);
    shapes->tensor[scales + 1] = nn_tensor(dtype, x, ROLE_OUT);
}

static void layer_shape(const void *params_of_case, Shapes *shapes)
{
    const LayerNorm *q = params_of_case;
    Shape scale = inner(q);
    shape_of(nn_dtype(q), &q->shape, &scale, 2, shapes);
}

static void root_shape(const void *params_of_case, Shapes *shapes)
{
    const LayerNorm *q = params_of_case;
    Shape scale = inner(q);
    shape_of(nn_dtype(q), &q->shape, &scale, 1, shapes);
}

static void channel_shape(const ChannelNorm *q, int scales, Shapes *shapes)
{
    int64_t groups = q->num_groups > 0 ? q->num_groups : 1;
    Shape x = nn_image(q->batch, q->channels * groups, &q->input_size);
    Shape scale = {1, {q->channels * groups}};
    shape_of(nn_dtype(q), &x, &scale, scales, shapes);
}

static void instance_shape(const void *params_of_case, Shapes *shapes)
{
    channel_shape(params_of_case, 2, shapes);
}

static void batch_shape(const void *params_of_case, Shapes *shapes)
{
    channel_shape(params_of_case, 4, shapes);
    shapes->tensor[4].positive = true;
}

static double layer_work(const void *params_of_case)
{
    return nn_work_elements(&((const LayerNorm *)params_of_case)->shape, 64);
}

static double channel_work(const void *params_of_case)
{
    const ChannelNorm *q = params_of_case;
    int64_t groups = q->num_groups > 0 ? q->num_groups : 1;
    return 64.0 * (double)(q->batch * q->channels * groups) * (double)shape_count(&q->input_size);
}

/* A dense tensor as groups x elements, and as one axis. */
static Tensor as_groups(const Tensor *x, int64_t elements)
{
    int64_t count = tensor_count(x);
    return tensor_matrix(x->dtype, elements ? count / elements : 0, elements, elements, 1,
                         x->origin);
}

static Tensor as_line(const Tensor *t)
{
    return (Tensor){.dtype = t->dtype,
                    .rank = 1,
                    .extent = {tensor_count(t)},
                    .stride = {1},
                    .origin = t->origin};
}

static void layer_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const LayerNorm *q = input->params;
    const Tensor *t = input->tensors;
    Shape layer = inner(q);
    Tensor scale = as_line(&t[1]), bias = as_line(&t[2]);
    NormaliseInput in = {.x = as_groups(&t[0], shape_count(&layer)),
                         .scale = &scale,
                         .bias = &bias,
                         .epsilon = q->epsilon.re,
                         .per_scale = 1};
    normalise_reference(&refs[3], &in, t[3].dtype, arena);
}

static void root_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const LayerNorm *q = input->params;
    const Tensor *t = input->tensors;
    Shape layer = inner(q);
    Tensor scale = as_line(&t[1]);
    NormaliseInput in = {.x = as_groups(&t[0], shape_count(&layer)),
                         .scale = &scale,
                         .epsilon = q->epsilon.re,
                         .about_zero = true,
                         .per_scale = 1};
    normalise_reference(&refs[2], &in, t[2].dtype, arena);
}

static void instance_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const ChannelNorm *q = input->params;
    const Tensor *t = input->tensors;
    NormaliseInput in = {.x = as_groups(&t[0], shape_count(&q->input_size)),
                         .scale = &t[1],
                         .bias = &t[2],
                         .epsilon = q->epsilon.re,
                         .first_scale = 1,
                         .folds = true};
    normalise_reference(&refs[3], &in, t[3].dtype, arena);
}

static void batch_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const ChannelNorm *q = input->params;
    const Tensor *t = input->tensors;
    NormaliseInput in = {.x = as_groups(&t[0], shape_count(&q->input_size)),
                         .scale = &t[1],
                         .bias = &t[2],
                         .mean = &t[3],
                         .variance = &t[4],
                         .epsilon = q->epsilon.re,
                         .first_scale = 1};
    normalise_reference(&refs[5], &in, t[5].dtype, arena);
}

static void group_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const ChannelNorm *q = input->params;
    const Tensor *t = input->tensors;
    int64_t area = shape_count(&q->input_size);
    NormaliseInput in = {.x = as_groups(&t[0], area * q->channels),
                         .scale = &t[1],
                         .bias = &t[2],
                         .epsilon = q->epsilon.re,
                         .per_scale = area,
                         .first_scale = q->channels};
    normalise_reference(&refs[3], &in, t[3].dtype, arena);
}

static const IllegalRule illegal[] = {{ILLEGAL_EXTENT, "scale", -1}, {0}};
static const IllegalRule group_illegal[] = {{ILLEGAL_EXTENT, "scale", -1},
                                            {ILLEGAL_GROUPS, "num_groups", 0},
                                            {ILLEGAL_INTEGER, "num_groups", 0},
                                            {ILLEGAL_GROUPS, "num_groups", 1},
                                            {0}};

#define NORM_TABLES .dtypes = DTYPES_FLOAT, .fills = nn_moderate_fills
#define LAYER_OP    NN_OP(LayerNorm, 1), NORM_TABLES, .normalise = normalise_layer, .work = layer_work
#define CHANNEL_OP                                                                                 \
    NN_OP(ChannelNorm, 2), NORM_TABLES, .normalise = nn_normalise_channels, .work = channel_work

static const OpDesc table[] = {
    {LAYER_OP, .name = "layer_norm", .summary = "normalised over the last axes",
     .params = layer_params, .tensors = tensors, .shape = layer_shape, .reference = layer_reference,
     .policy = "one-pass-variance", .illegal = illegal},
    {LAYER_OP, .name = "rms_norm", .summary = "divided by the root of the mean square",
     .params = layer_params, .tensors = root_tensors, .shape = root_shape,
     .reference = root_reference, .policy = "one-pass-variance", .illegal = illegal},
    {CHANNEL_OP, .name = "instance_norm", .summary = "each channel of each sample normalised",
     .params = channel_params, .tensors = tensors, .shape = instance_shape,
     .reference = instance_reference, .policy = "one-pass-variance", .illegal = illegal},
    {CHANNEL_OP, .name = "batch_norm", .summary = "normalised by given means and variances",
     .params = channel_params, .tensors = batch_tensors, .shape = batch_shape,
     .reference = batch_reference, .illegal = illegal, .moments_given = true},
    {CHANNEL_OP, .name = "group_norm", .summary = "groups of channels normalised",
     .params = group_params, .tensors = tensors, .shape = instance_shape,
     .reference = group_reference, .policy = "one-pass-variance", .illegal = group_illegal},
    {.name = NULL},
};

OP_TABLE(ops_norm)
{
    return table;
}
