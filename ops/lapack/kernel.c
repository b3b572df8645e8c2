/* Numbers are doubles that hold values of the element type. */
#include "kernel.h"

#include "reference/wide_complex.h"

static Scalar rounded(const Kernel *kernel, long double re, long double im)
{
    DType dtype = kernel->dtype;
    bool pair = dtype_components(dtype) == 2;
    return (Scalar){dtype_round(dtype, (double)re), pair ? dtype_round(dtype, (double)im) : 0};
}

/* Through 64 bits for binary64, whose second rounding the bounds have room for. */
static Scalar quotient(const Kernel *kernel, Scalar x, Scalar y)
{
    long double re = y.re, im = y.im, norm = re * re + im * im;
    if (y.im == 0)
        return rounded(kernel, x.re / re, x.im / re);
    return rounded(kernel, (x.re * re + x.im * im) / norm, (x.im * re - x.re * im) / norm);
}

static Scalar product(const Kernel *kernel, Scalar x, Scalar y)
{
    DType dtype = kernel->dtype;
    if (dtype_components(dtype) == 1)
        return rounded(kernel, x.re * y.re, 0);
    return rounded(kernel, dtype_round(dtype, x.re * y.re) - dtype_round(dtype, x.im * y.im),
                   dtype_round(dtype, x.re * y.im) + dtype_round(dtype, x.im * y.re));
}

static Scalar difference(const Kernel *kernel, Scalar x, Scalar y)
{
    return rounded(kernel, x.re - y.re, x.im - y.im);
}

static Scalar factor(const Scalar *at, bool conjugate)
{
    return conjugate ? scalar_conjugate(*at) : *at;
}

static Scalar sum_widely(const Kernel *kernel, const KernelSum *s)
{
    WideComplex sum = {{s->given.re, 0}, {s->given.im, 0}};
    for (int64_t k = s->count - 1; k >= 0; k--)
        wide_complex_add_product(&sum, -1, factor(s->x + k * s->x_step, s->conjugate_x),
                                 factor(s->y + k * s->y_step, s->conjugate_y));
    return rounded(kernel, (long double)sum.re.high + sum.re.low,
                   (long double)sum.im.high + sum.im.low);
}

Scalar kernel_sum(const Kernel *kernel, const KernelSum *s)
{
    Scalar sum = s->given;
    if (kernel->style == KERNEL_WIDE)
        sum = sum_widely(kernel, s);
    for (int64_t k = 0; kernel->style != KERNEL_WIDE && k < s->count; k++)
        sum = difference(kernel, sum,
                         product(kernel, factor(s->x + k * s->x_step, s->conjugate_x),
                                 factor(s->y + k * s->y_step, s->conjugate_y)));
    if (s->divisor.re == 1 && s->divisor.im == 0)
        return sum;
    bool normal = scalar_size(s->divisor) >= dtype_format(kernel->dtype)->smallest_normal;
    if (kernel->style == KERNEL_RECIPROCAL && normal)
        return product(kernel, sum, quotient(kernel, (Scalar){1, 0}, s->divisor));
    return quotient(kernel, sum, s->divisor);
}

/* Element (i, j) minus the products of row i and column j before number `count`. */
static Scalar reduced(const Kernel *kernel, const Matrix *a, int64_t i, int64_t j, int64_t count,
                      Scalar divisor)
{
    return kernel_sum(kernel, &(KernelSum){.given = *matrix_at(a, i, j),
                                           .divisor = divisor,
                                           .x = matrix_at(a, i, 0),
                                           .x_step = 1,
                                           .y = matrix_at(a, 0, j),
                                           .y_step = a->columns,
                                           .count = count});
}

int64_t kernel_getrf(const Kernel *kernel, Matrix *a, int64_t *pivots)
{
    static const Scalar one = {1, 0};
    int64_t zero = 0, steps = a->rows < a->columns ? a->rows : a->columns;
    for (int64_t k = 0; k < a->columns; k++) {
        for (int64_t i = 0; i < a->rows; i++)
            *matrix_at(a, i, k) = reduced(kernel, a, i, k, i < k ? i : k, one);
        if (k >= steps)
            continue;
        int64_t pivot = k;
        for (int64_t i = k + 1; i < a->rows && !kernel->without_exchanges; i++)
            if (scalar_size(*matrix_at(a, i, k)) > scalar_size(*matrix_at(a, pivot, k)))
                pivot = i;
        pivots[k] = pivot;
        matrix_exchange_rows(a, k, pivot);
        Scalar divisor = *matrix_at(a, k, k);
        bool is_zero = scalar_is_zero(divisor);
        zero = is_zero && !zero ? k + 1 : zero;
        for (int64_t i = k + 1; i < a->rows && !is_zero; i++)
            *matrix_at(a, i, k) = reduced(kernel, a, i, k, 0, divisor);
    }
    return zero;
}

int64_t kernel_potrf(const Kernel *kernel, Matrix *a, bool lower)
{
    int64_t n = a->columns, across = lower ? n : 1, along = lower ? 1 : n;
    for (int64_t k = 0; k < n; k++) {
        Scalar diagonal = {0, 0};
        for (int64_t i = k; i < n; i++) {
            Scalar *at = lower ? matrix_at(a, i, k) : matrix_at(a, k, i);
            KernelSum sum = {.given = i == k ? (Scalar){at->re, 0} : *at,
                             .divisor = i == k ? (Scalar){1, 0} : diagonal,
                             .x = a->values + (lower ? i : k) * across,
                             .x_step = along,
                             .y = a->values + (lower ? k : i) * across,
                             .y_step = along,
                             .count = k,
                             .conjugate_x = !lower,
                             .conjugate_y = lower};
            *at = kernel_sum(kernel, &sum);
            if (i > k)
                continue;
            if (!(at->re > 0))
                return k + 1;
            diagonal = *at = rounded(kernel, sqrtl(at->re), 0);
        }
    }
    return 0;
}

void kernel_trsm(const Kernel *kernel, const Matrix *t, bool lower, Matrix *x)
{
    int64_t n = t->rows;
    for (int64_t step = 0; step < n; step++) {
        int64_t i = lower ? step : n - 1 - step, first = lower ? 0 : i + 1;
        for (int64_t j = 0; j < x->columns; j++)
            *matrix_at(x, i, j) =
                kernel_sum(kernel, &(KernelSum){.given = *matrix_at(x, i, j),
                                                .divisor = *matrix_at(t, i, i),
                                                .x = t->values + i * n + first,
                                                .x_step = 1,
                                                .y = x->values + first * x->columns + j,
                                                .y_step = x->columns,
                                                .count = lower ? i : n - 1 - i});
    }
}
