/* Sums in 64 bits. */
#include "norm.h"

#include "reference/equation.h"
#include "reference/function.h"

/* What a set of elements comes to. */
typedef struct Sum {
    long double value;
    bool has_nan, has_infinity;
} Sum;

static void note_special(Sum *sum, Scalar x)
{
    sum->has_nan = sum->has_nan || isnan(x.re) || isnan(x.im);
    sum->has_infinity = sum->has_infinity || isinf(x.re) || isinf(x.im);
}

/* The largest element of the matrix, or the largest sum of a row or a column. */
static Sum largest_sum(const Matrix *a, int64_t norm)
{
    Sum all = {0};
    bool by_columns = norm == NORM_ONE;
    int64_t lines = by_columns ? a->columns : a->rows, step = by_columns ? a->columns : 1;
    int64_t count = by_columns ? a->rows : a->columns;
    for (int64_t line = 0; line < lines; line++) {
        const Scalar *x = a->values + line * (by_columns ? 1 : a->columns);
        long double sum = 0;
        for (int64_t k = 0; k < count; k++, x += step) {
            long double size = hypotl(x->re, x->im);
            note_special(&all, *x);
            sum = norm == NORM_LARGEST ? fmaxl(sum, size) : sum + size;
        }
        all.value = fmaxl(all.value, sum);
    }
    return all;
}

/* Squares of binary64 stay within the range of 64 bits with an exponent of 15. */
static Sum euclidean_sum(const Matrix *a)
{
    Sum all = {0};
    for (int64_t i = 0; i < a->rows * a->columns; i++) {
        long double re = a->values[i].re, im = a->values[i].im;
        note_special(&all, a->values[i]);
        all.value += re * re + im * im;
    }
    all.value = sqrtl(all.value);
    return all;
}

/* Roundings of the result. */
static double roundings_of(const Matrix *a, DType dtype, int64_t norm)
{
    double parts = dtype_components(dtype), terms = (double)(a->rows * a->columns);
    if (norm == NORM_FROBENIUS)
        return 2.5 * parts * terms + 6;
    double modulus = parts > 1 ? 8 : 0;
    if (norm == NORM_LARGEST)
        return modulus;
    terms = norm == NORM_ONE ? (double)a->rows : (double)a->columns;
    return terms + modulus;
}

void lapack_norm_reference(Ref *ref, const Matrix *a, DType dtype, int64_t norm, Arena *arena)
{
    DType real = dtype_component(dtype);
    const Format *format = dtype_format(real);
    Tensor one = tensor_matrix(real, 1, 1, 1, 1, NULL);
    Sum sum = norm == NORM_FROBENIUS ? euclidean_sum(a) : largest_sum(a, norm);
    ref_allocate_bounded(ref, real, &one, arena);
    if (sum.has_nan || sum.has_infinity) {
        unsigned classes = sum.has_nan ? CLASS_NAN : CLASS_POSITIVE_INFINITY;
        bool either = (sum.has_nan && sum.has_infinity) || norm == NORM_FROBENIUS;
        if (either && sum.has_infinity)
            classes = CLASS_NAN | CLASS_POSITIVE_INFINITY;
        ref_set_classes(ref, 0, classes);
        return;
    }
    double roundings = roundings_of(a, dtype, norm), value = (double)sum.value;
    if (roundings == 0) {
        ref_set_exact(ref, 0, value, MATCH_VALUE);
        return;
    }
    long double error = sum.value * (long double)(a->rows * a->columns + 4) * 0x1p-63L;
    double bound = equation_gamma(format, roundings) * fmin(value, format->largest) * (1 + 0x1p-40);
    ref_put_bounded(ref, 0, sum.value, error, bound + 4 * format->smallest_subnormal);
}

TensorSpec lapack_norm_result(const Lapack *q)
{
    return blas_number(dtype_component((DType)q->dtype), ROLE_OUT);
}

double lapack_norm_work(const void *params)
{
    const Lapack *q = params;
    double columns = (double)q->n, rows = (double)(q->m > q->n ? q->m : q->n);
    return 4 * lapack_parts(q) * (rows + 1) * (columns + 1);
}
