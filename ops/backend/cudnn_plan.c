/* Source: the cuDNN documentation, "cudnn_ops Library" and "cudnn_cnn Library". */
#include "cudnn_plan.h"

#include <string.h>

#include "cudnn_graph.h"
#include "mode_words.h"

enum { FORMAT_NCHW = 0, CROSS_CORRELATION = 1, PROPAGATE_NAN = 1, MATH_DEFAULT = 0, MATH_FMA = 3 };
enum { POOL_MAX = 0, POOL_MEAN_WITH_PADS = 1, POOL_MEAN_WITHOUT_PADS = 2 };
enum { ACTIVATION_SIGMOID = 0, ACTIVATION_RELU = 1, ACTIVATION_TANH = 2, ACTIVATION_NONE = 5 };
enum { NORM_BY_CHANNEL = 1 };
enum { SOFTMAX_ACCURATE = 1, SOFTMAX_LOG = 2, SOFTMAX_BY_CHANNEL = 1 };
/* Of forward convolutions those that sum products; of gradients the one that does so in an order
 * that is always the same. */
enum { FORWARD_ALGORITHMS = 4, GRADIENT_ALGORITHM = 1 };

static const DnnDescriptor tensor_descriptor = {
    "cudnnTensorDescriptor_t", "cudnnCreateTensorDescriptor", "cudnnDestroyTensorDescriptor"};
static const DnnDescriptor filter_descriptor = {
    "cudnnFilterDescriptor_t", "cudnnCreateFilterDescriptor", "cudnnDestroyFilterDescriptor"};
static const DnnDescriptor convolution_descriptor = {"cudnnConvolutionDescriptor_t",
                                                     "cudnnCreateConvolutionDescriptor",
                                                     "cudnnDestroyConvolutionDescriptor"};
static const DnnDescriptor activation_descriptor = {"cudnnActivationDescriptor_t",
                                                    "cudnnCreateActivationDescriptor",
                                                    "cudnnDestroyActivationDescriptor"};
static const DnnDescriptor pooling_descriptor = {
    "cudnnPoolingDescriptor_t", "cudnnCreatePoolingDescriptor", "cudnnDestroyPoolingDescriptor"};

const char *const cudnn_functions[] = {"cudnnDestroyTensorDescriptor",
                                       "cudnnDestroyFilterDescriptor",
                                       "cudnnDestroyConvolutionDescriptor",
                                       "cudnnDestroyActivationDescriptor",
                                       "cudnnDestroyPoolingDescriptor",
                                       "cudnnCreateTensorDescriptor",
                                       "cudnnSetTensorNdDescriptor",
                                       "cudnnCreateFilterDescriptor",
                                       "cudnnSetFilterNdDescriptor",
                                       "cudnnCreateConvolutionDescriptor",
                                       "cudnnSetConvolutionNdDescriptor",
                                       "cudnnSetConvolutionGroupCount",
                                       "cudnnSetConvolutionMathType",
                                       "cudnnCreatePoolingDescriptor",
                                       "cudnnSetPoolingNdDescriptor",
                                       "cudnnGetConvolutionForwardWorkspaceSize",
                                       "cudnnGetConvolutionBackwardDataWorkspaceSize",
                                       "cudnnGetConvolutionBackwardFilterWorkspaceSize",
                                       "cudnnConvolutionForward",
                                       "cudnnCreateActivationDescriptor",
                                       "cudnnSetActivationDescriptor",
                                       "cudnnConvolutionBiasActivationForward",
                                       "cudnnConvolutionBackwardData",
                                       "cudnnConvolutionBackwardFilter",
                                       "cudnnPoolingForward",
                                       "cudnnPoolingBackward",
                                       "cudnnSoftmaxForward",
                                       "cudnnSoftmaxBackward",
                                       "cudnnActivationForward",
                                       "cudnnBatchNormalizationForwardInference",
                                       NULL};

bool cudnn_read_mode(DnnMode *mode, const char *words, Text *error)
{
    enum { UNSET = -1 };
    *mode = (DnnMode){.number = UNSET};
    const ModeWord known[] = {
        {"stream", &mode->stream}, {"fma", &mode->fma}, {"graph", &mode->graph}};
    if (!mode_read_words(words, known, COUNT_OF(known), GRAPH_CONFIGS_MAX, &mode->number, error))
        return false;
    if (mode->number == UNSET)
        mode->number = mode->graph ? 0 : 1;
    if (mode->graph || mode->number < FORWARD_ALGORITHMS)
        return true;
    text_printf(error, "no mode '%d': expected 0 to %d without graph", mode->number,
                FORWARD_ALGORITHMS - 1);
    return false;
}

typedef enum DnnKind {
    KIND_CONV,
    KIND_DATA,
    KIND_WEIGHTS,
    KIND_POOL,
    KIND_POOL_GRADIENT,
    KIND_SOFTMAX,
    KIND_SOFTMAX_GRADIENT,
    KIND_ACTIVATION,
    KIND_NORM
} DnnKind;

static const struct {
    const char *op;
    DnnKind kind;
    int number; /* of the mode */
} rows[] = {
    {"conv1d", KIND_CONV, 0},
    {"conv2d", KIND_CONV, 0},
    {"conv3d", KIND_CONV, 0},
    {"conv1d_backward_data", KIND_DATA, 0},
    {"conv2d_backward_data", KIND_DATA, 0},
    {"conv3d_backward_data", KIND_DATA, 0},
    {"conv1d_backward_weights", KIND_WEIGHTS, 0},
    {"conv2d_backward_weights", KIND_WEIGHTS, 0},
    {"conv3d_backward_weights", KIND_WEIGHTS, 0},
    {"max_pool1d", KIND_POOL, POOL_MAX},
    {"max_pool2d", KIND_POOL, POOL_MAX},
    {"max_pool3d", KIND_POOL, POOL_MAX},
    {"avg_pool1d", KIND_POOL, POOL_MEAN_WITH_PADS},
    {"avg_pool2d", KIND_POOL, POOL_MEAN_WITH_PADS},
    {"avg_pool3d", KIND_POOL, POOL_MEAN_WITH_PADS},
    {"avg_pool1d_backward", KIND_POOL_GRADIENT, POOL_MEAN_WITH_PADS},
    {"avg_pool2d_backward", KIND_POOL_GRADIENT, POOL_MEAN_WITH_PADS},
    {"avg_pool3d_backward", KIND_POOL_GRADIENT, POOL_MEAN_WITH_PADS},
    {"softmax", KIND_SOFTMAX, SOFTMAX_ACCURATE},
    {"log_softmax", KIND_SOFTMAX, SOFTMAX_LOG},
    {"softmax_backward", KIND_SOFTMAX_GRADIENT, SOFTMAX_ACCURATE},
    {"log_softmax_backward", KIND_SOFTMAX_GRADIENT, SOFTMAX_LOG},
    {"relu", KIND_ACTIVATION, ACTIVATION_RELU},
    {"sigmoid", KIND_ACTIVATION, ACTIVATION_SIGMOID},
    {"tanh", KIND_ACTIVATION, ACTIVATION_TANH},
    {"batch_norm", KIND_NORM, NORM_BY_CHANNEL},
};

static int row_of(const OpDesc *op)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (!strcmp(rows[i].op, op->name))
            return (int)i;
    return -1;
}

uint32_t cudnn_dtypes(const OpDesc *op)
{
    int row = row_of(op);
    if (row < 0)
        return 0;
    /* Parameters of halves are binary32 there. */
    return op_dtypes(op) & (uint32_t)(rows[row].kind == KIND_NORM ? DTYPES_REAL : DTYPES_FLOAT);
}

static int type_number(DType dtype)
{
    return dtype == DT_F64 ? 1 : dtype == DT_F16 ? 2 : dtype == DT_BF16 ? 9 : 0;
}

static int sum_number(DType dtype)
{
    return dtype == DT_F64 ? 1 : 0;
}

static DnnCall *add_call(DnnPlan *plan, const char *function)
{
    DnnCall *call = &plan->calls[plan->count++];
    call->function = function;
    return call;
}

static void add(DnnCall *call, DnnArgumentKind kind, int number)
{
    call->arguments[call->count++] = (DnnArgument){.kind = kind, .number = number};
}

static void add_real(DnnCall *call, double real)
{
    call->arguments[call->count++] = (DnnArgument){.kind = DNN_REAL, .real = real};
}

static void add_array(DnnCall *call, const int *array, int length)
{
    DnnArgument *argument = &call->arguments[call->count++];
    *argument = (DnnArgument){.kind = DNN_ARRAY, .number = length};
    memcpy(argument->array, array, (size_t)length * sizeof *array);
}

static int new_descriptor(DnnPlan *plan, const DnnDescriptor *kind)
{
    plan->descriptors[plan->descriptor_count] = kind;
    add(add_call(plan, kind->create), DNN_NEW, plan->descriptor_count);
    return plan->descriptor_count++;
}

/* Samples, channels, and two axes at least: a single one is the last of them. */
static int extents_of(const Tensor *layout, int extents[DNN_AXES_MAX])
{
    int rank = 0;
    for (int axis = 0; axis < layout->rank; axis++) {
        if (layout->rank == 3 && axis == 2)
            extents[rank++] = 1;
        extents[rank++] = (int)layout->extent[axis];
    }
    return rank;
}

static int add_tensor(DnnPlan *plan, DType dtype, const int *extents, int rank)
{
    int strides[DNN_AXES_MAX], descriptor;
    for (int axis = rank - 1, step = 1; axis >= 0; axis--) {
        strides[axis] = step;
        step *= extents[axis];
    }
    descriptor = new_descriptor(plan, &tensor_descriptor);
    DnnCall *call = add_call(plan, "cudnnSetTensorNdDescriptor");
    add(call, DNN_DESCRIPTOR, descriptor);
    add(call, DNN_INTEGER, type_number(dtype));
    add(call, DNN_INTEGER, rank);
    add_array(call, extents, rank);
    add_array(call, strides, rank);
    return descriptor;
}

static int add_operand(DnnPlan *plan, const Shapes *shapes, int operand)
{
    int extents[DNN_AXES_MAX] = {0};
    const Tensor *layout = &shapes->tensor[operand].layout;
    int rank = extents_of(layout, extents);
    return add_tensor(plan, layout->dtype, extents, rank);
}

static int add_filter(DnnPlan *plan, const Shapes *shapes, int operand)
{
    int extents[DNN_AXES_MAX];
    const Tensor *layout = &shapes->tensor[operand].layout;
    int rank = extents_of(layout, extents);
    int descriptor = new_descriptor(plan, &filter_descriptor);
    DnnCall *call = add_call(plan, "cudnnSetFilterNdDescriptor");
    add(call, DNN_DESCRIPTOR, descriptor);
    add(call, DNN_INTEGER, type_number(layout->dtype));
    add(call, DNN_INTEGER, FORMAT_NCHW);
    add(call, DNN_INTEGER, rank);
    add_array(call, extents, rank);
    return descriptor;
}

/* Numbers along the axes of a window, of which there are two at least. */
static int window_numbers(const Case *c, const char *name, int neutral, int numbers[DNN_AXES_MAX])
{
    const Shape *shape = case_shape(c, name);
    int axes = 0;
    if (shape->rank == 1)
        numbers[axes++] = neutral;
    for (int axis = 0; axis < shape->rank; axis++)
        numbers[axes++] = (int)shape->extent[axis];
    return axes;
}

static int add_convolution(DnnPlan *plan, const Case *c, const DnnMode *mode)
{
    int numbers[DNN_AXES_MAX], axes = window_numbers(c, "before", 0, numbers);
    int descriptor = new_descriptor(plan, &convolution_descriptor);
    DnnCall *call = add_call(plan, "cudnnSetConvolutionNdDescriptor");
    add(call, DNN_DESCRIPTOR, descriptor);
    add(call, DNN_INTEGER, axes);
    add_array(call, numbers, axes);
    (void)window_numbers(c, "stride", 1, numbers);
    add_array(call, numbers, axes);
    (void)window_numbers(c, "dilation", 1, numbers);
    add_array(call, numbers, axes);
    add(call, DNN_INTEGER, CROSS_CORRELATION);
    add(call, DNN_INTEGER, sum_number(case_dtype(c)));
    call = add_call(plan, "cudnnSetConvolutionGroupCount");
    add(call, DNN_DESCRIPTOR, descriptor);
    add(call, DNN_INTEGER, (int)case_int(c, "groups"));
    call = add_call(plan, "cudnnSetConvolutionMathType");
    add(call, DNN_DESCRIPTOR, descriptor);
    add(call, DNN_INTEGER, mode->fma ? MATH_FMA : MATH_DEFAULT);
    return descriptor;
}

/* Asks for the workspace, and begins the call of the function, which takes the same descriptors in
 * the same order. */
static DnnCall *add_window_calls(DnnPlan *plan, const char *ask, const char *function,
                                 const int *descriptors, const int *operands, int convolution,
                                 int algorithm)
{
    DnnCall *call = add_call(plan, ask);
    add(call, DNN_HANDLE, 0);
    add(call, DNN_DESCRIPTOR, descriptors[0]);
    add(call, DNN_DESCRIPTOR, descriptors[1]);
    add(call, DNN_DESCRIPTOR, convolution);
    add(call, DNN_DESCRIPTOR, descriptors[2]);
    add(call, DNN_INTEGER, algorithm);
    add(call, DNN_NEEDED_BYTES, 0);
    call = add_call(plan, function);
    add(call, DNN_HANDLE, 0);
    add(call, DNN_ONE, 0);
    for (int i = 0; i < 2; i++) {
        add(call, DNN_DESCRIPTOR, descriptors[i]);
        add(call, DNN_OPERAND, operands[i]);
    }
    add(call, DNN_DESCRIPTOR, convolution);
    add(call, DNN_INTEGER, algorithm);
    add(call, DNN_WORKSPACE, 0);
    add(call, DNN_WORKSPACE_BYTES, 0);
    add(call, DNN_ZERO, 0);
    add(call, DNN_DESCRIPTOR, descriptors[2]);
    add(call, DNN_OPERAND, operands[2]);
    return call;
}

/* An operand with one element for each channel of another. */
static int add_channels(DnnPlan *plan, const Shapes *shapes, int operand, int of)
{
    const Tensor *layout = &shapes->tensor[operand].layout;
    int extents[DNN_AXES_MAX] = {1, (int)layout->extent[0], 1, 1, 1};
    int rank = shapes->tensor[of].layout.rank;
    return add_tensor(plan, layout->dtype, extents, rank > 4 ? rank : 4);
}

static int add_activation(DnnPlan *plan, int number)
{
    int descriptor = new_descriptor(plan, &activation_descriptor);
    DnnCall *call = add_call(plan, "cudnnSetActivationDescriptor");
    add(call, DNN_DESCRIPTOR, descriptor);
    add(call, DNN_INTEGER, number);
    add(call, DNN_INTEGER, PROPAGATE_NAN);
    add_real(call, 0);
    return descriptor;
}

/* What activates adds a bias too. */
static bool plan_forward(DnnPlan *plan, const Case *c, const Shapes *shapes, const DnnMode *mode)
{
    bool relu = strcmp(case_choice(c, "activation"), "relu") == 0;
    bool biased = strcmp(case_choice(c, "with_bias"), "yes") == 0;
    if (!relu && strcmp(case_choice(c, "activation"), "none") != 0)
        return false;
    if (relu && !biased)
        return false;
    int descriptors[] = {add_operand(plan, shapes, 0), add_filter(plan, shapes, 1),
                         add_operand(plan, shapes, 3)};
    int convolution = add_convolution(plan, c, mode);
    int bias = biased ? add_channels(plan, shapes, 2, 3) : 0;
    int activation = biased ? add_activation(plan, relu ? ACTIVATION_RELU : ACTIVATION_NONE) : 0;
    DnnCall *call = add_window_calls(
        plan, "cudnnGetConvolutionForwardWorkspaceSize",
        biased ? "cudnnConvolutionBiasActivationForward" : "cudnnConvolutionForward", descriptors,
        (const int[]){0, 1, 3}, convolution, mode->number);
    /* What would be added beside the bias is y, times 0. */
    if (biased) {
        add(call, DNN_DESCRIPTOR, bias);
        add(call, DNN_OPERAND, 2);
        add(call, DNN_DESCRIPTOR, activation);
        add(call, DNN_DESCRIPTOR, descriptors[2]);
        add(call, DNN_OPERAND, 3);
    }
    return true;
}

/* Operands of the tool are dy, w, dx, and of the function w, dy, dx. */
static bool plan_data(DnnPlan *plan, const Case *c, const Shapes *shapes, const DnnMode *mode)
{
    int descriptors[] = {add_filter(plan, shapes, 1), add_operand(plan, shapes, 0),
                         add_operand(plan, shapes, 2)};
    (void)add_window_calls(plan, "cudnnGetConvolutionBackwardDataWorkspaceSize",
                           "cudnnConvolutionBackwardData", descriptors, (const int[]){1, 0, 2},
                           add_convolution(plan, c, mode), GRADIENT_ALGORITHM);
    return true;
}

static bool plan_weights(DnnPlan *plan, const Case *c, const Shapes *shapes, const DnnMode *mode)
{
    int descriptors[] = {add_operand(plan, shapes, 0), add_operand(plan, shapes, 1),
                         add_filter(plan, shapes, 2)};
    (void)add_window_calls(plan, "cudnnGetConvolutionBackwardFilterWorkspaceSize",
                           "cudnnConvolutionBackwardFilter", descriptors, (const int[]){0, 1, 2},
                           add_convolution(plan, c, mode), GRADIENT_ALGORITHM);
    return true;
}

/* A factor, and operands behind their descriptors; the last is the result, behind a factor of 0. */
static void add_transfer(DnnCall *call, const int *descriptors, const int *operands, int count)
{
    add(call, DNN_ONE, 0);
    for (int i = 0; i < count; i++) {
        if (i + 1 == count)
            add(call, DNN_ZERO, 0);
        add(call, DNN_DESCRIPTOR, descriptors[i]);
        add(call, DNN_OPERAND, operands[i]);
    }
}

static bool is_plain_pool(const Case *c)
{
    const Shape *dilation = case_shape(c, "dilation");
    for (int axis = 0; axis < dilation->rank; axis++)
        if (dilation->extent[axis] != 1)
            return false;
    return strcmp(case_choice(c, "ceil_mode"), "no") == 0;
}

static int add_pool(DnnPlan *plan, const Case *c, int number)
{
    int numbers[DNN_AXES_MAX], axes = window_numbers(c, "kernel", 1, numbers);
    if (number != POOL_MAX && strcmp(case_choice(c, "count_pads"), "yes") != 0)
        number = POOL_MEAN_WITHOUT_PADS;
    int pool = new_descriptor(plan, &pooling_descriptor);
    DnnCall *call = add_call(plan, "cudnnSetPoolingNdDescriptor");
    add(call, DNN_DESCRIPTOR, pool);
    add(call, DNN_INTEGER, number);
    add(call, DNN_INTEGER, PROPAGATE_NAN);
    add(call, DNN_INTEGER, axes);
    add_array(call, numbers, axes);
    (void)window_numbers(c, "before", 0, numbers);
    add_array(call, numbers, axes);
    (void)window_numbers(c, "stride", 1, numbers);
    add_array(call, numbers, axes);
    return pool;
}

static bool plan_pool(DnnPlan *plan, const Case *c, const Shapes *shapes, int number)
{
    if (!is_plain_pool(c))
        return false;
    int descriptors[] = {add_operand(plan, shapes, 0), add_operand(plan, shapes, 1)};
    int pool = add_pool(plan, c, number);
    DnnCall *call = add_call(plan, "cudnnPoolingForward");
    add(call, DNN_HANDLE, 0);
    add(call, DNN_DESCRIPTOR, pool);
    add_transfer(call, descriptors, (const int[]){0, 1}, 2);
    return true;
}

/* Of means, which have no use for y and x: dy and dx stand in their places. */
static bool plan_pool_gradient(DnnPlan *plan, const Case *c, const Shapes *shapes, int number)
{
    if (!is_plain_pool(c))
        return false;
    int dy = add_operand(plan, shapes, 0), dx = add_operand(plan, shapes, 1);
    int pool = add_pool(plan, c, number);
    DnnCall *call = add_call(plan, "cudnnPoolingBackward");
    add(call, DNN_HANDLE, 0);
    add(call, DNN_DESCRIPTOR, pool);
    add_transfer(call, (const int[]){dy, dy, dx, dx}, (const int[]){0, 0, 1, 1}, 4);
    return true;
}

/* What lies before the axis are samples, the axis is that of the channels. */
static int add_rows(DnnPlan *plan, const Case *c, const Tensor *layout)
{
    int extents[] = {1, 1, 1, 1}, chosen = (int)case_int(c, "axis");
    for (int axis = 0; axis < layout->rank; axis++)
        extents[axis < chosen ? 0 : axis == chosen ? 1 : 2] *= (int)layout->extent[axis];
    return add_tensor(plan, layout->dtype, extents, 4);
}

/* Forward from x to y; of the gradient y and dy, which are operands 1 and 0, to dx. */
static bool plan_softmax(DnnPlan *plan, const Case *c, const Shapes *shapes, int number,
                         bool gradient)
{
    int rows_of = add_rows(plan, c, &shapes->tensor[0].layout);
    const int descriptors[] = {rows_of, rows_of, rows_of};
    DnnCall *call = add_call(plan, gradient ? "cudnnSoftmaxBackward" : "cudnnSoftmaxForward");
    add(call, DNN_HANDLE, 0);
    add(call, DNN_INTEGER, number);
    add(call, DNN_INTEGER, SOFTMAX_BY_CHANNEL);
    if (gradient)
        add_transfer(call, descriptors, (const int[]){1, 0, 2}, 3);
    else
        add_transfer(call, descriptors, (const int[]){0, 1}, 2);
    return true;
}

/* All elements as samples of one. */
static bool plan_activation(DnnPlan *plan, const Shapes *shapes, int number)
{
    const Tensor *layout = &shapes->tensor[0].layout;
    int extents[] = {(int)tensor_count(layout), 1, 1, 1};
    int all = add_tensor(plan, layout->dtype, extents, 4),
        activation = add_activation(plan, number);
    DnnCall *call = add_call(plan, "cudnnActivationForward");
    add(call, DNN_HANDLE, 0);
    add(call, DNN_DESCRIPTOR, activation);
    add_transfer(call, (const int[]){all, all}, (const int[]){0, 1}, 2);
    return true;
}

static bool plan_norm(DnnPlan *plan, const Case *c, const Shapes *shapes, int number)
{
    enum { X, SCALE, BIAS, MEAN, VARIANCE, Y };
    int x = add_operand(plan, shapes, X), channels = add_channels(plan, shapes, SCALE, X);
    DnnCall *call = add_call(plan, "cudnnBatchNormalizationForwardInference");
    add(call, DNN_HANDLE, 0);
    add(call, DNN_INTEGER, number);
    add(call, DNN_ONE, 0);
    add(call, DNN_ZERO, 0);
    add(call, DNN_DESCRIPTOR, x);
    add(call, DNN_OPERAND, X);
    add(call, DNN_DESCRIPTOR, x);
    add(call, DNN_OPERAND, Y);
    add(call, DNN_DESCRIPTOR, channels);
    for (int operand = SCALE; operand <= VARIANCE; operand++)
        add(call, DNN_OPERAND, operand);
    add_real(call, case_scalar(c, "epsilon").re);
    return case_scalar(c, "epsilon").re >= 0;
}

/* Padding in front is that behind, but for what no window meets; nothing is empty or too large. */
static bool is_common(const Case *c, const Shapes *shapes)
{
    for (int i = 0; i < shapes->count; i++)
        if (!shapes->tensor[i].ignored && (tensor_is_empty(&shapes->tensor[i].layout) ||
                                           tensor_count(&shapes->tensor[i].layout) > 1 << 28))
            return false;
    if (!case_has(c, "before"))
        return true;
    const Shape *before = case_shape(c, "before"), *after = case_shape(c, "after");
    for (int axis = 0; axis < before->rank; axis++)
        if (before->extent[axis] != after->extent[axis])
            return false;
    return true;
}

bool cudnn_plan(DnnPlan *plan, const Case *c, const Shapes *shapes, const DnnMode *mode)
{
    int row = row_of(c->op);
    *plan = (DnnPlan){.wide = case_dtype(c) == DT_F64};
    if (row < 0 || !is_common(c, shapes))
        return false;
    switch (rows[row].kind) {
    case KIND_CONV:
        return plan_forward(plan, c, shapes, mode);
    case KIND_DATA:
        return plan_data(plan, c, shapes, mode);
    case KIND_WEIGHTS:
        return plan_weights(plan, c, shapes, mode);
    case KIND_POOL:
        return plan_pool(plan, c, shapes, rows[row].number);
    case KIND_POOL_GRADIENT:
        return plan_pool_gradient(plan, c, shapes, rows[row].number);
    case KIND_SOFTMAX:
    case KIND_SOFTMAX_GRADIENT:
        return plan_softmax(plan, c, shapes, rows[row].number,
                            rows[row].kind == KIND_SOFTMAX_GRADIENT);
    case KIND_ACTIVATION:
        return plan_activation(plan, shapes, rows[row].number);
    default:
        return plan_norm(plan, c, shapes, rows[row].number);
    }
}
