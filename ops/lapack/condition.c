/* Inverses in binary64. */
#include "condition.h"

#include <math.h>

#include "kernel.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "solve.h"

/* Of a complex quotient and the sum before it, in binary64, of both substitutions. */
enum { WIDE_ROUNDINGS = 24 };

Matrix condition_inverse(const Condition *c, Arena *arena)
{
    bool pair = dtype_components(c->dtype) == 2;
    const Kernel kernel = {.dtype = pair ? DT_C128 : DT_F64, .style = KERNEL_WIDE};
    Matrix inverse = c->inverse ? *c->inverse : matrix_identity(c->f->rows, arena);
    if (!c->inverse) {
        kernel_trsm(&kernel, c->f, true, &inverse);
        kernel_trsm(&kernel, c->g, false, &inverse);
    }
    return c->by_rows ? lapack_transposed(&inverse, true, arena) : inverse;
}

static double column_sum(const Matrix *a, int64_t j)
{
    double sum = 0;
    for (int64_t i = 0; i < a->rows; i++)
        sum += hypot(matrix_at(a, i, j)->re, matrix_at(a, i, j)->im);
    return sum;
}

double condition_norm(const Matrix *a)
{
    double largest = 0;
    for (int64_t j = 0; j < a->columns; j++)
        largest = fmax(largest, column_sum(a, j));
    return largest;
}

/* |Z e| / n and 2 |Z b| / (3 n). */
static void starts_of(const Matrix *z, double *even, double *alternating)
{
    int64_t n = z->rows;
    *even = *alternating = 0;
    for (int64_t i = 0; i < n; i++) {
        Scalar first = {0, 0}, last = {0, 0};
        for (int64_t j = 0; j < n; j++) {
            Scalar x = *matrix_at(z, i, j);
            double size = 1 + (n > 1 ? (double)j / (double)(n - 1) : 0);
            double sign = j % 2 == 0 ? size : -size;
            first = (Scalar){first.re + x.re, first.im + x.im};
            last = (Scalar){last.re + sign * x.re, last.im + sign * x.im};
        }
        *even += hypot(first.re, first.im) / (double)n;
        *alternating += 2 * hypot(last.re, last.im) / (3 * (double)n);
    }
}

double condition_start(const Matrix *z)
{
    double even, alternating;
    starts_of(z, &even, &alternating);
    return fmax(even, alternating);
}

/* What an estimate does not fall below where steps are decided by rounding: the last vector, or the
 * least of the others. */
static double least_start(const Matrix *z)
{
    double even, alternating;
    starts_of(z, &even, &alternating);
    double least = even;
    for (int64_t j = 0; j < z->columns; j++)
        least = fmin(least, column_sum(z, j));
    return fmax(least, alternating);
}

/* The largest sum of a column of |Z| |F| |G|, or of the transposes, where row i of Z counts
 * weights[i] and column j is over least_weights[j]. */
static double amplification(const Condition *c, const Matrix *z, Arena *arena)
{
    int64_t n = z->rows;
    double *product = arena_take(arena, (size_t)(n * n) + 1, sizeof *product), largest = 0;
    double *sums = arena_take_zeroed(arena, (size_t)n + 1, sizeof *sums);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = 0;
            for (int64_t k = 0; k < n; k++)
                sum += scalar_size(*matrix_at(c->f, i, k)) * scalar_size(*matrix_at(c->g, k, j));
            product[c->by_rows ? j * n + i : i * n + j] = sum;
        }
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < n; k++)
            sums[k] += scalar_size(*matrix_at(z, i, k)) * (c->weights ? c->weights[i] : 1);
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t k = 0; k < n; k++)
            sum += sums[k] * product[k * n + j];
        largest = fmax(largest, sum / (c->weights ? c->least_weights[j] : 1));
    }
    return largest;
}

/* At least |a|, by columns and by rows. */
static double size_of(const Matrix *a)
{
    double sum = 0;
    for (int64_t i = 0; i < a->rows * a->columns; i++)
        sum += scalar_size(a->values[i]);
    return sum;
}

static bool is_singular(const Condition *c)
{
    if (c->norm == 0 || c->singular)
        return true;
    return !c->inverse && (lapack_first_zero(c->f) || lapack_first_zero(c->g));
}

static void put_no_negative(Ref *ref)
{
    double half = dtype_format(ref->dtype)->largest / 2;
    ref_put_bounded(ref, 0, half, 0, half);
    ref_set_classes(ref, 0, CLASS_FINITE | CLASS_POSITIVE_INFINITY);
}

/* Z with its rows multiplied by weights. */
static Matrix weighted(const Matrix *z, const double *weights, Arena *arena)
{
    Matrix to = matrix_copy(z, arena);
    for (int64_t i = 0; i < z->rows * z->columns && weights; i++) {
        to.values[i].re *= weights[i / z->columns];
        to.values[i].im *= weights[i / z->columns];
    }
    return to;
}

ConditionEstimate condition_estimate(const Condition *c, const Matrix *z, Arena *arena)
{
    const Format *format = dtype_format(c->dtype);
    double n = (double)z->rows, amplified = amplification(c, z, arena), size = size_of(z);
    bool pair = dtype_components(c->dtype) == 2;
    Matrix lower = weighted(z, c->least_weights, arena), upper = weighted(z, c->weights, arena);
    double gamma = equation_gamma(format, pair ? 4 * n + 24 : n + 6);
    double start = condition_start(&lower);
    double f = size_of(c->f), g = size_of(c->g), end = format->largest / 256;
    double own = WIDE_ROUNDINGS * 0x1p-53 * amplified, heaviest = c->weights ? 0 : 1;
    for (int64_t i = 0; i < z->rows && c->weights; i++)
        heaviest = fmax(heaviest, c->weights[i]);
    double delta = (2 * gamma + gamma * gamma) * amplified * (1 + 2 * own);
    /* What underflow adds, here and in a kernel. */
    long double steps = 8 * n * (1 + n * size * (1 + (long double)f + g)) * fmax(heaviest, 1);
    long double most = condition_norm(&upper), loss = steps * format->smallest_subnormal;
    long double off = 2 * (own * most + steps * 0x1p-1074L) + loss;
    bool small = !c->astray && delta < 0x1p-10 && loss < 0x1p-10L * start;
    double least = small ? start : least_start(&lower);
    if (c->exact)
        least = condition_norm(&lower);
    ConditionEstimate e = {.delta = delta,
                           .in_range = size * (1 + f) * (1 + g) * fmax(heaviest, 1) < end &&
                                       size + f + g + c->reach < end,
                           .adds_up = f < format->largest && g < format->largest,
                           .low = (least - off) / (1 + 16 * (long double)delta),
                           .high = most + off};
    e.known = own < 0x1p-10 && e.low > 0;
    return e;
}

/* The interval of rcond for an inverse Z in this arithmetic (condition.h). */
static void put_interval(Ref *ref, const Condition *c, const Matrix *z, Arena *arena)
{
    const Format *format = dtype_format(c->dtype);
    ConditionEstimate e = condition_estimate(c, z, arena);
    double rounding = 4 * (double)z->rows * format->unit + c->norm_error;
    long double low = (1 - 16 * e.delta) * (1 - rounding) / (c->norm * e.high);
    long double high = (1 + 2 * rounding) / (c->norm * e.low);
    if ((!e.in_range && c->inverse) || (c->adds_columns && !e.adds_up)) {
        ref_set_classes(ref, 0, CLASS_ANY);
        return;
    }
    if (!e.in_range || !(low > 0))
        low = 0;
    if (!e.known || !(high < format->largest / 2)) {
        put_no_negative(ref);
        return;
    }
    ref_put_bounded(ref, 0, (low + high) / 2, (low + high) * 0x1p-60L,
                    (double)((high - low) / 2) * (1 + 0x1p-40) + 4 * format->smallest_subnormal);
    /* The reciprocal of the estimate is formed first (dpocon.f: RCOND = (ONE / AINVNM) / ANORM). */
    if (!((1 + 2 * rounding) / e.low < format->largest))
        ref_set_classes(ref, 0, ref->classes[0] | CLASS_POSITIVE_INFINITY);
}

void condition_put(Ref *ref, const Condition *c, Arena *arena)
{
    const Format *format = dtype_format(c->dtype);
    DType real = dtype_component(c->dtype);
    Tensor one = tensor_matrix(real, 1, 1, 1, 1, NULL);
    int64_t n = c->f->rows;
    ref_allocate_bounded(ref, real, &one, arena);
    if (n == 0 || !matrix_is_finite(c->f) || !matrix_is_finite(c->g) || !isfinite(c->norm)) {
        ref_set_classes(ref, 0, CLASS_ANY);
        if (n == 0)
            ref_set_exact(ref, 0, 1, MATCH_VALUE);
        return;
    }
    if (is_singular(c)) {
        ref_set_exact(ref, 0, 0, MATCH_VALUE);
        return;
    }
    Matrix z = condition_inverse(c, arena);
    double low = 4 * format->smallest_normal;
    if (!isfinite(size_of(&z)) || !(c->norm > low) || !(c->norm < 1 / low))
        ref_set_classes(ref, 0, CLASS_ANY);
    else
        put_interval(ref, c, &z, arena);
}
