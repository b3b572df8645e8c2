/* Singular combinations of two matrices. */
#include "pencil.h"

#include <math.h>

#include "dense.h"
#include "reference/wide_complex.h"
#include "spectrum.h"

static LongComplex number(Scalar x)
{
    return x.re + x.im * (LongComplex)_Complex_I;
}

static Scalar rounded(LongComplex x)
{
    return (Scalar){(double)creall(x), (double)cimagl(x)};
}

static bool is_within(double norm, const Format *format)
{
    return norm == 0 ||
           (norm < format->largest / 16 && norm > format->smallest_normal / format->unit);
}

Pencil pencil_problem(const Matrix *a, const Matrix *b, DType dtype, Arena *arena)
{
    const Format *format = dtype_format(dtype);
    EigenProblem of_a = eigen_problem(a, dtype, arena), of_b = eigen_problem(b, dtype, arena);
    bool finite = matrix_is_finite(a) && matrix_is_finite(b);
    double a_norm = finite ? (double)of_a.balance[0].norm : 0;
    double b_norm = finite ? (double)of_b.balance[0].norm : 0;
    return (Pencil){.a = a,
                    .b = b,
                    .dtype = dtype,
                    .a_norm = a_norm > 0 ? a_norm : 1,
                    .b_norm = b_norm > 0 ? b_norm : 1,
                    .factor = spectrum_factor(dtype, a->rows) * (1 + 0x1p-40),
                    .known = finite && is_within(a_norm, format) && is_within(b_norm, format)};
}

static bool is_even(const Matrix *a, double norm, DType dtype)
{
    for (int64_t i = 0; i < a->rows * a->columns; i++) {
        double size = scalar_size(a->values[i]);
        if (size > 0 && size < norm * dtype_format(dtype)->unit)
            return false;
    }
    return true;
}

bool pencil_is_even(const Pencil *p)
{
    return is_even(p->a, p->a_norm, p->dtype) && is_even(p->b, p->b_norm, p->dtype);
}

static long double size_of(Scalar x)
{
    return hypotl(x.re, x.im);
}

Matrix pencil_combine(const Pencil *p, PencilValue value, Arena *arena)
{
    int64_t n = p->a->rows;
    Matrix to = matrix_zeros(n, n, arena);
    long double size = size_of(value.beta) * p->a_norm + size_of(value.alpha) * p->b_norm;
    LongComplex of_a = number(value.beta) / size, of_b = number(value.alpha) / size;
    for (int64_t i = 0; i < n * n; i++)
        to.values[i] = rounded(dense_product(of_a, number(p->a->values[i])) -
                               dense_product(of_b, number(p->b->values[i])));
    return to;
}

bool pencil_is_degenerate(const Pencil *p, PencilValue value)
{
    double tiny = dtype_format(p->dtype)->smallest_normal;
    return size_of(value.alpha) <= 4 * p->factor * p->a_norm + tiny &&
           size_of(value.beta) <= 4 * p->factor * p->b_norm + tiny;
}

/* smin of C over the factor: C has a norm of about 1. */
static double ratio_of(const Pencil *p, PencilValue value, Arena *arena)
{
    static int none[1 << 12];
    Matrix c = pencil_combine(p, value, arena);
    EigenProblem problem = {.a = &c, .dtype = p->dtype, .norm = 1, .factor = p->factor};
    for (int i = 0; i < EIGEN_BALANCES; i++)
        problem.balance[i] = (Balance){.exponents = none, .norm = 1};
    return eigen_value_ratio(&problem, (Scalar){0, 0}, arena);
}

double pencil_value_ratio(const Pencil *p, PencilValue value, Arena *arena)
{
    if (!pencil_is_degenerate(p, value))
        return ratio_of(p, value, arena);
    const PencilValue one = {{0.8 * p->a_norm, 0}, {0.6 * p->b_norm, 0}};
    const PencilValue other = {{-0.6 * p->a_norm, 0}, {0.8 * p->b_norm, 0}};
    return fmax(ratio_of(p, one, arena), ratio_of(p, other, arena)) / 8;
}

/* log |det A| and |A^-1|_F of A over its norm. */
static double log_determinant(const Matrix *a, double norm, double *inverse_norm, Arena *arena)
{
    int64_t n = a->rows;
    LongComplex *values = dense_widened(a, arena);
    LongComplex *inverse = arena_take_zeroed(arena, (size_t)(n * n) + 1, sizeof *inverse);
    for (int64_t i = 0; i < n * n; i++)
        values[i] /= norm;
    for (int64_t i = 0; i < n; i++)
        inverse[i * n + i] = 1;
    LongComplex det = dense_eliminate(values, inverse, n, n);
    long double sum = 0;
    for (int64_t i = 0; i < n * n; i++)
        sum += creall(inverse[i]) * creall(inverse[i]) + cimagl(inverse[i]) * cimagl(inverse[i]);
    *inverse_norm = (double)sqrtl(sum);
    return (double)logl(cabsl(det)) + (double)n * log(norm);
}

bool pencil_judge_product(const Pencil *p, const PencilValue *values, double *off, double *bound,
                          Arena *arena)
{
    double of_a, of_b, n = (double)p->a->rows;
    *off = log_determinant(p->b, p->b_norm, &of_b, arena) -
           log_determinant(p->a, p->a_norm, &of_a, arena);
    for (int64_t j = 0; j < p->a->rows; j++)
        *off += (double)(logl(size_of(values[j].alpha)) - logl(size_of(values[j].beta)));
    double a = of_a * p->factor, b = of_b * p->factor;
    if (!isfinite(*off) || !(a < 0.125) || !(b < 0.125))
        return false;
    *bound = n * (a / (1 - a) + b / (1 - b) + 16 * dtype_format(p->dtype)->unit) + 0x1p-40;
    return true;
}

/* Powers of two that rows and columns of both matrices over their norms are multiplied by, so that
 * the largest |re| + |im| of each is about 1: values are the same. */
typedef struct PencilScaling {
    int *rows, *columns;
} PencilScaling;

static PencilScaling scaling_of(const Pencil *p, Arena *arena)
{
    enum { SWEEPS = 6 };
    int64_t n = p->a->rows;
    PencilScaling to = {arena_take_zeroed(arena, (size_t)n + 1, sizeof *to.rows),
                        arena_take_zeroed(arena, (size_t)n + 1, sizeof *to.columns)};
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int64_t i = 0; i < n; i++) {
            int *own = sweep % 2 ? to.columns : to.rows, *other = sweep % 2 ? to.rows : to.columns;
            long double largest = 0;
            for (int64_t k = 0; k < n; k++) {
                Scalar a = *(sweep % 2 ? matrix_at(p->a, k, i) : matrix_at(p->a, i, k));
                Scalar b = *(sweep % 2 ? matrix_at(p->b, k, i) : matrix_at(p->b, i, k));
                largest = fmaxl(largest, ldexpl(scalar_size(a) / p->a_norm, other[k]));
                largest = fmaxl(largest, ldexpl(scalar_size(b) / p->b_norm, other[k]));
            }
            own[i] = largest > 0 ? -ilogbl(largest) : 0;
        }
    return to;
}

/* K^-1 L for K = c A + s B and L = c B - s A, both scaled; the size of K^-1. */
static double divide(const Pencil *p, const PencilScaling *by, double angle, Matrix *to,
                     Arena *arena)
{
    int64_t n = p->a->rows;
    long double c = cosl(angle), s = sinl(angle), sum = 0;
    LongComplex *k = arena_take(arena, (size_t)(n * n) + 1, sizeof *k);
    LongComplex *x = arena_take_zeroed(arena, (size_t)(2 * n * n) + 1, sizeof *x);
    for (int64_t i = 0; i < n * n; i++) {
        long double scale = ldexpl(1, by->rows[i / n] + by->columns[i % n]);
        LongComplex a = number(p->a->values[i]) / p->a_norm * scale;
        LongComplex b = number(p->b->values[i]) / p->b_norm * scale;
        k[i] = c * a + s * b;
        x[i / n * 2 * n + i % n] = c * b - s * a;
    }
    for (int64_t i = 0; i < n; i++)
        x[i * 2 * n + n + i] = 1;
    (void)dense_eliminate(k, x, n, 2 * n);
    *to = matrix_zeros(n, n, arena);
    for (int64_t i = 0; i < n * n; i++) {
        to->values[i] = rounded(x[i / n * 2 * n + i % n]);
        sum += dense_size(x[i / n * 2 * n + n + i % n]);
    }
    return matrix_is_finite(to) && isfinite((double)sum) ? (double)sum : INFINITY;
}

/* alpha and beta over the norms, so that beta is real and hypot(alpha, beta) is 1. */
static PencilValue standard(LongComplex alpha, LongComplex beta, bool real)
{
    long double size = hypotl(cabsl(alpha), cabsl(beta));
    LongComplex phase = cabsl(beta) > 0 ? conjl(beta) / cabsl(beta) : 1;
    alpha = dense_product(alpha, phase) / size;
    return (PencilValue){rounded(real ? creall(alpha) : alpha), {(double)(cabsl(beta) / size), 0}};
}

/* u^H M v of column j. */
static LongComplex quotient(const Matrix *u, const Matrix *m, double norm, const Matrix *v,
                            int64_t j)
{
    LongComplex sum = 0;
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t k = 0; k < m->rows; k++)
            sum += dense_product(
                dense_product(conjl(number(*matrix_at(u, i, j))), number(*matrix_at(m, i, k))),
                number(*matrix_at(v, k, j)));
    return sum / norm;
}

void pencil_polish(const Pencil *p, PencilEigen *e, int64_t j, bool real, Arena *arena)
{
    enum { STEPS = 3 };
    for (int step = 0; step < STEPS; step++) {
        PencilValue *value = &e->values[j];
        const PencilValue whole = {{value->alpha.re * p->a_norm, value->alpha.im * p->a_norm},
                                   {value->beta.re * p->b_norm, 0}};
        Matrix c = pencil_combine(p, whole, arena);
        eigen_put_vector(&c, (Scalar){0, 0}, false, &e->right, j, arena);
        eigen_put_vector(&c, (Scalar){0, 0}, true, &e->left, j, arena);
        LongComplex alpha = quotient(&e->left, p->a, p->a_norm, &e->right, j);
        LongComplex beta = quotient(&e->left, p->b, p->b_norm, &e->right, j);
        if (!(hypotl(cabsl(alpha), cabsl(beta)) > 0x1p-44L) || step + 1 == STEPS)
            return;
        *value = standard(alpha, beta, real);
    }
}

static void scale_vector(Matrix *z, int64_t j)
{
    double largest = 0;
    for (int64_t i = 0; i < z->rows; i++)
        largest = fmax(largest, scalar_size(*matrix_at(z, i, j)));
    for (int64_t i = 0; i < z->rows && largest > 0; i++) {
        matrix_at(z, i, j)->re /= largest;
        matrix_at(z, i, j)->im /= largest;
    }
}

/* Makes the imaginary part of alpha positive, which rounding may have turned or lost. */
static void order_pair(PencilEigen *e, int64_t j)
{
    Scalar *alpha = &e->values[j].alpha;
    for (int64_t i = 0; i < e->right.rows && alpha->im < 0; i++) {
        *matrix_at(&e->right, i, j) = scalar_conjugate(*matrix_at(&e->right, i, j));
        *matrix_at(&e->left, i, j) = scalar_conjugate(*matrix_at(&e->left, i, j));
    }
    alpha->im = fmax(fabs(alpha->im), 0x1p-53);
}

PencilEigen pencil_eigen(const Pencil *p, Arena *arena)
{
    static const double angles[] = {0.7, 2.3, 0.1, 1.5, 1.1, 2.9, 1.9};
    int64_t n = p->a->rows;
    bool real = dtype_components(p->dtype) == 1;
    double best = INFINITY, angle = angles[0];
    PencilScaling by = scaling_of(p, arena);
    Matrix quotient_matrix;
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        double size = divide(p, &by, angles[i], &quotient_matrix, arena);
        angle = size < best ? angles[i] : angle;
        best = fmin(best, size);
    }
    PencilEigen to = {.values = arena_take_zeroed(arena, (size_t)n + 1, sizeof *to.values),
                      .right = matrix_identity(n, arena),
                      .left = matrix_identity(n, arena)};
    if (!isfinite(best))
        return to;
    (void)divide(p, &by, angle, &quotient_matrix, arena);
    Eigen e = eigen_of(&quotient_matrix, real, arena);
    for (int64_t j = 0; j < n; j++) {
        bool pair = real && e.values[j].im > 0 && j + 1 < n, single = real && !pair;
        /* The quotient turns pairs round. */
        LongComplex mu = number(e.values[j + pair]);
        long double c = cosl(angle), s = sinl(angle);
        to.values[j] = standard(c - s * mu, s + c * mu, single);
        pencil_polish(p, &to, j, single, arena);
        scale_vector(&to.right, j);
        scale_vector(&to.left, j);
        if (pair)
            order_pair(&to, j);
        if (pair)
            to.values[j + 1] =
                (PencilValue){scalar_conjugate(to.values[j].alpha), to.values[j].beta};
        j += pair;
    }
    for (int64_t j = 0; j < n; j++) {
        to.values[j].alpha.re *= p->a_norm;
        to.values[j].alpha.im *= p->a_norm;
        to.values[j].beta.re *= p->b_norm;
    }
    return to;
}
