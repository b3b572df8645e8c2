/* Inverses in binary64. */
#include "condition.h"

#include <math.h>

#include "kernel.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "solve.h"

Matrix condition_inverse(const Condition *c, Arena *arena)
{
    bool pair = dtype_components(c->dtype) == 2;
    const Kernel kernel = {.dtype = pair ? DT_C128 : DT_F64, .style = KERNEL_WIDE};
    Matrix inverse = matrix_identity(c->f->rows, arena);
    kernel_trsm(&kernel, c->f, true, &inverse);
    kernel_trsm(&kernel, c->g, false, &inverse);
    return c->by_rows ? lapack_transposed(&inverse, true, arena) : inverse;
}

double condition_norm(const Matrix *a)
{
    double largest = 0;
    for (int64_t j = 0; j < a->columns; j++) {
        double sum = 0;
        for (int64_t i = 0; i < a->rows; i++)
            sum += hypot(matrix_at(a, i, j)->re, matrix_at(a, i, j)->im);
        largest = fmax(largest, sum);
    }
    return largest;
}

double condition_start(const Matrix *z)
{
    int64_t n = z->rows;
    double even = 0, alternating = 0;
    for (int64_t i = 0; i < n; i++) {
        Scalar first = {0, 0}, last = {0, 0};
        for (int64_t j = 0; j < n; j++) {
            Scalar x = *matrix_at(z, i, j);
            double size = 1 + (n > 1 ? (double)j / (double)(n - 1) : 0);
            double sign = j % 2 == 0 ? size : -size;
            first = (Scalar){first.re + x.re, first.im + x.im};
            last = (Scalar){last.re + sign * x.re, last.im + sign * x.im};
        }
        even += hypot(first.re, first.im);
        alternating += hypot(last.re, last.im);
    }
    return fmax(even, 2 * alternating / 3) / (double)n;
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

/* False where something may leave the range on the way. */
static bool is_moderate(const Condition *c, const Matrix *z)
{
    const Format *format = dtype_format(c->dtype);
    double low = sqrt(format->smallest_normal) * 256, high = sqrt(format->largest) / 256;
    const Matrix *const all[] = {c->f, c->g, z};
    for (size_t which = 0; which < COUNT_OF(all); which++)
        for (int64_t i = 0; i < z->rows; i++) {
            double sum = 0;
            for (int64_t j = 0; j < z->rows; j++)
                sum += scalar_size(*matrix_at(all[which], i, j));
            double diagonal = scalar_size(*matrix_at(all[which], i, i));
            if (!(sum < high) || (which < 2 && !(diagonal > low)))
                return false;
        }
    return c->norm > low && c->norm < high;
}

static bool is_singular(const Condition *c)
{
    return c->norm == 0 || lapack_first_zero(c->f) || lapack_first_zero(c->g);
}

void condition_put(Ref *ref, const Condition *c, Arena *arena)
{
    const Format *format = dtype_format(c->dtype);
    DType real = dtype_component(c->dtype);
    Tensor one = tensor_matrix(real, 1, 1, 1, 1, NULL);
    int64_t n = c->f->rows;
    bool pair = dtype_components(c->dtype) == 2;
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
    double gamma = equation_gamma(format, pair ? 4 * (double)n + 24 : (double)n + 6);
    double delta = (2 * gamma + gamma * gamma) * amplification(c, &z, arena);
    if (!is_moderate(c, &z)) {
        ref_set_classes(ref, 0, CLASS_ANY);
        return;
    }
    if (!(delta < 0x1p-10)) {
        ref_put_bounded(ref, 0, format->largest / 4, 0, format->largest / 4);
        return;
    }
    double room = 16 * delta + 4 * (double)n * format->unit + c->norm_error;
    long double low = 1 / ((long double)c->norm * condition_norm(&z) * (1 + room));
    long double high = 1 / ((long double)c->norm * condition_start(&z) * (1 - room));
    ref_put_bounded(ref, 0, (low + high) / 2, (low + high) * 0x1p-60L,
                    (double)((high - low) / 2) * (1 + 0x1p-40) + 4 * format->smallest_subnormal);
}
