/* Balancing, residuals, and distances to singularity. */
#include "eigen.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "reference/wide_complex.h"
#include "spectrum.h"

enum { SWEEPS_MAX = 60, ITERATIONS = 5 };

typedef long double _Complex LongComplex;

static LongComplex number(long double re, long double im)
{
    return re + im * (LongComplex)_Complex_I;
}

/* The norm of row or column i of the rows that take part, without the diagonal where it is a sum of
 * magnitudes. */
static long double line_norm(const Matrix *a, const int *exponents, const bool *active, int64_t i,
                             bool column, bool euclidean)
{
    long double sum = 0;
    for (int64_t j = 0; j < a->rows; j++) {
        if (!active[j] || (j == i && !euclidean))
            continue;
        Scalar x = column ? *matrix_at(a, j, i) : *matrix_at(a, i, j);
        int by = column ? exponents[i] - exponents[j] : exponents[j] - exponents[i];
        long double size = ldexpl(hypotl(x.re, x.im), by);
        sum += euclidean ? size * size : size;
    }
    return euclidean ? sqrtl(sum) : sum;
}

/* Whether row or column i has nothing beside its diagonal among the rows that take part. */
static bool is_isolated(const Matrix *a, const bool *active, int64_t i, bool column)
{
    for (int64_t j = 0; j < a->rows; j++)
        if (active[j] && j != i &&
            !scalar_is_zero(column ? *matrix_at(a, j, i) : *matrix_at(a, i, j)))
            return false;
    return true;
}

void eigen_isolate(const Matrix *a, bool *active)
{
    for (int64_t i = 0; i < a->rows; i++)
        active[i] = true;
    for (bool again = true; again;) {
        again = false;
        for (int64_t i = 0; i < a->rows; i++)
            if (active[i] &&
                (is_isolated(a, active, i, false) || is_isolated(a, active, i, true))) {
                active[i] = false;
                again = true;
            }
    }
}

static bool balance_line(const Matrix *a, Balance *b, const bool *active, int64_t i, bool euclidean)
{
    long double c = line_norm(a, b->exponents, active, i, true, euclidean);
    long double r = line_norm(a, b->exponents, active, i, false, euclidean);
    if (!(c > 0) || !(r > 0) || !isfinite(r / c))
        return false;
    int wanted = b->exponents[i] + (int)lrintl(log2l(r / c) / 2);
    wanted = wanted > b->largest ? b->largest : wanted;
    wanted = wanted < -b->largest ? -b->largest : wanted;
    int by = wanted - b->exponents[i];
    if (by == 0 || ldexpl(c, by) + ldexpl(r, -by) >= 0.95L * (c + r))
        return false;
    b->exponents[i] += by;
    return true;
}

static void balance_lines(const Matrix *a, Balance *b, const bool *active, bool euclidean)
{
    bool again = true;
    for (int sweep = 0; again && sweep < SWEEPS_MAX; sweep++) {
        again = false;
        for (int64_t i = 0; i < a->rows; i++)
            again = (active[i] && balance_line(a, b, active, i, euclidean)) || again;
    }
}

void eigen_scale(const Matrix *a, int largest, int *exponents, Arena *arena)
{
    Balance b = {.exponents = exponents, .largest = largest};
    bool *active = arena_take(arena, (size_t)a->rows + 1, sizeof *active);
    for (int64_t i = 0; i < a->rows; i++) {
        active[i] = true;
        exponents[i] = 0;
    }
    balance_lines(a, &b, active, true);
}

static void balance(const Matrix *a, Balance *b, bool scaled, bool euclidean, Arena *arena)
{
    int64_t n = a->rows;
    bool *active = arena_take(arena, (size_t)n + 1, sizeof *active);
    b->exponents = arena_take_zeroed(arena, (size_t)n + 1, sizeof *b->exponents);
    eigen_isolate(a, active);
    if (scaled)
        balance_lines(a, b, active, euclidean);
    b->norm = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            Scalar x = *matrix_at(a, i, j);
            long double size = ldexpl(hypotl(x.re, x.im), b->exponents[j] - b->exponents[i]);
            b->norm += size * size;
        }
    b->norm = sqrtl(b->norm);
}

EigenProblem eigen_problem(const Matrix *a, DType dtype, Arena *arena)
{
    const Format *format = dtype_format(dtype);
    EigenProblem p = {.a = a, .dtype = dtype, .known = matrix_is_finite(a)};
    p.factor = spectrum_factor(dtype, a->rows) * (1 + 0x1p-40);
    for (int i = 0; i < EIGEN_BALANCES && p.known; i++) {
        p.balance[i].largest = -format->minimum_exponent - format->precision;
        balance(a, &p.balance[i], i > 0, i == 2, arena);
        p.known = p.balance[i].norm < (long double)format->largest / 16;
    }
    p.norm = p.known && p.balance[0].norm > 0 ? (double)p.balance[0].norm : 1;
    p.known = p.known && (p.balance[0].norm == 0 ||
                          p.balance[0].norm > format->smallest_normal / format->unit);
    return p;
}

double eigen_trace_bound(const EigenProblem *p)
{
    double norm = 0;
    for (int i = 0; i < EIGEN_BALANCES; i++)
        norm = fmax(norm, (double)p->balance[i].norm);
    return (double)p->a->rows * (p->factor * norm + 8 * dtype_format(p->dtype)->smallest_subnormal);
}

Scalar eigen_residual(const EigenProblem *p, const Scalar *v, Scalar w, int64_t i, double *bound)
{
    int64_t n = p->a->rows;
    WideComplex rest = {{0, 0}, {0, 0}};
    double size = 0;
    for (int64_t k = 0; k < n; k++)
        wide_complex_add_product(&rest, 1, *matrix_at(p->a, i, k), v[k]);
    wide_complex_add_product(&rest, -1, w, v[i]);
    *bound = 0;
    for (int b = 0; b < EIGEN_BALANCES; b++) {
        long double sum = 0;
        const int *exponents = p->balance[b].exponents;
        for (int64_t k = 0; k < n; k++) {
            long double x = ldexpl(hypotl(v[k].re, v[k].im), exponents[i] - exponents[k]);
            sum += x * x;
        }
        size = (double)(p->balance[b].norm * sqrtl(sum)) / p->norm;
        *bound = fmax(*bound, p->factor * size);
    }
    double tiny = 8 * (double)n * dtype_format(p->dtype)->smallest_subnormal / p->norm;
    /* v itself is rounded. */
    *bound += tiny + 4 * dtype_format(p->dtype)->smallest_subnormal;
    return (Scalar){rest.re.high / p->norm, rest.im.high / p->norm};
}

static void exchange(LongComplex *x, int64_t i, int64_t k)
{
    LongComplex kept = x[i];
    x[i] = x[k];
    x[k] = kept;
}

/* L U of B - w I with partial pivoting, a zero pivot replaced by one of rounding. */
static void factor_shifted(const Matrix *a, const Balance *b, LongComplex w, LongComplex *lu,
                           int64_t *pivots)
{
    int64_t n = a->rows;
    long double least = fmaxl(0x1p-64L * b->norm, 0x1p-1200L);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            Scalar x = *matrix_at(a, i, j);
            int by = b->exponents[j] - b->exponents[i];
            lu[i * n + j] = number(ldexpl(x.re, by), ldexpl(x.im, by)) - (i == j ? w : 0);
        }
    for (int64_t k = 0; k < n; k++) {
        pivots[k] = k;
        for (int64_t i = k + 1; i < n; i++)
            if (cabsl(lu[i * n + k]) > cabsl(lu[pivots[k] * n + k]))
                pivots[k] = i;
        for (int64_t j = 0; j < n; j++)
            exchange(lu, k * n + j, pivots[k] * n + j);
        if (!(cabsl(lu[k * n + k]) > least))
            lu[k * n + k] = least;
        for (int64_t i = k + 1; i < n; i++) {
            lu[i * n + k] /= lu[k * n + k];
            for (int64_t j = k + 1; j < n; j++)
                lu[i * n + j] -= lu[i * n + k] * lu[k * n + j];
        }
    }
}

static long double length_of(const LongComplex *x, int64_t n)
{
    long double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += creall(x[i]) * creall(x[i]) + cimagl(x[i]) * cimagl(x[i]);
    return sqrtl(sum);
}

/* x becomes M^-1 x, or M^-H x, for P M = L U. */
static void solve_shifted(const LongComplex *lu, const int64_t *pivots, int64_t n, bool conjugate,
                          LongComplex *x)
{
    for (int64_t k = 0; k < n && !conjugate; k++)
        exchange(x, k, pivots[k]);
    for (int64_t k = 0; k < n && !conjugate; k++)
        for (int64_t i = k + 1; i < n; i++)
            x[i] -= lu[i * n + k] * x[k];
    for (int64_t at = 0; at < n; at++) {
        int64_t i = conjugate ? at : n - 1 - at;
        for (int64_t j = conjugate ? 0 : i + 1; j < (conjugate ? i : n); j++)
            x[i] -= conjugate ? conjl(lu[j * n + i]) * x[j] : lu[i * n + j] * x[j];
        x[i] /= conjugate ? conjl(lu[i * n + i]) : lu[i * n + i];
    }
    for (int64_t k = n - 1; k >= 0 && conjugate; k--)
        for (int64_t i = k + 1; i < n; i++)
            x[k] -= conjl(lu[i * n + k]) * x[i];
    for (int64_t k = n - 1; k >= 0 && conjugate; k--)
        exchange(x, k, pivots[k]);
}

/* A vector that is orthogonal to none that matrices of small numbers have. */
static void start_iteration(LongComplex *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = 1 + 0.37L * (long double)(i % 5) + 0.11L * (long double)i / (long double)n;
}

void eigen_put_vector(const Matrix *a, Scalar w, bool left, Matrix *to, int64_t j, Arena *arena)
{
    int64_t n = a->rows, largest = 0;
    Balance none;
    balance(a, &none, false, true, arena);
    LongComplex *lu = arena_take(arena, (size_t)(n * n) + 1, sizeof *lu);
    LongComplex *x = arena_take(arena, (size_t)n + 1, sizeof *x);
    int64_t *pivots = arena_take(arena, (size_t)n + 1, sizeof *pivots);
    factor_shifted(a, &none, number(w.re, w.im), lu, pivots);
    start_iteration(x, n);
    /* M^-H M^-1 tends to the singular vector of the least singular value: the residual of what
     * M^-1 gives last is that value. */
    for (int step = 0; step <= 2 * ITERATIONS; step++) {
        solve_shifted(lu, pivots, n, (step % 2 == 1) != left, x);
        long double length = length_of(x, n);
        for (int64_t i = 0; i < n; i++)
            x[i] /= length;
    }
    for (int64_t i = 0; i < n; i++)
        largest = cabsl(x[i]) > cabsl(x[largest]) ? i : largest;
    LongComplex phase = n > 0 ? conjl(x[largest]) / cabsl(x[largest]) : 1;
    for (int64_t i = 0; i < n; i++) {
        LongComplex v = x[i] * phase;
        *matrix_at(to, i, j) = (Scalar){(double)creall(v), i == largest ? 0 : (double)cimagl(v)};
    }
}

double eigen_value_ratio(const EigenProblem *p, Scalar w, Arena *arena)
{
    int64_t n = p->a->rows;
    double least = INFINITY;
    LongComplex *lu = arena_take(arena, (size_t)(n * n) + 1, sizeof *lu);
    LongComplex *x = arena_take(arena, (size_t)n + 1, sizeof *x);
    int64_t *pivots = arena_take(arena, (size_t)n + 1, sizeof *pivots);
    double tiny = 8 * (double)n * dtype_format(p->dtype)->smallest_subnormal;
    for (int b = 0; b < EIGEN_BALANCES && least > 1; b++) {
        long double admitted = p->factor * p->balance[b].norm + p->slack + tiny;
        factor_shifted(p->a, &p->balance[b], number(w.re, w.im), lu, pivots);
        start_iteration(x, n);
        for (int step = 0; step < 2 * ITERATIONS && least > 1; step++) {
            long double before = length_of(x, n);
            solve_shifted(lu, pivots, n, step % 2 == 1, x);
            long double after = length_of(x, n);
            if (!(after > 0) || !isfinite((double)(before / after)))
                break;
            least = fmin(least, (double)(before / after / admitted));
            for (int64_t i = 0; i < n; i++)
                x[i] /= after;
        }
    }
    return least;
}
