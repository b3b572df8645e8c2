/* cuDNN on the simulated device: pooling, softmax, activations and normalisation in binary64,
 * rounded once.  FAKECUDA=padded-max lets padding count as 0 in a greatest element, naive-softmax
 * lets exponentials overflow, dropped-pad divides gradients of means by the taps inside, lost-peak
 * keeps the gradient from a greatest element that is the last of its window, no-epsilon leaves it
 * out, and biased-variance keeps a running variance over n. */
#include <math.h>
#include <stdlib.h>

#include "dnn.h"

static double pool_window(const Descriptor *window, const Descriptor *x, const void *data,
                          int sample, int channel, const int *out)
{
    double result = window->mode == 0 ? -INFINITY : 0;
    int64_t taps = dnn_product(window->window, window->rank), inside = 0;
    for (int64_t number = 0; number < taps; number++) {
        int tap[3], at[3];
        dnn_indices(number, window->window, window->rank, tap);
        bool there = dnn_tap_place(window, out, tap, x->extent + 2, at);
        if (!there && !(window->mode == 0 && fake_fault("padded-max")))
            continue;
        double value =
            there ? dtype_load(dnn_type(x->type), data, dnn_place(x, sample, channel, at)) : 0;
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
    const Descriptor *px = dnn_valid(x), *py = dnn_valid(y), *pw = dnn_valid(window);
    const void *operands[] = {x_data, y_data};
    bool ready = dnn_begin(&call, handle, operands, 2);
    for (int64_t i = 0; ready && px && py && pw && i < dnn_product(py->extent, py->rank); i++) {
        int at[DNN_AXES];
        dnn_indices(i, py->extent, py->rank, at);
        dtype_store(dnn_type(py->type), y_data, dnn_place(py, at[0], at[1], at + 2),
                    pool_window(pw, px, x_data, at[0], at[1], at + 2));
    }
    return fake_end(&call) ? DNN_FAILED : 0;
}

EXPORT int cudnnSoftmaxForward(void *handle, int algorithm, int mode, const void *one, void *x,
                               const void *x_data, const void *zero, void *y, void *y_data)
{
    FakeCall call;
    const Descriptor *px = dnn_valid(x), *py = dnn_valid(y);
    const void *operands[] = {x_data, y_data};
    bool ready = dnn_begin(&call, handle, operands, 2) && px && py && mode == 1;
    int64_t inner = ready ? dnn_product(px->extent + 2, px->rank - 2) : 0;
    DType type = ready ? dnn_type(px->type) : DT_F32;
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
    return fake_end(&call) ? DNN_FAILED : 0;
}

/* The share of an output's gradient that a tap has: all of it where it is the first greatest. */
typedef struct Share {
    const Descriptor *window, *to;
    const void *x;
    double greatest, own;
    int64_t inside, taps;
    bool given;
} Share;

static double share_of(Share *share, int64_t place, bool last)
{
    if (share->window->mode == 1 && !fake_fault("dropped-pad"))
        return share->own / (double)share->taps;
    if (share->window->mode != 0)
        return share->own / (double)share->inside;
    double value = dtype_load(dnn_type(share->to->type), share->x, place);
    bool is_peak = value == share->greatest || (isnan(value) && isnan(share->greatest));
    if (!is_peak || share->given)
        return 0;
    share->given = true;
    return last && fake_fault("lost-peak") ? 0 : share->own;
}

EXPORT int cudnnPoolingBackward(void *handle, void *window, const void *one, void *y,
                                const void *y_data, void *dy, const void *dy_data, void *x,
                                const void *x_data, const void *zero, void *dx, void *dx_data)
{
    FakeCall call;
    const Descriptor *from = dnn_valid(dy), *to = dnn_valid(dx), *w = dnn_valid(window);
    const void *operands[] = {y_data, dy_data, x_data, dx_data};
    bool ready = dnn_begin(&call, handle, operands, 4) && from && to && w;
    int64_t count = ready ? dnn_product(to->extent, to->rank) : 0;
    int64_t taps = ready ? dnn_product(w->window, w->rank) : 0;
    double *sums = calloc((size_t)count + 1, sizeof *sums);
    for (int64_t i = 0; ready && i < dnn_product(from->extent, from->rank); i++) {
        int at[DNN_AXES], tap[3], in[3];
        Share share = {w,
                       to,
                       x_data,
                       dtype_load(dnn_type(from->type), y_data, i),
                       dtype_load(dnn_type(from->type), dy_data, i),
                       0,
                       taps,
                       false};
        dnn_indices(i, from->extent, from->rank, at);
        for (int64_t t = 0; t < taps; t++) {
            dnn_indices(t, w->window, w->rank, tap);
            share.inside += dnn_tap_place(w, at + 2, tap, to->extent + 2, in);
        }
        for (int64_t t = 0; t < taps; t++) {
            dnn_indices(t, w->window, w->rank, tap);
            if (dnn_tap_place(w, at + 2, tap, to->extent + 2, in)) {
                int64_t place = dnn_place(to, at[0], at[1], in);
                sums[place] += share_of(&share, place, t + 1 == taps);
            }
        }
    }
    for (int64_t i = 0; i < count; i++)
        dtype_store(dnn_type(to->type), dx_data, i, sums[i]);
    free(sums);
    return fake_end(&call) ? DNN_FAILED : 0;
}

EXPORT int cudnnSoftmaxBackward(void *handle, int algorithm, int mode, const void *one, void *y,
                                const void *y_data, void *dy, const void *dy_data, const void *zero,
                                void *dx, void *dx_data)
{
    FakeCall call;
    const Descriptor *d = dnn_valid(y);
    const void *operands[] = {y_data, dy_data, dx_data};
    bool ready = dnn_begin(&call, handle, operands, 3) && d && mode == 1;
    int64_t inner = ready ? dnn_product(d->extent + 2, d->rank - 2) : 0;
    DType type = ready ? dnn_type(d->type) : DT_F32;
    for (int64_t row = 0; ready && row < d->extent[0] * inner; row++) {
        int64_t base = row / inner * d->extent[1] * inner + row % inner;
        double sum = 0;
        for (int64_t at = base, c = 0; c < d->extent[1]; c++, at += inner)
            sum +=
                dtype_load(type, dy_data, at) * (algorithm == 2 ? 1 : dtype_load(type, y_data, at));
        for (int64_t at = base, c = 0; c < d->extent[1]; c++, at += inner) {
            double own = dtype_load(type, dy_data, at), value = dtype_load(type, y_data, at);
            dtype_store(type, dx_data, at,
                        algorithm == 2 ? own - exp(value) * sum : value * (own - sum));
        }
    }
    return fake_end(&call) ? DNN_FAILED : 0;
}

EXPORT int cudnnActivationForward(void *handle, void *activation, const void *one, void *x,
                                  const void *x_data, const void *zero, void *y, void *y_data)
{
    FakeCall call;
    const Descriptor *d = dnn_valid(x), *a = dnn_valid(activation);
    const void *operands[] = {x_data, y_data};
    bool ready = dnn_begin(&call, handle, operands, 2) && d && a && dnn_valid(y);
    for (int64_t i = 0; ready && i < dnn_product(d->extent, d->rank); i++) {
        double value = dtype_load(dnn_type(d->type), x_data, i);
        double relu = value < 0 && !fake_fault("no-relu") ? 0 : value;
        dtype_store(dnn_type(d->type), y_data, i,
                    a->mode == 0   ? 1 / (1 + exp(-value))
                    : a->mode == 1 ? relu
                                   : tanh(value));
    }
    return fake_end(&call) ? DNN_FAILED : 0;
}

EXPORT int cudnnBatchNormalizationForwardInference(void *handle, int mode, const void *one,
                                                   const void *zero, void *x, const void *x_data,
                                                   void *y, void *y_data, void *channels,
                                                   const void *scale, const void *bias,
                                                   const void *mean, const void *variance,
                                                   double epsilon)
{
    FakeCall call;
    const Descriptor *d = dnn_valid(x), *c = dnn_valid(channels);
    const void *operands[] = {x_data, y_data, scale, bias, mean, variance};
    bool ready = dnn_begin(&call, handle, operands, 6) && d && c && dnn_valid(y) && mode == 1 &&
                 c->extent[1] == d->extent[1];
    int64_t inner = ready ? dnn_product(d->extent + 2, d->rank - 2) : 1;
    double added = fake_fault("no-epsilon") ? 0 : epsilon;
    for (int64_t i = 0; ready && i < dnn_product(d->extent, d->rank); i++) {
        DType type = dnn_type(d->type);
        int64_t channel = i / inner % d->extent[1];
        double factor =
            dtype_load(type, scale, channel) / sqrt(dtype_load(type, variance, channel) + added);
        dtype_store(type, y_data, i,
                    (dtype_load(type, x_data, i) - dtype_load(type, mean, channel)) * factor +
                        dtype_load(type, bias, channel));
    }
    return fake_end(&call) ? DNN_FAILED : 0;
}

EXPORT int cudnnTransformTensor(void *handle, const void *one, void *x, const void *x_data,
                                const void *zero, void *y, void *y_data)
{
    FakeCall call;
    const Descriptor *from = dnn_valid(x), *to = dnn_valid(y);
    const void *operands[] = {x_data, y_data};
    bool ready = dnn_begin(&call, handle, operands, 2) && from && to;
    for (int64_t i = 0; ready && i < dnn_product(from->extent, from->rank); i++)
        dtype_store(dnn_type(to->type), y_data, i, dtype_load(dnn_type(from->type), x_data, i));
    return fake_end(&call) ? DNN_FAILED : 0;
}

/* Mean, and sum of squares about it, of one channel. */
static void moments(const Descriptor *d, const void *x, int channel, double *mean, double *squares)
{
    int64_t inner = dnn_product(d->extent + 2, d->rank - 2), count = d->extent[0] * inner;
    *mean = *squares = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < count; i++) {
            int64_t at = (i / inner * d->extent[1] + channel) * inner + i % inner;
            double value = dtype_load(dnn_type(d->type), x, at);
            if (pass == 0)
                *mean += value;
            else
                *squares += (value - *mean) * (value - *mean);
        }
        if (pass == 0)
            *mean /= (double)count;
    }
}

EXPORT int cudnnBatchNormalizationForwardTraining(
    void *handle, int mode, const void *one, const void *zero, void *x, const void *x_data, void *y,
    void *y_data, void *channels, const void *scale, const void *bias, double factor, void *means,
    void *variances, double epsilon, void *saved_mean, void *saved_inverse)
{
    FakeCall call;
    const Descriptor *d = dnn_valid(x), *c = dnn_valid(channels);
    const void *operands[] = {x_data, y_data, scale, bias, means, variances};
    bool ready = dnn_begin(&call, handle, operands, 6) && d && c && dnn_valid(y) && mode == 1 &&
                 c->extent[1] == d->extent[1] && !saved_mean && !saved_inverse;
    int64_t inner = ready ? dnn_product(d->extent + 2, d->rank - 2) : 1;
    DType type = ready ? dnn_type(d->type) : DT_F32;
    for (int channel = 0; ready && channel < d->extent[1]; channel++) {
        int64_t count = d->extent[0] * inner;
        double mean, squares;
        moments(d, x_data, channel, &mean, &squares);
        for (int64_t i = 0; i < count; i++) {
            int64_t at = (i / inner * d->extent[1] + channel) * inner + i % inner;
            double centred = dtype_load(type, x_data, at) - mean;
            dtype_store(type, y_data, at,
                        centred / sqrt(squares / (double)count + epsilon) *
                                dtype_load(type, scale, channel) +
                            dtype_load(type, bias, channel));
        }
        double variance = squares / (double)(count - !fake_fault("biased-variance"));
        dtype_store(type, means, channel,
                    factor * mean + (1 - factor) * dtype_load(type, means, channel));
        dtype_store(type, variances, channel,
                    factor * variance + (1 - factor) * dtype_load(type, variances, channel));
    }
    return fake_end(&call) ? DNN_FAILED : 0;
}
