/* Normalisations (reference/normalise.h has the bound): of layers, over the last axes; of instances
 * and groups of channels; of batches as at inference, with given mean and variance; and by the root
 * of the mean square. */
#include <string.h>

#include "nn_spatial.h"
#include "reference/normalise.h"

#define NORM_EPSILON P_REAL(Nn, epsilon, 0, "added to the variance")

static const Param layer_params[] = {NN_DTYPE, P_SHAPE(Nn, shape, 1, 4, "extents of x"),
                                     P_INTEGER(Nn, axis, 0, 3, 0, "first axis of the layer"),
                                     NORM_EPSILON, P_END};
static const Param channel_params[] = {NN_DTYPE,
                                       NN_BATCH,
                                       P_DIM(Nn, channels, 1, 64, "channels"),
                                       P_SHAPE(Nn, size, 1, 3, "spatial extents"),
                                       NORM_EPSILON,
                                       P_END};
static const Param group_params[] = {NN_DTYPE,
                                     NN_BATCH,
                                     P_DIM(Nn, channels, 1, 64, "channels of a group"),
                                     P_INTEGER(Nn, groups, 1, 8, 1, "groups of channels"),
                                     P_SHAPE(Nn, size, 1, 3, "spatial extents"),
                                     NORM_EPSILON,
                                     P_END};
static const char *const tensors[] = {"x", "scale", "bias", "y", NULL};
static const char *const batch_tensors[] = {"x", "scale", "bias", "mean", "variance", "y", NULL};
static const char *const root_tensors[] = {"x", "scale", "y", NULL};

static void normalise_layer(void *params_of_case)
{
    Nn *q = params_of_case;
    nn_fill_empty(&q->shape);
    q->axis %= q->shape.rank;
    nn_normalise_epsilon(q);
}

static void normalise_channels(void *params_of_case)
{
    Nn *q = params_of_case;
    nn_fill_empty(&q->size);
    nn_normalise_epsilon(q);
}

/* The axes of the layer. */
static Shape inner(const Nn *q)
{
    Shape shape = {.rank = q->shape.rank - q->axis};
    for (int64_t axis = 0; axis < shape.rank; axis++)
        shape.extent[axis] = q->shape.extent[axis + q->axis];
    return shape;
}

static void shape_of(const Nn *q, const Shape *x, const Shape *scale, int scales, Shapes *shapes)
{
    *shapes = (Shapes){.count = scales + 2, .depth = shape_count(x)};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), x, ROLE_IN);
    for (int i = 1; i <= scales; i++)
        shapes->tensor[i] = nn_tensor(nn_dtype(q), scale, ROLE_IN);
    shapes->tensor[scales + 1] = nn_tensor(nn_dtype(q), x, ROLE_OUT);
}

static void layer_shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    Shape scale = inner(q);
    shape_of(q, &q->shape, &scale, 2, shapes);
}

static void root_shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    Shape scale = inner(q);
    shape_of(q, &q->shape, &scale, 1, shapes);
}

static void channel_shape(const Nn *q, int scales, Shapes *shapes)
{
    int64_t groups = q->groups > 0 ? q->groups : 1;
    Shape x = nn_image(q->batch, q->channels * groups, &q->size);
    Shape scale = {1, {q->channels * groups}};
    shape_of(q, &x, &scale, scales, shapes);
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
    return nn_work_elements(params_of_case, 64);
}

static double channel_work(const void *params_of_case)
{
    const Nn *q = params_of_case;
    int64_t groups = q->groups > 0 ? q->groups : 1;
    return 64.0 * (double)(q->batch * q->channels * groups) * (double)shape_count(&q->size);
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
    const Nn *q = input->params;
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
    const Nn *q = input->params;
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
    const Nn *q = input->params;
    const Tensor *t = input->tensors;
    NormaliseInput in = {.x = as_groups(&t[0], shape_count(&q->size)),
                         .scale = &t[1],
                         .bias = &t[2],
                         .epsilon = q->epsilon.re,
                         .first_scale = 1};
    normalise_reference(&refs[3], &in, t[3].dtype, arena);
}

static void batch_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Nn *q = input->params;
    const Tensor *t = input->tensors;
    NormaliseInput in = {.x = as_groups(&t[0], shape_count(&q->size)),
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
    const Nn *q = input->params;
    const Tensor *t = input->tensors;
    int64_t area = shape_count(&q->size);
    NormaliseInput in = {.x = as_groups(&t[0], area * q->channels),
                         .scale = &t[1],
                         .bias = &t[2],
                         .epsilon = q->epsilon.re,
                         .per_scale = area,
                         .first_scale = q->channels};
    normalise_reference(&refs[3], &in, t[3].dtype, arena);
}

#define NORM_OP NN_OP_TABLES, .dtypes = DTYPES_FLOAT, .fills = nn_moderate_fills

static const OpDesc table[] = {
    {NORM_OP, .name = "layer_norm", .summary = "normalised over the last axes",
     .params = layer_params, .tensors = tensors, .normalise = normalise_layer, .shape = layer_shape,
     .work = layer_work, .reference = layer_reference, .policy = "one-pass-variance"},
    {NORM_OP, .name = "rms_norm", .summary = "divided by the root of the mean square",
     .params = layer_params, .tensors = root_tensors, .normalise = normalise_layer,
     .shape = root_shape, .work = layer_work, .reference = root_reference,
     .policy = "one-pass-variance"},
    {NORM_OP, .name = "instance_norm", .summary = "each channel of each sample normalised",
     .params = channel_params, .tensors = tensors, .normalise = normalise_channels,
     .shape = instance_shape, .work = channel_work, .reference = instance_reference,
     .policy = "one-pass-variance"},
    {NORM_OP, .name = "batch_norm", .summary = "normalised by given means and variances",
     .params = channel_params, .tensors = batch_tensors, .normalise = normalise_channels,
     .shape = batch_shape, .work = channel_work, .reference = batch_reference},
    {NORM_OP, .name = "group_norm", .summary = "groups of channels normalised",
     .params = group_params, .tensors = tensors, .normalise = normalise_channels,
     .shape = instance_shape, .work = channel_work, .reference = group_reference,
     .policy = "one-pass-variance"},
    {.name = NULL},
};

const OpDesc *ops_norm(void)
{
    return table;
}
