/* Source: the cuDNN documentation, "cudnn_ops Library" and "cudnn_cnn Library". */
#include "cudnn_parts.h"

#include <string.h>

enum { FORMAT_NCHW = 0 };

const DnnDescriptor dnn_tensor_descriptor = {
    "cudnnTensorDescriptor_t", "cudnnCreateTensorDescriptor", "cudnnDestroyTensorDescriptor"};
const DnnDescriptor dnn_filter_descriptor = {
    "cudnnFilterDescriptor_t", "cudnnCreateFilterDescriptor", "cudnnDestroyFilterDescriptor"};
const DnnDescriptor dnn_convolution_descriptor = {"cudnnConvolutionDescriptor_t",
                                                  "cudnnCreateConvolutionDescriptor",
                                                  "cudnnDestroyConvolutionDescriptor"};
const DnnDescriptor dnn_activation_descriptor = {"cudnnActivationDescriptor_t",
                                                 "cudnnCreateActivationDescriptor",
                                                 "cudnnDestroyActivationDescriptor"};
const DnnDescriptor dnn_pooling_descriptor = {
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
                                       "cudnnBatchNormalizationForwardTraining",
                                       "cudnnTransformTensor",
                                       NULL};

static int type_number(DType dtype)
{
    return dtype == DT_F64 ? 1 : dtype == DT_F16 ? 2 : dtype == DT_BF16 ? 9 : 0;
}

int dnn_sum_number(DType dtype)
{
    return dtype == DT_F64 ? 1 : 0;
}

int dnn_window_axes(const Case *c)
{
    int rank = case_shape(c, "kernel_size")->rank;
    return rank == 1 ? 2 : rank;
}

void dnn_window_numbers(const Case *c, const char *name, int64_t neutral, int64_t *numbers)
{
    const Shape *shape = case_shape(c, name);
    if (shape->rank == 1)
        *numbers++ = neutral;
    for (int axis = 0; axis < shape->rank; axis++)
        numbers[axis] = shape->extent[axis];
}

DnnCall *dnn_add_call(DnnPlan *plan, const char *function)
{
    DnnCall *call = &plan->calls[plan->count++];
    call->function = function;
    return call;
}

void dnn_add(DnnCall *call, DnnArgumentKind kind, int number)
{
    call->arguments[call->count++] = (DnnArgument){.kind = kind, .number = number};
}

void dnn_add_real(DnnCall *call, double real)
{
    call->arguments[call->count++] = (DnnArgument){.kind = DNN_REAL, .real = real};
}

void dnn_add_array(DnnCall *call, const int *array, int length)
{
    DnnArgument *argument = &call->arguments[call->count++];
    *argument = (DnnArgument){.kind = DNN_ARRAY, .number = length};
    memcpy(argument->array, array, (size_t)length * sizeof *array);
}

int dnn_new_descriptor(DnnPlan *plan, const DnnDescriptor *kind)
{
    plan->descriptors[plan->descriptor_count] = kind;
    dnn_add(dnn_add_call(plan, kind->create), DNN_NEW, plan->descriptor_count);
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

int dnn_add_tensor(DnnPlan *plan, DType dtype, const int *extents, int rank)
{
    int strides[DNN_AXES_MAX], descriptor;
    for (int axis = rank - 1, step = 1; axis >= 0; axis--) {
        strides[axis] = step;
        step *= extents[axis];
    }
    descriptor = dnn_new_descriptor(plan, &dnn_tensor_descriptor);
    DnnCall *call = dnn_add_call(plan, "cudnnSetTensorNdDescriptor");
    dnn_add(call, DNN_DESCRIPTOR, descriptor);
    dnn_add(call, DNN_INTEGER, type_number(dtype));
    dnn_add(call, DNN_INTEGER, rank);
    dnn_add_array(call, extents, rank);
    dnn_add_array(call, strides, rank);
    return descriptor;
}

int dnn_add_operand(DnnPlan *plan, const Shapes *shapes, int operand)
{
    int extents[DNN_AXES_MAX] = {0};
    const Tensor *layout = &shapes->tensor[operand].layout;
    int rank = extents_of(layout, extents);
    return dnn_add_tensor(plan, layout->dtype, extents, rank);
}

int dnn_add_filter(DnnPlan *plan, const Shapes *shapes, int operand)
{
    int extents[DNN_AXES_MAX];
    const Tensor *layout = &shapes->tensor[operand].layout;
    int rank = extents_of(layout, extents);
    int descriptor = dnn_new_descriptor(plan, &dnn_filter_descriptor);
    DnnCall *call = dnn_add_call(plan, "cudnnSetFilterNdDescriptor");
    dnn_add(call, DNN_DESCRIPTOR, descriptor);
    dnn_add(call, DNN_INTEGER, type_number(layout->dtype));
    dnn_add(call, DNN_INTEGER, FORMAT_NCHW);
    dnn_add(call, DNN_INTEGER, rank);
    dnn_add_array(call, extents, rank);
    return descriptor;
}

/* An operand with one element for each channel of another. */
int dnn_add_channels(DnnPlan *plan, const Shapes *shapes, int operand, int of)
{
    const Tensor *layout = &shapes->tensor[operand].layout;
    int extents[DNN_AXES_MAX] = {1, (int)layout->extent[0], 1, 1, 1};
    int rank = shapes->tensor[of].layout.rank;
    return dnn_add_tensor(plan, layout->dtype, extents, rank > 4 ? rank : 4);
}
