/* Faults of composite operators and of gradients. */
#include <math.h>
#include <string.h>

#include "ops/nn/nn.h"
#include "planted.h"

static int64_t *altered(PlantedCall *call, const char *name)
{
    return param_integer(case_param(&call->altered, name), call->altered.params);
}

static const Tensor *operand(const PlantedCall *call, int i)
{
    return &call->operands->view[i];
}

/* A window of even size has a channel more. */
static void prepare_window(PlantedCall *call)
{
    *altered(call, "size") |= 1;
}

static void store(const Tensor *y, int64_t i, double value)
{
    dtype_store(y->dtype, y->origin, i, value);
}

/* Fault: elements that are kept are not divided by their probability. */
static void finish_dropout(PlantedCall *call)
{
    enum { X, Y, MASK };
    bool is_real = dtype_components(operand(call, X)->dtype) == 1;
    for (int64_t i = 0; is_real && i < tensor_count(operand(call, X)); i++)
        if (tensor_value(operand(call, MASK), i) != 0)
            store(operand(call, Y), i, tensor_value(operand(call, X), i));
}

/* Fault: no element is kept, which agrees with the mask but not with the probability. */
static void finish_keep(PlantedCall *call)
{
    enum { X, Y, MASK };
    bool is_real = dtype_components(operand(call, X)->dtype) == 1;
    bool is_training = *altered(call, "training") != 0;
    for (int64_t i = 0; is_real && is_training && i < tensor_count(operand(call, X)); i++) {
        store(operand(call, Y), i, 0);
        store(operand(call, MASK), i, 0);
    }
}

/* Only the first of the terms that a repeated element has. */
static void finish_broadcast(PlantedCall *call)
{
    enum { DY, A, B, DA };
    const Tensor *dy = operand(call, DY), *da = operand(call, DA);
    Tensor b = nn_broadcast(operand(call, B), dy), place = nn_broadcast(da, dy);
    for (int64_t i = tensor_count(dy) - 1; i >= 0; i--)
        store(da, tensor_offset_of(&place, i), tensor_value(dy, i) * tensor_value(&b, i));
}

/* NaN loses every comparison. */
static void prepare_max(PlantedCall *call)
{
    const Tensor *x = &call->view[0];
    char *copy = planted_copy(call, 0);
    for (int64_t i = 0; i < tensor_count(x); i++)
        if (isnan(dtype_load(x->dtype, copy, i)))
            dtype_store(x->dtype, copy, i, dtype_lowest(x->dtype));
}

/* Mean of squares minus square of the mean, where everything is reduced. */
static void finish_one_pass(PlantedCall *call)
{
    const Tensor *x = operand(call, 0), *y = operand(call, 1);
    double sum = 0, squares = 0, n = (double)tensor_count(x);
    if (tensor_count(y) != 1)
        return;
    for (int64_t i = 0; i < tensor_count(x); i++) {
        double value = tensor_value(x, i);
        sum = dtype_round(x->dtype, sum + value);
        squares = dtype_round(x->dtype, squares + dtype_round(x->dtype, value * value));
    }
    double mean = dtype_round(x->dtype, sum / n);
    double difference = dtype_round(x->dtype, squares / n) - dtype_round(x->dtype, mean * mean);
    store(y, 0, difference * n / (n - (double)*altered(call, "correction")));
}

static double with_offset(const Tensor *t, int64_t at, DType wrong)
{
    double value = tensor_value(t, at);
    return t->dtype == wrong ? value + (wrong == DT_I8 ? 128 : -128) : value;
}

/* Pairs of products in 16 bits, as instructions for numbers without a sign by numbers with one add
 * them. */
static void finish_pairs(PlantedCall *call)
{
    enum { A, B, Y };
    const Tensor *a = operand(call, A), *b = operand(call, B), *y = operand(call, Y);
    int64_t depth = a->extent[1], columns = b->extent[1];
    for (int64_t i = 0; i < tensor_count(y); i++) {
        double value = tensor_value(y, i);
        for (int64_t k = 0; k + 1 < depth; k += 2) {
            double pair = 0;
            for (int64_t place = k; place < k + 2; place++)
                pair += with_offset(a, i / columns * depth + place, DT_I8) *
                        with_offset(b, place * columns + i % columns, DT_U8);
            value += fmin(fmax(pair, INT16_MIN), INT16_MAX) - pair;
        }
        store(y, i, value);
    }
}

/* 1 / (sqrt(variance) + epsilon). */
static void finish_epsilon(PlantedCall *call)
{
    enum { X, SCALE, BIAS, Y };
    double epsilon = case_scalar(&call->altered, "epsilon").re;
    const Tensor *x = operand(call, X), *y = operand(call, Y);
    int64_t elements = tensor_count(operand(call, SCALE));
    for (int64_t first = 0; first < tensor_count(x); first += elements) {
        double mean = 0, variance = 0;
        for (int64_t k = 0; k < elements; k++)
            mean += tensor_value(x, first + k) / (double)elements;
        for (int64_t k = 0; k < elements; k++)
            variance += pow(tensor_value(x, first + k) - mean, 2) / (double)elements;
        for (int64_t k = 0; k < elements; k++)
            store(y, first + k,
                  (tensor_value(x, first + k) - mean) / (sqrt(variance) + epsilon) *
                          tensor_value(operand(call, SCALE), k) +
                      tensor_value(operand(call, BIAS), k));
    }
}

/* Half pixels where corners are to be aligned. */
static void prepare_corners(PlantedCall *call)
{
    enum { HALF_PIXEL, ALIGN_CORNERS = 2 };
    int64_t *mode = altered(call, "coordinate_transformation_mode");
    if (*mode == ALIGN_CORNERS)
        *mode = HALF_PIXEL;
}

static void prepare_grid(PlantedCall *call)
{
    *altered(call, "align_corners") = 0;
}

/* Fault: of several updates of one element only the last one counts. */
static void finish_scatter(PlantedCall *call)
{
    enum { X, INDICES, UPDATES, Y };
    const Tensor *x = operand(call, X), *updates = operand(call, UPDATES), *y = operand(call, Y);
    int64_t axis = *altered(call, "axis"), inner = 1, along = updates->extent[axis];
    for (int i = (int)axis + 1; i < x->rank; i++)
        inner *= x->extent[i];
    for (int64_t i = 0; i < tensor_count(updates); i++) {
        int64_t at = (int64_t)tensor_value(operand(call, INDICES), i);
        int64_t to = (i / inner / along * x->extent[axis] + at) * inner + i % inner;
        store(y, to, tensor_value(x, to) + tensor_value(updates, i));
    }
}

/* Scores are not scaled. */
static void prepare_scale(PlantedCall *call)
{
    const Tensor *q = &call->view[0];
    char *copy = planted_copy(call, 0);
    for (int64_t i = 0; i < tensor_count(q); i++)
        dtype_store(q->dtype, copy, i,
                    dtype_load(q->dtype, copy, i) * sqrt((double)*altered(call, "head_size")));
}

static void prepare_causal(PlantedCall *call)
{
    *altered(call, "is_causal") = 0;
}

/* The input and the forget gate change places. */
static void prepare_gates(PlantedCall *call)
{
    enum { W = 1, GATES = 4, FORGET = 2 };
    const Tensor *w = &call->view[W];
    int64_t gate = w->extent[1] / GATES * w->extent[2];
    const char *from = w->origin;
    size_t bytes = (size_t)gate * dtype_size(w->dtype);
    char *copy = planted_copy(call, W);
    for (int64_t d = 0; d < w->extent[0]; d++) {
        size_t first = (size_t)d * GATES * bytes;
        memcpy(copy + first, from + first + FORGET * bytes, bytes);
        memcpy(copy + first + FORGET * bytes, from + first, bytes);
    }
}

static void prepare_zero_point(PlantedCall *call)
{
    *altered(call, "zero_point_a") = 0;
}

/* A weighted mean divides by the number of samples. */
static void finish_weights(PlantedCall *call)
{
    enum { TARGET = 1, WEIGHTS, LOSS };
    int64_t samples = *altered(call, "batch");
    double sum = 0;
    if (*altered(call, "reduction") != 0 || !*altered(call, "weights"))
        return;
    for (int64_t i = 0; i < samples; i++)
        sum +=
            tensor_value(operand(call, WEIGHTS), (int64_t)tensor_value(operand(call, TARGET), i));
    store(operand(call, LOSS), 0, tensor_value(operand(call, LOSS), 0) * sum / (double)samples);
}

static void prepare_side(PlantedCall *call)
{
    *altered(call, "side") = 0;
}

/* Windows at the border divide by all of their places. */
static void prepare_shares(PlantedCall *call)
{
    *altered(call, "count_include_pad") = 1;
}

/* The diagonal is read as a row. */
static void prepare_diagonal(PlantedCall *call)
{
    if (*altered(call, "diagonal_label") > 0)
        call->view[0].stride[call->view[0].rank - 1] = 0;
}

/* relu6 has no upper end. */
static void prepare_activation(PlantedCall *call)
{
    int64_t *activation = altered(call, "activation");
    if (*activation == NN_RELU6)
        *activation = NN_RELU;
}

/* The gradient of gelu is taken at its result. */
static void prepare_slope(PlantedCall *call)
{
    enum { Z = 2 };
    const Tensor *z = &call->view[Z];
    char *copy = planted_copy(call, Z);
    for (int64_t i = 0; i < tensor_count(z); i++) {
        double x = tensor_value(z, i);
        dtype_store(z->dtype, copy, i, x / 2 * (1 + erf(x * sqrt(0.5))));
    }
}

/* The sums of dz do without its last row. */
static void finish_bias_rows(PlantedCall *call)
{
    enum { DZ = 3, D_BIAS };
    const Tensor *dz = operand(call, DZ), *bias = operand(call, D_BIAS);
    int64_t columns = dz->extent[1], last = (dz->extent[0] - 1) * columns;
    for (int64_t j = 0; j < columns && last > 0; j++)
        store(bias, j, tensor_value(bias, j) - tensor_value(dz, last + j));
}

/* Fault: the argument is held above -18, as of a sigmoid of which only the last places of 1 count.
 */
static void finish_held_sigmoid(PlantedCall *call)
{
    enum { DY, X, DX };
    const double least = -18, slope = exp(least);
    const Tensor *x = operand(call, X), *dx = operand(call, DX);
    for (int64_t i = 0; i < tensor_count(x); i++)
        if (tensor_value(x, i) < least)
            store(dx, i, tensor_value(operand(call, DY), i) * slope);
}

const PlantedFault planted_layer_faults[] = {
    {"gelu-slope", "gelu_linear_backward", "always", prepare_slope, NULL},
    {"bias-rows", "relu_linear_backward", "two rows or more", NULL, finish_bias_rows},
    {"activation-end", "conv2d", "relu6 of large sums", prepare_activation, NULL},
    {"sigmoid-gradient-held", "sigmoid_backward", "arguments below -18", NULL, finish_held_sigmoid},
    {"dropout-scale", "dropout", "training", NULL, finish_dropout},
    {"dropout-none", "dropout", "training of many elements", NULL, finish_keep},
    {"broadcast-gradient", "mul_backward", "an operand that is repeated", NULL, finish_broadcast},
    {"max-nan", "amax", "NaN", prepare_max, NULL},
    {"pairs-in-16-bits", "matmul_integer", "sums of two large products", NULL, finish_pairs},
    {"var-one-pass", "var", "a mean that is large", NULL, finish_one_pass},
    {"epsilon-outside", "layer_norm", "small variance", NULL, finish_epsilon},
    {"align-corners", "interpolate2d", "aligned corners", prepare_corners, NULL},
    {"grid-corners", "grid_sample", "aligned corners", prepare_grid, NULL},
    {"scatter-last", "scatter_add", "an index that comes twice", NULL, finish_scatter},
    {"attention-scale", "attention", "two columns or more", prepare_scale, NULL},
    {"attention-causal", "attention", "a causal mask", prepare_causal, NULL},
    {"lstm-gates", "lstm", "weights of the input", prepare_gates, NULL},
    {"zero-point", "conv2d_integer", "a zero point of the input", prepare_zero_point, NULL},
    {"even-window", "local_response_norm", "windows of an even size", prepare_window, NULL},
    {"mean-weights", "cross_entropy", "weights", NULL, finish_weights},
    {"search-side", "searchsorted", "values that are there", prepare_side, NULL},
    {"pool-shares", "avg_pool2d_backward", "padding that is not to count", prepare_shares, NULL},
    {"einsum-diagonal", "einsum", "a label that comes twice", prepare_diagonal, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
