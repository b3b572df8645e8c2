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

/* | |Z| |F| |G| |, by columns, or of the transposes. */
static double amplification(const Condition *c, const Matrix *z, Arena *arena)
{
    int64_t n = z->rows;
    double *product = arena_take(arena, (size_t)(n * n) + 1, sizeof *product), largest = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = 0;
            for (int64_t k = 0; k < n; k++)
                sum += scalar_size(*matrix_at(c->f, i, k)) * scalar_size(*matrix_at(c->g, k, j));
            product[c->by_rows ? j * n + i : i * n + j] = sum;
        }
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t k = 0; k < n; k++)
                sum += scalar_size(*matrix_at(z, i, k)) * product[k * n + j];
        largest = fmax(largest, sum);
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

/* The interval of rcond for an inverse Z of size `size` in this arithmetic (condition.h). */
static void put_interval(Ref *ref, const Condition *c, const Matrix *z, double size, Arena *arena)
{
    const Format *format = dtype_format(c->dtype);
    double n = (double)z->rows, amplified = amplification(c, z, arena);
    bool pair = dtype_components(c->dtype) == 2;
    double gamma = equation_gamma(format, pair ? 4 * n + 24 : n + 6), start = condition_start(z);
    double f = size_of(c->f), g = size_of(c->g), end = format->largest / 256;
    double own = WIDE_ROUNDINGS * 0x1p-53 * amplified;
    double delta = (2 * gamma + gamma * gamma) * amplified * (1 + 2 * own);
    /* What underflow adds, here and in a kernel. */
    long double steps = 8 * n * (1 + n * size * (1 + (long double)f + g));
    long double most = condition_norm(z), loss = steps * format->smallest_subnormal;
    long double off = 2 * (own * most + steps * 0x1p-1074L) + loss;
    bool small = !c->astray && delta < 0x1p-10 && loss < 0x1p-10L * start;
    bool in_range = size * (1 + f) * (1 + g) < end && size + f + g + c->reach < end;
    double rounding = 4 * n * format->unit + c->norm_error;
    long double least = ((small ? start : least_start(z)) - off) / (1 + 16 * (long double)delta);
    long double low = (1 - 16 * delta) * (1 - rounding) / (c->norm * (most + off));
    long double high = (1 + 2 * rounding) / (c->norm * least);
    bool adds_up = f < format->largest && g < format->largest;
    if ((!in_range && c->inverse) || (c->adds_columns && !adds_up)) {
        ref_set_classes(ref, 0, CLASS_ANY);
        return;
    }
    if (!in_range || !(low > 0))
        low = 0;
    if (!(own < 0x1p-10) || !(least > 0) || !(high < format->largest / 2)) {
        put_no_negative(ref);
        return;
    }
    ref_put_bounded(ref, 0, (low + high) / 2, (low + high) * 0x1p-60L,
                    (double)((high - low) / 2) * (1 + 0x1p-40) + 4 * format->smallest_subnormal);
    /* The reciprocal of the estimate is formed first (dpocon.f: RCOND = (ONE / AINVNM) / ANORM). */
    if (!((1 + 2 * rounding) / least < format->largest))
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
    double low = 4 * format->smallest_normal, size = size_of(&z);
    if (!isfinite(size) || !(c->norm > low) || !(c->norm < 1 / low))
        ref_set_classes(ref, 0, CLASS_ANY);
    else
        put_interval(ref, c, &z, size, arena);
}
