/* cuDNN on the simulated device: convolutions and their gradients, pooling and softmax in binary64,
 * rounded once.  FAKECUDA=last-channel leaves the last channel of a window out, tf32 rounds the
 * factors of every convolution, padded-max lets padding count as 0 in a greatest element, and
 * naive-softmax lets exponentials overflow, no-relu does not activate, and transforms errs as
 * Fourier transforms do. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dnn.h"

Descriptor *dnn_valid(void *descriptor)
{
    Descriptor *d = descriptor;
    return d && d->magic == DNN_MAGIC ? d : NULL;
}

static int create(void **descriptor)
{
    Descriptor *made = calloc(1, sizeof *made);
    made->magic = DNN_MAGIC;
    made->groups = 1;
    *descriptor = made;
    return 0;
}

static int destroy(void *descriptor)
{
    if (!dnn_valid(descriptor))
        return DNN_BAD_PARAMETER;
    dnn_valid(descriptor)->magic = 0;
    free(descriptor);
    return 0;
}

EXPORT int cudnnCreate(void **handle)
{
    return fake_fault("create") ? 1001 : create(handle);
}

EXPORT int cudnnDestroy(void *handle)
{
    return destroy(handle);
}

EXPORT int cudnnSetStream(void *handle, void *stream)
{
    return dnn_valid(handle) && stream ? 0 : DNN_BAD_PARAMETER;
}

EXPORT size_t cudnnGetVersion(void)
{
    return 90000;
}

EXPORT const char *cudnnGetErrorString(int status)
{
    return status == 0                   ? "CUDNN_STATUS_SUCCESS"
           : status == 1001              ? "CUDNN_STATUS_NOT_INITIALIZED"
           : status == DNN_BAD_PARAMETER ? "CUDNN_STATUS_BAD_PARAM"
           : status == DNN_UNSUPPORTED   ? "CUDNN_STATUS_NOT_SUPPORTED"
                                         : "CUDNN_STATUS_EXECUTION_FAILED";
}

EXPORT int cudnnCreateTensorDescriptor(void **made)
{
    return create(made);
}

EXPORT int cudnnDestroyTensorDescriptor(void *descriptor)
{
    return destroy(descriptor);
}

EXPORT int cudnnCreateFilterDescriptor(void **made)
{
    return create(made);
}

EXPORT int cudnnDestroyFilterDescriptor(void *descriptor)
{
    return destroy(descriptor);
}

EXPORT int cudnnCreateConvolutionDescriptor(void **made)
{
    return create(made);
}

EXPORT int cudnnDestroyConvolutionDescriptor(void *descriptor)
{
    return destroy(descriptor);
}

EXPORT int cudnnCreateActivationDescriptor(void **made)
{
    return create(made);
}

EXPORT int cudnnDestroyActivationDescriptor(void *descriptor)
{
    return destroy(descriptor);
}

EXPORT int cudnnSetActivationDescriptor(void *descriptor, int mode, int nan, double limit)
{
    if (!dnn_valid(descriptor) || nan != 1)
        return DNN_BAD_PARAMETER;
    dnn_valid(descriptor)->mode = mode;
    return mode >= 0 && mode <= 6 ? 0 : DNN_BAD_PARAMETER;
}

EXPORT int cudnnCreatePoolingDescriptor(void **made)
{
    return create(made);
}

EXPORT int cudnnDestroyPoolingDescriptor(void *descriptor)
{
    return destroy(descriptor);
}

DType dnn_type(int number)
{
    return number == 1 ? DT_F64 : number == 2 ? DT_F16 : number == 9 ? DT_BF16 : DT_F32;
}

/* Two spatial axes at least, as the documentation demands of most functions. */
static int set_extents(void *descriptor, int type, int rank, const int *extents, const int *strides)
{
    Descriptor *d = dnn_valid(descriptor);
    if (!d || rank < 4 || rank > DNN_AXES)
        return DNN_BAD_PARAMETER;
    d->type = type;
    d->rank = rank;
    for (int axis = rank - 1, step = 1; axis >= 0; axis--) {
        if (extents[axis] < 1)
            return DNN_BAD_PARAMETER;
        d->extent[axis] = extents[axis];
        d->stride[axis] = strides ? strides[axis] : step;
        step *= extents[axis];
    }
    return 0;
}

EXPORT int cudnnSetTensorNdDescriptor(void *descriptor, int type, int rank, const int *extents,
                                      const int *strides)
{
    return set_extents(descriptor, type, rank, extents, strides);
}

EXPORT int cudnnSetFilterNdDescriptor(void *descriptor, int type, int format, int rank,
                                      const int *extents)
{
    return format == 0 ? set_extents(descriptor, type, rank, extents, NULL) : DNN_UNSUPPORTED;
}

EXPORT int cudnnSetConvolutionNdDescriptor(void *descriptor, int axes, const int *pad,
                                           const int *step, const int *dilation, int mode, int type)
{
    Descriptor *d = dnn_valid(descriptor);
    if (!d || axes < 2 || axes > 3 || mode != 1)
        return DNN_BAD_PARAMETER;
    d->rank = axes;
    d->type = type;
    memcpy(d->pad, pad, (size_t)axes * sizeof *pad);
    memcpy(d->step, step, (size_t)axes * sizeof *step);
    memcpy(d->dilation, dilation, (size_t)axes * sizeof *dilation);
    return 0;
}

EXPORT int cudnnSetConvolutionGroupCount(void *descriptor, int groups)
{
    if (!dnn_valid(descriptor) || groups < 1)
        return DNN_BAD_PARAMETER;
    dnn_valid(descriptor)->groups = groups;
    return 0;
}

EXPORT int cudnnSetConvolutionMathType(void *descriptor, int mode)
{
    if (!dnn_valid(descriptor))
        return DNN_BAD_PARAMETER;
    dnn_valid(descriptor)->mode = mode;
    return 0;
}

EXPORT int cudnnSetPoolingNdDescriptor(void *descriptor, int mode, int nan, int axes,
                                       const int *window, const int *pad, const int *step)
{
    Descriptor *d = dnn_valid(descriptor);
    if (!d || axes < 2 || axes > 3 || nan != 1)
        return DNN_BAD_PARAMETER;
    d->rank = axes;
    d->mode = mode;
    for (int axis = 0; axis < axes; axis++) {
        d->window[axis] = window[axis];
        d->pad[axis] = pad[axis];
        d->step[axis] = step[axis];
        d->dilation[axis] = 1;
    }
    return 0;
}

EXPORT int cudnnGetConvolutionForwardWorkspaceSize(void *handle, void *x, void *w, void *window,
                                                   void *y, int algorithm, size_t *bytes)
{
    *bytes = 1024;
    if (!dnn_valid(handle) || !dnn_valid(x) || !dnn_valid(w) || !dnn_valid(window) || !dnn_valid(y))
        return DNN_BAD_PARAMETER;
    return algorithm == 3 ? DNN_UNSUPPORTED : 0;
}

EXPORT int cudnnGetConvolutionBackwardDataWorkspaceSize(void *handle, void *w, void *dy,
                                                        void *window, void *dx, int algorithm,
                                                        size_t *bytes)
{
    return cudnnGetConvolutionForwardWorkspaceSize(handle, dx, w, window, dy, algorithm, bytes);
}

EXPORT int cudnnGetConvolutionBackwardFilterWorkspaceSize(void *handle, void *x, void *dy,
                                                          void *window, void *dw, int algorithm,
                                                          size_t *bytes)
{
    return cudnnGetConvolutionForwardWorkspaceSize(handle, x, dw, window, dy, algorithm, bytes);
}

/* The innermost indices of a number under extents. */
void dnn_indices(int64_t number, const int *extents, int rank, int *indices)
{
    for (int axis = rank - 1; axis >= 0; axis--) {
        indices[axis] = (int)(number % extents[axis]);
        number /= extents[axis];
    }
}

int64_t dnn_product(const int *extents, int rank)
{
    int64_t count = 1;
    for (int axis = 0; axis < rank; axis++)
        count *= extents[axis];
    return count;
}

int64_t dnn_place(const Descriptor *d, int sample, int channel, const int *at)
{
    int64_t offset = (int64_t)sample * d->stride[0] + (int64_t)channel * d->stride[1];
    for (int axis = 2; axis < d->rank; axis++)
        offset += (int64_t)at[axis - 2] * d->stride[axis];
    return offset;
}

/* Where the tap of a window at an output lies in the input; false where that is padding. */
bool dnn_tap_place(const Descriptor *window, const int *out, const int *tap, const int *extents,
                   int *at)
{
    bool inside = true;
    for (int axis = 0; axis < window->rank; axis++) {
        at[axis] =
            out[axis] * window->step[axis] + tap[axis] * window->dilation[axis] - window->pad[axis];
        inside = inside && at[axis] >= 0 && at[axis] < extents[axis];
    }
    return inside;
}

static double factor(DType dtype, const void *data, int64_t at)
{
    double value = dtype_load(dtype, data, at);
    if (!fake_fault("tf32") || dtype != DT_F32 || value == 0 || !isfinite(value))
        return value;
    double quantum = ldexp(1, ilogb(value) - 10);
    return (float)(nearbyint(value / quantum) * quantum);
}

/* Adds each product of a convolution to the sum of the role that is its output: 0 x, 1 w, 2 y. */
typedef struct Convolution {
    const Descriptor *x, *w, *y, *window;
    const void *data[3];
    int output;
    double *sums;     /* of the output's elements */
    const void *bias; /* for each channel of y, or NULL */
    bool relu;
    bool unordered; /* sums in binary32, and every other time backwards */
} Convolution;

static void add_products(const Convolution *c, int sample, int out_channel, int channel,
                         int64_t output, int64_t tap_number)
{
    int out[3], tap[3], at[3], axes = c->window->rank;
    int group = out_channel / (c->y->extent[1] / c->window->groups);
    dnn_indices(output, c->y->extent + 2, axes, out);
    dnn_indices(tap_number, c->w->extent + 2, axes, tap);
    if (!dnn_tap_place(c->window, out, tap, c->x->extent + 2, at))
        return;
    const int64_t places[] = {dnn_place(c->x, sample, group * c->w->extent[1] + channel, at),
                              dnn_place(c->w, out_channel, channel, tap),
                              dnn_place(c->y, sample, out_channel, out)};
    double value = 1;
    for (int role = 0; role < 3; role++)
        if (role != c->output)
            value *= factor(dnn_type(c->x->type), c->data[role], places[role]);
    double *sum = &c->sums[places[c->output]];
    *sum = c->unordered && c->x->type != 1 ? (double)(float)(*sum + value) : *sum + value;
}

/* Off by a few units of the largest result of the sample and channel, as transforms are. */
static void shake(const Convolution *c, int64_t count)
{
    int64_t area = dnn_product(c->y->extent + 2, c->y->rank - 2);
    for (int64_t plane = 0; plane < count / area; plane++) {
        double largest = 0, *sums = c->sums + plane * area;
        for (int64_t i = 0; i < area; i++)
            largest = fmax(largest, fabs(sums[i]));
        for (int64_t i = 0; i < area && isfinite(largest); i++)
            sums[i] += ldexp(largest, c->y->type == 1 ? -51 : -22) * (double)(i % 3 - 1);
    }
}

static int convolve(const Convolution *c, void *result)
{
    const Descriptor *of_role[] = {c->x, c->w, c->y}, *out = of_role[c->output];
    int64_t count = dnn_product(out->extent, out->rank),
            taps = dnn_product(c->w->extent + 2, c->w->rank - 2);
    int64_t outputs = dnn_product(c->y->extent + 2, c->y->rank - 2);
    int channels = c->w->extent[1] - (fake_fault("last-channel") && c->w->extent[1] > 1);
    Convolution with = *c;
    with.sums = calloc((size_t)count, sizeof(double));
    static bool turn;
    turn = !turn;
    int samples = c->y->extent[0], all = c->y->extent[1];
    for (int i = 0; i < samples * all; i++) {
        int number = c->unordered && turn ? samples * all - 1 - i : i;
        for (int channel = 0; channel < channels; channel++)
            for (int64_t output = 0; output < outputs; output++)
                for (int64_t tap = 0; tap < taps; tap++)
                    add_products(&with, number / all, number % all, channel, output, tap);
    }
    int64_t area = dnn_product(out->extent + 2, out->rank - 2);
    if (fake_fault("transforms") && c->output == 2)
        shake(&with, count);
    for (int64_t i = 0; i < count && c->bias; i++) {
        with.sums[i] += dtype_load(dnn_type(out->type), c->bias, i / area % out->extent[1]);
        if (c->relu && !fake_fault("no-relu") && with.sums[i] < 0)
            with.sums[i] = 0;
    }
    for (int64_t i = 0; i < count; i++)
        dtype_store(dnn_type(out->type), result, i,
                    (float)with.sums[i] == with.sums[i] || out->type == 1
                        ? with.sums[i]
                        : (double)(float)with.sums[i]);
    free(with.sums);
    return 0;
}

/* Between fake_begin_free and fake_end: all operands are the device's, nothing has failed. */
bool dnn_begin(FakeCall *call, void *handle, const void *const *operands, int count)
{
    *call = fake_begin_free("dnn", false);
    for (int i = 0; i < count; i++)
        fake_operand(call, operands[i]);
    return dnn_valid(handle) && !fake_refused(call);
}

static int run_convolution(void *handle, Convolution *c, void *workspace)
{
    FakeCall call;
    const void *operands[] = {c->data[0], c->data[1], c->data[2], workspace};
    bool fits = c->x && c->w && c->y && c->window &&
                c->x->extent[1] == c->w->extent[1] * c->window->groups &&
                c->y->extent[1] == c->w->extent[0] && c->y->extent[0] == c->x->extent[0];
    bool ready = dnn_begin(&call, handle, operands, 4);
    if (ready && fits)
        (void)convolve(c, (void *)(uintptr_t)c->data[c->output]);
    int status = fake_end(&call);
    return !fits ? DNN_BAD_PARAMETER : status ? DNN_FAILED : 0;
}

EXPORT int cudnnConvolutionForward(void *handle, const void *one, void *x, const void *x_data,
                                   void *w, const void *w_data, void *window, int algorithm,
                                   void *workspace, size_t bytes, const void *zero, void *y,
                                   void *y_data)
{
    Convolution c = {
        dnn_valid(x), dnn_valid(w), dnn_valid(y), dnn_valid(window), {x_data, w_data, y_data}, 2,
        NULL};
    return run_convolution(handle, &c, workspace);
}

EXPORT int cudnnConvolutionBiasActivationForward(
    void *handle, const void *one, void *x, const void *x_data, void *w, const void *w_data,
    void *window, int algorithm, void *workspace, size_t bytes, const void *zero, void *z,
    const void *z_data, void *bias, const void *bias_data, void *activation, void *y, void *y_data)
{
    if (!dnn_valid(z) || !dnn_valid(bias) || !dnn_valid(activation) || !dnn_valid(y) ||
        dnn_valid(bias)->extent[1] != dnn_valid(y)->extent[1])
        return DNN_BAD_PARAMETER;
    /* Without a function only one algorithm, as the documentation says. */
    if (dnn_valid(activation)->mode == 5 && algorithm != 1)
        return DNN_UNSUPPORTED;
    Convolution c = {.x = dnn_valid(x),
                     .w = dnn_valid(w),
                     .y = dnn_valid(y),
                     .window = dnn_valid(window),
                     .data = {x_data, w_data, y_data},
                     .output = 2,
                     .bias = bias_data,
                     .relu = dnn_valid(activation)->mode == 1};
    return run_convolution(handle, &c, workspace);
}

EXPORT int cudnnConvolutionBackwardData(void *handle, const void *one, void *w, const void *w_data,
                                        void *dy, const void *dy_data, void *window, int algorithm,
                                        void *workspace, size_t bytes, const void *zero, void *dx,
                                        void *dx_data)
{
    Convolution c = {dnn_valid(dx),
                     dnn_valid(w),
                     dnn_valid(dy),
                     dnn_valid(window),
                     {dx_data, w_data, dy_data},
                     0,
                     NULL,
                     NULL,
                     false,
                     algorithm == 0};
    return run_convolution(handle, &c, workspace);
}

EXPORT int cudnnConvolutionBackwardFilter(void *handle, const void *one, void *x,
                                          const void *x_data, void *dy, const void *dy_data,
                                          void *window, int algorithm, void *workspace,
                                          size_t bytes, const void *zero, void *dw, void *dw_data)
{
    Convolution c = {dnn_valid(x),
                     dnn_valid(dw),
                     dnn_valid(dy),
                     dnn_valid(window),
                     {x_data, dw_data, dy_data},
                     1,
                     NULL,
                     NULL,
                     false,
                     algorithm == 0};
    return run_convolution(handle, &c, workspace);
}
