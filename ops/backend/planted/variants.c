/* Correct kernels that differ in the order and width of their sums: none may ever be flagged. */
#include <math.h>
#include <string.h>

#include "planted.h"
#include "reference/wide.h"

/* For binary32, binary64 arithmetic rounded once more is the correctly rounded result of one
 * addition or multiplication (Figueroa 1995: 53 >= 2 * 24 + 2). */
static double rounded(DType dtype, double value)
{
    return dtype_round(dtype, value);
}

static double fused(DType dtype, double x, double y, double addend)
{
    if (dtype_format(dtype)->precision == 24)
        return fmaf((float)x, (float)y, (float)addend);
    return fma(x, y, addend);
}

static double product_of(DType dtype, const double *x, const double *y, int64_t i)
{
    return rounded(dtype, x[i] * y[i]);
}

static double sum_forward(DType dtype, const double *x, const double *y, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum = rounded(dtype, sum + product_of(dtype, x, y, i));
    return sum;
}

static double sum_backward(DType dtype, const double *x, const double *y, int64_t count)
{
    double sum = 0;
    for (int64_t i = count - 1; i >= 0; i--)
        sum = rounded(dtype, sum + product_of(dtype, x, y, i));
    return sum;
}

static double sum_fused(DType dtype, const double *x, const double *y, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum = fused(dtype, x[i], y[i], sum);
    return sum;
}

static double sum_pairwise(DType dtype, const double *x, const double *y, int64_t count)
{
    if (count <= 2)
        return sum_forward(dtype, x, y, count);
    int64_t half = count / 2;
    return rounded(dtype, sum_pairwise(dtype, x, y, half) +
                              sum_pairwise(dtype, x + half, y + half, count - half));
}

static double sum_lanes(DType dtype, const double *x, const double *y, int64_t count)
{
    enum { LANES = 8 };
    double lanes[LANES] = {0}, sum = 0;
    for (int64_t i = 0; i < count; i++)
        lanes[i % LANES] = fused(dtype, x[i], y[i], lanes[i % LANES]);
    for (int i = 0; i < LANES; i++)
        sum = rounded(dtype, sum + lanes[i]);
    return sum;
}

static double sum_blocked(DType dtype, const double *x, const double *y, int64_t count)
{
    enum { BLOCK = 16 };
    double sum = 0;
    for (int64_t i = 0; i < count; i += BLOCK) {
        int64_t length = count - i < BLOCK ? count - i : BLOCK;
        sum = rounded(dtype, sum + sum_forward(dtype, x + i, y + i, length));
    }
    return sum;
}

/* binary64 for binary32, double-double for binary64. */
static double sum_wide(DType dtype, const double *x, const double *y, int64_t count)
{
    double plain = 0;
    Wide sum = {0, 0};
    for (int64_t i = 0; i < count; i++) {
        plain += x[i] * y[i];
        sum = wide_add(sum, wide_two_product(x[i], y[i]));
    }
    bool narrow = dtype_format(dtype)->precision == 24;
    return rounded(dtype, narrow || !isfinite(sum.high + sum.low) ? plain : sum.high + sum.low);
}

/* What a rounding lost is kept and added to the next term (Kahan 1965). */
static double sum_kahan(DType dtype, const double *x, const double *y, int64_t count)
{
    double sum = 0, lost = 0;
    for (int64_t i = 0; i < count; i++) {
        double term = rounded(dtype, product_of(dtype, x, y, i) - lost);
        double next = rounded(dtype, sum + term);
        lost = rounded(dtype, rounded(dtype, next - sum) - term);
        sum = next;
    }
    return isfinite(sum) ? sum : sum_forward(dtype, x, y, count);
}

/* What each sum loses to its rounding, which is a number of the type, is summed beside and added at
 * last: an error of u |s| + (m u)^2 S (Neumaier, Rundungsfehleranalyse einiger Verfahren zur
 * Summation endlicher Summen, 1974). */
static double sum_neumaier(DType dtype, const double *x, const double *y, int64_t count)
{
    double sum = 0, lost = 0;
    for (int64_t i = 0; i < count; i++) {
        double term = rounded(dtype, product_of(dtype, x, y, i));
        double next = rounded(dtype, sum + term);
        double larger = fabs(sum) < fabs(term) ? term : sum;
        double smaller = larger == sum ? term : sum;
        lost = rounded(dtype, lost + rounded(dtype, rounded(dtype, larger - next) + smaller));
        sum = next;
    }
    return isfinite(sum) ? rounded(dtype, sum + lost) : sum_forward(dtype, x, y, count);
}

/* The first half and the second one side by side, as two threads would. */
static double sum_halves(DType dtype, const double *x, const double *y, int64_t count)
{
    int64_t half = count / 2;
    return rounded(dtype, sum_fused(dtype, x, y, half) +
                              sum_fused(dtype, x + half, y + half, count - half));
}

/* Four sums that take every fourth product, added as a tree. */
static double sum_four(DType dtype, const double *x, const double *y, int64_t count)
{
    enum { SUMS = 4 };
    double sums[SUMS] = {0};
    for (int64_t i = 0; i < count; i++)
        sums[i % SUMS] = rounded(dtype, sums[i % SUMS] + product_of(dtype, x, y, i));
    return rounded(dtype, rounded(dtype, sums[0] + sums[1]) + rounded(dtype, sums[2] + sums[3]));
}

const PlantedVariant planted_variants[] = {
    {"ok-forward", "products and sums rounded one by one", sum_forward, false, false},
    {"ok-backward", "the same from the end", sum_backward, false, false},
    {"ok-fma", "fused multiply-add", sum_fused, false, false},
    {"ok-pairwise", "a balanced tree", sum_pairwise, false, false},
    {"ok-lanes", "eight interleaved sums", sum_lanes, false, false},
    {"ok-blocked", "blocks of 16 terms", sum_blocked, false, false},
    {"ok-wide", "accumulation in twice the precision", sum_wide, false, false},
    {"ok-kahan", "sums with compensation", sum_kahan, false, false},
    {"ok-neumaier", "sums with compensation at last", sum_neumaier, false, false},
    {"ok-halves", "two halves, added at last", sum_halves, false, false},
    {"ok-four", "four interleaved sums, added as a tree", sum_four, false, false},
    {"ok-alpha-first", "alpha multiplies A before the sum", sum_fused, true, false},
    {"ok-zero-added", "0 + beta C where alpha is 0, or the depth", sum_forward, false, true},
    {NULL, NULL, NULL, false, false},
};

/* One row of op(A) or column of op(B) as doubles, components interleaved. */
static void gather(const Tensor *t, int axis, int64_t at, bool conjugate, double *to)
{
    int components = dtype_components(t->dtype);
    const char *base =
        (const char *)t->origin + at * t->stride[axis] * (int64_t)dtype_size(t->dtype);
    for (int64_t l = 0; l < t->extent[1 - axis]; l++) {
        int64_t index = l * t->stride[1 - axis] * components;
        to[l * components] = dtype_load(t->dtype, base, index);
        if (components == 2) {
            double imaginary = dtype_load(t->dtype, base, index + 1);
            to[2 * l + 1] = conjugate ? -imaginary : imaginary;
        }
    }
}

static Scalar scale(DType dtype, Scalar factor, Scalar value)
{
    double re = rounded(dtype, factor.re * value.re), im;
    if (dtype_components(dtype) == 1)
        return (Scalar){re, 0};
    im = rounded(dtype, factor.re * value.im);
    re = rounded(dtype, re - rounded(dtype, factor.im * value.im));
    im = rounded(dtype, im + rounded(dtype, factor.im * value.re));
    return (Scalar){re, im};
}

static void scale_row(DType dtype, Scalar alpha, double *row, int64_t count)
{
    int components = dtype_components(dtype);
    for (int64_t l = 0; l < count; l++) {
        double *at = row + l * components;
        Scalar scaled = scale(dtype, alpha, (Scalar){at[0], components == 2 ? at[1] : 0});
        at[0] = scaled.re;
        if (components == 2)
            at[1] = scaled.im;
    }
}

/* sum of a[l] * b[l]; complex sums run over twice as many real products. */
static Scalar dot(const PlantedVariant *v, DType dtype, const double *a, const double *b,
                  int64_t depth, double *scratch)
{
    if (dtype_components(dtype) == 1)
        return (Scalar){v->sum(dtype, a, b, depth), 0};
    double *x = scratch, *y = scratch + 2 * depth;
    Scalar result;
    for (int64_t l = 0; l < depth; l++) {
        x[2 * l] = a[2 * l];
        x[2 * l + 1] = -a[2 * l + 1];
    }
    result.re = v->sum(dtype, x, b, 2 * depth);
    for (int64_t l = 0; l < depth; l++) {
        y[2 * l] = b[2 * l + 1];
        y[2 * l + 1] = b[2 * l];
    }
    result.im = v->sum(dtype, a, y, 2 * depth);
    return result;
}

static bool is_zero(Scalar s)
{
    return s.re == 0 && s.im == 0;
}

static void combine(DType dtype, Scalar sum, bool sum_used, Scalar beta, char *at)
{
    int components = dtype_components(dtype);
    Scalar old = {0, 0}, out = sum_used ? sum : (Scalar){0, 0};
    if (!is_zero(beta)) {
        old.re = dtype_load(dtype, at, 0);
        old.im = components == 2 ? dtype_load(dtype, at, 1) : 0;
        Scalar addend = scale(dtype, beta, old);
        out.re = sum_used ? rounded(dtype, sum.re + addend.re) : addend.re;
        out.im = sum_used ? rounded(dtype, sum.im + addend.im) : addend.im;
    }
    dtype_store(dtype, at, 0, out.re);
    if (components == 2)
        dtype_store(dtype, at, 1, out.im);
}

bool planted_variant_offers(const OpDesc *op)
{
    return !strcmp(op->name, "gemm") || !strcmp(op->name, "gemv");
}

void planted_compute(const PlantedVariant *v, const Operands *o, Arena *arena)
{
    const Case *c = o->source;
    const Tensor *a = &o->view[0], *b = &o->view[1], *out = &o->view[2];
    DType dtype = case_dtype(c);
    int64_t depth = a->extent[1], components = dtype_components(dtype);
    size_t row_size = (size_t)(depth * components) + 1;
    Scalar alpha = case_scalar(c, "alpha"), beta = case_scalar(c, "beta");
    bool used = !is_zero(alpha) && depth > 0;
    if (depth == 0 && !case_has(c, "tb"))
        beta = (Scalar){1, 0};
    double *row = arena_take(arena, row_size, sizeof(double));
    double *columns = arena_take(arena, row_size * (size_t)out->extent[1] + 1, sizeof(double));
    double *scratch = arena_take(arena, 4 * row_size, sizeof(double));
    bool conjugate_a = !strcmp(case_choice(c, "ta"), "c");
    bool conjugate_b = case_has(c, "tb") && !strcmp(case_choice(c, "tb"), "c");
    for (int64_t j = 0; used && j < out->extent[1]; j++)
        gather(b, 1, j, conjugate_b, columns + (size_t)j * row_size);
    for (int64_t i = 0; i < out->extent[0]; i++) {
        if (used)
            gather(a, 0, i, conjugate_a, row);
        if (used && v->alpha_first)
            scale_row(dtype, alpha, row, depth);
        for (int64_t j = 0; j < out->extent[1]; j++) {
            Scalar sum = {0, 0};
            if (used)
                sum = dot(v, dtype, row, columns + (size_t)j * row_size, depth, scratch);
            if (used && !v->alpha_first)
                sum = scale(dtype, alpha, sum);
            combine(dtype, sum, used || v->adds_zero, beta,
                    (char *)out->origin +
                        (i * out->stride[0] + j * out->stride[1]) * (int64_t)dtype_size(dtype));
        }
    }
}
