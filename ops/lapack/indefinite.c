/* Factors by diagonal pivoting, and residuals in double-double. */
#include "indefinite.h"

#include <math.h>

#include "reference/equation.h"
#include "reference/function.h"
#include "reference/wide_complex.h"

Matrix indefinite_lower(const Matrix *stored, bool lower, Arena *arena)
{
    int64_t n = stored->rows;
    Matrix to = matrix_zeros(n, n, arena);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            *matrix_at(&to, i, j) =
                lower ? *matrix_at(stored, i, j) : *matrix_at(stored, n - 1 - i, n - 1 - j);
    return to;
}

int64_t indefinite_store(const Matrix *a, int64_t zero, bool lower, int64_t *pivots, Matrix *stored)
{
    int64_t n = a->rows;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            *(lower ? matrix_at(stored, i, j) : matrix_at(stored, n - 1 - i, n - 1 - j)) =
                *matrix_at(a, i, j);
    if (lower)
        return zero;
    for (int64_t k = 0, last = n - 1; k <= last; k++, last--) {
        int64_t first = pivots[k], other = pivots[last];
        pivots[last] = (first < 0 ? -(n + 1) : n + 1) - first;
        pivots[k] = (other < 0 ? -(n + 1) : n + 1) - other;
    }
    return zero ? n + 1 - zero : 0;
}

static Scalar mirrored(const Indefinite *f, Scalar x)
{
    return f->hermitian ? scalar_conjugate(x) : x;
}

/* The row that number k of ipiv names, in the order of the steps; negative: of a block of two. */
static int64_t named_row(const Tensor *ipiv, bool lower, int64_t n, int64_t k, bool *negative)
{
    int64_t number = lapack_integer(ipiv, lower ? k : n - 1 - k);
    *negative = number < 0;
    number = number < 0 ? -number : number;
    return lower ? number - 1 : n - number;
}

/* Exchanges what steps before k left in rows i and j, and the rows of A. */
static void exchange(Indefinite *f, int64_t k, int64_t i, int64_t j)
{
    int64_t row = f->order[i];
    f->order[i] = f->order[j];
    f->order[j] = row;
    for (int64_t c = 0; c < k && i != j; c++) {
        Scalar kept = *matrix_at(&f->l, i, c);
        *matrix_at(&f->l, i, c) = *matrix_at(&f->l, j, c);
        *matrix_at(&f->l, j, c) = kept;
    }
}

/* Takes the block that begins in row k out of L. */
static void take_block(Indefinite *f, int64_t k)
{
    for (int64_t i = k; i <= k + f->pairs[k]; i++) {
        Scalar *diagonal = matrix_at(&f->l, i, i);
        *matrix_at(&f->d, i, i) = f->hermitian ? (Scalar){diagonal->re, 0} : *diagonal;
        *diagonal = (Scalar){1, 0};
    }
    if (!f->pairs[k])
        return;
    Scalar *beside = matrix_at(&f->l, k + 1, k);
    *matrix_at(&f->d, k + 1, k) = *beside;
    *matrix_at(&f->d, k, k + 1) = mirrored(f, *beside);
    *beside = (Scalar){0, 0};
}

Indefinite indefinite_read(const Matrix *stored, const Tensor *ipiv, bool lower, bool hermitian,
                           DType dtype, Arena *arena)
{
    int64_t n = stored->rows;
    Indefinite f = {.dtype = dtype,
                    .hermitian = hermitian,
                    .legal = true,
                    .n = n,
                    .l = indefinite_lower(stored, lower, arena),
                    .d = matrix_zeros(n, n, arena),
                    .order = arena_take(arena, (size_t)n + 1, sizeof *f.order),
                    .pairs = arena_take_zeroed(arena, (size_t)n + 1, sizeof *f.pairs)};
    f.stored = matrix_copy(&f.l, arena);
    for (int64_t i = 0; i < n; i++)
        f.order[i] = i;
    for (int64_t k = 0; k < n; k += 1 + f.pairs[k]) {
        bool negative, next = false;
        int64_t with = named_row(ipiv, lower, n, k, &negative);
        if (negative)
            f.pairs[k] = k + 1 < n && named_row(ipiv, lower, n, k + 1, &next) == with && next;
        int64_t from = k + f.pairs[k];
        bool legal = negative == f.pairs[k] && with >= from && with < n;
        f.legal = f.legal && legal;
        if (legal)
            exchange(&f, k, from, with);
        take_block(&f, k);
    }
    return f;
}

/* Row i of L D, and its sizes with those of D as the bound has them. */
static void multiply_row(const Indefinite *f, int64_t i, WideComplex *to, double *sizes,
                         const double *d_sizes)
{
    for (int64_t k = 0; k < f->n; k++) {
        to[k] = (WideComplex){{0, 0}, {0, 0}};
        sizes[k] = 0;
        for (int64_t other = k > 0 ? k - 1 : 0; other < f->n && other <= k + 1; other++) {
            Scalar l = *matrix_at(&f->l, i, other);
            wide_complex_add_product(&to[k], 1, l, *matrix_at(&f->d, other, k));
            sizes[k] += scalar_size(l) * d_sizes[other * f->n + k];
        }
    }
}

static double gamma_of(const Indefinite *f)
{
    double count = 10 * (double)f->n + 60;
    bool pair = dtype_components(f->dtype) == 2;
    return (pair ? 2 * equation_gamma(dtype_format(f->dtype), 2 * count)
                 : equation_gamma(dtype_format(f->dtype), count)) *
           2;
}

static double limit_of(DType dtype)
{
    return ldexp(1, dtype_format(dtype)->maximum_exponent - 4);
}

static double largest_of(const Matrix *a)
{
    double largest = 0;
    for (int64_t i = 0; i < a->rows * a->columns; i++)
        largest = fmax(largest, scalar_size(a->values[i]));
    return largest;
}

static double *sizes_of(const Matrix *a, Arena *arena)
{
    double *sizes = arena_take(arena, (size_t)(a->rows * a->columns) + 1, sizeof *sizes);
    for (int64_t i = 0; i < a->rows * a->columns; i++)
        sizes[i] = scalar_size(a->values[i]);
    return sizes;
}

/* The place of row and column of the triangle in what is stored. */
static size_t place_of(const Ref *ref, bool lower, int64_t i, int64_t j)
{
    int64_t n = (int64_t)ref->rows;
    return lower ? matrix_element(ref, i, j) : matrix_element(ref, n - 1 - i, n - 1 - j);
}

/* Element (i, j) of the triangle: got, less the rest. */
static void put_rest(Ref *ref, size_t at, Scalar got, const WideComplex *rest, double size,
                     double bound)
{
    for (int part = 0; part < dtype_components(ref->dtype); part++) {
        double value = part ? got.im : got.re, off = part ? rest->im.high : rest->re.high;
        if (!isfinite(value))
            matrix_admit_finite(ref, at + (size_t)part);
        else
            matrix_put_rest(ref, at + (size_t)part, value, off, 0x1p-90 * size + 0x1p-1060, bound);
    }
}

/* How large the elements may become until column k. */
static double growth_limit(const Indefinite *f, const Matrix *a, int64_t k)
{
    static const double inverse_alpha = 1.5615528128088303;
    bool pair = dtype_components(f->dtype) == 2;
    return pow(1 + (pair ? 2 : 1) * inverse_alpha, (double)k) * largest_of(a) *
           (1 + 64 * (double)(f->n + 4) * dtype_format(f->dtype)->unit);
}

/* Expects the largest element that pivoting admits where D has a larger one. */
static void limit_growth(Ref *ref, const Indefinite *f, const Matrix *a, bool lower)
{
    const Format *format = dtype_format(f->dtype);
    double least = format->smallest_normal / format->unit;
    for (int64_t k = 0; k < f->n && largest_of(a) > least; k++) {
        Scalar d = *matrix_at(&f->d, k, k);
        double limit = growth_limit(f, a, k), size = scalar_size(d);
        if (!(size > limit) || !isfinite(size) || !(limit < limit_of(f->dtype)))
            continue;
        size_t at = place_of(ref, lower, k, k);
        ref_put_bounded(ref, at, d.re / size * limit, 0, 0);
        if (dtype_components(f->dtype) == 2)
            ref_put_bounded(ref, at + 1, d.im / size * limit, 0, 0);
    }
}

int64_t indefinite_first_zero(const Indefinite *f, bool lower)
{
    for (int64_t k = 0; k < f->n; k += 1 + f->pairs[k])
        if (!f->pairs[k] && scalar_is_zero(*matrix_at(&f->d, k, k)))
            return lower ? k + 1 : f->n - k;
    return 0;
}

/* Row i of P^T A P - L D L^H. */
static void put_row(Ref *ref, const Indefinite *f, const Matrix *a, bool lower, int64_t i,
                    const WideComplex *product, const double *sizes)
{
    double step = 16 * (double)(f->n + 4) * dtype_format(f->dtype)->smallest_subnormal;
    double most = 1 + largest_of(&f->d), sum = 0;
    for (int64_t k = 0; k < f->n; k++)
        sum += scalar_size(*matrix_at(&f->l, i, k));
    for (int64_t j = 0; j <= i; j++) {
        int64_t row = f->order[i], column = f->order[j];
        bool turned = row < column;
        Scalar given = turned ? *matrix_at(a, column, row) : *matrix_at(a, row, column);
        if (i == j && f->hermitian)
            given.im = 0;
        double size = scalar_size(given), other = 0;
        Scalar of_row = turned ? mirrored(f, given) : given;
        WideComplex rest = {{of_row.re, 0}, {of_row.im, 0}};
        for (int64_t k = 0; k <= j; k++) {
            Scalar l = *matrix_at(&f->l, j, k);
            wide_complex_add_scaled(&rest, -1, mirrored(f, l), &product[k]);
            size += sizes[k] * scalar_size(l);
            other += scalar_size(l);
        }
        size_t at = turned ? place_of(ref, lower, column, row) : place_of(ref, lower, row, column);
        Scalar got =
            turned ? *matrix_at(&f->stored, column, row) : *matrix_at(&f->stored, row, column);
        double bound = gamma_of(f) * size + step * (1 + sum) * (1 + other) * most;
        if (size < limit_of(f->dtype))
            put_rest(ref, at, got, &rest, size, bound);
        else if (growth_limit(f, a, f->n) < sqrt(dtype_format(f->dtype)->largest))
            put_rest(ref, at, (Scalar){NAN, NAN}, &rest, 0, 0);
    }
}

int64_t indefinite_put_factors(Ref *ref, const Indefinite *f, const Matrix *a, bool lower,
                               Arena *arena)
{
    if (!matrix_is_finite(a))
        return -1;
    int64_t n = f->n;
    WideComplex *product = arena_take(arena, (size_t)n + 1, sizeof *product);
    double *sizes = arena_take(arena, (size_t)n + 1, sizeof *sizes);
    double *d_sizes = sizes_of(&f->d, arena);
    if (!f->legal)
        return -1;
    for (int64_t i = 0; i < n; i++) {
        multiply_row(f, i, product, sizes, d_sizes);
        put_row(ref, f, a, lower, i, product, sizes);
    }
    limit_growth(ref, f, a, lower);
    return matrix_is_finite(&f->d) ? indefinite_first_zero(f, lower) : -1;
}

/* Sizes of D's inverse, and of D as it counts in solutions. */
static void block_sizes(const Indefinite *f, double *inverse, double *sizes)
{
    int64_t n = f->n;
    for (int64_t k = 0; k < n; k += 1 + f->pairs[k]) {
        double a = scalar_size(*matrix_at(&f->d, k, k));
        inverse[k * n + k] = 1 / a;
        sizes[k * n + k] = a;
        if (!f->pairs[k])
            continue;
        Scalar p = *matrix_at(&f->d, k, k), q = *matrix_at(&f->d, k + 1, k + 1);
        Scalar b = *matrix_at(&f->d, k + 1, k), m = mirrored(f, b);
        double c = scalar_size(q), s = scalar_size(b);
        long double re = (long double)p.re * q.re - (long double)p.im * q.im -
                         ((long double)b.re * m.re - (long double)b.im * m.im);
        long double im = (long double)p.re * q.im + (long double)p.im * q.re -
                         ((long double)b.re * m.im + (long double)b.im * m.re);
        double det = (double)hypotl(re, im);
        double kappa = 1 + (a * c + s * s) / det;
        const double e[] = {a, s, s, c}, inverted[] = {c / det, s / det, s / det, a / det};
        for (int i = 0; i < 4; i++) {
            double sum = 0;
            for (int l = 0; l < 4; l++)
                sum += e[i / 2 * 2 + l / 2] * inverted[l] * e[l % 2 * 2 + i % 2];
            int64_t at = (k + i / 2) * n + k + i % 2;
            /* Right sides and the block itself are divided by s on the way. */
            inverse[at] = s > 0 && a / s * (c / s) < limit_of(f->dtype)
                              ? inverted[i] * kappa + (1 + a / s + c / s) / s
                              : INFINITY;
            sizes[at] = e[i] + kappa * sum;
        }
    }
}

double *indefinite_block_sizes(const Indefinite *f, double **inverse, Arena *arena)
{
    size_t count = (size_t)(f->n * f->n) + 1;
    double *sizes = arena_take_zeroed(arena, count, sizeof *sizes);
    *inverse = arena_take_zeroed(arena, count, sizeof **inverse);
    block_sizes(f, *inverse, sizes);
    return sizes;
}

/* True where no number on the way to X may leave the range. */
static bool stays_finite(const Indefinite *f, const Matrix *b, int64_t column,
                         const double *inverse, double *reach, double *inner)
{
    int64_t n = f->n;
    double most = 0;
    for (int64_t i = 0; i < n; i++) {
        reach[i] = scalar_size(*matrix_at(b, f->order[i], column));
        for (int64_t k = 0; k < i; k++)
            reach[i] += scalar_size(*matrix_at(&f->l, i, k)) * reach[k];
        most = fmax(most, reach[i]);
    }
    for (int64_t i = 0; i < n; i++) {
        inner[i] = 0;
        for (int64_t k = i > 0 ? i - 1 : 0; k < n && k <= i + 1; k++)
            inner[i] += inverse[i * n + k] * reach[k];
        most = fmax(most, inner[i]);
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        for (int64_t k = i + 1; k < n; k++)
            inner[i] += scalar_size(*matrix_at(&f->l, k, i)) * inner[k];
        most = isnan(inner[i]) ? INFINITY : fmax(most, inner[i]);
    }
    double least = 1;
    for (int64_t i = 0; i < n; i++)
        least = fmin(least, inverse[i * n + i] > 0 ? 1 / inverse[i * n + i] : 1);
    return 8 * most < limit_of(f->dtype) && least > dtype_format(f->dtype)->smallest_normal * 16;
}

/* One column: D L^H y with sizes, y the unknowns in the order of the factors. */
static void multiply_unknowns(const Indefinite *f, const Matrix *x, int64_t column,
                              const double *d_sizes, WideComplex *to, double *sizes, Arena *arena)
{
    int64_t n = f->n;
    WideComplex *inner = arena_take(arena, (size_t)n + 1, sizeof *inner);
    double *inner_sizes = arena_take_zeroed(arena, (size_t)n + 1, sizeof *inner_sizes);
    for (int64_t k = 0; k < n; k++) {
        inner[k] = (WideComplex){{0, 0}, {0, 0}};
        for (int64_t i = k; i < n; i++) {
            Scalar l = *matrix_at(&f->l, i, k), y = *matrix_at(x, f->order[i], column);
            wide_complex_add_product(&inner[k], 1, mirrored(f, l), y);
            inner_sizes[k] += scalar_size(l) * scalar_size(y);
        }
    }
    for (int64_t k = 0; k < n; k++) {
        to[k] = (WideComplex){{0, 0}, {0, 0}};
        sizes[k] = 0;
        for (int64_t other = k > 0 ? k - 1 : 0; other < n && other <= k + 1; other++) {
            wide_complex_add_scaled(&to[k], 1, *matrix_at(&f->d, k, other), &inner[other]);
            sizes[k] += d_sizes[k * n + other] * inner_sizes[other];
        }
    }
}

void indefinite_put_solution(Ref *ref, const Indefinite *f, const Matrix *b, const Matrix *x,
                             bool lower, Arena *arena)
{
    int64_t n = f->n;
    size_t count = (size_t)(n * n) + 1;
    double *inverse = arena_take_zeroed(arena, count, sizeof *inverse);
    double *d_sizes = arena_take_zeroed(arena, count, sizeof *d_sizes);
    double *sizes = arena_take(arena, (size_t)n + 1, sizeof *sizes);
    double *reach = arena_take(arena, (size_t)n + 1, sizeof *reach);
    WideComplex *inner = arena_take(arena, (size_t)n + 1, sizeof *inner);
    double step = 16 * (double)(n + 4) * dtype_format(f->dtype)->smallest_subnormal;
    double most = 1 + largest_of(&f->d);
    block_sizes(f, inverse, d_sizes);
    for (int64_t j = 0; j < b->columns; j++) {
        if (!matrix_is_finite(&f->l) || !matrix_is_finite(&f->d) ||
            !stays_finite(f, b, j, inverse, reach, sizes))
            continue;
        multiply_unknowns(f, x, j, d_sizes, inner, sizes, arena);
        for (int64_t i = 0; i < n; i++) {
            Scalar given = *matrix_at(b, f->order[i], j), got = *matrix_at(x, f->order[i], j);
            WideComplex rest = {{given.re, 0}, {given.im, 0}};
            double size = 0, sum = 0;
            for (int64_t k = 0; k <= i; k++) {
                Scalar l = *matrix_at(&f->l, i, k);
                wide_complex_add_scaled(&rest, -1, l, &inner[k]);
                size += scalar_size(l) * sizes[k];
                sum += scalar_size(l);
            }
            int64_t row = lower ? f->order[i] : n - 1 - f->order[i];
            if (size < limit_of(f->dtype) || !scalar_is_finite(got))
                put_rest(ref, matrix_element(ref, row, j), got, &rest, size + scalar_size(given),
                         gamma_of(f) * size + step * (1 + sum) * (1 + sum) * most);
        }
    }
}
