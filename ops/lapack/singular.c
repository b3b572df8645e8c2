/* Singular values and vectors by eigenvalues of twice the order. */
#include "singular.h"

#include <math.h>

#include "reference/function.h"
#include "reference/wide_complex.h"

/* Of ((0, A), (A^H, 0)). */
Spectrum singular_spectrum(const Matrix *a, Arena *arena)
{
    Matrix whole = matrix_zeros(a->rows + a->columns, a->rows + a->columns, arena);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < a->columns; j++)
            *matrix_at(&whole, a->rows + j, i) = scalar_conjugate(*matrix_at(a, i, j));
    return spectrum_of(&whole, arena);
}

/* The element of A Y - X diag(s) over the norm, or of X^H X - I, whichever is larger; the first is
 * of columns that have a value alone. */
static Scalar defect_of(const Matrix *a, const Matrix *x, const Matrix *y, const double *s,
                        int64_t values, double norm, int64_t i, int64_t j)
{
    WideComplex rest = {{0, 0}, {0, 0}}, product = {{i == j ? -1 : 0, 0}, {0, 0}};
    for (int64_t k = 0; k < a->columns && j < values; k++)
        wide_complex_add_product(&rest, 1, *matrix_at(a, i, k), *matrix_at(y, k, j));
    if (j < values)
        wide_complex_add_product(&rest, -1, (Scalar){s[j], 0}, *matrix_at(x, i, j));
    for (int64_t k = 0; k < x->rows && i < x->columns; k++)
        wide_complex_add_product(&product, 1, scalar_conjugate(*matrix_at(x, k, i)),
                                 *matrix_at(x, k, j));
    Scalar residual = {rest.re.high / norm, rest.im.high / norm};
    Scalar orthogonal = {product.re.high, product.im.high};
    bool larger = i >= x->columns || scalar_size(residual) > scalar_size(orthogonal);
    return larger ? residual : orthogonal;
}

/* The columns of X, which are those of `ref`, or conjugate its rows. */
void singular_put_vectors(Ref *ref, size_t first, const Matrix *a, const Matrix *x, const Matrix *y,
                          const double *s, int64_t values, double norm, bool turned)
{
    int64_t extent = a->rows > a->columns ? a->rows : a->columns;
    double bound = 2 * spectrum_factor(ref->dtype, extent) +
                   8 * dtype_format(ref->dtype)->smallest_subnormal / norm;
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t j = 0; j < x->columns; j++) {
            Scalar got = *matrix_at(x, i, j), off = defect_of(a, x, y, s, values, norm, i, j);
            size_t at = first + (turned ? matrix_element(ref, j, i) : matrix_element(ref, i, j));
            spectrum_put_defect(ref, at, turned ? scalar_conjugate(got) : got,
                                turned ? scalar_conjugate(off) : off, bound);
        }
}

void singular_put_values(Ref *ref, size_t first, DType dtype, const Matrix *a, const Spectrum *d,
                         const double *got)
{
    int64_t m = a->rows, n = a->columns, extent = m > n ? m : n, last = m + n - 1;
    double step = dtype_format(ref->dtype)->smallest_subnormal, before = INFINITY;
    double bound = 2 * spectrum_factor(dtype, extent) * d->norm * (1 + 0x1p-40) + 8 * step;
    for (int64_t i = 0; i < m && i < n; i++) {
        size_t at = first + (size_t)i;
        ref_put_bounded(ref, at, (long double)d->values[last - i] + d->lows[last - i], d->error,
                        bound);
        if (got[i] > before || got[i] < 0)
            ref_set_exact(ref, at, got[i] < 0 ? 0 : before, MATCH_VALUE);
        before = got[i];
    }
}

double singular_orthonormalise(Matrix *x, int64_t j)
{
    double norm = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t l = 0; l < j; l++) {
            Scalar inner = {0, 0};
            for (int64_t i = 0; i < x->rows; i++) {
                Scalar p = *matrix_at(x, i, l), y = *matrix_at(x, i, j);
                inner.re += p.re * y.re + p.im * y.im;
                inner.im += p.re * y.im - p.im * y.re;
            }
            for (int64_t i = 0; i < x->rows; i++) {
                Scalar p = *matrix_at(x, i, l);
                matrix_at(x, i, j)->re -= p.re * inner.re - p.im * inner.im;
                matrix_at(x, i, j)->im -= p.re * inner.im + p.im * inner.re;
            }
        }
    for (int64_t i = 0; i < x->rows; i++)
        norm = hypot(norm, hypot(matrix_at(x, i, j)->re, matrix_at(x, i, j)->im));
    for (int64_t i = 0; i < x->rows && norm > 0; i++) {
        matrix_at(x, i, j)->re /= norm;
        matrix_at(x, i, j)->im /= norm;
    }
    return norm;
}

Matrix singular_vectors(const Spectrum *d, const Matrix *a, int64_t first, int64_t extent,
                        int64_t count, Arena *arena)
{
    Matrix x = matrix_zeros(extent, count, arena);
    int64_t last = a->rows + a->columns - 1;
    int64_t values = a->rows < a->columns ? a->rows : a->columns;
    for (int64_t j = 0; j < x.columns; j++) {
        bool given = j < values && d->values[last - j] > 0x1p-48 * d->norm;
        double norm = 0;
        for (int64_t i = 0; i < extent && given; i++)
            *matrix_at(&x, i, j) = *matrix_at(&d->vectors, first + i, last - j);
        if (given)
            (void)singular_orthonormalise(&x, j);
        for (int64_t k = 0; k < extent && !given && norm < 0.5 / (double)extent; k++) {
            for (int64_t i = 0; i < extent; i++)
                *matrix_at(&x, i, j) = (Scalar){i == k, 0};
            norm = singular_orthonormalise(&x, j);
        }
    }
    return x;
}
