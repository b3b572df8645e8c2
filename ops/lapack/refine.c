/* Intervals of backward errors and of estimates of forward errors. */
#include "refine.h"

#include <math.h>

#include "reference/equation.h"
#include "reference/function.h"
#include "reference/mag.h"
#include "reference/wide_complex.h"
#include "solve.h"

/* A magnitude by its two readings. */
typedef struct Magnitude {
    double modulus, sum;
} Magnitude;

static Magnitude magnitude_of(Scalar x)
{
    return (Magnitude){hypot(x.re, x.im), scalar_size(x)};
}

static void add_magnitude(Magnitude *to, Magnitude x, Magnitude y)
{
    to->modulus += x.modulus * y.modulus;
    to->sum += x.sum * y.sum;
}

/* One column: the residual, |A| |x| + |b| and what it is known of both. */
typedef struct RefinedColumn {
    int64_t n;
    Magnitude *rest, *size;
    Magnitude largest; /* of x */
    bool finite, in_range;
} RefinedColumn;

Matrix refine_transposed(const Matrix *a, int64_t trans, Arena *arena)
{
    if (trans == TRANSPOSE_NONE)
        return matrix_copy(a, arena);
    return lapack_transposed(a, trans == TRANSPOSE_CONJUGATE, arena);
}

/* Column j of B - A X. */
static Matrix rest_of(const Refinement *r, const Matrix *b, const Matrix *x, int64_t j,
                      Arena *arena)
{
    Matrix rest = matrix_zeros(b->rows, 1, arena);
    for (int64_t i = 0; i < b->rows; i++) {
        Scalar given = *matrix_at(b, i, j);
        WideComplex sum = {{given.re, 0}, {given.im, 0}};
        for (int64_t k = 0; k < b->rows; k++)
            wide_complex_add_product(&sum, -1, *matrix_at(r->a, i, k), *matrix_at(x, k, j));
        rest.values[i] = (Scalar){sum.re.high, sum.im.high};
    }
    return rest;
}

Matrix refine_solve(const Refinement *r, const Matrix *b, int64_t trans, Arena *arena)
{
    enum { STEPS = 3 };
    DType part = dtype_component(r->dtype);
    Matrix inverse = refine_transposed(r->factors.inverse, trans, arena);
    Matrix x = matrix_zeros(b->rows, b->columns, arena);
    for (int64_t j = 0; j < b->columns; j++)
        for (int step = 0; step < STEPS; step++) {
            Matrix rest = rest_of(r, b, &x, j, arena);
            for (int64_t i = 0; i < b->rows; i++) {
                Scalar *to = matrix_at(&x, i, j);
                WideComplex sum = {{to->re, 0}, {to->im, 0}};
                for (int64_t k = 0; k < b->rows; k++)
                    wide_complex_add_product(&sum, 1, *matrix_at(&inverse, i, k), rest.values[k]);
                *to = (Scalar){dtype_round(part, sum.re.high), dtype_round(part, sum.im.high)};
            }
        }
    return x;
}

static double gamma_of(const Refinement *r, double count)
{
    bool pair = dtype_components(r->dtype) == 2;
    double gamma = equation_gamma(dtype_format(r->dtype), pair ? 4 * count + 24 : count + 6);
    return pair ? 2 * gamma : gamma;
}

static RefinedColumn column_of(const Refinement *r, const Matrix *b, const Matrix *x, int64_t j,
                               Arena *arena)
{
    int64_t n = r->a->rows;
    const Format *format = dtype_format(r->dtype);
    RefinedColumn to = {.n = n,
                        .rest = arena_take(arena, (size_t)n + 1, sizeof *to.rest),
                        .size = arena_take(arena, (size_t)n + 1, sizeof *to.size),
                        .finite = true,
                        .in_range = true};
    for (int64_t i = 0; i < n; i++) {
        Scalar given = *matrix_at(b, i, j), unknown = *matrix_at(x, i, j);
        WideComplex rest = {{given.re, 0}, {given.im, 0}};
        Magnitude size = magnitude_of(given), own = magnitude_of(unknown);
        to.finite = to.finite && scalar_is_finite(given) && scalar_is_finite(unknown);
        for (int64_t k = 0; k < n; k++) {
            Scalar of_a = *matrix_at(r->a, i, k), of_x = *matrix_at(x, k, j);
            to.in_range = to.in_range && scalar_size(of_a) < format->largest / 4 &&
                          scalar_size(of_x) < format->largest / 4;
            wide_complex_add_product(&rest, -1, of_a, of_x);
            add_magnitude(&size, magnitude_of(of_a), magnitude_of(of_x));
        }
        to.rest[i] = magnitude_of((Scalar){rest.re.high, rest.im.high});
        to.size[i] = size;
        to.largest.modulus = fmax(to.largest.modulus, own.modulus);
        to.largest.sum = fmax(to.largest.sum, own.sum);
        to.in_range = to.in_range && size.sum < format->largest / 256;
    }
    return to;
}

/* Sums up to so much may be taken for small: twice SAFE2. */
static double small_of(const Refinement *r)
{
    const Format *format = dtype_format(r->dtype);
    return 4 * (r->most_nonzeros + 1) * format->smallest_normal / format->unit;
}

static void put_backward(Ref *berr, const Refinement *r, const RefinedColumn *c, int64_t j)
{
    double gamma = 2 * gamma_of(r, r->nonzeros), low = 0, high = 0;
    for (int64_t i = 0; i < c->n; i++) {
        if (c->size[i].modulus <= small_of(r)) {
            high = fmax(high, 1);
            continue;
        }
        double by_modulus = c->rest[i].modulus / c->size[i].modulus;
        double by_sum = c->rest[i].sum / c->size[i].sum;
        low = fmax(low, fmin(by_modulus, by_sum));
        high = fmax(high, fmax(by_modulus, by_sum));
    }
    low = fmax(0, low * (1 - gamma) - gamma);
    high = high * (1 + gamma) + gamma;
    ref_put_bounded(berr, (size_t)j, (low + high) / 2, (low + high) * 0x1p-50, (high - low) / 2);
}

/* What w may be. */
static void weigh(const Refinement *r, const RefinedColumn *c, double *least, double *most)
{
    const Format *format = dtype_format(r->dtype);
    double gamma = gamma_of(r, r->nonzeros), added = r->nonzeros * format->unit;
    double most_added = r->most_nonzeros * format->unit;
    for (int64_t i = 0; i < c->n; i++) {
        double lost = ((double)c->n + 2) * format->smallest_subnormal;
        double below = gamma * c->size[i].modulus + lost, above = gamma * c->size[i].sum + lost;
        least[i] = fmax(0, c->rest[i].modulus * (1 - 0x1p-50) - below) +
                   fmax(0, added * c->size[i].modulus * (1 - gamma) - lost);
        most[i] =
            c->rest[i].sum * (1 + 0x1p-50) + above + most_added * c->size[i].sum * (1 + gamma);
        if (c->size[i].modulus <= small_of(r))
            most[i] += (r->most_nonzeros + 1) * format->smallest_normal;
    }
}

/* The upper end with the largest weight in place of each. */
static void raise_to_norm(ConditionEstimate *e, const Condition *of, const Matrix *inverse,
                          int64_t n, double *weights, Arena *arena)
{
    Condition condition = *of;
    double largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, weights[i]);
    for (int64_t i = 0; i < n; i++)
        weights[i] = largest;
    condition.least_weights = weights;
    ConditionEstimate norm = condition_estimate(&condition, inverse, arena);
    norm.low = e->known ? e->low : 0;
    *e = norm;
}

static void put_forward(Ref *ferr, const Refinement *r, const Matrix *inverse,
                        const RefinedColumn *c, int64_t j, Arena *arena)
{
    const Format *format = dtype_format(r->dtype);
    double *least = arena_take(arena, (size_t)c->n + 1, sizeof *least);
    double *most = arena_take(arena, (size_t)c->n + 1, sizeof *most);
    weigh(r, c, least, most);
    Condition condition = r->factors;
    condition.weights = most;
    condition.least_weights = least;
    condition.exact = false;
    ConditionEstimate e = condition_estimate(&condition, inverse, arena);
    if (r->factors.exact)
        raise_to_norm(&e, &condition, inverse, c->n, most, arena);
    double rounding = 8 * (double)c->n * format->unit + 0x1p-48;
    Magnitude over = c->largest.modulus > 0 ? c->largest : (Magnitude){1, 1};
    long double factor = 1 - 16 * (long double)e.delta;
    long double low = e.low * (1 - rounding) / over.sum;
    long double high = e.high * (1 + rounding) / (factor * over.modulus);
    if (r->factors_of_x) {
        low = low * (1 - 32 * (long double)format->unit) / r->ratio;
        high = high * (1 + 32 * (long double)format->unit) / r->ratio;
    }
    bool told = e.known && e.in_range && factor > 0;
    if (!told || !(high < format->largest / 4) || !(over.modulus >= format->smallest_normal)) {
        ref_set_classes(ferr, (size_t)j, CLASS_ANY);
        return;
    }
    ref_put_bounded(ferr, (size_t)j, (low + high) / 2, (low + high) * 0x1p-60L,
                    (double)((high - low) / 2) * (1 + 0x1p-40) + 4 * format->smallest_subnormal);
}

/* Whether an element of the diagonal is subnormal, or next to that: quotients by such numbers lose
 * digits. */
static bool divides_roughly(const Format *format, const Matrix *t)
{
    for (int64_t i = 0; i < t->rows; i++) {
        double size = scalar_size(*matrix_at(t, i, i));
        if (size > 0 && size < 4 * format->smallest_normal)
            return true;
    }
    return false;
}

/* A^-1 or its conjugate transpose in binary64, where the factors are those of a matrix that has one
 * and numbers stay within its range. */
static bool invert(const Refinement *r, Matrix *inverse, Arena *arena)
{
    const Condition *c = &r->factors;
    const Format *format = dtype_format(r->dtype);
    if (!matrix_is_finite(c->f) || !matrix_is_finite(c->g) || c->singular ||
        divides_roughly(format, c->f) || divides_roughly(format, c->g))
        return false;
    if (!c->inverse && (lapack_first_zero(c->f) || lapack_first_zero(c->g)))
        return false;
    *inverse = condition_inverse(c, arena);
    return matrix_is_finite(inverse);
}

void refine_put_bounds(Ref *ferr, Ref *berr, const Refinement *r, const Matrix *b, const Matrix *x,
                       Arena *arena)
{
    Matrix inverse;
    bool inverted = invert(r, &inverse, arena), finite = matrix_is_finite(r->a);
    for (int64_t j = 0; j < x->columns; j++) {
        if (r->a->rows == 0) {
            ref_set_exact(ferr, (size_t)j, 0, MATCH_VALUE);
            ref_set_exact(berr, (size_t)j, 0, MATCH_VALUE);
            continue;
        }
        RefinedColumn c = column_of(r, b, x, j, arena);
        ref_set_classes(ferr, (size_t)j, CLASS_ANY);
        ref_set_classes(berr, (size_t)j, CLASS_ANY);
        if (!finite || !c.finite || !c.in_range)
            continue;
        put_backward(berr, r, &c, j);
        if (inverted)
            put_forward(ferr, r, &inverse, &c, j, arena);
    }
}

/* The sums of the rows of |F| |G|. */
static double *row_sums(const Refinement *r, Arena *arena)
{
    const Condition *c = &r->factors;
    int64_t n = c->f->rows;
    double *sums = arena_take_zeroed(arena, (size_t)n + 1, sizeof *sums);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < n; k++)
            for (int64_t j = 0; j < n; j++) {
                double product =
                    scalar_size(*matrix_at(c->f, i, k)) * scalar_size(*matrix_at(c->g, k, j));
                sums[c->by_rows ? i : j] += product;
            }
    return sums;
}

/* | |A^-1| |F| |G| | by rows; the inverse that is given is turned. */
static double amplification(const Matrix *inverse, const double *sums)
{
    double largest = 0;
    for (int64_t i = 0; i < inverse->rows; i++) {
        double sum = 0;
        for (int64_t k = 0; k < inverse->rows; k++)
            sum += scalar_size(*matrix_at(inverse, k, i)) * sums[k];
        largest = fmax(largest, sum);
    }
    return largest;
}

static double largest_of(const Matrix *x, int64_t j)
{
    double largest = 0;
    for (int64_t i = 0; i < x->rows; i++)
        largest = fmax(largest, scalar_size(*matrix_at(x, i, j)));
    return largest;
}

static void put_column(Ref *ref, const Refinement *r, const Matrix *b, const Matrix *before,
                       const Matrix *x, const double *sums, int64_t j, Arena *arena)
{
    const Format *format = dtype_format(r->dtype);
    double n = (double)x->rows, size = largest_of(before, j) + largest_of(x, j);
    double bound = 32 * gamma_of(r, n) * size;
    Matrix rest = rest_of(r, b, x, j, arena);
    for (int64_t i = 0; i < x->rows; i++) {
        double least = 32 * (n + 2) * format->smallest_subnormal * (1 + 1 / sums[i]);
        double factor = r->scaled ? r->factors_of_x[i] : 1, over = sums[i] / factor;
        Scalar off = {rest.values[i].re / over, rest.values[i].im / over};
        if (isfinite((bound + least) * factor))
            matrix_put_residual(ref, matrix_element(ref, i, j),
                                *matrix_at(r->scaled ? r->scaled : x, i, j), off,
                                8 * n * WIDE_UNIT * size * factor, (bound + least) * factor);
        else
            matrix_admit(ref, i, j);
    }
}

static bool is_finite(const Matrix *x, int64_t j)
{
    bool finite = true;
    for (int64_t i = 0; i < x->rows; i++)
        finite = finite && scalar_is_finite(*matrix_at(x, i, j));
    return finite;
}

void refine_put_solution(Ref *ref, const Refinement *r, const Matrix *b, const Matrix *before,
                         const Matrix *x, Arena *arena)
{
    Matrix inverse;
    int64_t n = x->rows;
    const Format *format = dtype_format(r->dtype);
    bool told = n > 0 && matrix_is_finite(r->a) && invert(r, &inverse, arena);
    double *sums = told ? row_sums(r, arena) : NULL, size = 0, least = INFINITY;
    for (int64_t i = 0; i < n && told; i++) {
        size = fmax(size, sums[i]);
        least = fmin(least, sums[i]);
    }
    ConditionEstimate e = {0};
    if (told)
        e = condition_estimate(&r->factors, &inverse, arena);
    told = told && e.known && e.in_range && least > 0x1p10 * format->smallest_normal &&
           8 * gamma_of(r, (double)n) * amplification(&inverse, sums) < 0x1p-10;
    for (int64_t j = 0; j < x->columns; j++) {
        bool finite = is_finite(b, j) && is_finite(before, j);
        double reach = told && finite ? fmax(largest_of(before, j), largest_of(b, j)) * (1 + size) *
                                            (1 + (double)e.high)
                                      : INFINITY;
        bool known = told && (reach + largest_of(x, j)) * (1 + size) < format->largest / 0x1p20;
        if (known) {
            put_column(ref, r, b, before, x, sums, j, arena);
            continue;
        }
        for (int64_t i = 0; i < n; i++)
            matrix_admit(ref, i, j);
    }
}
