/* Equilibration of matrices, in 64 bits. */
#include "equilibrate.h"

#include <math.h>

#include "reference/equation.h"
#include "reference/function.h"

/* The value was computed with 64 bits in fewer than eight operations. */
void equilibrate_put(Ref *ref, int64_t i, long double value, double count)
{
    const Format *format = dtype_format(ref->dtype);
    double size = (double)fabsl(value);
    double bound = equation_gamma(format, count) * size + format->smallest_subnormal;
    ref_put_bounded(ref, (size_t)i, value, 0x1p-60L * fabsl(value), bound);
}

/* 1 / x, of a factor within the range that the routine keeps. */
static long double reciprocal(const Format *format, long double x)
{
    long double least = format->smallest_normal;
    return 1 / fminl(fmaxl(x, least), 1 / least);
}

static long double size_of(Scalar x)
{
    return fabsl((long double)x.re) + fabsl((long double)x.im);
}

/* The least and the largest of some sizes, kept within the range, and their ratio. */
static long double ratio_of(const Format *format, const long double *sizes, int64_t count)
{
    long double low = INFINITY, high = 0, least = format->smallest_normal;
    for (int64_t i = 0; i < count; i++) {
        low = fminl(low, sizes[i]);
        high = fmaxl(high, sizes[i]);
    }
    return fmaxl(low, least) / fminl(high, 1 / least);
}

static int64_t first_zero(const long double *sizes, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!(sizes[i] > 0))
            return i + 1;
    return 0;
}

Equilibration equilibrate(const Matrix *a, DType dtype, Arena *arena)
{
    const Format *format = dtype_format(dtype);
    int64_t m = a->rows, n = a->columns;
    Equilibration e = {.r = arena_take_zeroed(arena, (size_t)m + 1, sizeof *e.r),
                       .c = arena_take_zeroed(arena, (size_t)n + 1, sizeof *e.c),
                       .row_ratio = 1,
                       .column_ratio = 1};
    for (int64_t at = 0; at < m * n; at++) {
        long double size = size_of(a->values[at]);
        e.r[at / n] = fmaxl(e.r[at / n], size);
        e.largest = fmaxl(e.largest, size);
    }
    e.finite = matrix_is_finite(a) && e.largest < format->largest / 2;
    e.known = e.finite;
    if (!e.finite || m == 0 || n == 0)
        return e;
    e.zero = first_zero(e.r, m);
    if (e.zero)
        return e;
    e.row_ratio = ratio_of(format, e.r, m);
    for (int64_t i = 0; i < m; i++)
        e.r[i] = reciprocal(format, e.r[i]);
    for (int64_t at = 0; at < m * n; at++)
        e.c[at % n] = fmaxl(e.c[at % n], size_of(a->values[at]) * e.r[at / n]);
    for (int64_t j = 0; j < n; j++)
        e.known = e.known && !(e.c[j] > 0 && e.c[j] < 2 * format->smallest_normal);
    int64_t zero = e.known ? first_zero(e.c, n) : 0;
    e.zero = zero ? m + zero : 0;
    if (e.zero || !e.known)
        return e;
    e.column_ratio = ratio_of(format, e.c, n);
    for (int64_t j = 0; j < n; j++)
        e.c[j] = reciprocal(format, e.c[j]);
    return e;
}

Equilibration equilibrate_definite(const Matrix *a, DType dtype, Arena *arena)
{
    int64_t n = a->rows;
    Equilibration e = {.r = arena_take_zeroed(arena, (size_t)n + 1, sizeof *e.r),
                       .row_ratio = 1,
                       .column_ratio = 1,
                       .finite = true};
    long double low = INFINITY;
    (void)dtype;
    e.c = e.r;
    for (int64_t i = 0; i < n; i++) {
        e.r[i] = matrix_at(a, i, i)->re;
        e.finite = e.finite && isfinite(e.r[i]);
        low = fminl(low, e.r[i]);
        e.largest = i == 0 ? e.r[i] : fmaxl(e.largest, e.r[i]);
    }
    e.known = e.finite;
    if (!e.finite)
        return e;
    e.zero = first_zero(e.r, n);
    if (e.zero || n == 0)
        return e;
    e.row_ratio = e.column_ratio = sqrtl(low) / sqrtl(e.largest);
    for (int64_t i = 0; i < n; i++)
        e.r[i] = 1 / sqrtl(e.r[i]);
    return e;
}
