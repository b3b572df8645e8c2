/* A plug-in whose operators are known ones, with the formula as their whole analysis: the radii of
 * Wide numbers can be held against the bounds that opconform has for the same (ops/test/t_wide.c
 * does).
 *
 *     cc -O2 -shared -fPIC $(pkg-config --cflags opconform) -o formulas.so formulas.c -lm */
#include <math.h>

#include "opconform.h"

static long count_of(Call *call, const char *name)
{
    return (long)call_integer(call, name);
}

/* exp(x - greatest) of a row into w; their sum. */
static Wide exponentials(const Tensor *x, long first, long cols, Wide *w)
{
    for (long k = 0; k < cols; k++)
        w[k] = wide_at(x, first + k);
    Wide greatest = wide_greatest(w, cols);
    for (long k = 0; k < cols; k++)
        w[k] = wide_exp(wide_subtract(w[k], greatest));
    return wide_sum(w, cols);
}

static void softmax(Call *call)
{
    const Tensor *x = call_operand(call, "x"), *y = call_operand(call, "y");
    long cols = count_of(call, "cols");
    Wide *w = call_memory(call, (size_t)cols, sizeof *w);
    for (long first = 0; first < x->count; first += cols) {
        Wide sum = exponentials(x, first, cols, w);
        for (long k = 0; k < cols; k++)
            wide_put(y, first + k, wide_divide(w[k], sum));
    }
}

static void logsumexp(Call *call)
{
    const Tensor *x = call_operand(call, "x"), *y = call_operand(call, "y");
    long cols = count_of(call, "cols");
    Wide *w = call_memory(call, (size_t)cols, sizeof *w);
    for (long i = 0; i < y->count; i++) {
        Wide sum = exponentials(x, i * cols, cols, w);
        for (long k = 0; k < cols; k++)
            w[k] = wide_at(x, i * cols + k);
        wide_put(y, i, wide_add(wide_log(sum), wide_greatest(w, cols)));
    }
}

/* Mean and variance of a row, whose elements stand in w less the mean. */
static Wide centre(const Tensor *x, long first, long cols, Wide *w, Wide *squares)
{
    for (long k = 0; k < cols; k++)
        w[k] = wide_at(x, first + k);
    Wide mean = wide_mean(w, cols);
    for (long k = 0; k < cols; k++) {
        w[k] = wide_subtract(w[k], mean);
        squares[k] = wide_multiply(w[k], w[k]);
    }
    return wide_mean(squares, cols);
}

static void layer_norm(Call *call)
{
    const Tensor *x = call_operand(call, "x"), *y = call_operand(call, "y");
    const Tensor *scale = call_operand(call, "scale"), *bias = call_operand(call, "bias");
    long cols = count_of(call, "cols");
    Wide *w = call_memory(call, 2 * (size_t)cols, sizeof *w);
    for (long first = 0; first < x->count; first += cols) {
        Wide variance = centre(x, first, cols, w, w + cols);
        Wide root = wide_sqrt(wide_add(variance, wide_of(1e-5f)));
        for (long k = 0; k < cols; k++) {
            Wide quotient = wide_round(wide_divide(w[k], root), 1); /* or times 1 / root */
            wide_put(y, first + k,
                     wide_add(wide_multiply(quotient, wide_at(scale, k)), wide_at(bias, k)));
        }
    }
}

static void variance(Call *call)
{
    const Tensor *x = call_operand(call, "x"), *y = call_operand(call, "y");
    long cols = count_of(call, "cols");
    Wide *w = call_memory(call, 2 * (size_t)cols, sizeof *w);
    for (long i = 0; i < y->count; i++)
        wide_put(y, i, centre(x, i * cols, cols, w, w + cols));
}

static void mean(Call *call)
{
    const Tensor *x = call_operand(call, "x"), *y = call_operand(call, "y");
    long cols = count_of(call, "cols");
    Wide *w = call_memory(call, (size_t)cols, sizeof *w);
    for (long i = 0; i < y->count; i++) {
        for (long k = 0; k < cols; k++)
            w[k] = wide_at(x, i * cols + k);
        wide_put(y, i, wide_mean(w, cols));
    }
}

/* x/2 (1 + erf(x / sqrt 2)), where the quotient is a product with a rounded constant as well. */
static void gelu(Call *call)
{
    const Tensor *x = call_operand(call, "x"), *y = call_operand(call, "y");
    Wide root = wide_sqrt(wide_of(2));
    for (long i = 0; i < y->count; i++) {
        Wide at = wide_at(x, i), inside = wide_round(wide_divide(at, root), 1);
        Wide factor = wide_add(wide_of(1), wide_erf(inside));
        wide_put(y, i, wide_multiply(wide_multiply(wide_of(0.5), at), factor));
    }
}

static void sigmoid(Call *call)
{
    const Tensor *x = call_operand(call, "x"), *y = call_operand(call, "y");
    for (long i = 0; i < y->count; i++) {
        Wide power = wide_exp(wide_negate(wide_at(x, i)));
        wide_put(y, i, wide_divide(wide_of(1), wide_add(wide_of(1), power)));
    }
}

static void matmul(Call *call)
{
    const Tensor *a = call_operand(call, "a"), *b = call_operand(call, "b");
    const Tensor *y = call_operand(call, "y");
    long m = count_of(call, "m"), n = count_of(call, "n"), k = count_of(call, "k");
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++)
            wide_put(y, i * n + j, wide_dot(a, i * k, 1, b, j, n, k, 0));
}

static const opconform_param row_params[] = {{"rows", OPCONFORM_EXTENT, 1, 16, .help = "rows"},
                                             {"cols", OPCONFORM_EXTENT, 1, 256, .help = "columns"},
                                             {0}};
static const opconform_param element_params[] = {
    {"n", OPCONFORM_EXTENT, 1, 256, .help = "elements"}, {0}};
static const opconform_param product_params[] = {
    {"m", OPCONFORM_EXTENT, 1, 32, .help = "rows of a and y"},
    {"n", OPCONFORM_EXTENT, 1, 32, .help = "columns of b and y"},
    {"k", OPCONFORM_EXTENT, 1, 128, .help = "columns of a, rows of b"},
    {0}};

#define IN(operand, extents)                                                                       \
    {                                                                                              \
        .name = operand, .shape = extents                                                          \
    }
#define OUT(operand, extents)                                                                      \
    {                                                                                              \
        .name = operand, .shape = extents, .role = OPCONFORM_OUT                                   \
    }
static const opconform_operand_row rows_to_rows[] = {
    IN("x", "rows cols"), OUT("y", "rows cols"), {0}};
static const opconform_operand_row rows_to_numbers[] = {
    IN("x", "rows cols"), OUT("y", "rows"), {0}};
static const opconform_operand_row normalised[] = {
    IN("x", "rows cols"), IN("scale", "cols"), IN("bias", "cols"), OUT("y", "rows cols"), {0}};
static const opconform_operand_row elements[] = {IN("x", "n"), OUT("y", "n"), {0}};
static const opconform_operand_row product[] = {
    IN("a", "m k"), IN("b", "k n"), OUT("y", "m n"), {0}};

#define OPERATOR(op, about, of_params, of_operands, function)                                      \
    {                                                                                              \
        .name = op, .summary = about, .dtypes = OPCONFORM_FLOATS, .params = of_params,             \
        .operands = of_operands, .reference = function                                             \
    }
static const opconform_operator operators[] = {
    OPERATOR("wide_softmax", "softmax of rows", row_params, rows_to_rows, softmax),
    OPERATOR("wide_logsumexp", "logarithms of sums of exponentials", row_params, rows_to_numbers,
             logsumexp),
    OPERATOR("wide_layer_norm", "rows normalised", row_params, normalised, layer_norm),
    OPERATOR("wide_variance", "variances of rows", row_params, rows_to_numbers, variance),
    OPERATOR("wide_mean", "means of rows", row_params, rows_to_numbers, mean),
    OPERATOR("wide_gelu", "x/2 (1 + erf(x / sqrt 2))", element_params, elements, gelu),
    OPERATOR("wide_sigmoid", "1 / (1 + exp(-x))", element_params, elements, sigmoid),
    OPERATOR("wide_matmul", "product of matrices", product_params, product, matmul),
    {0}};

/* Kernels as one writes them: from the first to the last, and in eight sums at a time. */
#define KERNELS(T, letter, f)                                                                      \
    static T letter##_sum(const T *x, long count, int lanes)                                       \
    {                                                                                              \
        T sums[8] = {0}, sum = 0;                                                                  \
        for (long i = 0; i < count; i++)                                                           \
            sums[i % lanes] += x[i];                                                               \
        for (int i = lanes - 1; i >= 0; i--)                                                       \
            sum += sums[i];                                                                        \
        return sum;                                                                                \
    }                                                                                              \
    static T letter##_exponentials(const T *x, T *y, long cols, int lanes, T *greatest)            \
    {                                                                                              \
        *greatest = x[0];                                                                          \
        for (long k = 1; k < cols; k++)                                                            \
            *greatest = x[k] > *greatest ? x[k] : *greatest;                                       \
        for (long k = 0; k < cols; k++)                                                            \
            y[k] = exp##f(x[k] - *greatest);                                                       \
        return letter##_sum(y, cols, lanes);                                                       \
    }                                                                                              \
    static void letter##_softmax_by(const T *x, T *y, long rows, long cols, int lanes)             \
    {                                                                                              \
        T greatest;                                                                                \
        for (long i = 0; i < rows; i++, x += cols, y += cols) {                                    \
            T sum = letter##_exponentials(x, y, cols, lanes, &greatest);                           \
            for (long k = 0; k < cols; k++)                                                        \
                y[k] /= sum;                                                                       \
        }                                                                                          \
    }                                                                                              \
    static void letter##_logsumexp_by(const T *x, T *y, long rows, long cols, int lanes)           \
    {                                                                                              \
        T greatest, w[256];                                                                        \
        for (long i = 0; i < rows; i++, x += cols) {                                               \
            T sum = letter##_exponentials(x, w, cols, lanes, &greatest);                           \
            y[i] = log##f(sum) + greatest;                                                         \
        }                                                                                          \
    }                                                                                              \
    static T letter##_centre(const T *x, T *w, long cols, int lanes)                               \
    {                                                                                              \
        T mean = letter##_sum(x, cols, lanes) / (T)cols, squares[256];                             \
        for (long k = 0; k < cols; k++) {                                                          \
            w[k] = x[k] - mean;                                                                    \
            squares[k] = w[k] * w[k];                                                              \
        }                                                                                          \
        return letter##_sum(squares, cols, lanes) / (T)cols;                                       \
    }                                                                                              \
    static void letter##_layer_norm_by(const T *x, const T *scale, const T *bias, T *y, long rows, \
                                       long cols, int lanes)                                       \
    {                                                                                              \
        for (long i = 0; i < rows; i++, x += cols, y += cols) {                                    \
            T root = sqrt##f(letter##_centre(x, y, cols, lanes) + 1e-5f), factor = 1 / root;       \
            for (long k = 0; k < cols; k++)                                                        \
                y[k] = (lanes > 1 ? y[k] * factor : y[k] / root) * scale[k] + bias[k];             \
        }                                                                                          \
    }                                                                                              \
    static void letter##_variance_by(const T *x, T *y, long rows, long cols, int lanes)            \
    {                                                                                              \
        T w[256];                                                                                  \
        for (long i = 0; i < rows; i++)                                                            \
            y[i] = letter##_centre(x + i * cols, w, cols, lanes);                                  \
    }                                                                                              \
    static void letter##_mean_by(const T *x, T *y, long rows, long cols, int lanes)                \
    {                                                                                              \
        for (long i = 0; i < rows; i++)                                                            \
            y[i] = letter##_sum(x + i * cols, cols, lanes) / (T)cols;                              \
    }                                                                                              \
    static void letter##_gelu_by(const T *x, T *y, long n, int lanes)                              \
    {                                                                                              \
        for (long i = 0; i < n; i++)                                                               \
            y[i] = (T)0.5 * x[i] *                                                                 \
                   (1 + erf##f(lanes > 1 ? x[i] * (1 / sqrt##f(2)) : x[i] / sqrt##f(2)));          \
    }                                                                                              \
    static void letter##_sigmoid_by(const T *x, T *y, long n, int lanes)                           \
    {                                                                                              \
        (void)lanes;                                                                               \
        for (long i = 0; i < n; i++)                                                               \
            y[i] = 1 / (1 + exp##f(-x[i]));                                                        \
    }                                                                                              \
    static void letter##_matmul_by(const T *a, const T *b, T *y, long m, long n, long k,           \
                                   int lanes)                                                      \
    {                                                                                              \
        T terms[128];                                                                              \
        for (long i = 0; i < m * n; i++) {                                                         \
            for (long l = 0; l < k; l++)                                                           \
                terms[l] = a[i / n * k + l] * b[l * n + i % n];                                    \
            y[i] = letter##_sum(terms, k, lanes);                                                  \
        }                                                                                          \
    }
KERNELS(float, s, f)
KERNELS(double, d, )

#define ROWS(name, letter, T, way, lanes)                                                          \
    void letter##way##_##name(const T *x, T *y, long rows, long cols);                             \
    void letter##way##_##name(const T *x, T *y, long rows, long cols)                              \
    {                                                                                              \
        letter##_##name##_by(x, y, rows, cols, lanes);                                             \
    }
#define ELEMENTS(name, letter, T, way, lanes)                                                      \
    void letter##way##_##name(const T *x, T *y, long n);                                           \
    void letter##way##_##name(const T *x, T *y, long n)                                            \
    {                                                                                              \
        letter##_##name##_by(x, y, n, lanes);                                                      \
    }
#define FUNCTIONS(letter, T, way, lanes)                                                           \
    ROWS(softmax, letter, T, way, lanes)                                                           \
    ROWS(logsumexp, letter, T, way, lanes)                                                         \
    ROWS(variance, letter, T, way, lanes)                                                          \
    ROWS(mean, letter, T, way, lanes)                                                              \
    ELEMENTS(gelu, letter, T, way, lanes)                                                          \
    ELEMENTS(sigmoid, letter, T, way, lanes)                                                       \
    void letter##way##_layer_norm(const T *x, const T *scale, const T *bias, T *y, long rows,      \
                                  long cols);                                                      \
    void letter##way##_layer_norm(const T *x, const T *scale, const T *bias, T *y, long rows,      \
                                  long cols)                                                       \
    {                                                                                              \
        letter##_layer_norm_by(x, scale, bias, y, rows, cols, lanes);                              \
    }                                                                                              \
    void letter##way##_matmul(const T *a, const T *b, T *y, long m, long n, long k);               \
    void letter##way##_matmul(const T *a, const T *b, T *y, long m, long n, long k)                \
    {                                                                                              \
        letter##_matmul_by(a, b, y, m, n, k, lanes);                                               \
    }
FUNCTIONS(s, float, 1, 1)
FUNCTIONS(d, double, 1, 1)
FUNCTIONS(s, float, 8, 8)
FUNCTIONS(d, double, 8, 8)

#define TWO(variant, way, name, arguments)                                                         \
    {variant, "wide_" #name " | f32 | s" #way "_" #name "(" arguments ")",                         \
     (opconform_function *)s##way##_##name},                                                       \
    {                                                                                              \
        variant, "wide_" #name " | f64 | d" #way "_" #name "(" arguments ")",                      \
            (opconform_function *)d##way##_##name                                                  \
    }
#define ALL(variant, way)                                                                          \
    TWO(variant, way, softmax, "x, y, long rows, long cols"),                                      \
        TWO(variant, way, logsumexp, "x, y, long rows, long cols"),                                \
        TWO(variant, way, layer_norm, "x, scale, bias, y, long rows, long cols"),                  \
        TWO(variant, way, variance, "x, y, long rows, long cols"),                                 \
        TWO(variant, way, mean, "x, y, long rows, long cols"),                                     \
        TWO(variant, way, gelu, "x, y, long n"), TWO(variant, way, sigmoid, "x, y, long n"),       \
        TWO(variant, way, matmul, "a, b, y, long m, long n, long k")
static const opconform_kernel kernels[] = {ALL("", 1), ALL("lanes", 8), {0}};

OPCONFORM_PLUGIN = {OPCONFORM_HEAD, .name = "formulas", .version = "1", .operators = operators,
                    .kernels = kernels};
