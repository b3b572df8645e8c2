/* Singular values and vectors by rotations of columns, and how those of a kernel are judged. */
#include "singular.h"

#include <math.h>

#include "reference/function.h"
#include "reference/wide_complex.h"

enum { SWEEPS_MAX = 40 };

/* Rotations make the columns of W = A V orthogonal, or of A^H V where A has fewer rows.  Column j
 * of W with column j of V behind it is vector number j of `values`; behind all of these their
 * imaginary parts, where there are any. */
typedef struct Rotated {
    int64_t count, extent, length;
    int parts;
    long double *values, norm;
    double rotations;
    bool whole; /* short columns are rotated as well */
} Rotated;

static long double *vector_of(const Rotated *r, int part, int64_t j)
{
    return r->values + (part * r->count + j) * r->length;
}

static Rotated rotated_of(const Matrix *a, Arena *arena)
{
    bool wide = a->rows < a->columns;
    Rotated r = {
        .count = wide ? a->rows : a->columns, .extent = wide ? a->columns : a->rows, .parts = 1};
    for (int64_t i = 0; i < a->rows * a->columns; i++)
        if (a->values[i].im != 0)
            r.parts = 2;
    r.length = r.extent + r.count;
    r.values =
        arena_take_zeroed(arena, (size_t)(r.parts * r.count * r.length) + 1, sizeof *r.values);
    for (int64_t j = 0; j < r.count; j++) {
        vector_of(&r, 0, j)[r.extent + j] = 1;
        for (int64_t i = 0; i < r.extent; i++) {
            Scalar x = wide ? scalar_conjugate(*matrix_at(a, j, i)) : *matrix_at(a, i, j);
            vector_of(&r, 0, j)[i] = x.re;
            if (r.parts > 1)
                vector_of(&r, 1, j)[i] = x.im;
            r.norm += (long double)x.re * x.re + (long double)x.im * x.im;
        }
    }
    r.norm = sqrtl(r.norm);
    return r;
}

static long double product_of(const Rotated *r, int part, int64_t p, int other_part, int64_t q)
{
    const long double *x = vector_of(r, part, p), *y = vector_of(r, other_part, q);
    long double sum = 0;
    for (int64_t i = 0; i < r->extent; i++)
        sum += x[i] * y[i];
    return sum;
}

static long double square_of(const Rotated *r, int64_t j)
{
    long double sum = product_of(r, 0, j, 0, j);
    return r->parts > 1 ? sum + product_of(r, 1, j, 1, j) : sum;
}

/* w_p^H w_q. */
static void inner_of(const Rotated *r, int64_t p, int64_t q, long double *re, long double *im)
{
    *re = product_of(r, 0, p, 0, q);
    *im = 0;
    if (r->parts > 1) {
        *re += product_of(r, 1, p, 1, q);
        *im = product_of(r, 0, p, 1, q) - product_of(r, 1, p, 0, q);
    }
}

/* Multiplies a vector by a number of modulus 1. */
static void turn(const Rotated *r, int64_t j, long double re, long double im)
{
    long double *x = vector_of(r, 0, j), *y = r->parts > 1 ? vector_of(r, 1, j) : NULL;
    for (int64_t i = 0; i < r->length; i++) {
        long double first = x[i];
        x[i] = y ? re * first - im * y[i] : re * first;
        if (y)
            y[i] = re * y[i] + im * first;
    }
}

/* What inner products of columns are off by, of the product of their norms. */
static long double own_error(const Rotated *r)
{
    return (4 * (long double)r->extent + 16) * 0x1p-64L;
}

/* Whether a column is so short that rotations need not tell it from nothing. */
static bool is_nothing(const Rotated *r, long double square)
{
    return r->whole ? square == 0 : square <= 0x1p-120L * r->norm * r->norm;
}

/* Makes columns p and q orthogonal; false where they are. */
static bool annihilate(Rotated *r, int64_t p, int64_t q)
{
    long double re, im, a = square_of(r, p), b = square_of(r, q);
    inner_of(r, p, q, &re, &im);
    long double size = hypotl(re, im);
    if (is_nothing(r, a) || is_nothing(r, b) || size <= own_error(r) * sqrtl(a) * sqrtl(b))
        return false;
    turn(r, q, re / size, -im / size);
    long double tau = (b - a) / (2 * size);
    long double t = (tau < 0 ? -1 : 1) / (fabsl(tau) + sqrtl(1 + tau * tau));
    long double c = 1 / sqrtl(1 + t * t), s = t * c;
    for (int part = 0; part < r->parts; part++) {
        long double *x = vector_of(r, part, p), *y = vector_of(r, part, q);
        for (int64_t i = 0; i < r->length; i++) {
            long double first = x[i], last = y[i];
            x[i] = c * first - s * last;
            y[i] = s * first + c * last;
        }
    }
    r->rotations++;
    return true;
}

/* What values are off by since columns are not orthogonal, or taken for nothing (singular.h). */
static long double rest_of(const Rotated *r)
{
    long double sum = 0, nothing = 0;
    for (int64_t p = 0; p < r->count; p++) {
        long double a = square_of(r, p);
        nothing += is_nothing(r, a) ? a : 0;
        for (int64_t q = p; q < r->count && !is_nothing(r, a); q++) {
            long double re = 0, im = 0, b = square_of(r, q), size = sqrtl(a) * sqrtl(b);
            if (p != q)
                inner_of(r, p, q, &re, &im);
            long double off = is_nothing(r, b) ? 0 : hypotl(re, im) / size + own_error(r);
            sum += (p == q ? 1 : 2) * off * off;
        }
    }
    return sqrtl(sum) * r->norm + 2 * sqrtl(nothing);
}

/* Value and vectors number `at` of the doubled matrix, of column j. */
static void put_pair(Spectrum *s, const Rotated *r, const Matrix *a, int64_t at, int64_t j)
{
    long double size = sqrtl(square_of(r, j));
    bool wide = a->rows < a->columns;
    s->values[at] = (double)size;
    s->lows[at] = (double)(size - s->values[at]);
    s->values[a->rows + a->columns - 1 - at] = -s->values[at];
    s->lows[a->rows + a->columns - 1 - at] = -s->lows[at];
    for (int64_t i = 0; i < r->length && size > 0; i++) {
        /* W / size is what A V is made of, V is turned where A is. */
        long double unit = sqrtl(0.5L) / (i < r->extent ? size : 1);
        int64_t row = !wide ? i : i < r->extent ? a->rows + i : i - r->extent;
        matrix_at(&s->vectors, row, at)->re = (double)(vector_of(r, 0, j)[i] * unit);
        if (r->parts > 1)
            matrix_at(&s->vectors, row, at)->im = (double)(vector_of(r, 1, j)[i] * unit);
    }
}

/* The columns by their norms, ascending. */
static int64_t *order_of(const Rotated *r, Arena *arena)
{
    int64_t *order = arena_take(arena, (size_t)r->count + 1, sizeof *order);
    for (int64_t i = 0; i < r->count; i++) {
        int64_t at = i;
        long double square = square_of(r, i);
        for (; at > 0 && square_of(r, order[at - 1]) > square; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return order;
}

static void rotate_all(Rotated *r)
{
    bool rotates = true;
    for (int sweep = 0; sweep < SWEEPS_MAX && rotates; sweep++) {
        rotates = false;
        for (int64_t p = 0; p < r->count; p++)
            for (int64_t q = p + 1; q < r->count; q++)
                rotates = annihilate(r, p, q) || rotates;
    }
}

/* The determinant of C, of columns other than 0, by Cholesky's method. */
static long double scaled_determinant(const Rotated *r, Arena *arena)
{
    typedef struct Number {
        long double re, im;
    } Number;
    int64_t n = r->count;
    Number *l = arena_take_zeroed(arena, (size_t)(n * n) + 1, sizeof *l);
    long double det = 1;
    for (int64_t i = 0; i < n; i++) {
        long double rest = 1, square = square_of(r, i);
        for (int64_t j = 0; j < i && square > 0; j++) {
            Number *x = &l[i * n + j];
            long double other = square_of(r, j);
            if (other == 0)
                continue;
            inner_of(r, j, i, &x->re, &x->im);
            x->re /= sqrtl(square) * sqrtl(other);
            x->im /= sqrtl(square) * sqrtl(other);
            for (int64_t k = 0; k < j; k++) {
                const Number *y = &l[i * n + k], *z = &l[j * n + k];
                x->re -= y->re * z->re + y->im * z->im;
                x->im -= y->im * z->re - y->re * z->im;
            }
            x->re /= l[j * n + j].re;
            x->im /= l[j * n + j].re;
            rest -= x->re * x->re + x->im * x->im;
        }
        if (!(rest > 0))
            return 0;
        l[i * n + i].re = sqrtl(rest);
        det *= rest;
    }
    return det;
}

RelativeValues singular_relative(const Matrix *a, DType dtype, Arena *arena)
{
    const Format *format = dtype_format(dtype);
    Rotated r = rotated_of(a, arena);
    RelativeValues to = {.values =
                             arena_take_zeroed(arena, (size_t)r.count + 1, sizeof *to.values)};
    double low = sqrt(format->smallest_normal) / format->unit;
    double high = sqrt(format->largest) * format->unit;
    to.known = isfinite((double)r.norm);
    for (int64_t j = 0; j < r.count && to.known; j++) {
        long double size = sqrtl(square_of(&r, j));
        to.known = size == 0 || (size > low && size < high);
    }
    long double det = to.known ? scaled_determinant(&r, arena) : 0;
    double least = sqrt((double)det / exp(1));
    to.bound = 2 * spectrum_factor(dtype, r.extent) / least * (1 + 0x1p-8);
    to.known = to.known && det > 0x1p-40L && to.bound < 0x1p-4;
    if (!to.known)
        return to;
    r.whole = true;
    rotate_all(&r);
    const int64_t *order = order_of(&r, arena);
    for (int64_t i = 0; i < r.count; i++)
        to.values[i] = sqrtl(square_of(&r, order[r.count - 1 - i]));
    to.error = (24 * r.rotations / least + 2 * (double)r.count) * (double)own_error(&r);
    return to;
}

Spectrum singular_spectrum(const Matrix *a, Arena *arena)
{
    int64_t n = a->rows + a->columns;
    Spectrum s = {.values = arena_take_zeroed(arena, (size_t)n + 1, sizeof *s.values),
                  .lows = arena_take_zeroed(arena, (size_t)n + 1, sizeof *s.lows),
                  .vectors = matrix_zeros(n, n, arena)};
    Rotated r = rotated_of(a, arena);
    s.norm = (double)(sqrtl(2) * r.norm);
    s.known = isfinite(s.norm);
    if (s.known)
        rotate_all(&r);
    for (int64_t i = 0; i < n && !s.known; i++)
        s.values[i] = NAN;
    if (!s.known)
        return s;
    const int64_t *order = order_of(&r, arena);
    for (int64_t i = 0; i < r.count; i++)
        put_pair(&s, &r, a, n - r.count + i, order[i]);
    s.error = (double)(24 * (r.rotations + 4) * 0x1p-63L * r.norm + rest_of(&r)) + 0x1p-1074;
    return s;
}

/* The element of A Y - X diag(s) over the norm, or of X^H X - I, whichever is larger; the first is
 * of columns that have a value alone.  Both terms of it are taken `up` times as large, an exact
 * factor, since the errors of products of tiny numbers, which keep a sum exact, are lost. */
static Scalar defect_of(const Matrix *a, const Matrix *x, const Matrix *y, const double *s,
                        int64_t values, double norm, int64_t i, int64_t j)
{
    WideComplex rest = {{0, 0}, {0, 0}}, product = {{i == j ? -1 : 0, 0}, {0, 0}};
    double up = norm < 0x1p-500 ? 0x1p500 : 1;
    for (int64_t k = 0; k < a->columns && j < values; k++) {
        Scalar given = *matrix_at(a, i, k);
        wide_complex_add_product(&rest, 1, (Scalar){up * given.re, up * given.im},
                                 *matrix_at(y, k, j));
    }
    if (j < values)
        wide_complex_add_product(&rest, -1, (Scalar){up * s[j], 0}, *matrix_at(x, i, j));
    for (int64_t k = 0; k < x->rows && i < x->columns; k++)
        wide_complex_add_product(&product, 1, scalar_conjugate(*matrix_at(x, k, i)),
                                 *matrix_at(x, k, j));
    Scalar residual = {rest.re.high / (up * norm), rest.im.high / (up * norm)};
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

void singular_put_alone(Ref *ref, size_t first, const Matrix *a, const Matrix *x, const double *s,
                        double norm, bool turned, Arena *arena)
{
    Matrix y = matrix_zeros(a->columns, x->columns, arena);
    double *squares = arena_take(arena, (size_t)x->columns + 1, sizeof *squares);
    for (int64_t j = 0; j < x->columns; j++) {
        squares[j] = s[j] * (s[j] / norm);
        for (int64_t k = 0; k < a->columns; k++) {
            long double re = 0, im = 0;
            for (int64_t i = 0; i < a->rows; i++) {
                long double p = matrix_at(a, i, k)->re / norm, q = -matrix_at(a, i, k)->im / norm;
                re += p * matrix_at(x, i, j)->re - q * matrix_at(x, i, j)->im;
                im += p * matrix_at(x, i, j)->im + q * matrix_at(x, i, j)->re;
            }
            *matrix_at(&y, k, j) = (Scalar){(double)re, (double)im};
        }
    }
    singular_put_vectors(ref, first, a, x, &y, squares, x->columns, 2 * norm, turned);
}

double singular_distance(DType dtype, const Matrix *a, const Spectrum *d)
{
    int64_t extent = a->rows > a->columns ? a->rows : a->columns;
    return 2 * spectrum_factor(dtype, extent) * d->norm * (1 + 0x1p-40) +
           8 * dtype_format(dtype)->smallest_subnormal;
}

void singular_put_values(Ref *ref, size_t first, DType dtype, const Matrix *a, const Spectrum *d,
                         const double *got)
{
    singular_put_some(ref, first, dtype, a, d, got, 0, a->rows < a->columns ? a->rows : a->columns);
}

void singular_put_some(Ref *ref, size_t first, DType dtype, const Matrix *a, const Spectrum *d,
                       const double *got, int64_t from, int64_t count)
{
    int64_t last = a->rows + a->columns - 1 - from;
    double before = INFINITY, bound = singular_distance(dtype, a, d);
    for (int64_t i = 0; i < count; i++) {
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
    /* Columns of the identity that were tried are nearly combinations of those of X from then on.
     */
    int64_t tried = 0;
    for (int64_t j = 0; j < x.columns; j++) {
        bool given = j < values && d->values[last - j] > 0x1p-48 * d->norm;
        double norm = 0;
        for (int64_t i = 0; i < extent && given; i++)
            *matrix_at(&x, i, j) = *matrix_at(&d->vectors, first + i, last - j);
        if (given)
            (void)singular_orthonormalise(&x, j);
        for (; tried < extent && !given && norm < 0.5 / (double)extent; tried++) {
            for (int64_t i = 0; i < extent; i++)
                *matrix_at(&x, i, j) = (Scalar){i == tried, 0};
            norm = singular_orthonormalise(&x, j);
        }
    }
    return x;
}
