/* cuDNN on the simulated device: convolutions and their gradients, pooling and softmax in binary64,
 * rounded once.  FAKECUDA=last-channel leaves the last channel of a window out, tf32 rounds the
 * factors of every convolution, padded-max lets padding count as 0 in a greatest element, and
 * naive-softmax lets exponentials overflow, and no-relu does not activate. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fakecuda.h"
#include "reference/dtype.h"

#define EXPORT __attribute__((visibility("default")))
enum { MAGIC = 0x646e, AXES = 5, BAD_PARAMETER = 2000, UNSUPPORTED = 3000, FAILED = 5000 };

/* A descriptor of any kind: of a tensor or a filter its extents and strides, of a window its
 * padding, steps, dilation or extents. */
typedef struct Descriptor {
    int magic, type, rank, groups, mode;
    int extent[AXES], stride[AXES];
    int pad[AXES], step[AXES], dilation[AXES], window[AXES];
} Descriptor;

static Descriptor *valid(void *descriptor)
{
    Descriptor *d = descriptor;
    return d && d->magic == MAGIC ? d : NULL;
}

static int create(void **descriptor)
{
    Descriptor *made = calloc(1, sizeof *made);
    made->magic = MAGIC;
    made->groups = 1;
    *descriptor = made;
    return 0;
}

static int destroy(void *descriptor)
{
    if (!valid(descriptor))
        return BAD_PARAMETER;
    valid(descriptor)->magic = 0;
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
    return valid(handle) && stream ? 0 : BAD_PARAMETER;
}

EXPORT size_t cudnnGetVersion(void)
{
    return 90000;
}

EXPORT const char *cudnnGetErrorString(int status)
{
    return status == 0               ? "CUDNN_STATUS_SUCCESS"
           : status == 1001          ? "CUDNN_STATUS_NOT_INITIALIZED"
           : status == BAD_PARAMETER ? "CUDNN_STATUS_BAD_PARAM"
           : status == UNSUPPORTED   ? "CUDNN_STATUS_NOT_SUPPORTED"
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
    if (!valid(descriptor) || nan != 1)
        return BAD_PARAMETER;
    valid(descriptor)->mode = mode;
    return mode == 1 || mode == 5 ? 0 : UNSUPPORTED;
}

EXPORT int cudnnCreatePoolingDescriptor(void **made)
{
    return create(made);
}

EXPORT int cudnnDestroyPoolingDescriptor(void *descriptor)
{
    return destroy(descriptor);
}

static DType type_of(int number)
{
    return number == 1 ? DT_F64 : number == 2 ? DT_F16 : number == 9 ? DT_BF16 : DT_F32;
}

/* Two spatial axes at least, as the documentation demands of most functions. */
static int set_extents(void *descriptor, int type, int rank, const int *extents, const int *strides)
{
    Descriptor *d = valid(descriptor);
    if (!d || rank < 4 || rank > AXES)
        return BAD_PARAMETER;
    d->type = type;
    d->rank = rank;
    for (int axis = rank - 1, step = 1; axis >= 0; axis--) {
        if (extents[axis] < 1)
            return BAD_PARAMETER;
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
    return format == 0 ? set_extents(descriptor, type, rank, extents, NULL) : UNSUPPORTED;
}

EXPORT int cudnnSetConvolutionNdDescriptor(void *descriptor, int axes, const int *pad,
                                           const int *step, const int *dilation, int mode, int type)
{
    Descriptor *d = valid(descriptor);
    if (!d || axes < 2 || axes > 3 || mode != 1)
        return BAD_PARAMETER;
    d->rank = axes;
    d->type = type;
    memcpy(d->pad, pad, (size_t)axes * sizeof *pad);
    memcpy(d->step, step, (size_t)axes * sizeof *step);
    memcpy(d->dilation, dilation, (size_t)axes * sizeof *dilation);
    return 0;
}

EXPORT int cudnnSetConvolutionGroupCount(void *descriptor, int groups)
{
    if (!valid(descriptor) || groups < 1)
        return BAD_PARAMETER;
    valid(descriptor)->groups = groups;
    return 0;
}

EXPORT int cudnnSetConvolutionMathType(void *descriptor, int mode)
{
    if (!valid(descriptor))
        return BAD_PARAMETER;
    valid(descriptor)->mode = mode;
    return 0;
}

EXPORT int cudnnSetPoolingNdDescriptor(void *descriptor, int mode, int nan, int axes,
                                       const int *window, const int *pad, const int *step)
{
    Descriptor *d = valid(descriptor);
    if (!d || axes < 2 || axes > 3 || nan != 1)
        return BAD_PARAMETER;
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
    if (!valid(handle) || !valid(x) || !valid(w) || !valid(window) || !valid(y))
        return BAD_PARAMETER;
    return algorithm == 3 ? UNSUPPORTED : 0;
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
static void indices_of(int64_t number, const int *extents, int rank, int *indices)
{
    for (int axis = rank - 1; axis >= 0; axis--) {
        indices[axis] = (int)(number % extents[axis]);
        number /= extents[axis];
    }
}

static int64_t product(const int *extents, int rank)
{
    int64_t count = 1;
    for (int axis = 0; axis < rank; axis++)
        count *= extents[axis];
    return count;
}

static int64_t place(const Descriptor *d, int sample, int channel, const int *at)
{
    int64_t offset = (int64_t)sample * d->stride[0] + (int64_t)channel * d->stride[1];
    for (int axis = 2; axis < d->rank; axis++)
        offset += (int64_t)at[axis - 2] * d->stride[axis];
    return offset;
}

/* Where the tap of a window at an output lies in the input; false where that is padding. */
static bool tap_place(const Descriptor *window, const int *out, const int *tap, const int *extents,
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
} Convolution;

static void add_products(const Convolution *c, int sample, int out_channel, int channel,
                         int64_t output, int64_t tap_number)
{
    int out[3], tap[3], at[3], axes = c->window->rank;
    int group = out_channel / (c->y->extent[1] / c->window->groups);
    indices_of(output, c->y->extent + 2, axes, out);
    indices_of(tap_number, c->w->extent + 2, axes, tap);
    if (!tap_place(c->window, out, tap, c->x->extent + 2, at))
        return;
    const int64_t places[] = {place(c->x, sample, group * c->w->extent[1] + channel, at),
                              place(c->w, out_channel, channel, tap),
                              place(c->y, sample, out_channel, out)};
    double value = 1;
    for (int role = 0; role < 3; role++)
        if (role != c->output)
            value *= factor(type_of(c->x->type), c->data[role], places[role]);
    c->sums[places[c->output]] += value;
}

static int convolve(const Convolution *c, void *result)
{
    const Descriptor *of_role[] = {c->x, c->w, c->y}, *out = of_role[c->output];
    int64_t count = product(out->extent, out->rank),
            taps = product(c->w->extent + 2, c->w->rank - 2);
    int64_t outputs = product(c->y->extent + 2, c->y->rank - 2);
    int channels = c->w->extent[1] - (fake_fault("last-channel") && c->w->extent[1] > 1);
    Convolution with = *c;
    with.sums = calloc((size_t)count, sizeof(double));
    for (int sample = 0; sample < c->y->extent[0]; sample++)
        for (int o = 0; o < c->y->extent[1]; o++)
            for (int channel = 0; channel < channels; channel++)
                for (int64_t output = 0; output < outputs; output++)
                    for (int64_t tap = 0; tap < taps; tap++)
                        add_products(&with, sample, o, channel, output, tap);
    int64_t area = product(out->extent + 2, out->rank - 2);
    for (int64_t i = 0; i < count && c->bias; i++) {
        with.sums[i] += dtype_load(type_of(out->type), c->bias, i / area % out->extent[1]);
        if (c->relu && !fake_fault("no-relu") && with.sums[i] < 0)
            with.sums[i] = 0;
    }
    for (int64_t i = 0; i < count; i++)
        dtype_store(type_of(out->type), result, i,
                    (float)with.sums[i] == with.sums[i] || out->type == 1
                        ? with.sums[i]
                        : (double)(float)with.sums[i]);
    free(with.sums);
    return 0;
}

/* Between fake_begin_free and fake_end: all operands are the device's, nothing has failed. */
static bool begin(FakeCall *call, void *handle, const void *const *operands, int count)
{
    *call = fake_begin_free("dnn", false);
    for (int i = 0; i < count; i++)
        fake_operand(call, operands[i]);
    return valid(handle) && !fake_refused(call);
}

static int run_convolution(void *handle, Convolution *c, void *workspace)
{
    FakeCall call;
    const void *operands[] = {c->data[0], c->data[1], c->data[2], workspace};
    bool fits = c->x && c->w && c->y && c->window &&
                c->x->extent[1] == c->w->extent[1] * c->window->groups &&
                c->y->extent[1] == c->w->extent[0] && c->y->extent[0] == c->x->extent[0];
    bool ready = begin(&call, handle, operands, 4);
    if (ready && fits)
        (void)convolve(c, (void *)(uintptr_t)c->data[c->output]);
    int status = fake_end(&call);
    return !fits ? BAD_PARAMETER : status ? FAILED : 0;
}

EXPORT int cudnnConvolutionForward(void *handle, const void *one, void *x, const void *x_data,
                                   void *w, const void *w_data, void *window, int algorithm,
                                   void *workspace, size_t bytes, const void *zero, void *y,
                                   void *y_data)
{
    Convolution c = {valid(x), valid(w), valid(y), valid(window), {x_data, w_data, y_data},
                     2,        NULL};
    return run_convolution(handle, &c, workspace);
}

EXPORT int cudnnConvolutionBiasActivationForward(
    void *handle, const void *one, void *x, const void *x_data, void *w, const void *w_data,
    void *window, int algorithm, void *workspace, size_t bytes, const void *zero, void *z,
    const void *z_data, void *bias, const void *bias_data, void *activation, void *y, void *y_data)
{
    if (!valid(z) || !valid(bias) || !valid(activation) || !valid(y) ||
        valid(bias)->extent[1] != valid(y)->extent[1])
        return BAD_PARAMETER;
    /* Without a function only one algorithm, as the documentation says. */
    if (valid(activation)->mode == 5 && algorithm != 1)
        return UNSUPPORTED;
    Convolution c = {.x = valid(x),
                     .w = valid(w),
                     .y = valid(y),
                     .window = valid(window),
                     .data = {x_data, w_data, y_data},
                     .output = 2,
                     .bias = bias_data,
                     .relu = valid(activation)->mode == 1};
    return run_convolution(handle, &c, workspace);
}

EXPORT int cudnnConvolutionBackwardData(void *handle, const void *one, void *w, const void *w_data,
                                        void *dy, const void *dy_data, void *window, int algorithm,
                                        void *workspace, size_t bytes, const void *zero, void *dx,
                                        void *dx_data)
{
    Convolution c = {valid(dx), valid(w), valid(dy), valid(window), {dx_data, w_data, dy_data},
                     0,         NULL};
    return run_convolution(handle, &c, workspace);
}

EXPORT int cudnnConvolutionBackwardFilter(void *handle, const void *one, void *x,
                                          const void *x_data, void *dy, const void *dy_data,
                                          void *window, int algorithm, void *workspace,
                                          size_t bytes, const void *zero, void *dw, void *dw_data)
{
    Convolution c = {valid(x), valid(dw), valid(dy), valid(window), {x_data, dw_data, dy_data},
                     1,        NULL};
    return run_convolution(handle, &c, workspace);
}

static double pool_window(const Descriptor *window, const Descriptor *x, const void *data,
                          int sample, int channel, const int *out)
{
    double result = window->mode == 0 ? -INFINITY : 0;
    int64_t taps = product(window->window, window->rank), inside = 0;
    for (int64_t number = 0; number < taps; number++) {
        int tap[3], at[3];
        indices_of(number, window->window, window->rank, tap);
        bool there = tap_place(window, out, tap, x->extent + 2, at);
        if (!there && !(window->mode == 0 && fake_fault("padded-max")))
            continue;
        double value =
            there ? dtype_load(type_of(x->type), data, place(x, sample, channel, at)) : 0;
        inside++;
        if (window->mode != 0)
            result += value;
        else if (isnan(value) || (!isnan(result) && value > result))
            result = value;
    }
    return window->mode == 0 ? result : result / (double)(window->mode == 1 ? taps : inside);
}

EXPORT int cudnnPoolingForward(void *handle, void *window, const void *one, void *x,
                               const void *x_data, const void *zero, void *y, void *y_data)
{
    FakeCall call;
    const Descriptor *px = valid(x), *py = valid(y), *pw = valid(window);
    const void *operands[] = {x_data, y_data};
    bool ready = begin(&call, handle, operands, 2);
    for (int64_t i = 0; ready && px && py && pw && i < product(py->extent, py->rank); i++) {
        int at[AXES];
        indices_of(i, py->extent, py->rank, at);
        dtype_store(type_of(py->type), y_data, place(py, at[0], at[1], at + 2),
                    pool_window(pw, px, x_data, at[0], at[1], at + 2));
    }
    return fake_end(&call) ? FAILED : 0;
}

EXPORT int cudnnSoftmaxForward(void *handle, int algorithm, int mode, const void *one, void *x,
                               const void *x_data, const void *zero, void *y, void *y_data)
{
    FakeCall call;
    const Descriptor *px = valid(x), *py = valid(y);
    const void *operands[] = {x_data, y_data};
    bool ready = begin(&call, handle, operands, 2) && px && py && mode == 1;
    int64_t inner = ready ? product(px->extent + 2, px->rank - 2) : 0;
    DType type = ready ? type_of(px->type) : DT_F32;
    for (int64_t row = 0; ready && row < px->extent[0] * inner; row++) {
        int64_t base = row / inner * px->extent[1] * inner + row % inner;
        double largest = -INFINITY, sum = 0;
        for (int c = 0; c < px->extent[1]; c++)
            largest = fmax(largest, dtype_load(type, x_data, base + c * inner));
        if (fake_fault("naive-softmax"))
            largest = 0;
        for (int c = 0; c < px->extent[1]; c++)
            sum += fake_fault("naive-softmax")
                       ? (double)expf((float)dtype_load(type, x_data, base + c * inner))
                       : exp(dtype_load(type, x_data, base + c * inner) - largest);
        for (int c = 0; c < px->extent[1]; c++) {
            double shifted = dtype_load(type, x_data, base + c * inner) - largest;
            dtype_store(type, y_data, base + c * inner,
                        algorithm == 2 ? shifted - log(sum) : exp(shifted) / sum);
        }
    }
    return fake_end(&call) ? FAILED : 0;
}
