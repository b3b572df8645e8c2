/* Reflections in double-double, and their magnitudes. */
#include "householder.h"

#include <math.h>
#include <stdlib.h>

#include "reference/equation.h"

/* More than the relative error of any sum here, which has fewer than 2^20 terms. */
static const double SLACK = 1 + 0x1p-30;

static Scalar multiply(Scalar x, Scalar y)
{
    return (Scalar){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

static double modulus(Scalar x)
{
    return hypot(x.re, x.im);
}

/* Element i of v_k. */
static Scalar vector_at(const Householder *h, int64_t i, int64_t k)
{
    return i < k ? (Scalar){0, 0} : i == k ? (Scalar){1, 0} : *matrix_at(&h->after, i, k);
}

/* T of reflections first to end - 1, upper triangular: T_jj = tau_j, T_0j = -tau_j T (V^H v_j). */
static Matrix block_factor(const Householder *h, int64_t first, int64_t end, Arena *arena)
{
    int64_t k = end - first;
    Matrix t = matrix_zeros(k, k, arena), inner = matrix_zeros(k, 1, arena);
    for (int64_t j = 0; j < k; j++) {
        Scalar tau = h->tau[first + j];
        for (int64_t l = 0; l < j; l++) {
            Scalar sum = {0, 0};
            for (int64_t i = first + j; i < h->before.rows; i++) {
                Scalar term = multiply(scalar_conjugate(vector_at(h, i, first + l)),
                                       vector_at(h, i, first + j));
                sum = (Scalar){sum.re + term.re, sum.im + term.im};
            }
            *matrix_at(&inner, l, 0) = sum;
        }
        for (int64_t i = 0; i < j; i++) {
            Scalar sum = {0, 0};
            for (int64_t l = i; l < j; l++) {
                Scalar term = multiply(*matrix_at(&t, i, l), *matrix_at(&inner, l, 0));
                sum = (Scalar){sum.re - term.re, sum.im - term.im};
            }
            *matrix_at(&t, i, j) = multiply(tau, sum);
        }
        *matrix_at(&t, j, j) = tau;
    }
    return t;
}

/* to = x y for square matrices of magnitudes. */
static double *multiply_sizes(const double *x, const double *y, int64_t n, Arena *arena)
{
    double *to = arena_take_zeroed(arena, (size_t)(n * n) + 1, sizeof *to);
    for (int64_t i = 0; i < n; i++)
        for (int64_t l = 0; l < n; l++)
            for (int64_t j = 0; j < n; j++)
                to[i * n + j] += x[i * n + l] * y[l * n + j];
    return to;
}

/* |V|^H |V| of reflections from `first` on. */
static double *gram_of(const Householder *h, int64_t first, int64_t k, Arena *arena)
{
    double *gram = arena_take_zeroed(arena, (size_t)(k * k) + 1, sizeof *gram);
    double *row = arena_take(arena, (size_t)k + 1, sizeof *row);
    for (int64_t i = first; i < h->before.rows; i++) {
        for (int64_t l = 0; l < k; l++)
            row[l] = modulus(vector_at(h, i, first + l));
        for (int64_t l = 0; l < k; l++)
            for (int64_t j = 0; j < k; j++)
                gram[l * k + j] += row[l] * row[j];
    }
    return gram;
}

/* eta of reflections first to end - 1.  With N = |T| + |T| |S| |T| and G = |V|^H |V| it is the root
 * of the sum of the elements of N times those of G N G. */
static double amplification(const Householder *h, int64_t first, int64_t end, Arena *arena)
{
    int64_t k = end - first;
    size_t used = arena->used;
    double *t = arena_take_zeroed(arena, (size_t)(k * k) + 1, sizeof *t), squares = 0;
    double *s = arena_take_zeroed(arena, (size_t)(k * k) + 1, sizeof *s);
    Matrix factor = block_factor(h, first, end, arena);
    double *gram = gram_of(h, first, k, arena);
    for (int64_t i = 0; i < k; i++)
        for (int64_t l = 0; l < k; l++) {
            t[i * k + l] = modulus(*matrix_at(&factor, i, l));
            s[i * k + l] = l < i ? 0 : gram[i * k + l];
        }
    double *n = multiply_sizes(t, multiply_sizes(s, t, k, arena), k, arena);
    for (int64_t i = 0; i < k * k; i++)
        n[i] += t[i];
    double *all = multiply_sizes(gram, multiply_sizes(n, gram, k, arena), k, arena);
    for (int64_t i = 0; i < k * k; i++)
        squares += n[i] * all[i];
    arena->used = used;
    return sqrt(squares) * SLACK;
}

/* x becomes (I - t v_k v_k^H) x for a column in double-double. */
static void reflect(const Householder *h, int64_t k, Scalar t, WideComplex *x)
{
    WideComplex inner = {{0, 0}, {0, 0}}, scaled = {{0, 0}, {0, 0}};
    for (int64_t i = k; i < h->before.rows; i++)
        wide_complex_add_scaled(&inner, 1, scalar_conjugate(vector_at(h, i, k)), &x[i]);
    wide_complex_add_scaled(&scaled, 1, t, &inner);
    for (int64_t i = k; i < h->before.rows; i++)
        wide_complex_add_scaled(&x[i], -1, vector_at(h, i, k), &scaled);
}

void householder_apply(const Householder *h, WideComplex *x)
{
    for (int64_t k = h->steps - 1; k >= 0; k--)
        reflect(h, k, h->tau[k], x);
}

void householder_apply_adjoint(const Householder *h, WideComplex *x)
{
    for (int64_t k = 0; k < h->steps; k++)
        reflect(h, k, scalar_conjugate(h->tau[k]), x);
}

void householder_apply_left(const Householder *h, WideComplex *x, int64_t columns, int64_t first)
{
    int64_t m = h->before.rows;
    WideComplex *line = memory_allocate((size_t)m + 1, sizeof *line);
    for (int64_t j = 0; j < columns; j++) {
        for (int64_t i = 0; i < m; i++)
            line[i] = x[(first + i) * columns + j];
        householder_apply(h, line);
        for (int64_t i = 0; i < m; i++)
            x[(first + i) * columns + j] = line[i];
    }
    free(line);
}

static void conjugate(WideComplex *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        x[i].im = (Wide){-x[i].im.high, -x[i].im.low};
}

void householder_apply_right(const Householder *h, WideComplex *x, int64_t rows, int64_t columns,
                             int64_t first)
{
    for (int64_t i = 0; i < rows; i++) {
        WideComplex *row = x + i * columns + first;
        conjugate(row, h->before.rows);
        householder_apply(h, row);
        conjugate(row, h->before.rows);
    }
}

static double gamma_of(DType dtype, double count)
{
    const Format *format = dtype_format(dtype);
    bool complex = dtype_components(dtype) == 2;
    return complex ? 2 * equation_gamma(format, 2 * count) : equation_gamma(format, count);
}

void householder_judge_taus(const Householder *h, double *defects, double *bounds)
{
    double gamma = gamma_of(h->dtype, 10 * (double)h->before.rows + 40);
    for (int64_t k = 0; k < h->steps; k++) {
        long double squares = 0, re = h->tau[k].re, im = h->tau[k].im;
        for (int64_t i = k; i < h->before.rows; i++) {
            Scalar v = vector_at(h, i, k);
            squares += (long double)v.re * v.re + (long double)v.im * v.im;
        }
        defects[k] = (double)(re - (re * re + im * im) * squares / 2);
        bounds[k] = gamma * modulus(h->tau[k]) * SLACK;
    }
}

/* Column j, in place `at` of what is judged. */
static void judge_column(const Householder *h, HouseholderResidual *r, double relative, int64_t j,
                         int64_t at, WideComplex *column)
{
    const Format *format = dtype_format(h->dtype);
    int64_t m = h->before.rows;
    double norm = matrix_column_norm(&h->before, 0, m, j),
           found = matrix_column_norm(&h->after, 0, m, j);
    double steps = (double)h->steps + 1;
    for (int64_t i = 0; i < m; i++) {
        Scalar x = i <= j ? *matrix_at(&h->after, i, j) : (Scalar){0, 0};
        column[i] = (WideComplex){{x.re, 0}, {x.im, 0}};
    }
    householder_apply(h, column);
    for (int64_t i = 0; i < m; i++) {
        Scalar a = *matrix_at(&h->before, i, j);
        Wide re = wide_add((Wide){a.re, 0}, (Wide){-column[i].re.high, -column[i].re.low});
        Wide im = wide_add((Wide){a.im, 0}, (Wide){-column[i].im.high, -column[i].im.low});
        *matrix_at(&r->rest, i, at) = (Scalar){re.high, im.high};
    }
    r->scales[at] = norm > 0 ? norm : 1;
    r->bounds[at] =
        (relative * norm + 16 * (double)(m + 4) * steps * format->smallest_subnormal) * SLACK;
    r->errors[at] = 64 * (double)(m + 4) * steps * WIDE_UNIT * (norm + found) + 0x1p-1040;
    r->known = r->known && norm * (8 * (double)m) < format->largest;
}

double householder_factor_error(const Householder *h, int sides, Arena *arena)
{
    int64_t m = h->before.rows, k = h->steps;
    double count = sides * (double)(m + 2 * k + 8);
    return sides * gamma_of(h->dtype, count) * sqrt((double)k) * amplification(h, 0, k, arena) +
           gamma_of(h->dtype, 20 * (double)m + 60);
}

/* Room for so many columns. */
static HouseholderResidual residual_room(const Householder *h, int64_t columns, Arena *arena)
{
    size_t n = (size_t)columns + 1, k = (size_t)h->steps + 1;
    return (HouseholderResidual){.known = matrix_is_finite(&h->before),
                                 .rest = matrix_zeros(h->before.rows, columns, arena),
                                 .bounds = arena_take(arena, n, sizeof(double)),
                                 .errors = arena_take(arena, n, sizeof(double)),
                                 .scales = arena_take(arena, n, sizeof(double)),
                                 .tau_defects = arena_take(arena, k, sizeof(double)),
                                 .tau_bounds = arena_take(arena, k, sizeof(double))};
}

HouseholderResidual householder_residual(const Householder *h, Arena *arena)
{
    HouseholderResidual r = residual_room(h, h->before.columns, arena);
    if (!r.known)
        return r;
    WideComplex *column = arena_take(arena, (size_t)h->before.rows + 1, sizeof *column);
    double relative = 2 * householder_factor_error(h, 1, arena);
    r.known = !(relative > 0.25);
    for (int64_t j = 0; j < h->before.columns && r.known; j++)
        judge_column(h, &r, relative, j, j, column);
    householder_judge_taus(h, r.tau_defects, r.tau_bounds);
    return r;
}

/* The factor of |a_j|_2 of the corollary, without its doubling. */
static double blocked_error(const Householder *h, Arena *arena)
{
    const int64_t most = HOUSEHOLDER_WINDOW / 2, k = h->steps;
    double sum = 0, m = (double)h->before.rows;
    if (k <= HOUSEHOLDER_WINDOW)
        return householder_factor_error(h, 1, arena);
    for (int64_t first = 0; first < k; first += most) {
        int64_t left = k - first, count = left < HOUSEHOLDER_WINDOW ? left : HOUSEHOLDER_WINDOW;
        sum += amplification(h, first, first + count, arena);
    }
    return gamma_of(h->dtype, m + HOUSEHOLDER_WINDOW + 8) * sqrt((double)most) * sum +
           gamma_of(h->dtype, 20 * m + 60);
}

HouseholderResidual householder_column_residual(const Householder *h, int64_t j, bool of_tau,
                                                Arena *arena)
{
    HouseholderResidual r = residual_room(h, 1, arena);
    WideComplex *column = arena_take(arena, (size_t)h->before.rows + 1, sizeof *column);
    if (of_tau) {
        householder_judge_taus(h, r.tau_defects, r.tau_bounds);
        return r;
    }
    double relative = 2 * blocked_error(h, arena);
    r.known = r.known && !(relative > 0.25);
    judge_column(h, &r, relative, j, 0, column);
    return r;
}

/* v, tau and beta of (alpha, x): H^H (alpha, x) = (beta, 0). */
void householder_reflect(Householder *h, int64_t k)
{
    long double squares = 0;
    Scalar alpha = *matrix_at(&h->after, k, k);
    for (int64_t i = k + 1; i < h->before.rows; i++) {
        long double re = matrix_at(&h->after, i, k)->re, im = matrix_at(&h->after, i, k)->im;
        squares += re * re + im * im;
    }
    h->tau[k] = (Scalar){0, 0};
    if (squares == 0 && alpha.im == 0)
        return;
    long double re = alpha.re, im = alpha.im, norm = sqrtl(re * re + im * im + squares);
    long double beta = re > 0 && !h->positive ? -norm : norm;
    long double shift = re > 0 && h->positive ? -(squares + im * im) / (re + norm) : re - beta;
    h->tau[k] = (Scalar){(double)(-shift / beta), (double)(-im / beta)};
    long double divisor = shift * shift + im * im;
    for (int64_t i = k + 1; i < h->before.rows; i++) {
        Scalar *x = matrix_at(&h->after, i, k);
        long double a = x->re, b = x->im;
        *x = (Scalar){(double)((a * shift + b * im) / divisor),
                      (double)((b * shift - a * im) / divisor)};
    }
    *matrix_at(&h->after, k, k) = (Scalar){(double)beta, 0};
}

/* x becomes (I - t v_k v_k^H) x for column j of a matrix. */
void householder_reflect_column(const Householder *h, int64_t k, Scalar t, Matrix *x, int64_t j)
{
    Scalar inner = {0, 0};
    for (int64_t i = k; i < x->rows; i++) {
        Scalar term = multiply(scalar_conjugate(vector_at(h, i, k)), *matrix_at(x, i, j));
        inner = (Scalar){inner.re + term.re, inner.im + term.im};
    }
    inner = multiply(t, inner);
    for (int64_t i = k; i < x->rows; i++) {
        Scalar term = multiply(vector_at(h, i, k), inner);
        matrix_at(x, i, j)->re -= term.re;
        matrix_at(x, i, j)->im -= term.im;
    }
}

/* The conjugate transpose in place of a square matrix. */
static void turn(Matrix *a)
{
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j <= i; j++) {
            Scalar kept = scalar_conjugate(*matrix_at(a, i, j));
            *matrix_at(a, i, j) = scalar_conjugate(*matrix_at(a, j, i));
            *matrix_at(a, j, i) = kept;
        }
}

void householder_reduce(Matrix *a, int64_t first, int64_t end, Scalar *tau, bool positive,
                        Arena *arena)
{
    int64_t n = a->columns, m = end - first > 1 ? end - first - 1 : 0;
    Householder h = {.before = matrix_zeros(m, m, arena),
                     .after = matrix_zeros(m, m, arena),
                     .tau = tau + first,
                     .steps = m,
                     .positive = positive};
    Matrix rows = {a->values + (first + 1) * n, m, n};
    for (int64_t k = 0; k < m; k++) {
        for (int64_t i = k; i < m; i++)
            *matrix_at(&h.after, i, k) = *matrix_at(&rows, i, first + k);
        householder_reflect(&h, k);
        for (int64_t j = first + k + 1; j < n; j++)
            householder_reflect_column(&h, k, scalar_conjugate(h.tau[k]), &rows, j);
        turn(a);
        for (int64_t j = 0; j < end; j++)
            householder_reflect_column(&h, k, scalar_conjugate(h.tau[k]), &rows, j);
        turn(a);
        for (int64_t i = k; i < m; i++)
            *matrix_at(&rows, i, first + k) = *matrix_at(&h.after, i, k);
    }
}

void householder_factor(Householder *h)
{
    for (int64_t k = 0; k < h->steps; k++) {
        householder_reflect(h, k);
        for (int64_t j = k + 1; j < h->before.columns; j++)
            householder_reflect_column(h, k, scalar_conjugate(h->tau[k]), &h->after, j);
    }
}

void householder_multiply(const Householder *h, Matrix *x)
{
    for (int64_t k = h->steps - 1; k >= 0; k--)
        for (int64_t j = 0; j < x->columns; j++)
            householder_reflect_column(h, k, h->tau[k], x, j);
}
