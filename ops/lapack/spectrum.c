/* Jacobi's method in 64 bits. */
#include "spectrum.h"

#include <math.h>

#include "reference/function.h"
#include "reference/wide_complex.h"

enum { SWEEPS_MAX = 40 };

typedef struct LongScalar {
    long double re, im;
} LongScalar;

/* A becomes diagonal by rotations, whose product is V. */
typedef struct Jacobi {
    int64_t n;
    LongScalar *a, *v;
    long double norm;
    double rotations;
} Jacobi;

static LongScalar multiply(LongScalar x, LongScalar y)
{
    return (LongScalar){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

/* (x, y) becomes (c x - s t y, s x + c t y), element by element, t of modulus 1. */
static void rotate(LongScalar *x, LongScalar *y, int64_t step, int64_t count, long double c,
                   long double s, LongScalar t)
{
    for (int64_t i = 0; i < count * step; i += step) {
        LongScalar p = x[i], q = multiply(t, y[i]);
        x[i] = (LongScalar){c * p.re - s * q.re, c * p.im - s * q.im};
        y[i] = (LongScalar){s * p.re + c * q.re, s * p.im + c * q.im};
    }
}

/* Makes element (p, q) zero. */
static void annihilate(Jacobi *j, int64_t p, int64_t q)
{
    int64_t n = j->n;
    LongScalar beside = j->a[p * n + q];
    long double size = hypotl(beside.re, beside.im);
    if (size <= 0x1p-72L * j->norm)
        return;
    LongScalar phase = {beside.re / size, beside.im / size};
    LongScalar turned = {phase.re, -phase.im};
    long double tau = (j->a[q * n + q].re - j->a[p * n + p].re) / (2 * size);
    long double t = (tau < 0 ? -1 : 1) / (fabsl(tau) + sqrtl(1 + tau * tau));
    long double c = 1 / sqrtl(1 + t * t), s = t * c;
    rotate(j->a + p, j->a + q, n, n, c, s, turned);
    rotate(j->v + p, j->v + q, n, n, c, s, turned);
    rotate(j->a + p * n, j->a + q * n, 1, n, c, s, phase);
    j->a[p * n + q] = j->a[q * n + p] = (LongScalar){0, 0};
    j->rotations++;
}

/* What is left beside the diagonal, squared. */
static long double rest_of(const Jacobi *j)
{
    long double sum = 0;
    for (int64_t p = 0; p < j->n; p++)
        for (int64_t q = 0; q < j->n; q++)
            if (p != q) {
                LongScalar x = j->a[p * j->n + q];
                sum += x.re * x.re + x.im * x.im;
            }
    return sum;
}

static Jacobi start(const Matrix *a, Arena *arena)
{
    int64_t n = a->rows;
    Jacobi j = {.n = n,
                .a = arena_take_zeroed(arena, (size_t)(n * n) + 1, sizeof *j.a),
                .v = arena_take_zeroed(arena, (size_t)(n * n) + 1, sizeof *j.v)};
    for (int64_t p = 0; p < n; p++) {
        j.v[p * n + p].re = 1;
        j.a[p * n + p].re = matrix_at(a, p, p)->re;
        for (int64_t q = 0; q < p; q++) {
            Scalar x = *matrix_at(a, p, q);
            j.a[p * n + q] = (LongScalar){x.re, x.im};
            j.a[q * n + p] = (LongScalar){x.re, -x.im};
        }
    }
    for (int64_t i = 0; i < n * n; i++)
        j.norm += j.a[i].re * j.a[i].re + j.a[i].im * j.a[i].im;
    j.norm = sqrtl(j.norm);
    return j;
}

/* The places of the diagonal in ascending order. */
static int64_t *order_of(const Jacobi *j, Arena *arena)
{
    int64_t *order = arena_take(arena, (size_t)j->n + 1, sizeof *order);
    for (int64_t i = 0; i < j->n; i++) {
        int64_t at = i;
        long double value = j->a[i * j->n + i].re;
        for (; at > 0 && j->a[order[at - 1] * j->n + order[at - 1]].re > value; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return order;
}

Spectrum spectrum_of(const Matrix *a, Arena *arena)
{
    int64_t n = a->rows;
    Spectrum s = {.values = arena_take(arena, (size_t)n + 1, sizeof *s.values),
                  .lows = arena_take(arena, (size_t)n + 1, sizeof *s.lows),
                  .vectors = matrix_zeros(n, n, arena)};
    Jacobi j = start(a, arena);
    s.known = isfinite((double)j.norm);
    long double rest = s.known ? rest_of(&j) : 0;
    for (int sweep = 0; sweep < SWEEPS_MAX && rest > 0 && s.known; sweep++) {
        double before = j.rotations;
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = p + 1; q < n; q++)
                annihilate(&j, p, q);
        rest = rest_of(&j);
        if (j.rotations == before)
            break;
    }
    int64_t *order = order_of(&j, arena);
    for (int64_t i = 0; i < n; i++) {
        long double value = j.a[order[i] * n + order[i]].re;
        s.values[i] = s.known ? (double)value : NAN;
        s.lows[i] = (double)(value - s.values[i]);
        for (int64_t p = 0; p < n; p++) {
            LongScalar x = j.v[p * n + order[i]];
            *matrix_at(&s.vectors, p, i) = (Scalar){(double)x.re, (double)x.im};
        }
    }
    s.norm = (double)j.norm;
    s.error = (double)(24 * (j.rotations + 4) * 0x1p-63L * j.norm + 2 * sqrtl(rest)) + 0x1p-1074;
    return s;
}

double spectrum_factor(DType dtype, int64_t n)
{
    enum { ACCEPTED = 100 };
    return ACCEPTED * (double)(n > 1 ? n : 1) * dtype_format(dtype)->unit;
}

void spectrum_put_defect(Ref *ref, size_t at, Scalar got, Scalar defect, double bound)
{
    for (int part = 0; part < dtype_components(ref->dtype); part++) {
        double value = part ? got.im : got.re, off = part ? defect.im : defect.re;
        if (isfinite(value) && isfinite(off))
            ref_put_bounded(ref, at + (size_t)part, (long double)value - off, 0x1p-56 * fabs(off),
                            bound);
        else if (!isfinite(value))
            matrix_admit_finite(ref, at + (size_t)part);
    }
}

/* Element (i, j) of the whole matrix. */
static Scalar element_of(const Matrix *lower, int64_t i, int64_t j)
{
    if (i == j)
        return (Scalar){matrix_at(lower, i, i)->re, 0};
    return i > j ? *matrix_at(lower, i, j) : scalar_conjugate(*matrix_at(lower, j, i));
}

/* How many times p(n) u the inner product of vectors i and j may be. */
static double admitted_times(const double *w, double norm, double most, int64_t i, int64_t j)
{
    double gap = fabs(w[i] - w[j]);
    return i == j || norm <= gap ? 1 : norm < most * gap ? norm / gap : most;
}

/* The element of A Z - Z diag(w) over the norm, or of Z^H Z - I over `times`, whichever is larger;
 * the first alone where vector i is none of those that were found. */
static Scalar defect_of(const Matrix *lower, const Matrix *z, const double *w, double norm,
                        double times, bool paired, int64_t i, int64_t j)
{
    WideComplex rest = {{0, 0}, {0, 0}}, product = {{i == j ? -1 : 0, 0}, {0, 0}};
    /* Products with subnormal numbers would be 0. */
    int by = -ilogb(norm);
    for (int64_t k = 0; k < z->rows; k++) {
        Scalar x = element_of(lower, i, k);
        x = (Scalar){ldexp(x.re, by), ldexp(x.im, by)};
        wide_complex_add_product(&rest, 1, x, *matrix_at(z, k, j));
        if (paired)
            wide_complex_add_product(&product, 1, scalar_conjugate(*matrix_at(z, k, i)),
                                     *matrix_at(z, k, j));
    }
    wide_complex_add_product(&rest, -1, (Scalar){ldexp(w[j], by), 0}, *matrix_at(z, i, j));
    double size = ldexp(norm, by);
    Scalar residual = {rest.re.high / size, rest.im.high / size};
    if (!paired)
        return residual;
    Scalar orthogonal = {product.re.high / times, product.im.high / times};
    return scalar_size(residual) > scalar_size(orthogonal) ? residual : orthogonal;
}

void spectrum_put_vectors(Ref *ref, size_t first, const Matrix *lower, const Matrix *z,
                          const double *w, int64_t count, double norm, double most_apart)
{
    const Format *format = dtype_format(ref->dtype);
    double bound = spectrum_factor(ref->dtype, z->rows) + 8 * format->smallest_subnormal / norm;
    for (int64_t i = 0; i < z->rows; i++)
        for (int64_t j = 0; j < count; j++) {
            bool paired = i < count;
            double times = paired ? admitted_times(w, norm, most_apart, i, j) : 1;
            spectrum_put_defect(ref, first + matrix_element(ref, i, j), *matrix_at(z, i, j),
                                defect_of(lower, z, w, norm, times, paired, i, j), bound);
        }
}

void spectrum_put_values(Ref *ref, size_t first, const Spectrum *s, DType dtype, const double *got,
                         int64_t from, int64_t count)
{
    const Format *format = dtype_format(ref->dtype);
    double bound = spectrum_factor(dtype, s->vectors.rows) * s->norm * (1 + 0x1p-40) +
                   8 * format->smallest_subnormal;
    double before = -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        size_t at = first + (size_t)i;
        ref_put_bounded(ref, at, (long double)s->values[from + i] + s->lows[from + i], s->error,
                        bound);
        if (got[i] < before)
            ref_set_exact(ref, at, before, MATCH_VALUE);
        before = got[i];
    }
}
