/* Operators as calls.  Source: the cuDNN documentation, "cudnn_ops Library" and "cudnn_cnn
 * Library". */
#include "cudnn_parts.h"

#include <string.h>

#include "cudnn_bindings.h"
#include "ops/backend/mode_words.h"

enum { CROSS_CORRELATION = 1, PROPAGATE_NAN = 1, MATH_DEFAULT = 0, MATH_FMA = 3 };
enum { SOFTMAX_BY_CHANNEL = 1 };
/* Of forward convolutions those that sum products, and those by Fourier transforms; of gradients
 * one that does so in an order that is always the same, and one that does not. */
enum {
    FORWARD_ALGORITHMS = 4,
    FORWARD_TRANSFORMS = 6,
    GRADIENT_ALGORITHM = 1,
    GRADIENT_UNORDERED = 0
};

bool cudnn_read_mode(DnnMode *mode, const char *words, Text *error)
{
    enum { UNSET = -1 };
    *mode = (DnnMode){.number = UNSET};
    const ModeWord known[] = {{"stream", &mode->stream},
                              {"fma", &mode->fma},
                              {"graph", &mode->graph},
                              {"unordered", &mode->unordered},
                              {"transforms", &mode->transforms}};
    if (!mode_read_words(words, known, COUNT_OF(known), GRAPH_CONFIGS_MAX, &mode->number, error))
        return false;
    if (mode->number == UNSET)
        mode->number = mode->graph ? 0 : 1;
    int algorithms = mode->transforms ? FORWARD_TRANSFORMS : FORWARD_ALGORITHMS;
    if (mode->graph || mode->number < algorithms)
        return true;
    text_printf(error, "no mode '%d': expected 0 to %d without graph", mode->number,
                algorithms - 1);
    return false;
}

/* Numbers along the axes of a window, of which there are two at least. */
static void add_window(DnnCall *call, const Case *c, const char *name, int neutral)
{
    int64_t numbers[DNN_AXES_MAX];
    int array[DNN_AXES_MAX], axes = dnn_window_axes(c);
    dnn_window_numbers(c, name, neutral, numbers);
    for (int axis = 0; axis < axes; axis++)
        array[axis] = (int)numbers[axis];
    dnn_add_array(call, array, axes);
}

static int add_convolution(DnnPlan *plan, const Case *c, const DnnMode *mode)
{
    int descriptor = dnn_new_descriptor(plan, &dnn_convolution_descriptor);
    DnnCall *call = dnn_add_call(plan, "cudnnSetConvolutionNdDescriptor");
    dnn_add(call, DNN_DESCRIPTOR, descriptor);
    dnn_add(call, DNN_INTEGER, dnn_window_axes(c));
    add_window(call, c, "pads_begin", 0);
    add_window(call, c, "stride", 1);
    add_window(call, c, "dilation", 1);
    dnn_add(call, DNN_INTEGER, CROSS_CORRELATION);
    dnn_add(call, DNN_INTEGER, dnn_sum_number(case_dtype(c)));
    call = dnn_add_call(plan, "cudnnSetConvolutionGroupCount");
    dnn_add(call, DNN_DESCRIPTOR, descriptor);
    dnn_add(call, DNN_INTEGER, (int)case_int(c, "groups"));
    call = dnn_add_call(plan, "cudnnSetConvolutionMathType");
    dnn_add(call, DNN_DESCRIPTOR, descriptor);
    dnn_add(call, DNN_INTEGER, mode->fma ? MATH_FMA : MATH_DEFAULT);
    return descriptor;
}

/* Asks for the workspace, and begins the call of the function, which takes the same descriptors in
 * the same order. */
static DnnCall *add_window_calls(DnnPlan *plan, const char *ask, const char *function,
                                 const int *descriptors, const int *operands, int convolution,
                                 int algorithm)
{
    DnnCall *call = dnn_add_call(plan, ask);
    dnn_add(call, DNN_HANDLE, 0);
    dnn_add(call, DNN_DESCRIPTOR, descriptors[0]);
    dnn_add(call, DNN_DESCRIPTOR, descriptors[1]);
    dnn_add(call, DNN_DESCRIPTOR, convolution);
    dnn_add(call, DNN_DESCRIPTOR, descriptors[2]);
    dnn_add(call, DNN_INTEGER, algorithm);
    dnn_add(call, DNN_NEEDED_BYTES, 0);
    call = dnn_add_call(plan, function);
    dnn_add(call, DNN_HANDLE, 0);
    dnn_add(call, DNN_ONE, 0);
    for (int i = 0; i < 2; i++) {
        dnn_add(call, DNN_DESCRIPTOR, descriptors[i]);
        dnn_add(call, DNN_OPERAND, operands[i]);
    }
    dnn_add(call, DNN_DESCRIPTOR, convolution);
    dnn_add(call, DNN_INTEGER, algorithm);
    dnn_add(call, DNN_WORKSPACE, 0);
    dnn_add(call, DNN_WORKSPACE_BYTES, 0);
    dnn_add(call, DNN_ZERO, 0);
    dnn_add(call, DNN_DESCRIPTOR, descriptors[2]);
    dnn_add(call, DNN_OPERAND, operands[2]);
    return call;
}

static int add_activation(DnnPlan *plan, int number)
{
    int descriptor = dnn_new_descriptor(plan, &dnn_activation_descriptor);
    DnnCall *call = dnn_add_call(plan, "cudnnSetActivationDescriptor");
    dnn_add(call, DNN_DESCRIPTOR, descriptor);
    dnn_add(call, DNN_INTEGER, number);
    dnn_add(call, DNN_INTEGER, PROPAGATE_NAN);
    dnn_add_real(call, 0);
    return descriptor;
}

/* cuDNN has an activation only in the call that adds a bias as well. */
static bool plan_forward(DnnPlan *plan, const Case *c, const Shapes *shapes, const DnnMode *mode)
{
    bool relu = strcmp(case_choice(c, "activation"), "relu") == 0;
    bool biased = strcmp(case_choice(c, "bias"), "yes") == 0;
    if (!relu && strcmp(case_choice(c, "activation"), "none") != 0)
        return false;
    if (relu && !biased)
        return false;
    int descriptors[] = {dnn_add_operand(plan, shapes, 0), dnn_add_filter(plan, shapes, 1),
                         dnn_add_operand(plan, shapes, 3)};
    int convolution = add_convolution(plan, c, mode);
    int bias = biased ? dnn_add_channels(plan, shapes, 2, 3) : 0;
    int activation = biased ? add_activation(plan, relu ? ACTIVATION_RELU : ACTIVATION_NONE) : 0;
    DnnCall *call = add_window_calls(
        plan, "cudnnGetConvolutionForwardWorkspaceSize",
        biased ? "cudnnConvolutionBiasActivationForward" : "cudnnConvolutionForward", descriptors,
        (const int[]){0, 1, 3}, convolution, mode->number);
    /* The call adds a further tensor beside the bias: y, with a factor of 0. */
    if (biased) {
        dnn_add(call, DNN_DESCRIPTOR, bias);
        dnn_add(call, DNN_OPERAND, 2);
        dnn_add(call, DNN_DESCRIPTOR, activation);
        dnn_add(call, DNN_DESCRIPTOR, descriptors[2]);
        dnn_add(call, DNN_OPERAND, 3);
    }
    return true;
}

static int gradient_algorithm(const DnnMode *mode)
{
    return mode->unordered ? GRADIENT_UNORDERED : GRADIENT_ALGORITHM;
}

/* Operands of the tool are dy, w, dx, and of the function w, dy, dx. */
static bool plan_data(DnnPlan *plan, const Case *c, const Shapes *shapes, const DnnMode *mode)
{
    int descriptors[] = {dnn_add_filter(plan, shapes, 1), dnn_add_operand(plan, shapes, 0),
                         dnn_add_operand(plan, shapes, 2)};
    (void)add_window_calls(plan, "cudnnGetConvolutionBackwardDataWorkspaceSize",
                           "cudnnConvolutionBackwardData", descriptors, (const int[]){1, 0, 2},
                           add_convolution(plan, c, mode), gradient_algorithm(mode));
    return true;
}

static bool plan_weights(DnnPlan *plan, const Case *c, const Shapes *shapes, const DnnMode *mode)
{
    int descriptors[] = {dnn_add_operand(plan, shapes, 0), dnn_add_operand(plan, shapes, 1),
                         dnn_add_filter(plan, shapes, 2)};
    (void)add_window_calls(plan, "cudnnGetConvolutionBackwardFilterWorkspaceSize",
                           "cudnnConvolutionBackwardFilter", descriptors, (const int[]){0, 1, 2},
                           add_convolution(plan, c, mode), gradient_algorithm(mode));
    return true;
}

/* A factor, and operands behind their descriptors; the last is the result, behind a factor of 0. */
static void add_transfer(DnnCall *call, const int *descriptors, const int *operands, int count)
{
    dnn_add(call, DNN_ONE, 0);
    for (int i = 0; i < count; i++) {
        if (i + 1 == count)
            dnn_add(call, DNN_ZERO, 0);
        dnn_add(call, DNN_DESCRIPTOR, descriptors[i]);
        dnn_add(call, DNN_OPERAND, operands[i]);
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
    if (number != POOL_MAX && strcmp(case_choice(c, "count_include_pad"), "yes") != 0)
        number = POOL_MEAN_WITHOUT_PADS;
    int pool = dnn_new_descriptor(plan, &dnn_pooling_descriptor);
    DnnCall *call = dnn_add_call(plan, "cudnnSetPoolingNdDescriptor");
    dnn_add(call, DNN_DESCRIPTOR, pool);
    dnn_add(call, DNN_INTEGER, number);
    dnn_add(call, DNN_INTEGER, PROPAGATE_NAN);
    dnn_add(call, DNN_INTEGER, dnn_window_axes(c));
    add_window(call, c, "kernel_size", 1);
    add_window(call, c, "pads_begin", 0);
    add_window(call, c, "stride", 1);
    return pool;
}

static bool plan_pool(DnnPlan *plan, const Case *c, const Shapes *shapes, int number)
{
    if (!is_plain_pool(c))
        return false;
    int descriptors[] = {dnn_add_operand(plan, shapes, 0), dnn_add_operand(plan, shapes, 1)};
    int pool = add_pool(plan, c, number);
    DnnCall *call = dnn_add_call(plan, "cudnnPoolingForward");
    dnn_add(call, DNN_HANDLE, 0);
    dnn_add(call, DNN_DESCRIPTOR, pool);
    add_transfer(call, descriptors, (const int[]){0, 1}, 2);
    return true;
}

/* The gradient of means has no use for y and x: dy and dx stand in their places.  That of greatest
 * elements needs y, which is computed in the workspace first. */
static bool plan_pool_gradient(DnnPlan *plan, const Case *c, const Shapes *shapes, int number)
{
    const Tensor *of_y = &shapes->tensor[0].layout;
    bool greatest = number == POOL_MAX;
    if (!is_plain_pool(c) ||
        tensor_count(of_y) * (int64_t)dtype_size(of_y->dtype) > DNN_WORKSPACE_SIZE)
        return false;
    int dy = dnn_add_operand(plan, shapes, 0), dx = dnn_add_operand(plan, shapes, 1);
    int pool = add_pool(plan, c, number);
    if (greatest) {
        DnnCall *forward = dnn_add_call(plan, "cudnnPoolingForward");
        dnn_add(forward, DNN_HANDLE, 0);
        dnn_add(forward, DNN_DESCRIPTOR, pool);
        add_transfer(forward, (const int[]){dx, dy}, (const int[]){1, 0}, 2);
        forward->arguments[forward->count - 1] = (DnnArgument){.kind = DNN_WORKSPACE};
    }
    DnnCall *call = dnn_add_call(plan, "cudnnPoolingBackward");
    dnn_add(call, DNN_HANDLE, 0);
    dnn_add(call, DNN_DESCRIPTOR, pool);
    dnn_add(call, DNN_ONE, 0);
    dnn_add(call, DNN_DESCRIPTOR, dy);
    dnn_add(call, greatest ? DNN_WORKSPACE : DNN_OPERAND, 0);
    dnn_add(call, DNN_DESCRIPTOR, dy);
    dnn_add(call, DNN_OPERAND, 0);
    dnn_add(call, DNN_DESCRIPTOR, dx);
    dnn_add(call, DNN_OPERAND, 1);
    dnn_add(call, DNN_ZERO, 0);
    dnn_add(call, DNN_DESCRIPTOR, dx);
    dnn_add(call, DNN_OPERAND, greatest ? 2 : 1);
    return true;
}

/* Describes rows along an axis: the axes before it become samples, the axis itself the channels. */
static int add_rows(DnnPlan *plan, const Case *c, const Tensor *layout)
{
    int extents[] = {1, 1, 1, 1}, chosen = (int)case_int(c, "axis");
    for (int axis = 0; axis < layout->rank; axis++)
        extents[axis < chosen ? 0 : axis == chosen ? 1 : 2] *= (int)layout->extent[axis];
    return dnn_add_tensor(plan, layout->dtype, extents, 4);
}

/* Forward from x to y; of the gradient y and dy, which are operands 1 and 0, to dx. */
static bool plan_softmax(DnnPlan *plan, const Case *c, const Shapes *shapes, int number,
                         bool gradient)
{
    int rows_of = add_rows(plan, c, &shapes->tensor[0].layout);
    const int descriptors[] = {rows_of, rows_of, rows_of};
    DnnCall *call = dnn_add_call(plan, gradient ? "cudnnSoftmaxBackward" : "cudnnSoftmaxForward");
    dnn_add(call, DNN_HANDLE, 0);
    dnn_add(call, DNN_INTEGER, number);
    dnn_add(call, DNN_INTEGER, SOFTMAX_BY_CHANNEL);
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
    int all = dnn_add_tensor(plan, layout->dtype, extents, 4),
        activation = add_activation(plan, number);
    DnnCall *call = dnn_add_call(plan, "cudnnActivationForward");
    dnn_add(call, DNN_HANDLE, 0);
    dnn_add(call, DNN_DESCRIPTOR, activation);
    add_transfer(call, (const int[]){all, all}, (const int[]){0, 1}, 2);
    return true;
}

enum { NORM_X, NORM_SCALE, NORM_BIAS, NORM_MEAN, NORM_VARIANCE, NORM_Y, NEW_MEAN, NEW_VARIANCE };

/* Begins the call of either normalisation with the arguments they share: x, y, and the tensors of
 * one number per channel. */
static DnnCall *begin_norm(DnnPlan *plan, const char *function, int number, int x, int channels)
{
    DnnCall *call = dnn_add_call(plan, function);
    dnn_add(call, DNN_HANDLE, 0);
    dnn_add(call, DNN_INTEGER, number);
    dnn_add(call, DNN_ONE, 0);
    dnn_add(call, DNN_ZERO, 0);
    dnn_add(call, DNN_DESCRIPTOR, x);
    dnn_add(call, DNN_OPERAND, NORM_X);
    dnn_add(call, DNN_DESCRIPTOR, x);
    dnn_add(call, DNN_OPERAND, NORM_Y);
    dnn_add(call, DNN_DESCRIPTOR, channels);
    dnn_add(call, DNN_OPERAND, NORM_SCALE);
    dnn_add(call, DNN_OPERAND, NORM_BIAS);
    return call;
}

static bool plan_norm(DnnPlan *plan, const Case *c, const Shapes *shapes, int number)
{
    int x = dnn_add_operand(plan, shapes, NORM_X),
        channels = dnn_add_channels(plan, shapes, NORM_SCALE, NORM_X);
    DnnCall *call =
        begin_norm(plan, "cudnnBatchNormalizationForwardInference", number, x, channels);
    dnn_add(call, DNN_OPERAND, NORM_MEAN);
    dnn_add(call, DNN_OPERAND, NORM_VARIANCE);
    dnn_add_real(call, case_scalar(c, "epsilon").re);
    return case_scalar(c, "epsilon").re >= 0;
}

/* Running statistics are updated where they are: copies of those that are given.  The variance is
 * that over n - 1. */
static bool plan_norm_training(DnnPlan *plan, const Case *c, const Shapes *shapes, int number)
{
    double epsilon = case_scalar(c, "epsilon").re;
    int x = dnn_add_operand(plan, shapes, NORM_X),
        channels = dnn_add_channels(plan, shapes, NORM_SCALE, NORM_X);
    for (int operand = NORM_MEAN; operand <= NORM_VARIANCE; operand++) {
        DnnCall *copy = dnn_add_call(plan, "cudnnTransformTensor");
        dnn_add(copy, DNN_HANDLE, 0);
        add_transfer(copy, (const int[]){channels, channels},
                     (const int[]){operand, operand - NORM_MEAN + NEW_MEAN}, 2);
    }
    DnnCall *call = begin_norm(plan, "cudnnBatchNormalizationForwardTraining", number, x, channels);
    dnn_add_real(call, 1 - case_scalar(c, "momentum").re);
    dnn_add(call, DNN_OPERAND, NEW_MEAN);
    dnn_add(call, DNN_OPERAND, NEW_VARIANCE);
    dnn_add_real(call, epsilon);
    dnn_add(call, DNN_NOTHING, 0);
    dnn_add(call, DNN_NOTHING, 0);
    return epsilon >= 0 && case_int(c, "correction") == 1;
}

/* Padding in front is that behind, but for what no window meets; nothing is empty or too large. */
static bool is_common(const Case *c, const Shapes *shapes)
{
    for (int i = 0; i < shapes->count; i++)
        if (!shapes->tensor[i].ignored && (tensor_is_empty(&shapes->tensor[i].layout) ||
                                           tensor_count(&shapes->tensor[i].layout) > 1 << 28))
            return false;
    if (!case_has(c, "kernel_size"))
        return true;
    const Shape *before = case_shape(c, "pads_begin"), *after = case_shape(c, "pads_end");
    for (int axis = 0; axis < before->rank; axis++)
        if (before->extent[axis] != after->extent[axis])
            return false;
    return true;
}

bool cudnn_plan(DnnPlan *plan, const Case *c, const Shapes *shapes, const DnnMode *mode)
{
    const DnnRow *row = cudnn_row(c->op);
    *plan = (DnnPlan){.wide = case_dtype(c) == DT_F64};
    if (!row || !is_common(c, shapes))
        return false;
    switch (row->kind) {
    case CALL_OF_CONV:
        return plan_forward(plan, c, shapes, mode);
    case CALL_OF_DATA:
        return plan_data(plan, c, shapes, mode);
    case CALL_OF_WEIGHTS:
        return plan_weights(plan, c, shapes, mode);
    case CALL_OF_POOL:
        return plan_pool(plan, c, shapes, row->number);
    case CALL_OF_POOL_GRADIENT:
        return plan_pool_gradient(plan, c, shapes, row->number);
    case CALL_OF_SOFTMAX:
    case CALL_OF_SOFTMAX_GRADIENT:
        return plan_softmax(plan, c, shapes, row->number, row->kind == CALL_OF_SOFTMAX_GRADIENT);
    case CALL_OF_ACTIVATION:
        return plan_activation(plan, shapes, row->number);
    case CALL_OF_NORM_TRAINING:
        return plan_norm_training(plan, c, shapes, row->number);
    default:
        return plan_norm(plan, c, shapes, row->number);
    }
}
