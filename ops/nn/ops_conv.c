/* Convolutions over one to three axes and their transposes (reference/conv.h has the bound).  Large
 * results are checked by sums of their channels at each place (nn_conv.h). */
#include "nn_conv.h"
#include "nn_products.h"

#define OUTPUT_PADDING                                                                             \
    P_TUPLE(Conv, output_padding, NN_ANY_AXES, 0, 5, 0, "elements more at the end of y",           \
            .formerly = "extra")
#define GRADIENT_PARAMS NN_DTYPE(Conv), NN_CONVOLUTION(Conv, NN_ANY_AXES)
#define CONV_PARAMS                                                                                \
    GRADIENT_PARAMS, P_CHOICE(Conv, bias, nn_yes_no, "bias is added", .formerly = "with_bias"),    \
        NN_ACTIVATION(Conv)

static const Param params[] = {CONV_PARAMS, P_END};
static const Param transposed_params[] = {CONV_PARAMS, OUTPUT_PADDING, P_END};
static const Param backward_params[] = {GRADIENT_PARAMS, OUTPUT_PADDING, P_END};
static const char *const tensors[] = {"x", "w", "bias", "y", NULL};

static int64_t transposed_output(const Conv *q, int axis)
{
    const Window *w = &q->window;
    return (w->input_size.extent[axis] - 1) * w->stride.extent[axis] + nn_reach(w, axis) +
           q->output_padding.extent[axis] - w->pads_begin.extent[axis] - w->pads_end.extent[axis];
}

/* Activations compare, which complex numbers are not. */
static void normalise_activation(Conv *q)
{
    if (dtype_components(nn_dtype(q)) == 2)
        q->activation = NN_NO_ACTIVATION;
}

static void normalise(void *params_of_case)
{
    nn_fit_kernel(&((Conv *)params_of_case)->window);
    normalise_activation(params_of_case);
}

/* Output padding is less than a step; padding leaves an element. */
static void normalise_transposed(void *params_of_case)
{
    Conv *q = params_of_case;
    Window *w = &q->window;
    for (int axis = 0; axis < w->input_size.rank; axis++) {
        if (q->output_padding.extent[axis] >= w->stride.extent[axis])
            q->output_padding.extent[axis] = w->stride.extent[axis] - 1;
        if (transposed_output(q, axis) < 1)
            w->pads_begin.extent[axis] = w->pads_end.extent[axis] = 0;
    }
    normalise_activation(q);
}

static void shape_with(const Conv *q, bool transposed, Shapes *shapes)
{
    const Window *w = &q->window;
    int64_t in = q->in_channels_per_group * q->groups, out = q->out_channels_per_group * q->groups;
    Shape y = nn_outputs(w), bias = {1, {out}};
    for (int axis = 0; transposed && axis < w->input_size.rank; axis++)
        y.extent[axis] = transposed_output(q, axis);
    Shape image = nn_image(q->batch, in, &w->input_size), result = nn_image(q->batch, out, &y);
    Shape weights = transposed ? nn_image(in, q->out_channels_per_group, &w->kernel_size)
                               : nn_image(out, q->in_channels_per_group, &w->kernel_size);
    *shapes =
        (Shapes){.count = 4, .depth = q->in_channels_per_group * shape_count(&w->kernel_size)};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &image, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &weights, ROLE_IN);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &bias, ROLE_IN);
    shapes->tensor[3] = nn_tensor(nn_dtype(q), &result, ROLE_OUT);
    shapes->tensor[1].part = PART_RIGHT;
    shapes->tensor[2].part = PART_ADDEND;
    shapes->tensor[2].ignored = !q->bias;
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
static double work_with(const Conv *q, bool transposed)
{
    Shapes shapes;
    shape_with(q, transposed, &shapes);
    double each = dtype_components(nn_dtype(q)) == 2 ? 32 : 8;
    return each * (double)tensor_count(&shapes.tensor[3].layout) * (double)(shapes.depth + 4) +
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

static ConvInput conv_input(const Conv *q)
{
    return nn_conv_input(&q->window, q->groups);
}

static ConvInput conv_of(const ReferenceInput *input, bool transposed)
{
    const Conv *q = input->params;
    const Tensor *t = input->tensors;
    ConvInput in = conv_input(q);
    in.x = t[0];
    in.w = t[1];
    in.y = t[3];
    in.bias = q->bias ? &t[2] : NULL;
    in.transposed = transposed;
    return in;
}

static void reference_with(Ref *refs, const ReferenceInput *input, bool transposed, Arena *arena)
{
    const Conv *q = input->params;
    ConvInput in = conv_of(input, transposed);
    conv_reference(&refs[3], &in, arena);
    nn_activate(&refs[3], q->activation, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    reference_with(refs, input, false, arena);
}

static void equations_with(ProductBlocks *blocks, const ReferenceInput *input, bool transposed,
                           Arena *arena)
{
    ConvInput in = conv_of(input, transposed);
    nn_conv_equations(blocks, &in, arena);
}

static void equations(ProductBlocks *blocks, const ReferenceInput *input, Arena *arena)
{
    equations_with(blocks, input, false, arena);
}

static void transposed_equations(ProductBlocks *blocks, const ReferenceInput *input, Arena *arena)
{
    equations_with(blocks, input, true, arena);
}

static bool is_product(const void *params_of_case)
{
    const Conv *q = params_of_case;
    return q->activation == NN_NO_ACTIVATION;
}

static void transposed_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    reference_with(refs, input, true, arena);
}

/* The gradient of the input of a transposed convolution is a convolution with
 * the same weights. */
static void backward_shape(const void *params_of_case, Shapes *shapes)
{
    const Conv *q = params_of_case;
    Shapes forward;
    shape_with(q, true, &forward);
    *shapes = (Shapes){.count = 3,
                       .depth = q->out_channels_per_group * shape_count(&q->window.kernel_size)};
    shapes->tensor[0] = forward.tensor[3];
    shapes->tensor[0].role = ROLE_IN;
    shapes->tensor[1] = forward.tensor[1];
    shapes->tensor[2] = forward.tensor[0];
    shapes->tensor[2].role = ROLE_OUT;
}

static ConvInput backward_conv(const ReferenceInput *input)
{
    ConvInput in = conv_input(input->params);
    in.x = input->tensors[0];
    in.w = input->tensors[1];
    in.y = input->tensors[2];
    in.conjugate_other = true;
    return in;
}

static void backward_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    ConvInput in = backward_conv(input);
    conv_reference(&refs[2], &in, arena);
}

static void backward_equations(ProductBlocks *blocks, const ReferenceInput *input, Arena *arena)
{
    ConvInput in = backward_conv(input);
    nn_conv_equations(blocks, &in, arena);
}

/* The gradient of the weights of a transposed convolution is that of a
 * convolution from dy to x. */
static void weights_shape(const void *params_of_case, Shapes *shapes)
{
    const Conv *q = params_of_case;
    Shapes forward;
    shape_with(q, true, &forward);
    *shapes = (Shapes){.count = 3, .depth = q->batch * shape_count(&q->window.input_size)};
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
    ConvInput in = conv_input(input->params);
    in.y = input->tensors[0];
    in.x = input->tensors[1];
    in.w = input->tensors[2];
    in.conjugate_other = true;
    conv_weights_reference(&refs[2], &in, arena);
}

static const char *const backward_tensors[] = {"dy", "w", "dx", NULL};
static const char *const weights_tensors[] = {"x", "dy", "dw", NULL};

static const IllegalRule illegal[] = {{ILLEGAL_EXTENT, "w", 1},
                                      {ILLEGAL_TUPLE, "stride", 0},
                                      {ILLEGAL_TUPLE, "dilation", 0},
                                      {ILLEGAL_RANK, "x", 0},
                                      {ILLEGAL_RANK, "w", 0},
                                      {ILLEGAL_PADDING, "", -1},
                                      {0}};
/* Padding that leaves less than nothing of any result. */
enum { BEYOND_IMAGES = 1 << 20 };
static const IllegalRule transposed_illegal[] = {{ILLEGAL_EXTENT, "w", 0},
                                                 {ILLEGAL_TUPLE, "stride", 0},
                                                 {ILLEGAL_TUPLE, "dilation", 0},
                                                 {ILLEGAL_TUPLE, "pads_begin", BEYOND_IMAGES},
                                                 {ILLEGAL_RANK, "x", 0},
                                                 {ILLEGAL_RANK, "w", 0},
                                                 {ILLEGAL_PADDING, "", -1},
                                                 {ILLEGAL_OUTPUT_PADDING, "output_padding", 0},
                                                 {0}};

#define CONV_OP NN_OP(Conv, 2), .fills = nn_moderate_fills
#define WITH_END                                                                                   \
    .tensors = tensors, .dtypes = DTYPES_FLOAT | DTYPES_COMPLEX, .policy = "nan-by-comparison",    \
    .nan = NAN_OF_GREATEST
#define TRANSPOSED_BACKWARD_OP                                                                     \
    CONV_OP, .dtypes = DTYPES_FLOAT, .params = backward_params, .normalise = normalise_transposed, \
             .work = transposed_work

static const OpDesc rows[] = {
    {CONV_OP, WITH_END, .name = "conv%dd", .summary = "convolution over %d axes", .params = params,
     .normalise = normalise, .shape = shape, .work = work, .reference = reference,
     .illegal = illegal, .product = equations, .is_product = is_product,
     .enlarge = nn_conv_enlarge},
    {CONV_OP, WITH_END, .name = "conv_transpose%dd",
     .summary = "transposed convolution over %d axes", .params = transposed_params,
     .normalise = normalise_transposed, .shape = transposed_shape, .work = transposed_work,
     .reference = transposed_reference, .illegal = transposed_illegal,
     .product = transposed_equations, .is_product = is_product, .enlarge = nn_conv_enlarge},
    {TRANSPOSED_BACKWARD_OP, .name = "conv_transpose%dd_backward_data",
     .summary = "gradient of the input of a transposed convolution over %d axes",
     .tensors = backward_tensors, .shape = backward_shape, .reference = backward_reference,
     .product = backward_equations, .enlarge = nn_conv_enlarge},
    {TRANSPOSED_BACKWARD_OP, .name = "conv_transpose%dd_backward_weights",
     .summary = "gradient of the weights of a transposed convolution over %d axes",
     .tensors = weights_tensors, .shape = weights_shape, .reference = weights_reference},
};

OP_TABLE(ops_conv)
{
    static OpDesc table[3 * COUNT_OF(rows) + 1];
    static SpreadOp storage[3 * COUNT_OF(rows)];
    nn_spread_axes(table, storage, rows, COUNT_OF(rows));
    return table;
}
