/* Least squares of two matrices.  gglse: the x with the smallest |c - A x| of those with B x = d.
 * ggglm: x and the smallest y with d = A x + B y.  A and B are overwritten by triangles of their
 * generalized factors, whose norms they keep, c by the residual, whose norm its elements from n - p
 * + 1 on have, and d (dgglse.f, dggglm.f).
 *
 * Theorem (Cox and Higham, Accuracy and stability of the null space method for solving the equality
 * constrained least squares problem, BIT 39, 1999; what follows holds of ggglm in the same way, by
 * the same reflections).  What is computed differs by a factor of eta at most, in Euclid's norm,
 * from the exact solution for A + E, B + F, c + f and d + g, each within eta of its norm.  eta is
 * p(m + n + p) of spectrum.h, with Frobenius' norms, which is a convention.
 *
 * Of gglse: |d - B x| <= eta' (2 |B| |x| + |d|), eta' = eta (1 + 4 eta).  With r = c - A x and R =
 * |c| + 2 |A| |x| the exact solution has (A + E)^H r' = (B + F)^H l and |r - r'| <= eta R, so that
 *     min over l |A^H r - B^H l| <= G + eta |B| |l|,  G = eta' |A| (R + |r|).
 * Where t = eta |B| / s is below 1/4, s the least singular value of B, the l of that problem is at
 * most (|l0| + G / s) / (1 - t) for the l0 that gives the minimum.
 *
 * Of ggglm: |d - A x - B y| <= eta' (2 |A| |x| + 2 |B| |y| + |d|), and y' = (B + F)^H l with (A +
 * E)^H l = 0, so that with K of B^H / |B| and A^H / |A|, one below the other,
 *     min over l |(y / |B|, 0) - K l| <= eta' (sqrt 2 |l| + |y| / |B|),
 * and l is bounded as above with sqrt 2 eta / s, s the least singular value of K.
 *
 * info is 0 where all matrices that must have full rank have singular values above 4 eta times
 * their norms: B, and A and B over their norms one below the other, of gglse; A, and K, of ggglm.
 * Where it is not 0, numbers are not finite, or squares of norms may leave the range, nothing is
 * said of the results. */
#include <math.h>

#include "dense.h"
#include "lapack.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "singular.h"

static const Param equality_params[] = {LAPACK_DTYPE_ORDER,
                                        LAPACK_M("rows of A"),
                                        LAPACK_N("columns of A and of B"),
                                        LAPACK_COUNT_P("rows of B"),
                                        LAPACK_LDA,
                                        LAPACK_LDB,
                                        LAPACK_MATRIX,
                                        LAPACK_LWORK,
                                        P_END};
static const Param model_params[] = {LAPACK_DTYPE_ORDER,
                                     LAPACK_N("rows of A and of B"),
                                     LAPACK_M("columns of A"),
                                     LAPACK_COUNT_P("columns of B"),
                                     LAPACK_LDA,
                                     LAPACK_LDB,
                                     LAPACK_MATRIX,
                                     LAPACK_LWORK,
                                     P_END};
static const char *const equality_tensors[] = {"a", "b", "c", "d", "x", "info", NULL};
static const char *const model_tensors[] = {"a", "b", "d", "x", "y", "info", NULL};
enum { A, B, FIRST, SECOND, THIRD, INFO };

typedef struct ConstrainedRow {
    LapackRow op;
    bool model;
} ConstrainedRow;

static const ConstrainedRow rows[] = {
    {{"gglse", "least squares with equations that hold", equality_params, equality_tensors,
      DTYPES_BLAS},
     false},
    {{"ggglm", "least squares of a Gauss-Markov model", model_params, model_tensors, DTYPES_BLAS},
     true},
};

/* p <= n <= m + p of gglse, m <= n <= m + p of ggglm. */
static void normalise(const OpDesc *op, void *of)
{
    const ConstrainedRow *row = op->detail;
    Lapack *q = of;
    int64_t *inner = row->model ? &q->m : &q->k, *other = row->model ? &q->k : &q->m;
    if (*inner > q->n)
        *inner = q->n;
    if (q->n > 1024 + *inner)
        q->n = 1024 + *inner;
    if (*other < q->n - *inner)
        *other = q->n - *inner;
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const ConstrainedRow *row = op->detail;
    const Lapack *q = of;
    const Blas blas = {.dtype = q->dtype};
    const int64_t lengths[] = {row->model ? q->n : q->m, row->model ? q->m : q->k,
                               row->model ? q->k : q->n};
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    for (int i = A; i <= B; i++) {
        int64_t other = i == A ? q->m : q->k;
        shapes->tensor[i] = lapack_matrix(q, row->model ? q->n : other, row->model ? other : q->n,
                                          i == A ? q->lda : q->ldb, ROLE_INOUT);
        shapes->tensor[i].arrangement = lapack_arrangement(q);
    }
    for (int i = FIRST; i <= THIRD; i++) {
        bool given = i == FIRST || (i == SECOND && !row->model);
        shapes->tensor[i] =
            blas_role(blas_vector(&blas, lengths[i - FIRST], 1), given ? ROLE_INOUT : ROLE_OUT);
    }
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const Lapack *q = of;
    double extent = (double)(q->m + q->n + q->k + 8);
    (void)op;
    return 8 * lapack_parts(q) * extent * extent * extent;
}

/* A problem: c is NULL of ggglm. */
typedef struct Constrained {
    DType dtype;
    bool model;
    Matrix a, b, c, d;
    double a_norm, b_norm, c_norm, d_norm, eta;
    bool known;
    Arena *arena;
} Constrained;

static double positive(double norm)
{
    return norm > 0 ? norm : 1;
}

static bool is_moderate(const Constrained *s, double norm)
{
    const Format *format = dtype_format(s->dtype);
    return norm == 0 || (norm > ldexp(1, format->minimum_exponent / 4) &&
                         norm < ldexp(1, format->maximum_exponent / 4));
}

static Constrained problem_of(const ReferenceInput *input, Arena *arena)
{
    const ConstrainedRow *row = input->op->detail;
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    Constrained s = {.dtype = (DType)q->dtype, .model = row->model, .arena = arena};
    s.a = matrix_read(&given[A], arena);
    s.b = matrix_read(&given[B], arena);
    s.c = row->model ? matrix_zeros(0, 1, arena) : matrix_read(&given[FIRST], arena);
    s.d = matrix_read(&given[row->model ? FIRST : SECOND], arena);
    const Matrix *all[] = {&s.a, &s.b, &s.c, &s.d};
    double norms[4];
    s.known = true;
    for (int i = 0; i < 4; i++) {
        norms[i] = matrix_norm(all[i]);
        s.known = s.known && matrix_is_finite(all[i]) && is_moderate(&s, norms[i]);
    }
    s.a_norm = norms[0];
    s.b_norm = norms[1];
    s.c_norm = norms[2];
    s.d_norm = norms[3];
    s.eta = spectrum_factor(s.dtype, q->m + q->n + q->k);
    return s;
}

/* X over its norm, or its adjoint, in rows from `row` on. */
static void place(Matrix *to, int64_t row, const Matrix *x, double norm, bool turned)
{
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t j = 0; j < x->columns; j++) {
            Scalar value = *matrix_at(x, i, j);
            Scalar *at = turned ? matrix_at(to, row + j, i) : matrix_at(to, row + i, j);
            *at = (Scalar){value.re / norm, (turned ? -value.im : value.im) / norm};
        }
}

/* Both over their norms, one below the other: K, or A and B of gglse. */
static Matrix stacked(const Constrained *s)
{
    int64_t above = s->model ? s->b.columns : s->b.rows;
    int64_t below = s->model ? s->a.columns : s->a.rows;
    Matrix to = matrix_zeros(above + below, s->model ? s->a.rows : s->a.columns, s->arena);
    place(&to, 0, &s->b, positive(s->b_norm), s->model);
    place(&to, above, &s->a, positive(s->a_norm), s->model);
    return to;
}

/* The least singular value of a matrix, of which there is none of no columns; no more than it is.
 */
static double least_value(const Constrained *s, const Matrix *a)
{
    if (a->rows == 0 || a->columns == 0)
        return 1;
    int64_t larger = a->rows > a->columns ? a->rows : a->columns;
    Spectrum d = singular_spectrum(a, s->arena);
    return d.known ? fmax(0, d.values[larger] - d.error) : 0;
}

/* The matrix whose rank info speaks of by itself, over its norm: B, or A. */
static double least_of_one(const Constrained *s)
{
    const Matrix *of = s->model ? &s->a : &s->b;
    Matrix to = matrix_zeros(of->rows, of->columns, s->arena);
    place(&to, 0, of, positive(s->model ? s->a_norm : s->b_norm), false);
    return least_value(s, &to);
}

/* l with the smallest |rest - K l|, by orthogonalisation; rest becomes what is left.  |l|. */
static double fit(const Matrix *k, LongComplex *rest, Arena *arena)
{
    int64_t n = k->columns;
    Matrix q = matrix_zeros(k->rows, n, arena), r = matrix_zeros(n, n, arena);
    LongComplex *l = arena_take_zeroed(arena, (size_t)n + 1, sizeof *l);
    long double sum = 0;
    dense_factor_qr(k, &q, &r);
    for (int sweep = 0; sweep < 2; sweep++)
        for (int64_t j = 0; j < n; j++) {
            LongComplex inner = 0;
            for (int64_t i = 0; i < k->rows; i++) {
                Scalar x = *matrix_at(&q, i, j);
                inner += dense_product(x.re - x.im * (LongComplex)_Complex_I, rest[i]);
            }
            for (int64_t i = 0; i < k->rows; i++) {
                Scalar x = *matrix_at(&q, i, j);
                rest[i] -= dense_product(x.re + x.im * (LongComplex)_Complex_I, inner);
            }
            l[j] += inner;
        }
    for (int64_t j = n - 1; j >= 0; j--) {
        for (int64_t i = j + 1; i < n; i++) {
            Scalar x = *matrix_at(&r, j, i);
            l[j] -= dense_product(x.re + x.im * (LongComplex)_Complex_I, l[i]);
        }
        Scalar d = *matrix_at(&r, j, j);
        l[j] /= d.re + d.im * (LongComplex)_Complex_I;
        sum += creall(l[j]) * creall(l[j]) + cimagl(l[j]) * cimagl(l[j]);
    }
    return (double)sqrtl(sum);
}

/* to -= A x, or A^H x. */
static void subtract(LongComplex *to, const Matrix *a, const LongComplex *x, bool turned)
{
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < a->columns; j++) {
            Scalar v = *matrix_at(a, i, j);
            LongComplex factor = v.re + (turned ? -v.im : v.im) * (LongComplex)_Complex_I;
            to[turned ? j : i] -= dense_product(factor, x[turned ? i : j]);
        }
}

static double norm_of(const LongComplex *x, int64_t n)
{
    long double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += creall(x[i]) * creall(x[i]) + cimagl(x[i]) * cimagl(x[i]);
    return (double)sqrtl(sum);
}

/* Vectors that must be short, and how long each may be. */
typedef struct Shortness {
    const LongComplex *values;
    int64_t count;
    double bound;
} Shortness;

/* Puts element i of the longer one beside its bound at element i of what was computed. */
static void put_short(Ref *ref, const Matrix *got, const Shortness of[2], double unit)
{
    double scale = fmax(matrix_norm(got), dtype_format(ref->dtype)->smallest_normal / unit) * unit;
    for (int64_t i = 0; i < got->rows; i++) {
        LongComplex worst = 0;
        for (int k = 0; k < 2; k++) {
            LongComplex off = i < of[k].count ? of[k].values[i] / of[k].bound : 0;
            if (i < of[k].count && !(cabsl(off) <= cabsl(worst)))
                worst = off;
        }
        Scalar defect = {(double)creall(worst) * scale, (double)cimagl(worst) * scale};
        spectrum_put_defect(ref, matrix_element(ref, i, 0), got->values[i], defect, scale);
    }
}

/* The norm of the elements of a result on and above a diagonal. */
static void judge_norm(Ref *ref, const Tensor *computed, int64_t beside, double norm, double unit,
                       Arena *arena)
{
    Matrix got = matrix_read(computed, arena);
    long double sum = 0;
    for (int64_t i = 0; i < got.rows; i++)
        for (int64_t j = 0; j < got.columns; j++)
            if (i <= j + beside) {
                Scalar x = *matrix_at(&got, i, j);
                sum += (long double)x.re * x.re + (long double)x.im * x.im;
            }
    double off = (double)(sqrtl(sum) - norm), bound = unit * norm;
    if (got.rows > 0 && got.columns > 0 && !(fabs(off) <= bound))
        spectrum_put_defect(ref, matrix_element(ref, 0, got.columns - 1),
                            *matrix_at(&got, 0, got.columns - 1), (Scalar){off, 0}, bound);
}

static double tiny_of(const Constrained *s)
{
    return 64 * (double)(s->a.rows + s->a.columns + s->b.rows + s->b.columns) *
           dtype_format(s->dtype)->smallest_normal;
}

static void judge_equality(const Constrained *s, Ref *refs, const Tensor *computed)
{
    int64_t m = s->a.rows, n = s->a.columns, p = s->b.rows;
    double eta = s->eta * (1 + 4 * s->eta), tiny = tiny_of(s), least = least_of_one(s);
    Matrix got = matrix_read(&computed[THIRD], s->arena),
           c = matrix_read(&computed[FIRST], s->arena);
    LongComplex *x = dense_widened(&got, s->arena), *r = dense_widened(&s->c, s->arena);
    LongComplex *e = dense_widened(&s->d, s->arena);
    LongComplex *g = arena_take_zeroed(s->arena, (size_t)n + 1, sizeof *g);
    subtract(r, &s->a, x, false);
    subtract(e, &s->b, x, false);
    subtract(g, &s->a, r, true);
    double x_norm = norm_of(x, n), r_norm = norm_of(r, m);
    double size = s->c_norm + 2 * s->a_norm * x_norm;
    double slope = eta * s->a_norm * (size + r_norm), t = s->eta / least;
    Shortness of[2] = {{e, p, eta * (2 * s->b_norm * x_norm + s->d_norm) + tiny}, {g, 0, 1}};
    if (p == 0)
        of[1] = (Shortness){g, n, slope + tiny};
    else if (t < 0.25) {
        Matrix k = matrix_zeros(n, p, s->arena);
        place(&k, 0, &s->b, positive(s->b_norm), true);
        double l = (fit(&k, g, s->arena) + slope / least) / (1 - t);
        of[1] = (Shortness){g, n, slope + s->eta * l + tiny};
    }
    put_short(&refs[THIRD], &got, of, s->eta);
    double tail = 0, bound = eta * (size + r_norm) + tiny;
    for (int64_t i = n - p; i < m; i++)
        tail = hypot(tail, hypot(c.values[i].re, c.values[i].im));
    if (n - p < m && !(fabs(tail - r_norm) <= bound))
        spectrum_put_defect(&refs[FIRST], matrix_element(&refs[FIRST], n - p, 0), c.values[n - p],
                            (Scalar){tail - r_norm, 0}, bound);
    judge_norm(&refs[A], &computed[A], 0, s->a_norm, s->eta, s->arena);
    judge_norm(&refs[B], &computed[B], p - n, s->b_norm, s->eta, s->arena);
}

static void judge_model(const Constrained *s, Ref *refs, const Tensor *computed, double least)
{
    int64_t n = s->a.rows, m = s->a.columns, p = s->b.columns;
    double eta = s->eta * (1 + 4 * s->eta), tiny = tiny_of(s), t = 1.5 * s->eta / least;
    Matrix x = matrix_read(&computed[SECOND], s->arena),
           y = matrix_read(&computed[THIRD], s->arena);
    LongComplex *e = dense_widened(&s->d, s->arena);
    LongComplex *both = arena_take_zeroed(s->arena, (size_t)(m + p) + 1, sizeof *both);
    LongComplex *of_x = dense_widened(&x, s->arena), *of_y = dense_widened(&y, s->arena);
    subtract(e, &s->a, of_x, false);
    subtract(e, &s->b, of_y, false);
    double x_norm = norm_of(of_x, m), y_norm = norm_of(of_y, p);
    double size = 2 * s->a_norm * x_norm + 2 * s->b_norm * y_norm + s->d_norm;
    double y_size = y_norm / positive(s->b_norm), bound = 1;
    for (int64_t i = 0; i < p; i++)
        both[i] = of_y[i] / (long double)positive(s->b_norm);
    bool known = t < 0.25;
    if (known) {
        Matrix k = stacked(s);
        double l = (fit(&k, both, s->arena) + eta * y_size / least) / (1 - t);
        bound = eta * (1.5 * l + y_size) + tiny / positive(s->b_norm);
    }
    double limit = eta * size + tiny;
    const Shortness of_second[2] = {{e, m < n ? m : n, limit}, {both + p, known ? m : 0, bound}};
    const Shortness of_third[2] = {{e + m, n - m, limit}, {both, known ? p : 0, bound}};
    put_short(&refs[SECOND], &x, of_second, s->eta);
    put_short(&refs[THIRD], &y, of_third, s->eta);
    judge_norm(&refs[A], &computed[A], 0, s->a_norm, s->eta, s->arena);
    judge_norm(&refs[B], &computed[B], n - p, s->b_norm, s->eta, s->arena);
}

static void judge(const Constrained *s, Ref *refs, const Tensor *computed)
{
    enum { HIGHEST = 2 };
    int64_t info = lapack_integer(&computed[INFO], 0);
    if (!s->known) {
        lapack_put_integer(&refs[INFO], 0, info, 0, HIGHEST);
        return;
    }
    Matrix both = stacked(s);
    double least = least_value(s, &both), one = least_of_one(s);
    bool full = least > 4 * s->eta && one > 4 * s->eta;
    lapack_put_integer(&refs[INFO], 0, info, 0, full ? 0 : HIGHEST);
    if (info != 0 || s->a.rows + s->a.columns + s->b.rows + s->b.columns == 0)
        return;
    Matrix x = matrix_read(&computed[s->model ? SECOND : THIRD], s->arena);
    Matrix y = matrix_read(&computed[THIRD], s->arena);
    if (!full && !(matrix_is_finite(&x) && matrix_is_finite(&y)))
        return;
    if (s->model)
        judge_model(s, refs, computed, least);
    else
        judge_equality(s, refs, computed);
}

/* Adds X over a norm, or its adjoint, to a system of n equations. */
static void enter(LongComplex *system, int64_t n, int64_t row, int64_t column, const Matrix *x,
                  double norm, bool turned)
{
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t j = 0; j < x->columns; j++) {
            Scalar v = *matrix_at(x, i, j);
            LongComplex value = v.re + (turned ? -v.im : v.im) * (LongComplex)_Complex_I;
            system[turned ? (row + j) * n + column + i : (row + i) * n + column + j] +=
                value / (long double)norm;
        }
}

/* x of a system, by steps that each solve for what the one before left: unknowns that are far
 * smaller than others are right as well. */
static LongComplex *refined(const LongComplex *system, const LongComplex *right, int64_t n,
                            Arena *arena)
{
    enum { STEPS = 3 };
    LongComplex *x = arena_take_zeroed(arena, (size_t)n + 1, sizeof *x);
    LongComplex *rest = arena_take(arena, (size_t)n + 1, sizeof *rest);
    LongComplex *copy = arena_take(arena, (size_t)(n * n) + 1, sizeof *copy);
    for (int step = 0; step < STEPS; step++) {
        for (int64_t i = 0; i < n * n; i++)
            copy[i] = system[i];
        for (int64_t i = 0; i < n; i++) {
            rest[i] = right[i];
            for (int64_t j = 0; j < n; j++)
                rest[i] -= dense_product(system[i * n + j], x[j]);
        }
        (void)dense_eliminate(copy, rest, n, 1);
        for (int64_t i = 0; i < n; i++)
            x[i] += rest[i];
    }
    return x;
}

static void put_vector(Ref *ref, const LongComplex *x, int64_t n, double scale, Arena *arena)
{
    Matrix to = matrix_zeros(n, 1, arena);
    for (int64_t i = 0; i < n; i++)
        to.values[i] = (Scalar){(double)creall(x[i]) * scale, (double)cimagl(x[i]) * scale};
    matrix_put_rounded(&to, ref);
}

/* A triangle with the norm of A. */
static void put_norm(Ref *ref, const Matrix *a, double norm, Arena *arena)
{
    Matrix to = matrix_zeros(a->rows, a->columns, arena);
    if (a->rows > 0 && a->columns > 0)
        matrix_at(&to, 0, a->columns - 1)->re = norm;
    matrix_put_rounded(&to, ref);
}

/* One right result in x, with both matrices over their norms: r, x and l of (I A 0; A^H 0 B^H; 0 B
 * 0) (r; x; l) = (c; 0; d), or l, x and y of (0 A B; A^H 0 0; B^H 0 -I) (l; x; y) = (d; 0; 0). */
static LongComplex *solve_whole(const Constrained *s, int64_t three)
{
    int64_t one = s->a.rows, two = s->a.columns, n = one + two + three;
    double a = positive(s->a_norm), b = positive(s->b_norm);
    LongComplex *system = arena_take_zeroed(s->arena, (size_t)(n * n) + 1, sizeof *system);
    LongComplex *x = arena_take_zeroed(s->arena, (size_t)n + 1, sizeof *x);
    LongComplex *c = dense_widened(&s->c, s->arena), *d = dense_widened(&s->d, s->arena);
    enter(system, n, 0, one, &s->a, a, false);
    enter(system, n, one, 0, &s->a, a, true);
    enter(system, n, s->model ? 0 : one + two, s->model ? one + two : one, &s->b, b, false);
    enter(system, n, s->model ? one + two : one, s->model ? 0 : one + two, &s->b, b, true);
    for (int64_t i = s->model ? one + two : 0; i < (s->model ? n : one); i++)
        system[i * n + i] = s->model ? -1 : 1;
    for (int64_t i = 0; i < s->c.rows; i++)
        x[i] = c[i];
    for (int64_t i = 0; i < s->d.rows; i++)
        x[s->model ? i : one + two + i] = s->model ? d[i] : d[i] / (long double)b * (long double)a;
    return refined(system, x, n, s->arena);
}

/* The same where B x = d, or A x = d, alone says what x is. */
static LongComplex *solve_square(const Constrained *s, int64_t three)
{
    int64_t one = s->a.rows, two = s->a.columns;
    double a = positive(s->a_norm), b = positive(s->b_norm);
    LongComplex *system = arena_take_zeroed(s->arena, (size_t)(two * two) + 1, sizeof *system);
    LongComplex *x = arena_take_zeroed(s->arena, (size_t)(one + two + three) + 1, sizeof *x);
    LongComplex *d = dense_widened(&s->d, s->arena), *c = dense_widened(&s->c, s->arena);
    for (int64_t i = 0; i < two && !s->model; i++)
        d[i] *= (long double)a / (long double)b;
    enter(system, two, 0, 0, s->model ? &s->a : &s->b, s->model ? a : b, false);
    LongComplex *solved = refined(system, d, two, s->arena);
    for (int64_t i = 0; i < two; i++)
        x[one + i] = solved[i];
    for (int64_t i = 0; i < s->c.rows; i++) {
        x[i] = c[i];
        for (int64_t j = 0; j < two; j++) {
            Scalar v = *matrix_at(&s->a, i, j);
            x[i] -=
                dense_product(v.re + v.im * (LongComplex)_Complex_I, solved[j] / (long double)a);
        }
    }
    return x;
}

static void compute(const Constrained *s, Ref *refs)
{
    int64_t one = s->a.rows, two = s->a.columns, three = s->model ? s->b.columns : s->b.rows;
    int64_t n = one + two + three;
    bool square = s->model ? one == two : two == three;
    LongComplex *x = square ? solve_square(s, three) : solve_whole(s, three);
    bool failed = !isfinite(norm_of(x, n));
    for (int64_t i = 0; i < n && failed; i++)
        x[i] = 0;
    put_norm(&refs[A], &s->a, s->a_norm, s->arena);
    put_norm(&refs[B], &s->b, s->b_norm, s->arena);
    if (s->model)
        put_vector(&refs[THIRD], x + one + two, three, 1 / positive(s->b_norm), s->arena);
    LongComplex *c = arena_take_zeroed(s->arena, (size_t)one + 1, sizeof *c);
    if (!s->model && two - three < one)
        c[two - three] = norm_of(x, one);
    if (!s->model)
        put_vector(&refs[FIRST], c, one, 1, s->arena);
    put_vector(&refs[s->model ? SECOND : THIRD], x + one, two, 1 / positive(s->a_norm), s->arena);
    lapack_put_integer(&refs[INFO], 0, failed, failed, failed);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    Constrained s = problem_of(input, arena);
    for (int i = A; i < INFO; i++)
        lapack_admit_all(&refs[i], &input->tensors[i], arena);
    ref_allocate_exact(&refs[INFO], &input->tensors[INFO], arena);
    if (input->computed)
        judge(&s, refs, input->computed);
    else
        compute(&s, refs);
}

static const OpDesc shared = {LAPACK_OP_RESIDUAL, .normalise_of_row = normalise,
                              .shape_of_row = shape, .work_of_row = work, .reference = reference};

OP_TABLE(ops_constrained)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
