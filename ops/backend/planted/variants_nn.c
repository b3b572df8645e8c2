/* Correct kernels of vectors, reductions, normalisations, softmax, layers, convolutions and sums of
 * pairs, with their sums in the order of a variant: in the arithmetic of the element type, that of
 * binary32 for half precisions, and rounded once more to the type. */
#include <math.h>
#include <string.h>

#include "ops/nn/nn.h"
#include "ops/nn/nn_reduce.h"
#include "planted.h"

/* One call of such a kernel. */
typedef struct Work {
    const PlantedVariant *variant;
    const Operands *o;
    const Case *c;
    Tensor *in; /* dense operands */
    DType dtype;
    Arena *arena;
} Work;

static double in_type(const Work *w, double value)
{
    return dtype_round(w->dtype, value);
}

static double *take_numbers(const Work *w, int64_t count)
{
    return arena_take(w->arena, (size_t)count + 1, sizeof(double));
}

static double sum_of(const Work *w, const double *x, const double *y, int64_t count)
{
    return w->variant->sum(w->dtype, x, y, count);
}

static double plain_sum(const Work *w, const double *x, int64_t count)
{
    size_t used = w->arena->used;
    double *ones = take_numbers(w, count);
    for (int64_t i = 0; i < count; i++)
        ones[i] = 1;
    double sum = sum_of(w, x, ones, count);
    w->arena->used = used;
    return sum;
}

static void put_number(const Tensor *y, int64_t number, double value)
{
    dtype_store(y->dtype, y->origin, tensor_offset_of(y, number), value);
}

static bool any_nan(const double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (isnan(x[i]))
            return true;
    return false;
}

static double greatest_of(const double *x, int64_t count, bool magnitudes)
{
    double greatest = -INFINITY;
    for (int64_t i = 0; i < count; i++)
        greatest = fmax(greatest, magnitudes ? fabs(x[i]) : x[i]);
    return greatest;
}

/* What becomes of one row of numbers, which the function may change. */
typedef double ReduceRow(const Work *w, double *x, int64_t count);

static double row_sum(const Work *w, double *x, int64_t count)
{
    return plain_sum(w, x, count);
}

static double row_mean(const Work *w, double *x, int64_t count)
{
    return in_type(w, plain_sum(w, x, count) / (double)count);
}

static double row_squares(const Work *w, double *x, int64_t count)
{
    return sum_of(w, x, x, count);
}

/* The BLAS gives 0 where the increment is not positive. */
static double vector_magnitudes(const Work *w, double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        x[i] = fabs(x[i]);
    return case_int(w->c, "incx") > 0 ? plain_sum(w, x, count) : 0;
}

static double row_magnitudes(const Work *w, double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        x[i] = fabs(x[i]);
    return plain_sum(w, x, count);
}

/* Scaled by a power of two, so that no square overflows. */
static double row_norm(const Work *w, double *x, int64_t count)
{
    int exponent = 0;
    double greatest = greatest_of(x, count, true);
    if (any_nan(x, count))
        return NAN;
    if (count == 0 || greatest == 0 || isinf(greatest))
        return count == 0 ? 0 : greatest;
    (void)frexp(greatest, &exponent);
    for (int64_t i = 0; i < count; i++)
        x[i] = in_type(w, ldexp(x[i], -exponent));
    double root = in_type(w, sqrt(sum_of(w, x, x, count)));
    return in_type(w, ldexp(root, exponent));
}

static double row_variance(const Work *w, double *x, int64_t count)
{
    double mean = row_mean(w, x, count);
    for (int64_t i = 0; i < count; i++)
        x[i] = in_type(w, x[i] - mean);
    int64_t degrees = count - case_int(w->c, "correction");
    return in_type(w, sum_of(w, x, x, count) / (degrees > 0 ? (double)degrees : 0));
}

static double row_deviation(const Work *w, double *x, int64_t count)
{
    return in_type(w, sqrt(row_variance(w, x, count)));
}

/* exp(x - greatest) in the place of x; the sum is returned. */
static double exponentials(const Work *w, double *x, int64_t count, double greatest)
{
    for (int64_t i = 0; i < count; i++)
        x[i] = in_type(w, exp(in_type(w, x[i] - greatest)));
    return plain_sum(w, x, count);
}

static double row_log_sum_exp(const Work *w, double *x, int64_t count)
{
    double greatest = greatest_of(x, count, false);
    if (any_nan(x, count) || isinf(greatest))
        return any_nan(x, count) ? NAN : greatest;
    return in_type(w, greatest + in_type(w, log(exponentials(w, x, count, greatest))));
}

static void reduce(const Work *w, ReduceRow *row)
{
    int reduced = 0;
    const Tensor *y = &w->o->view[1];
    Tensor x = nn_reduced_last(&w->in[0], case_int(w->c, "axes"), &reduced);
    int64_t rows = tensor_count(y), count = 1;
    for (int axis = x.rank - reduced; axis < x.rank; axis++)
        count *= x.extent[axis];
    double *values = take_numbers(w, count);
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t k = 0; k < count; k++)
            values[k] = tensor_value(&x, r * count + k);
        put_number(y, r, row(w, values, count));
    }
}

/* A vector of the BLAS; its result is one number. */
static void reduce_vector(const Work *w, ReduceRow *row)
{
    int64_t count = w->in[0].extent[0];
    double *values = take_numbers(w, count);
    for (int64_t k = 0; k < count; k++)
        values[k] = tensor_value(&w->in[0], k);
    put_number(&w->o->view[1], 0, row(w, values, count));
}

static void compute_dot(const Work *w)
{
    int64_t count = w->in[0].extent[0];
    double *x = take_numbers(w, count), *y = take_numbers(w, count);
    for (int64_t k = 0; k < count; k++) {
        x[k] = tensor_value(&w->in[0], k);
        y[k] = tensor_value(&w->in[1], k);
    }
    put_number(&w->o->view[2], 0, sum_of(w, x, y, count));
}

/* Rows along one axis, each of which becomes another one. */
typedef void ChangeRow(const Work *w, double *x, int64_t count);

static void change_rows(const Work *w, ChangeRow *change)
{
    int axis = (int)case_int(w->c, "axis");
    Tensor x = nn_axis_last(&w->in[0], axis), y = nn_axis_last(&w->o->view[1], axis);
    int64_t count = x.extent[x.rank - 1], elements = tensor_count(&x);
    double *values = take_numbers(w, count);
    for (int64_t first = 0; first < elements; first += count) {
        for (int64_t k = 0; k < count; k++)
            values[k] = tensor_value(&x, first + k);
        change(w, values, count);
        for (int64_t k = 0; k < count; k++)
            put_number(&y, first + k, values[k]);
    }
}

static void row_softmax(const Work *w, double *x, int64_t count)
{
    double sum = exponentials(w, x, count, greatest_of(x, count, false));
    for (int64_t k = 0; k < count; k++)
        x[k] = in_type(w, x[k] / sum);
}

static void row_log_softmax(const Work *w, double *x, int64_t count)
{
    size_t used = w->arena->used;
    double *copy = take_numbers(w, count), greatest = greatest_of(x, count, false);
    memcpy(copy, x, (size_t)count * sizeof *x);
    double logarithm = in_type(w, log(exponentials(w, copy, count, greatest)));
    for (int64_t k = 0; k < count; k++)
        x[k] = in_type(w, in_type(w, x[k] - greatest) - logarithm);
    w->arena->used = used;
}

static void reverse(double *x, int64_t count)
{
    for (int64_t k = 0; k < count / 2; k++) {
        double kept = x[k];
        x[k] = x[count - 1 - k];
        x[count - 1 - k] = kept;
    }
}

/* Each prefix by itself. */
static void row_running(const Work *w, double *x, int64_t count)
{
    bool backwards = case_int(w->c, "reverse") != 0, exclusive = case_int(w->c, "exclusive") != 0;
    size_t used = w->arena->used;
    double *sums = take_numbers(w, count);
    if (backwards)
        reverse(x, count);
    for (int64_t k = 0; k < count; k++)
        sums[k] = plain_sum(w, x, exclusive ? k : k + 1);
    memcpy(x, sums, (size_t)count * sizeof *x);
    if (backwards)
        reverse(x, count);
    w->arena->used = used;
}

/* (x - mean) / sqrt(variance + epsilon) scale + bias; of rms_norm neither mean nor bias. */
static void normalise_rows(const Work *w, bool about_mean)
{
    const Tensor *x = &w->in[0], *scale = &w->in[1], *y = &w->o->view[about_mean ? 3 : 2];
    int64_t count = tensor_count(scale), elements = tensor_count(x);
    double epsilon = case_scalar(w->c, "epsilon").re, *values = take_numbers(w, count);
    for (int64_t first = 0; first < elements; first += count) {
        for (int64_t k = 0; k < count; k++)
            values[k] = tensor_value(x, first + k);
        double mean = about_mean ? row_mean(w, values, count) : 0;
        for (int64_t k = 0; k < count; k++)
            values[k] = in_type(w, values[k] - mean);
        double variance = in_type(w, sum_of(w, values, values, count) / (double)count);
        double root = in_type(w, sqrt(in_type(w, variance + epsilon)));
        for (int64_t k = 0; k < count; k++) {
            double value = in_type(w, in_type(w, values[k] / root) * tensor_value(scale, k));
            put_number(y, first + k,
                       about_mean ? in_type(w, value + tensor_value(&w->in[2], k)) : value);
        }
    }
}

static double activated(const Work *w, double value)
{
    const double six = 6;
    int64_t activation = case_int(w->c, "activation");
    if (activation == NN_NO_ACTIVATION || isnan(value))
        return value;
    value = fmax(value, 0);
    return activation == NN_RELU6 ? fmin(value, six) : value;
}

static double with_bias(const Work *w, double sum, int64_t channel)
{
    return case_int(w->c, "bias") ? in_type(w, sum + tensor_value(&w->in[2], channel)) : sum;
}

static void compute_linear(const Work *w)
{
    int64_t rows = w->in[0].extent[0], depth = w->in[0].extent[1], columns = w->in[1].extent[0];
    double *x = take_numbers(w, depth), *weights = take_numbers(w, depth);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            for (int64_t k = 0; k < depth; k++) {
                x[k] = tensor_value(&w->in[0], i * depth + k);
                weights[k] = tensor_value(&w->in[1], j * depth + k);
            }
            put_number(&w->o->view[3], i * columns + j,
                       activated(w, with_bias(w, sum_of(w, x, weights, depth), j)));
        }
}

/* Weights become numbers of binary32 first. */
static void compute_nbits(const Work *w)
{
    const Tensor *a = &w->in[0], *weights = &w->in[1], *scale = &w->in[2], *zero = &w->in[3];
    int64_t rows = a->extent[0], depth = a->extent[1], columns = weights->extent[0];
    int64_t blocks = scale->extent[1], block = case_int(w->c, "block_size");
    double middle = case_int(w->c, "bits") == 8 ? 128 : 8;
    bool given = case_int(w->c, "zero_points") != 0;
    double *x = take_numbers(w, depth), *y = take_numbers(w, depth);
    for (int64_t j = 0; j < columns; j++) {
        for (int64_t k = 0; k < depth; k++) {
            int64_t at = j * blocks + k / block;
            double from = given ? tensor_value(zero, at) : middle;
            y[k] = (float)((tensor_value(weights, j * depth + k) - from) * tensor_value(scale, at));
        }
        for (int64_t i = 0; i < rows; i++) {
            for (int64_t k = 0; k < depth; k++)
                x[k] = tensor_value(a, i * depth + k);
            put_number(&w->o->view[4], i * columns + j, sum_of(w, x, y, depth));
        }
    }
}

static void compute_sparse(const Work *w)
{
    const Tensor *mask = &w->in[0], *a = &w->in[1], *b = &w->in[2];
    int64_t rows = a->extent[0], depth = a->extent[1], columns = b->extent[1];
    double *x = take_numbers(w, depth), *y = take_numbers(w, depth);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            int64_t count = 0;
            for (int64_t k = 0; k < depth; k++) {
                if (tensor_value(mask, i * depth + k) == 0)
                    continue;
                x[count] = tensor_value(a, i * depth + k);
                y[count++] = tensor_value(b, k * columns + j);
            }
            put_number(&w->o->view[3], i * columns + j, sum_of(w, x, y, count));
        }
}

static Tensor operated(const Work *w, int operand, const char *operation)
{
    return case_int(w->c, operation) ? tensor_transposed(w->in[operand]) : w->in[operand];
}

/* Sums over what both factors store. */
static void compute_sparse_pair(const Work *w)
{
    Tensor mask_a = operated(w, 0, "ta"), a = operated(w, 1, "ta");
    Tensor mask_b = operated(w, 2, "tb"), b = operated(w, 3, "tb");
    int64_t rows = a.extent[0], depth = a.extent[1], columns = b.extent[1];
    double *x = take_numbers(w, depth), *y = take_numbers(w, depth);
    for (int64_t i = 0; i < rows * columns; i++) {
        int64_t count = 0;
        for (int64_t k = 0; k < depth; k++) {
            int64_t left = i / columns * depth + k, right = k * columns + i % columns;
            if (tensor_value(&mask_a, left) == 0 || tensor_value(&mask_b, right) == 0)
                continue;
            x[count] = tensor_value(&a, left);
            y[count++] = tensor_value(&b, right);
        }
        put_number(&w->o->view[4], i, sum_of(w, x, y, count));
    }
}

static void compute_entries(const Work *w)
{
    const Tensor *lines = &w->in[0], *places = &w->in[1], *values = &w->in[2], *b = &w->in[3];
    int64_t rows = case_int(w->c, "m"), columns = b->extent[1], entries = values->extent[0];
    double *x = take_numbers(w, entries), *y = take_numbers(w, entries);
    for (int64_t i = 0; i < rows * columns; i++) {
        int64_t count = 0;
        for (int64_t e = 0; e < entries; e++) {
            if ((int64_t)tensor_value(lines, e) != i / columns)
                continue;
            int64_t at = (int64_t)tensor_value(places, e) * columns + i % columns;
            x[count] = tensor_value(values, e);
            y[count++] = tensor_value(b, at);
        }
        put_number(&w->o->view[4], i, sum_of(w, x, y, count));
    }
}

/* The products of one result of a convolution over two axes; their number is returned. */
typedef struct Window {
    const Shape *stride, *dilation, *pads;
    int64_t group, sample, channel, row, column; /* of the result */
} Window;

static int64_t gather_window(const Work *w, const Window *at, double *x, double *weights)
{
    const Tensor *image = &w->in[0], *kernel = &w->in[1];
    int64_t channels = kernel->extent[1], count = 0;
    for (int64_t c = 0; c < channels; c++)
        for (int64_t i = 0; i < kernel->extent[2]; i++)
            for (int64_t j = 0; j < kernel->extent[3]; j++) {
                int64_t row = at->row * at->stride->extent[0] + i * at->dilation->extent[0] -
                              at->pads->extent[0];
                int64_t column = at->column * at->stride->extent[1] + j * at->dilation->extent[1] -
                                 at->pads->extent[1];
                if (row < 0 || column < 0 || row >= image->extent[2] || column >= image->extent[3])
                    continue;
                int64_t plane = at->sample * image->extent[1] + at->group * channels + c;
                x[count] = tensor_value(image, (plane * image->extent[2] + row) * image->extent[3] +
                                                   column);
                weights[count++] = tensor_value(
                    kernel,
                    ((at->channel * channels + c) * kernel->extent[2] + i) * kernel->extent[3] + j);
            }
    return count;
}

static void compute_conv(const Work *w)
{
    const Tensor *y = &w->o->view[3];
    int64_t of_group = case_int(w->c, "out_channels_per_group"), elements = tensor_count(y);
    int64_t products = tensor_count(&w->in[1]) / w->in[1].extent[0];
    double *x = take_numbers(w, products), *weights = take_numbers(w, products);
    Window at = {case_shape(w->c, "stride"),
                 case_shape(w->c, "dilation"),
                 case_shape(w->c, "pads_begin"),
                 0,
                 0,
                 0,
                 0,
                 0};
    for (int64_t number = 0; number < elements; number++) {
        int64_t rest = number;
        at.column = tensor_take_index(&rest, y->extent[3]);
        at.row = tensor_take_index(&rest, y->extent[2]);
        at.channel = tensor_take_index(&rest, y->extent[1]);
        at.sample = rest;
        at.group = at.channel / of_group;
        int64_t count = gather_window(w, &at, x, weights);
        put_number(y, number, activated(w, with_bias(w, sum_of(w, x, weights, count), at.channel)));
    }
}

/* The two numbers of each pair as a row. */
static void reduce_pairs(const Work *w, ReduceRow *row)
{
    const Tensor *y = &w->o->view[2];
    Tensor a = nn_broadcast(&w->in[0], y), b = nn_broadcast(&w->in[1], y);
    int64_t elements = tensor_count(y);
    for (int64_t i = 0; i < elements; i++) {
        double pair[2] = {tensor_value(&a, i), tensor_value(&b, i)};
        bool infinite = isinf(pair[0]) || isinf(pair[1]);
        put_number(y, i, row == row_norm && infinite ? INFINITY : row(w, pair, 2));
    }
}

static void compute_hypot(const Work *w)
{
    reduce_pairs(w, row_norm);
}

static void compute_logaddexp(const Work *w)
{
    reduce_pairs(w, row_log_sum_exp);
}

static void compute_layer_norm(const Work *w)
{
    normalise_rows(w, true);
}

static void compute_rms_norm(const Work *w)
{
    normalise_rows(w, false);
}

/* One of the three ways of a kernel is not NULL; vectors are operands of the BLAS. */
static const struct Kernel {
    const char *op;
    ReduceRow *reduce;
    bool vector;
    ChangeRow *change;
    void (*compute)(const Work *w);
} kernels[] = {
    {"asum", vector_magnitudes, true, NULL, NULL},
    {"nrm2", row_norm, true, NULL, NULL},
    {"dot", NULL, true, NULL, compute_dot},
    {"sum", row_sum, false, NULL, NULL},
    {"mean", row_mean, false, NULL, NULL},
    {"sum_squares", row_squares, false, NULL, NULL},
    {"norm1", row_magnitudes, false, NULL, NULL},
    {"norm2", row_norm, false, NULL, NULL},
    {"var", row_variance, false, NULL, NULL},
    {"std", row_deviation, false, NULL, NULL},
    {"logsumexp", row_log_sum_exp, false, NULL, NULL},
    {"softmax", NULL, false, row_softmax, NULL},
    {"log_softmax", NULL, false, row_log_softmax, NULL},
    {"cumsum", NULL, false, row_running, NULL},
    {"layer_norm", NULL, false, NULL, compute_layer_norm},
    {"rms_norm", NULL, false, NULL, compute_rms_norm},
    {"linear", NULL, false, NULL, compute_linear},
    {"sparse_matmul", NULL, false, NULL, compute_sparse},
    {"sparse_product", NULL, false, NULL, compute_sparse_pair},
    {"entries_matmul", NULL, false, NULL, compute_entries},
    {"matmul_nbits", NULL, false, NULL, compute_nbits},
    {"conv2d", NULL, false, NULL, compute_conv},
    {"hypot", NULL, false, NULL, compute_hypot},
    {"logaddexp", NULL, false, NULL, compute_logaddexp},
};

static const struct Kernel *find_kernel(const OpDesc *op)
{
    for (size_t i = 0; i < COUNT_OF(kernels); i++)
        if (!strcmp(kernels[i].op, op->name))
            return &kernels[i];
    return NULL;
}

bool planted_nn_variant_offers(const OpDesc *op, DType dtype)
{
    return find_kernel(op) && dtype_components(dtype) == 1 && !dtype_is_integer(dtype);
}

void planted_compute_nn(const PlantedVariant *variant, const Operands *o, Arena *arena)
{
    const struct Kernel *kernel = find_kernel(o->source->op);
    Tensor in[OP_TENSORS_MAX];
    operands_dense(o, in, arena);
    const Work w = {variant, o, o->source, in, dtype_arithmetic(case_dtype(o->source)), arena};
    if (kernel->compute)
        kernel->compute(&w);
    else if (kernel->change)
        change_rows(&w, kernel->change);
    else if (kernel->vector)
        reduce_vector(&w, kernel->reduce);
    else
        reduce(&w, kernel->reduce);
}
