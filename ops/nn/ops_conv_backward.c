/* Gradients of convolutions over one to three axes.  That of the input is a transposed convolution
 * of the gradient; that of the weights sums over samples and outputs (reference/conv.h).  The other
 * factor of a complex product is conjugated. */
#include "nn_conv.h"

static const Param params[] = {NN_DTYPE(Conv), NN_CONVOLUTION(Conv, NN_ANY_AXES), P_END};
static const char *const data_tensors[] = {"dy", "w", "dx", NULL};
static const char *const weights_tensors[] = {"x", "dy", "dw", NULL};

static void normalise(void *params_of_case)
{
    nn_fit_kernel(&((Conv *)params_of_case)->window);
}

typedef struct Extents {
    Shape x, w, y;
} Extents;

static Extents extents_of(const Conv *q)
{
    const Window *w = &q->window;
    Shape outputs = nn_outputs(w);
    int64_t in = q->in_channels_per_group * q->groups, out = q->out_channels_per_group * q->groups;
    return (Extents){nn_image(q->batch, in, &w->input_size),
                     nn_image(out, q->in_channels_per_group, &w->kernel_size),
                     nn_image(q->batch, out, &outputs)};
}

static void shape_of(const void *q, const Shape *a, const Shape *b, const Shape *result,
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
    const Conv *q = params_of_case;
    shape_of(q, &e.y, &e.w, &e.x, shapes);
    shapes->depth = q->out_channels_per_group * shape_count(&q->window.kernel_size);
}

static void weights_shape(const void *params_of_case, Shapes *shapes)
{
    Extents e = extents_of(params_of_case);
    shape_of(params_of_case, &e.x, &e.y, &e.w, shapes);
}

/* Taps over all outputs of the convolution, as many for either gradient. */
static double work(const void *params_of_case)
{
    const Conv *q = params_of_case;
    Extents e = extents_of(q);
    int64_t kernel = shape_count(&q->window.kernel_size);
    double taps = (double)shape_count(&e.y) * (double)(q->in_channels_per_group * kernel + 4);
    double reach = (double)shape_count(&e.x) * (double)(q->out_channels_per_group * kernel);
    double products = dtype_components(nn_dtype(q)) == 2 ? 4 : 1;
    return products * (8 * taps + 4 * reach) +
           8.0 * (double)(shape_count(&e.x) + shape_count(&e.w));
}

static ConvInput data_conv(const ReferenceInput *input)
{
    const Conv *q = input->params;
    ConvInput in = nn_conv_input(&q->window, q->groups);
    in.x = input->tensors[0];
    in.w = input->tensors[1];
    in.y = input->tensors[2];
    in.transposed = in.conjugate_other = true;
    return in;
}

static void data_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    ConvInput in = data_conv(input);
    conv_reference(&refs[2], &in, arena);
}

static void data_equations(ProductBlocks *blocks, const ReferenceInput *input, Arena *arena)
{
    ConvInput in = data_conv(input);
    nn_conv_equations(blocks, &in, arena);
}

static void weights_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Conv *q = input->params;
    ConvInput in = nn_conv_input(&q->window, q->groups);
    in.x = input->tensors[0];
    in.y = input->tensors[1];
    in.w = input->tensors[2];
    in.conjugate_x = true;
    conv_weights_reference(&refs[2], &in, arena);
}

#define BACKWARD_OP                                                                                \
    NN_OP(Conv, 2), .params = params, .dtypes = DTYPES_FLOAT | DTYPES_COMPLEX,                     \
                    .fills = nn_moderate_fills, .normalise = normalise, .work = work

static const OpDesc rows[] = {
    {BACKWARD_OP, .name = "conv%dd_backward_data",
     .summary = "gradient of the input of a convolution over %d axes", .tensors = data_tensors,
     .shape = data_shape, .reference = data_reference, .product = data_equations,
     .enlarge = nn_conv_enlarge},
    {BACKWARD_OP, .name = "conv%dd_backward_weights",
     .summary = "gradient of the weights of a convolution over %d axes", .tensors = weights_tensors,
     .shape = weights_shape, .reference = weights_reference},
};

OP_TABLE(ops_conv_backward)
{
    static OpDesc table[3 * COUNT_OF(rows) + 1];
    static SpreadOp storage[3 * COUNT_OF(rows)];
    nn_spread_axes(table, storage, rows, COUNT_OF(rows));
    return table;
}
