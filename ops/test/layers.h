/* Operators of networks as they stand in books, each operation done twice: with 300 bits, which the
 * values of the references must agree with, and rounded to the element type, which the oracle must
 * leave alone. */
#ifndef OPS_TEST_LAYERS_H
#define OPS_TEST_LAYERS_H

#include <math.h>
#include <string.h>

#include "number.h"
#include "ops/backend/promise.h"
#include "ops/nn/nn.h"
#include "ops/nn/nn_einsum.h"
#include "oracle/judge.h"
#include "params.h"
#include "reference/random.h"
#include "tests/check.h"
#include "tests/check_admission.h"

enum { ELEMENTS_MAX = 512, CASES = 25, DRAWS = 3000 };

/* A case with its values, and the results that were computed for its first output, and those for
 * the next one where there are any. */
typedef struct Problem {
    Case c;
    Shapes shapes;
    double *values[OP_TENSORS_MAX];
    Number *elements[OP_TENSORS_MAX][ELEMENTS_MAX]; /* those that were used */
    Number *results[ELEMENTS_MAX], *next[ELEMENTS_MAX];
} Problem;

/* A parameter of the case, and the first extent of one that is a shape. */
static int64_t of(const Problem *p, const char *name)
{
    return case_int(&p->c, name);
}

static int64_t along(const Problem *p, const char *name)
{
    return case_shape(&p->c, name)->extent[0];
}

static Number *in(Problem *p, int operand, int64_t i)
{
    Number **element = &p->elements[operand][i];
    if (!*element)
        *element = number(p->values[operand][i]);
    return *element;
}

static int64_t count_of(const Problem *p, int operand)
{
    return tensor_count(&p->shapes.tensor[operand].layout);
}

static int64_t columns_of(const Problem *p)
{
    const Tensor *x = &p->shapes.tensor[0].layout;
    return x->extent[x->rank - 1];
}

static Number *sum_of(Problem *p, int64_t first, int64_t count, bool squares)
{
    Number *sum = number(0);
    for (int64_t i = 0; i < count; i++)
        sum =
            add(sum, squares ? mul(in(p, 0, first + i), in(p, 0, first + i)) : in(p, 0, first + i));
    return sum;
}

static Number *mean_of(Problem *p, int64_t first, int64_t count)
{
    return quotient(sum_of(p, first, count, false), number((double)count));
}

static Number *variance_of(Problem *p, int64_t first, int64_t count, double divisor)
{
    Number *mean = mean_of(p, first, count), *sum = number(0);
    for (int64_t i = 0; i < count; i++) {
        Number *d = sub(in(p, 0, first + i), mean);
        sum = add(sum, mul(d, d));
    }
    return quotient(sum, number(divisor));
}

static void of_sum(Problem *p)
{
    p->results[0] = sum_of(p, 0, count_of(p, 0), false);
}

static void of_mean(Problem *p)
{
    p->results[0] = mean_of(p, 0, count_of(p, 0));
}

static void of_product(Problem *p)
{
    p->results[0] = number(1);
    for (int64_t i = 0; i < count_of(p, 0); i++)
        p->results[0] = mul(p->results[0], in(p, 0, i));
}

static void of_squares(Problem *p)
{
    p->results[0] = sum_of(p, 0, count_of(p, 0), true);
}

static void of_norm_2(Problem *p)
{
    p->results[0] = root(sum_of(p, 0, count_of(p, 0), true));
}

static void of_variance(Problem *p)
{
    p->results[0] =
        variance_of(p, 0, count_of(p, 0), (double)(count_of(p, 0) - of(p, "correction")));
}

static void of_deviation(Problem *p)
{
    of_variance(p);
    p->results[0] = root(p->results[0]);
}

static void of_norm(Problem *p)
{
    Number *order = number(case_scalar(&p->c, "ord").re), *sum = number(0);
    for (int64_t i = 0; i < count_of(p, 0); i++)
        sum = add(sum, order->plain == 0 ? number(in(p, 0, i)->plain != 0)
                                         : power(size_of(in(p, 0, i)), order));
    p->results[0] = order->plain == 0 ? sum : power(sum, quotient(number(1), order));
}

/* The greatest, as a constant: results do not depend on what is subtracted. */
static Number *top_of(Problem *p, int64_t first, int64_t count)
{
    Number *top = in(p, 0, first);
    for (int64_t i = 1; i < count; i++)
        top = greater(top, in(p, 0, first + i));
    return number(top->plain);
}

static Number *exponentials(Problem *p, int64_t first, int64_t count, Number *top)
{
    Number *sum = number(0);
    for (int64_t i = 0; i < count; i++)
        sum = add(sum, exponential(sub(in(p, 0, first + i), top)));
    return sum;
}

static void of_log_sum_exp(Problem *p)
{
    Number *top = top_of(p, 0, count_of(p, 0));
    p->results[0] = add(top, logarithm(exponentials(p, 0, count_of(p, 0), top)));
}

static void of_softmax(Problem *p)
{
    int64_t columns = columns_of(p);
    bool log = !strcmp(p->c.op->name, "log_softmax");
    for (int64_t first = 0; first < count_of(p, 0); first += columns) {
        Number *top = top_of(p, first, columns), *sum = exponentials(p, first, columns, top);
        for (int64_t i = first; i < first + columns; i++) {
            Number *d = sub(in(p, 0, i), top);
            p->results[i] = log ? sub(d, logarithm(sum)) : quotient(exponential(d), sum);
        }
    }
}

static void of_layer_norm(Problem *p)
{
    int64_t columns = columns_of(p);
    bool rms = !strcmp(p->c.op->name, "rms_norm");
    for (int64_t first = 0; first < count_of(p, 0); first += columns) {
        Number *mean = rms ? number(0) : mean_of(p, first, columns);
        Number *spread = rms ? quotient(sum_of(p, first, columns, true), number((double)columns))
                             : variance_of(p, first, columns, (double)columns);
        Number *r =
            quotient(number(1), root(add(spread, number(case_scalar(&p->c, "epsilon").re))));
        for (int64_t k = 0; k < columns; k++) {
            Number *unit = mul(sub(in(p, 0, first + k), mean), r);
            Number *scaled = mul(unit, in(p, 1, k));
            p->results[first + k] = rms ? scaled : add(scaled, in(p, 2, k));
        }
    }
}

/* Over all axes: the axes are what simplify leaves. */
static void of_mean_variance(Problem *p)
{
    int64_t count = count_of(p, 0);
    Number *mean = mean_of(p, 0, count);
    Number *spread = root(variance_of(p, 0, count, (double)count));
    for (int64_t i = 0; i < count; i++)
        p->results[i] = quotient(sub(in(p, 0, i), mean), spread);
}

static void of_local_response(Problem *p)
{
    const Tensor *x = &p->shapes.tensor[0].layout;
    int64_t channels = x->extent[1], pixels = x->stride[1], size = of(p, "size");
    for (int64_t i = 0; i < count_of(p, 0); i++) {
        int64_t first = i / pixels % channels - (size - 1) / 2;
        Number *squares = number(0);
        for (int64_t c = first < 0 ? 0 : first; c < first + size && c < channels; c++) {
            Number *other = in(p, 0, i + (c - i / pixels % channels) * pixels);
            squares = add(squares, mul(other, other));
        }
        Number *mean =
            quotient(mul(number(case_scalar(&p->c, "alpha").re), squares), number((double)size));
        Number *base = add(number(case_scalar(&p->c, "k").re), mean);
        p->results[i] = quotient(in(p, 0, i), power(base, number(case_scalar(&p->c, "beta").re)));
    }
}

static Number *activated(const Problem *p, Number *sum)
{
    Number *six = number(6);
    if (of(p, "activation") == NN_NO_ACTIVATION)
        return sum;
    sum = greater(sum, number(0));
    return of(p, "activation") == NN_RELU6 && greater(sum, six) == sum ? six : sum;
}

static void of_matmul(Problem *p)
{
    int64_t m = of(p, "m"), n = of(p, "n"), depth = of(p, "k");
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            Number *sum = number(0);
            for (int64_t k = 0; k < depth; k++)
                sum = add(sum, mul(in(p, 0, i * depth + k), in(p, 1, k * n + j)));
            p->results[i * n + j] = activated(p, sum);
        }
}

static void of_conv(Problem *p)
{
    int64_t size = along(p, "input_size"), taps = along(p, "kernel_size");
    int64_t stride = along(p, "stride"), gap = along(p, "dilation"), pad = along(p, "pads_begin");
    int64_t channels = of(p, "in_channels_per_group"), groups = of(p, "groups");
    int64_t own = of(p, "out_channels_per_group"), outputs = own * groups;
    int64_t out = p->shapes.tensor[3].layout.extent[2];
    for (int64_t i = 0; i < count_of(p, 3); i++) {
        int64_t at = i % out, k = i / out % outputs, sample = i / out / outputs;
        Number *sum = number(0);
        for (int64_t c = 0; c < channels; c++)
            for (int64_t tap = 0; tap < taps; tap++) {
                int64_t x = at * stride - pad + tap * gap, channel = k / own * channels + c;
                if (x >= 0 && x < size)
                    sum = add(sum, mul(in(p, 0, (sample * channels * groups + channel) * size + x),
                                       in(p, 1, (k * channels + c) * taps + tap)));
            }
        p->results[i] = activated(p, of(p, "bias") ? add(sum, in(p, 2, k)) : sum);
    }
}

static void of_mean_pool(Problem *p)
{
    int64_t size = along(p, "input_size"), out = p->shapes.tensor[1].layout.extent[2];
    int64_t begin = along(p, "pads_begin"), end = along(p, "pads_end");
    for (int64_t i = 0; i < count_of(p, 1); i++) {
        Number *sum = number(0);
        int64_t inside = 0, places = 0;
        for (int64_t tap = 0; tap < along(p, "kernel_size"); tap++) {
            int64_t x = i % out * along(p, "stride") - begin + tap * along(p, "dilation");
            places += x < size + end;
            if (x < 0 || x >= size)
                continue;
            sum = add(sum, in(p, 0, i / out * size + x));
            inside++;
        }
        p->results[i] =
            quotient(sum, number((double)(of(p, "count_include_pad") ? places : inside)));
    }
}

static void of_cross_entropy(Problem *p)
{
    int64_t classes = of(p, "num_classes");
    Number *sum = number(0), *weights = number(0);
    for (int64_t i = 0; i < of(p, "batch"); i++) {
        int64_t class;
        memcpy(&class, &p->values[1][i], sizeof class);
        Number *top = top_of(p, i * classes, classes);
        Number *log = logarithm(exponentials(p, i * classes, classes, top));
        Number *loss = sub(log, sub(in(p, 0, i * classes + class), top));
        Number *weight = of(p, "weights") ? in(p, 2, class) : number(1);
        sum = add(sum, mul(weight, loss));
        weights = add(weights, weight);
    }
    p->results[0] = of(p, "reduction") ? sum : quotient(sum, weights);
}

static void put_loss(Problem *p, Number *sum)
{
    p->results[0] = of(p, "reduction") ? sum : quotient(sum, number((double)count_of(p, 0)));
}

static void of_squared_loss(Problem *p)
{
    Number *sum = number(0);
    for (int64_t i = 0; i < count_of(p, 0); i++) {
        Number *d = sub(in(p, 0, i), in(p, 1, i));
        sum = add(sum, mul(d, d));
    }
    put_loss(p, sum);
}

static Number *given(Problem *p, const char *name)
{
    return number(case_scalar(&p->c, name).re);
}

static void of_poisson_loss(Problem *p)
{
    Number *sum = number(0);
    for (int64_t i = 0; i < count_of(p, 0); i++) {
        sum = add(sum, sub(exponential(in(p, 0, i)), mul(in(p, 1, i), in(p, 0, i))));
    }
    put_loss(p, sum);
}

static void of_gaussian_loss(Problem *p)
{
    double given_var = case_scalar(&p->c, "var").re;
    Number *sum = number(0), *var = number(given_var < 1e-6 ? 1e-6 : given_var);
    for (int64_t i = 0; i < count_of(p, 0); i++) {
        Number *d = sub(in(p, 0, i), in(p, 1, i));
        sum = add(sum, quotient(add(logarithm(var), quotient(mul(d, d), var)), number(2)));
    }
    put_loss(p, sum);
}

static void of_sum_and_product(Problem *p)
{
    for (int64_t i = 0; i < count_of(p, 0); i++)
        p->results[i] = add(in(p, 0, i), mul(mul(given(p, "value"), in(p, 1, i)), in(p, 2, i)));
}

static void of_sum_and_quotient(Problem *p)
{
    for (int64_t i = 0; i < count_of(p, 0); i++)
        p->results[i] =
            add(in(p, 0, i), quotient(mul(given(p, "value"), in(p, 1, i)), in(p, 2, i)));
}

static void of_blend(Problem *p)
{
    for (int64_t i = 0; i < count_of(p, 0); i++) {
        Number *a = in(p, 0, i), *apart = sub(in(p, 1, i), a);
        p->results[i] = add(a, mul(given(p, "value"), apart));
    }
}

static void of_distances(Problem *p)
{
    int64_t columns = case_int(&p->c, "columns"), depth = case_int(&p->c, "steps");
    for (int64_t i = 0; i < case_int(&p->c, "rows") * columns; i++) {
        Number *sum = number(0);
        for (int64_t k = 0; k < depth; k++) {
            Number *d = sub(in(p, 0, i / columns * depth + k), in(p, 1, i % columns * depth + k));
            sum = add(sum, mul(d, d));
        }
        p->results[i] = root(sum);
    }
}

static void of_logits_loss(Problem *p)
{
    Number *sum = number(0);
    for (int64_t i = 0; i < count_of(p, 0); i++) {
        Number *x = in(p, 0, i), *t = in(p, 1, i);
        Number *tail = logarithm(add(number(1), exponential(sub(number(0), size_of(x)))));
        sum = add(sum, add(sub(greater(x, number(0)), mul(x, t)), tail));
    }
    put_loss(p, sum);
}

static void of_divergence(Problem *p)
{
    Number *sum = number(0);
    for (int64_t i = 0; i < count_of(p, 0); i++) {
        Number *t = in(p, 1, i);
        sum = add(sum, mul(t, sub(logarithm(t), in(p, 0, i))));
    }
    put_loss(p, sum);
}

/* Of one step and one direction without biases: x, w, r, bias, h0, c0. */
static Number *gate(Problem *p, int number_of_gate, int64_t sample, int64_t unit, Number **state)
{
    int64_t inputs = of(p, "input_size"), units = of(p, "hidden_size");
    int64_t row = number_of_gate * units + unit;
    Number *sum = number(0);
    for (int64_t i = 0; i < inputs; i++)
        sum = add(sum, mul(in(p, 0, sample * inputs + i), in(p, 1, row * inputs + i)));
    for (int64_t i = 0; i < units; i++)
        sum = add(sum, mul(state[sample * units + i], in(p, 2, row * units + i)));
    return sum;
}

static void put_state(Problem *p, Number **h)
{
    for (int64_t i = 0; i < of(p, "batch") * of(p, "hidden_size"); i++)
        h[i] = in(p, 4, i);
}

static void of_rnn(Problem *p)
{
    Number *h[ELEMENTS_MAX];
    int64_t units = of(p, "hidden_size");
    put_state(p, h);
    for (int64_t i = 0; i < of(p, "batch") * units; i++)
        p->results[i] = hyperbolic(gate(p, 0, i / units, i % units, h));
}

static void of_lstm(Problem *p)
{
    Number *h[ELEMENTS_MAX];
    int64_t units = of(p, "hidden_size");
    put_state(p, h);
    for (int64_t i = 0; i < of(p, "batch") * units; i++) {
        int64_t sample = i / units, unit = i % units;
        Number *new = hyperbolic(gate(p, 3, sample, unit, h));
        Number *kept = mul(logistic(gate(p, 2, sample, unit, h)), in(p, 5, i));
        Number *c = add(kept, mul(logistic(gate(p, 0, sample, unit, h)), new));
        p->results[i] = mul(logistic(gate(p, 1, sample, unit, h)), hyperbolic(c));
    }
}

static void of_gru(Problem *p)
{
    Number *h[ELEMENTS_MAX], *kept[ELEMENTS_MAX];
    int64_t units = of(p, "hidden_size");
    put_state(p, h);
    for (int64_t i = 0; i < of(p, "batch") * units; i++)
        kept[i] = mul(logistic(gate(p, 1, i / units, i % units, h)), h[i]);
    for (int64_t i = 0; i < of(p, "batch") * units; i++) {
        Number *z = logistic(gate(p, 0, i / units, i % units, h));
        Number *new = hyperbolic(gate(p, 2, i / units, i % units, kept));
        p->results[i] = add(mul(sub(number(1), z), new), mul(z, h[i]));
    }
}

/* Linear, half pixels: the two neighbours by their distances. */
static void of_interpolation(Problem *p)
{
    int64_t size = along(p, "input_size"), out = along(p, "output_size");
    Number *scale = quotient(number((double)size), number((double)out));
    for (int64_t i = 0; i < count_of(p, 1); i++) {
        Number *c = sub(mul(number((double)(i % out) + 0.5), scale), number(0.5));
        int64_t below = (int64_t)floor(c->plain), above = below + 1;
        Number *t = sub(c, number((double)below));
        below = below < 0 ? 0 : below >= size ? size - 1 : below;
        above = above < 0 ? 0 : above >= size ? size - 1 : above;
        p->results[i] = add(mul(sub(number(1), t), in(p, 0, i / out * size + below)),
                            mul(t, in(p, 0, i / out * size + above)));
    }
}

static void of_einsum(Problem *p)
{
    const Einsum *q = (const Einsum *)(const void *)p->c.params;
    int64_t strides[3][TENSOR_RANK_MAX] = {{0}};
    for (int operand = 0; operand < 3; operand++) {
        int labels[TENSOR_RANK_MAX + 1], count = einsum_labels(q, operand, labels);
        for (int i = 0; i < count; i++)
            strides[operand][labels[i]] += p->shapes.tensor[operand].layout.stride[i];
    }
    for (int64_t i = 0; i < count_of(p, 2); i++)
        p->results[i] = number(0);
    for (int64_t i = 0; i < shape_count(&q->label_extents); i++) {
        int64_t left = i, at[3] = {0};
        for (int label = (int)q->label_extents.rank - 1; label >= 0; label--) {
            int64_t index = left % q->label_extents.extent[label];
            left /= q->label_extents.extent[label];
            for (int operand = 0; operand < 3; operand++)
                at[operand] += index * strides[operand][label];
        }
        p->results[at[2]] = add(p->results[at[2]], mul(in(p, 0, at[0]), in(p, 1, at[1])));
    }
}

typedef struct Layer {
    const char *op;
    void (*compute)(Problem *problem);
} Layer;

#include "layers_attention.h"
#include "layers_places.h"
#include "layers_sparse.h"

static const Layer layers[] = {
    {"sum", of_sum},
    {"mean", of_mean},
    {"prod", of_product},
    {"sum_squares", of_squares},
    {"norm2", of_norm_2},
    {"var", of_variance},
    {"std", of_deviation},
    {"norm", of_norm},
    {"logsumexp", of_log_sum_exp},
    {"softmax", of_softmax},
    {"log_softmax", of_softmax},
    {"layer_norm", of_layer_norm},
    {"rms_norm", of_layer_norm},
    {"local_response_norm", of_local_response},
    {"mean_variance_norm", of_mean_variance},
    {"matmul", of_matmul},
    {"conv1d", of_conv},
    {"avg_pool1d", of_mean_pool},
    {"attention", of_attention},
    {"masked_attention", of_attention},
    {"cross_entropy", of_cross_entropy},
    {"mse_loss", of_squared_loss},
    {"poisson_nll_loss", of_poisson_loss},
    {"gaussian_nll_loss", of_gaussian_loss},
    {"addcmul", of_sum_and_product},
    {"addcdiv", of_sum_and_quotient},
    {"lerp", of_blend},
    {"cdist", of_distances},
    {"bce_with_logits", of_logits_loss},
    {"kl_div", of_divergence},
    {"rnn", of_rnn},
    {"lstm", of_lstm},
    {"gru", of_gru},
    {"interpolate1d", of_interpolation},
    {"einsum", of_einsum},
    {"rotary_embedding", of_rotary},
    {"affine_grid", of_affine_grid},
    {"sparse_matmul", of_masked_product},
    {"sampled_matmul", of_masked_product},
    {"sparse_product", of_masked_pair},
    {"sparse_add", of_masked_sum},
    {"sparse_mul", of_masked_elements},
    {"sparse_gemm", of_masked_gemm},
    {"entries_to_dense", of_entries},
    {"entries_matmul", of_entries},
    {"matmul_nbits", of_nbits},
    {"corrcoef", of_correlations},
    {"embedding_bag_offsets", of_bags},
    {"segment_sum", of_segments},
    {"segment_mean", of_segments},
    {"segment_prod", of_segments},
    {"relu_linear_backward", of_activated},
    {"gelu_linear_backward", of_activated},
};

/* Parameters that the functions above leave out, of an operator or of its gradient. */
static void simplify(Case *c)
{
    if (case_has(c, "batch_shape"))
        *param_shape(case_param(c, "batch_shape"), c->params) = (Shape){0};
    if (case_has(c, "direction")) {
        put(c, "seq_length", 1);
        put(c, "direction", 0);
        put(c, "bias", 0);
        put(c, "linear_before_reset", 0);
    }
    simplify_places(c);
    put(c, "axes", 31);
    if (case_has(c, "axis"))
        put(c, "axis", case_shape(c, "shape")->rank - 1);
}

static bool prepare(Problem *p, Arena *arena, uint64_t *state)
{
    op_shape(p->c.op, p->c.params, &p->shapes);
    for (int i = 0; i < p->shapes.count; i++) {
        const TensorSpec *spec = &p->shapes.tensor[i];
        size_t count = (size_t)tensor_count(&spec->layout);
        if (count == 0 || count > ELEMENTS_MAX)
            return false;
        p->values[i] = arena_take_zeroed(arena, count, sizeof(double));
        for (size_t k = 0; k < count; k++) {
            double unit = random_unit(random_next(state));
            double value = spec->positive || !strcmp(p->c.op->name, "kl_div") ? unit : 4 * unit - 2;
            int64_t index = spec->index_below > 0
                                ? (int64_t)(random_next(state) % (uint64_t)spec->index_below)
                                : 0;
            p->values[i][k] = dtype_round(spec->layout.dtype == DT_BOOL ? DT_BOOL : dtype, value);
            if (spec->index_below > 0 && spec->layout.dtype == DT_U8)
                p->values[i][k] = (double)index;
            else if (spec->index_below > 0)
                memcpy(&p->values[i][k], &index, sizeof index);
        }
        if (spec->ascending && spec->index_below > 0)
            sort_whole(p->values[i], count);
    }
    return true;
}

static int first_output(const Problem *p)
{
    int i = 0;
    while (p->shapes.tensor[i].role == ROLE_IN)
        i++;
    return i;
}

/* The values as the type of the case has them, for the reference. */
static void put_tensors(const Problem *p, Tensor *tensors, Arena *arena)
{
    for (int i = 0; i < p->shapes.count; i++) {
        tensors[i] = p->shapes.tensor[i].layout;
        size_t count = (size_t)tensor_count(&tensors[i]);
        tensors[i].origin = arena_take_zeroed(arena, count + 1, sizeof(double));
        for (size_t k = 0; k < count; k++)
            if (tensors[i].dtype == DT_I64)
                memcpy((char *)tensors[i].origin + k * 8, &p->values[i][k], 8);
            else
                dtype_store(tensors[i].dtype, tensors[i].origin, (int64_t)k, p->values[i][k]);
    }
}

static void check_results(const Case *c, Number *const *results, const Ref *ref, Arena *arena)
{
    static const Promise promise = {.models = models_ieee, .readings = models_readings};
    BoundTable bounds = bound_table(ref, models_ieee, arena);
    double *got = arena_take(arena, ref->count, sizeof *got);
    mpfr_t off;
    mpfr_init2(off, PRECISION);
    for (size_t i = 0; i < ref->count; i++) {
        got[i] = results[i]->plain;
        mpfr_sub_d(off, results[i]->exact, ref->high[i], MPFR_RNDN);
        mpfr_sub_d(off, off, ref->low[i], MPFR_RNDN);
        double distance = fabs(mpfr_get_d(off, MPFR_RNDA)), hard = bounds.bounds[i].hard;
        /* Values are good to far less than a bound that is less than they are. */
        double size = fabs(mpfr_get_d(results[i]->exact, MPFR_RNDN));
        bool known = ref->classes[i] == CLASS_FINITE && ref->match[i] == MATCH_BOUND &&
                     (size == 0 || hard <= size);
        CHECK(!known || ref->exponent != 0 || distance <= ref->error[i] + hard * 0x1p-6);
    }
    mpfr_clear(off);
    Judgement j = judge_output(ref, &promise, &check_admit_all, NULL, got, NULL, arena);
    if (verdict_is_finding(j.kind)) {
        Text line = {0};
        case_print(c, &line);
        printf("%s: %s, ratio %g\n", verdict_name(j.kind), text_string(&line), j.ratio);
        text_release(&line);
    }
    CHECK(!verdict_is_finding(j.kind));
}

#endif
