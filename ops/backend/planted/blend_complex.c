/* Faults of formulas over elements and lines of complex numbers, and correct ways beside the
 * references' own: each operation rounded to the type of the parts. Those over trapezoids are of
 * real numbers as well. */
#include <math.h>

#include "ops/nn/nn_exact.h"
#include "ops/nn/nn_split.h"
#include "planted.h"
#include "reference/wide_complex.h"

/* Room for the numbers of one line. */
enum { LINE_MAX = 4096 };

static Scalar rounded(DType dtype, double re, double im)
{
    return (Scalar){dtype_round(dtype, re), dtype_round(dtype, im)};
}

static Scalar sum_of(DType dtype, Scalar a, Scalar b)
{
    return rounded(dtype, a.re + b.re, a.im + b.im);
}

static Scalar difference_of(DType dtype, Scalar a, Scalar b)
{
    return rounded(dtype, a.re - b.re, a.im - b.im);
}

static Scalar product_of(DType dtype, Scalar a, Scalar b)
{
    return rounded(dtype, dtype_round(dtype, a.re * b.re) - dtype_round(dtype, a.im * b.im),
                   dtype_round(dtype, a.re * b.im) + dtype_round(dtype, a.im * b.re));
}

static Scalar scaled(DType dtype, Scalar a, double by)
{
    return rounded(dtype, a.re * by, a.im * by);
}

static Scalar conjugate_of(Scalar a)
{
    return (Scalar){a.re, -a.im};
}

/* What is no number is left to the reference. */
static void put(const Tensor *y, int64_t number, Scalar value)
{
    int parts = dtype_components(y->dtype);
    int64_t at = parts * tensor_offset_of(y, number);
    if (!scalar_is_finite(value))
        return;
    dtype_store(y->dtype, y->origin, at, value.re);
    if (parts == 2)
        dtype_store(y->dtype, y->origin, at + 1, value.im);
}

static bool is_complex(const PlantedCall *call)
{
    return dtype_components(call->operands->view[0].dtype) == 2;
}

/* x + (value b) a. */
static void finish_addcmul(PlantedCall *call)
{
    const Tensor *t = call->operands->view;
    double value = case_scalar(&call->altered, "value").re;
    if (!is_complex(call))
        return;
    for (int64_t i = 0; i < tensor_count(&t[3]); i++) {
        Scalar b = scaled(t->dtype, nn_element(&t[2], i), value);
        Scalar term = product_of(t->dtype, b, nn_element(&t[1], i));
        put(&t[3], i, sum_of(t->dtype, nn_element(&t[0], i), term));
    }
}

/* (1 - w) a + w b; the fault takes the conjugate of b. */
static void interpolate(PlantedCall *call, bool right)
{
    const Tensor *t = call->operands->view;
    double weight = case_scalar(&call->altered, "value").re;
    if (!is_complex(call))
        return;
    for (int64_t i = 0; i < tensor_count(&t[2]); i++) {
        Scalar b = nn_element(&t[1], i);
        double rest = dtype_round(t->dtype, 1 - weight);
        Scalar first = scaled(t->dtype, nn_element(&t[0], i), rest);
        Scalar second = scaled(t->dtype, right ? b : conjugate_of(b), weight);
        put(&t[2], i, sum_of(t->dtype, first, second));
    }
}

static void finish_lerp(PlantedCall *call)
{
    interpolate(call, true);
}

static void finish_lerp_conjugate(PlantedCall *call)
{
    interpolate(call, false);
}

/* Covariances of two passes; the fault forgets the conjugate of the second row. */
static void vary(PlantedCall *call, bool right)
{
    const Tensor *t = call->operands->view;
    int64_t rows = t[0].extent[0], n = t[0].extent[1];
    static _Thread_local Scalar apart[LINE_MAX];
    if (!is_complex(call) || rows * n > LINE_MAX)
        return;
    for (int64_t row = 0; row < rows; row++) {
        Scalar mean = {0};
        for (int64_t k = 0; k < n; k++)
            mean = sum_of(t->dtype, mean, nn_element(&t[0], row * n + k));
        mean = rounded(t->dtype, mean.re / (double)n, mean.im / (double)n);
        for (int64_t k = 0; k < n; k++)
            apart[row * n + k] = difference_of(t->dtype, nn_element(&t[0], row * n + k), mean);
    }
    for (int64_t i = 0; i < rows * rows; i++) {
        Scalar sum = {0};
        for (int64_t k = 0; k < n; k++) {
            Scalar other = apart[i % rows * n + k];
            Scalar term =
                product_of(t->dtype, apart[i / rows * n + k], right ? conjugate_of(other) : other);
            sum = sum_of(t->dtype, sum, term);
        }
        put(&t[1], i, rounded(t->dtype, sum.re / (double)(n - 1), sum.im / (double)(n - 1)));
    }
}

static void finish_cov(PlantedCall *call)
{
    vary(call, true);
}

static void finish_cov_plain(PlantedCall *call)
{
    vary(call, false);
}

/* Products of all pairs; the fault is that of the conjugate of b. */
static void multiply_pairs(PlantedCall *call, bool right)
{
    const Tensor *t = call->operands->view;
    if (!is_complex(call) || tensor_is_empty(&t[2]))
        return;
    int64_t columns = t[2].extent[1], high = t[1].extent[0], wide = t[1].extent[1];
    for (int64_t i = 0; i < tensor_count(&t[2]); i++) {
        int64_t row = i / columns, column = i % columns;
        Scalar a = nn_element(&t[0], row / high * t[0].extent[1] + column / wide);
        Scalar b = nn_element(&t[1], row % high * wide + column % wide);
        put(&t[2], i, product_of(t->dtype, a, right ? b : conjugate_of(b)));
    }
}

static void finish_kron(PlantedCall *call)
{
    multiply_pairs(call, true);
}

static void finish_kron_conjugate(PlantedCall *call)
{
    multiply_pairs(call, false);
}

/* Areas by trapezoids of a line. */
typedef Scalar Area(DType dtype, const Scalar *x, int64_t points, double dx);

/* The sums of neighbours, times half of dx. */
static Scalar area_by_halved_width(DType dtype, const Scalar *x, int64_t points, double dx)
{
    Scalar sum = {0};
    for (int64_t k = 0; k + 1 < points; k++)
        sum = sum_of(dtype, sum, sum_of(dtype, x[k], x[k + 1]));
    return scaled(dtype, sum, dtype_round(dtype, dx / 2));
}

/* The fault: half of dx has the digits of bfloat16 alone. */
static Scalar area_by_coarse_half(DType dtype, const Scalar *x, int64_t points, double dx)
{
    return area_by_halved_width(dtype, x, points, 2 * dtype_round(DT_BF16, dx / 2));
}

/* All points, without half of both ends, times dx. */
static Scalar area_without_ends(DType dtype, const Scalar *x, int64_t points, double dx)
{
    Scalar sum = {0}, ends = scaled(dtype, sum_of(dtype, x[0], x[points - 1]), 0.5);
    for (int64_t k = 0; k < points; k++)
        sum = sum_of(dtype, sum, x[k]);
    return scaled(dtype, difference_of(dtype, sum, ends), dx);
}

/* Of types that references sum in themselves. */
static void measure(PlantedCall *call, Area *area)
{
    const Tensor *t = call->operands->view;
    const Exact *q = (const Exact *)call->altered.params;
    const Split s = nn_split(t, q->axis);
    static _Thread_local Scalar x[LINE_MAX];
    if (dtype_size(t->dtype) < 4 || tensor_is_empty(&t[1]) || s.extent > LINE_MAX)
        return;
    for (int64_t i = 0; i < tensor_count(&t[1]); i++) {
        for (int64_t k = 0; k < s.extent; k++)
            x[k] = nn_element(t, nn_split_place(&s, i, 1, k));
        put(&t[1], i, area(t->dtype, x, s.extent, q->value.re));
    }
}

static void finish_halved_width(PlantedCall *call)
{
    measure(call, area_by_halved_width);
}

static void finish_coarse_half(PlantedCall *call)
{
    measure(call, area_by_coarse_half);
}

static void finish_without_ends(PlantedCall *call)
{
    measure(call, area_without_ends);
}

const PlantedFault planted_blend_complex_faults[] = {
    {"lerp-complex-conjugated", "lerp", "complex: imaginary parts", NULL, finish_lerp_conjugate},
    {"cov-unconjugated", "cov", "complex: imaginary parts", NULL, finish_cov_plain},
    {"kron-conjugated", "kron", "complex: imaginary parts", NULL, finish_kron_conjugate},
    {"ok-addcmul-complex-behind", "addcmul", "right: the value times b first", NULL,
     finish_addcmul},
    {"ok-lerp-complex-weights", "lerp", "right: both weighted", NULL, finish_lerp},
    {"ok-cov-complex-forward", "cov", "right: two passes, one after the other", NULL, finish_cov},
    {"ok-kron-complex-products", "kron", "right: by the formula of products", NULL, finish_kron},
    {"trapezoid-coarse-half", "trapezoid", "dx is no number of bfloat16", NULL, finish_coarse_half},
    {"ok-trapezoid-halved-width", "trapezoid", "right: sums of neighbours times half of dx", NULL,
     finish_halved_width},
    {"ok-trapezoid-without-ends", "trapezoid", "right: all points without half of both ends", NULL,
     finish_without_ends},
    {NULL, NULL, NULL, NULL, NULL},
};
