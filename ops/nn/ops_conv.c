/* Convolutions over one to three axes and their transposes (reference/conv.h has the bound). */
#include "nn_products.h"
#include "nn_spatial.h"

#define EXTRA_PARAM(axes) P_TUPLE(Nn, extra, axes, 0, 5, 0, "elements more at the end of y")
#define CONV_PARAMS(axes)                                                                          \
    NN_DTYPE, NN_CONVOLUTION(axes), P_CHOICE(Nn, with_bias, nn_yes_no, "bias is added"),           \
        NN_ACTIVATION
#define BACKWARD_PARAMS(axes)   NN_DTYPE, NN_CONVOLUTION(axes), EXTRA_PARAM(axes)
#define TRANSPOSED_PARAMS(axes) CONV_PARAMS(axes), EXTRA_PARAM(axes)

static const Param params[3][20] = {
    {CONV_PARAMS(1), P_END}, {CONV_PARAMS(2), P_END}, {CONV_PARAMS(3), P_END}};
static const Param transposed_params[3][20] = {
    {TRANSPOSED_PARAMS(1), P_END}, {TRANSPOSED_PARAMS(2), P_END}, {TRANSPOSED_PARAMS(3), P_END}};
static const Param backward_params[3][20] = {
    {BACKWARD_PARAMS(1), P_END}, {BACKWARD_PARAMS(2), P_END}, {BACKWARD_PARAMS(3), P_END}};
static const char *const tensors[] = {"x", "w", "bias", "y", NULL};

static int64_t transposed_output(const Nn *q, int axis)
{
    return (q->size.extent[axis] - 1) * q->stride.extent[axis] + nn_reach(q, axis) +
           q->extra.extent[axis] - q->before.extent[axis] - q->after.extent[axis];
}

static void normalise(void *params_of_case)
{
    nn_fit_kernel(params_of_case);
}

/* Extra elements are fewer than a step; padding leaves something. */
static void normalise_transposed(void *params_of_case)
{
    Nn *q = params_of_case;
    nn_fill_empty(&q->size);
    for (int axis = 0; axis < q->size.rank; axis++) {
        if (q->extra.extent[axis] >= q->stride.extent[axis])
            q->extra.extent[axis] = q->stride.extent[axis] - 1;
        if (transposed_output(q, axis) < 1)
            q->before.extent[axis] = q->after.extent[axis] = 0;
    }
}

static void shape_with(const Nn *q, bool transposed, Shapes *shapes)
{
    int64_t in = q->channels * q->groups, out = q->outputs * q->groups;
    Shape y = nn_outputs(q), bias = {1, {out}};
    for (int axis = 0; transposed && axis < q->size.rank; axis++)
        y.extent[axis] = transposed_output(q, axis);
    Shape image = nn_image(q->batch, in, &q->size), result = nn_image(q->batch, out, &y);
    Shape weights =
        transposed ? nn_image(in, q->outputs, &q->kernel) : nn_image(out, q->channels, &q->kernel);
    *shapes = (Shapes){.count = 4, .depth = q->channels * shape_count(&q->kernel)};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &image, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &weights, ROLE_IN);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &bias, ROLE_IN);
    shapes->tensor[3] = nn_tensor(nn_dtype(q), &result, ROLE_OUT);
    shapes->tensor[1].part = PART_RIGHT;
    shapes->tensor[2].part = PART_ADDEND;
    shapes->tensor[2].ignored = !q->with_bias;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    shape_with(params_of_case, false, shapes);
}

static void transposed_shape(const void *params_of_case, Shapes *shapes)
{
    shape_with(params_of_case, true, shapes);
}

/* Taps over all outputs; the reference takes several operations for each. */
static double work_with(const Nn *q, bool transposed)
{
    Shapes shapes;
    shape_with(q, transposed, &shapes);
    return 8.0 * (double)tensor_count(&shapes.tensor[3].layout) * (double)(shapes.depth + 4) +
           (double)tensor_count(&shapes.tensor[0].layout) * 8;
}

static double work(const void *params_of_case)
{
    return work_with(params_of_case, false);
}

static double transposed_work(const void *params_of_case)
{
    return work_with(params_of_case, true);
}

static void reference_with(Ref *refs, const ReferenceInput *input, bool transposed, Arena *arena)
{
    const Nn *q = input->params;
    const Tensor *t = input->tensors;
    ConvInput in = nn_conv_input(q);
    in.x = t[0];
    in.w = t[1];
    in.y = t[3];
    in.bias = q->with_bias ? &t[2] : NULL;
    in.transposed = transposed;
    conv_reference(&refs[3], &in, arena);
    nn_activate(&refs[3], q->activation, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    reference_with(refs, input, false, arena);
}

static void transposed_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    reference_with(refs, input, true, arena);
}

#define CONV_OP(axes)                                                                              \
    NN_OP_TABLES, .name = "conv" #axes "d", .summary = "convolution over " #axes " axes",          \
                  .params = params[(axes)-1], .tensors = tensors, .dtypes = DTYPES_FLOAT,          \
                  .fills = nn_moderate_fills, .normalise = normalise, .shape = shape,              \
                  .work = work, .reference = reference, .policy = "nan-by-comparison"
#define TRANSPOSED_OP(axes)                                                                        \
    NN_OP_TABLES,                                                                                  \
        .name = "conv_transpose" #axes "d",                                                        \
        .summary = "transposed convolution over " #axes " axes",                                   \
        .params = transposed_params[(axes)-1], .tensors = tensors, .dtypes = DTYPES_FLOAT,         \
        .fills = nn_moderate_fills, .normalise = normalise_transposed, .shape = transposed_shape,  \
        .work = transposed_work, .reference = transposed_reference, .policy = "nan-by-comparison"

/* The gradient of the input of a transposed convolution is a convolution with the same weights. */
static void backward_shape(const void *params_of_case, Shapes *shapes)
{
    Shapes forward;
    shape_with(params_of_case, true, &forward);
    *shapes = (Shapes){.count = 3, .depth = forward.depth};
    shapes->tensor[0] = forward.tensor[3];
    shapes->tensor[0].role = ROLE_IN;
    shapes->tensor[1] = forward.tensor[1];
    shapes->tensor[2] = forward.tensor[0];
    shapes->tensor[2].role = ROLE_OUT;
}

static void backward_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    ConvInput in = nn_conv_input(input->params);
    in.x = input->tensors[0];
    in.w = input->tensors[1];
    in.y = input->tensors[2];
    conv_reference(&refs[2], &in, arena);
}

/* That of its weights is the gradient of the weights of that convolution: x is its gradient. */
static void weights_shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    Shapes forward;
    shape_with(q, true, &forward);
    *shapes = (Shapes){.count = 3, .depth = q->batch * shape_count(&q->size)};
    shapes->tensor[0] = forward.tensor[0];
    shapes->tensor[1] = forward.tensor[3];
    shapes->tensor[1].role = ROLE_IN;
    shapes->tensor[1].part = PART_RIGHT;
    shapes->tensor[2] = forward.tensor[1];
    shapes->tensor[2].part = PART_LEFT;
    shapes->tensor[2].role = ROLE_OUT;
}

static void weights_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    ConvInput in = nn_conv_input(input->params);
    in.y = input->tensors[0];
    in.x = input->tensors[1];
    in.w = input->tensors[2];
    conv_weights_reference(&refs[2], &in, arena);
}

static const char *const backward_tensors[] = {"dy", "w", "dx", NULL};
static const char *const weights_tensors[] = {"x", "dy", "dw", NULL};

#define BACKWARD_TABLES(axes, what)                                                                \
    NN_OP_TABLES, .name = "conv_transpose" #axes "d_backward_" what,                               \
                  .params = backward_params[(axes)-1], .dtypes = DTYPES_FLOAT,                     \
                  .fills = nn_moderate_fills, .normalise = normalise_transposed,                   \
                  .work = transposed_work
#define BACKWARD_OP(axes)                                                                          \
    BACKWARD_TABLES(axes, "data"),                                                                 \
        .summary = "gradient of the input of a transposed convolution over " #axes " axes",        \
        .tensors = backward_tensors, .shape = backward_shape, .reference = backward_reference
#define WEIGHTS_OP(axes)                                                                           \
    BACKWARD_TABLES(axes, "weights"),                                                              \
        .summary = "gradient of the weights of a transposed convolution over " #axes " axes",      \
        .tensors = weights_tensors, .shape = weights_shape, .reference = weights_reference

static const OpDesc table[] = {
    {WEIGHTS_OP(1)},    {WEIGHTS_OP(2)},    {WEIGHTS_OP(3)}, {BACKWARD_OP(1)}, {BACKWARD_OP(2)},
    {BACKWARD_OP(3)},   {CONV_OP(1)},       {CONV_OP(2)},    {CONV_OP(3)},     {TRANSPOSED_OP(1)},
    {TRANSPOSED_OP(2)}, {TRANSPOSED_OP(3)}, {.name = NULL},
};

const OpDesc *ops_conv(void)
{
    return table;
}
