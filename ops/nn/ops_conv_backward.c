/* Gradients of convolutions over one to three axes.  That of the input is a transposed convolution
 * of the gradient; that of the weights sums over samples and outputs (reference/conv.h). */
#include "nn_spatial.h"

static const Param params[3][16] = {{NN_DTYPE, NN_CONVOLUTION(1), P_END},
                                    {NN_DTYPE, NN_CONVOLUTION(2), P_END},
                                    {NN_DTYPE, NN_CONVOLUTION(3), P_END}};
static const char *const data_tensors[] = {"dy", "w", "dx", NULL};
static const char *const weights_tensors[] = {"x", "dy", "dw", NULL};

static void normalise(void *params_of_case)
{
    nn_fit_kernel(params_of_case);
}

typedef struct Extents {
    Shape x, w, y;
} Extents;

static Extents extents_of(const Nn *q)
{
    Shape outputs = nn_outputs(q);
    return (Extents){nn_image(q->batch, q->channels * q->groups, &q->size),
                     nn_image(q->outputs * q->groups, q->channels, &q->kernel),
                     nn_image(q->batch, q->outputs * q->groups, &outputs)};
}

static void shape_of(const Nn *q, const Shape *a, const Shape *b, const Shape *result,
                     Shapes *shapes)
{
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), a, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), b, ROLE_IN);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), result, ROLE_OUT);
    shapes->tensor[1].part = PART_RIGHT;
}

static void data_shape(const void *params_of_case, Shapes *shapes)
{
    Extents e = extents_of(params_of_case);
    shape_of(params_of_case, &e.y, &e.w, &e.x, shapes);
}

static void weights_shape(const void *params_of_case, Shapes *shapes)
{
    Extents e = extents_of(params_of_case);
    shape_of(params_of_case, &e.x, &e.y, &e.w, shapes);
}

/* Taps over all outputs of the convolution, as many for either gradient. */
static double work(const void *params_of_case)
{
    const Nn *q = params_of_case;
    Extents e = extents_of(q);
    double taps = (double)shape_count(&e.y) * (double)(q->channels * shape_count(&q->kernel) + 4);
    double reach = (double)shape_count(&e.x) * (double)(q->outputs * shape_count(&q->kernel));
    return 8 * taps + 4 * reach + 8.0 * (double)(shape_count(&e.x) + shape_count(&e.w));
}

static void data_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    ConvInput in = nn_conv_input(input->params);
    in.x = input->tensors[0];
    in.w = input->tensors[1];
    in.y = input->tensors[2];
    in.transposed = true;
    conv_reference(&refs[2], &in, arena);
}

static void weights_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    ConvInput in = nn_conv_input(input->params);
    in.x = input->tensors[0];
    in.y = input->tensors[1];
    in.w = input->tensors[2];
    conv_weights_reference(&refs[2], &in, arena);
}

#define BACKWARD_OP(axes, what, text)                                                              \
    NN_OP_TABLES, .name = "conv" #axes "d_backward_" #what,                                        \
                  .summary = "gradient of " text " of a convolution over " #axes " axes",          \
                  .params = params[(axes)-1], .tensors = what##_tensors, .dtypes = DTYPES_FLOAT,   \
                  .fills = nn_moderate_fills, .normalise = normalise, .shape = what##_shape,       \
                  .work = work, .reference = what##_reference

static const OpDesc table[] = {
    {BACKWARD_OP(1, data, "the input")},
    {BACKWARD_OP(2, data, "the input")},
    {BACKWARD_OP(3, data, "the input")},
    {BACKWARD_OP(1, weights, "the weights")},
    {BACKWARD_OP(2, weights, "the weights")},
    {BACKWARD_OP(3, weights, "the weights")},
    {.name = NULL},
};

const OpDesc *ops_conv_backward(void)
{
    return table;
}
