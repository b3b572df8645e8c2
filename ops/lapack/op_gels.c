/* Least squares: of op(A) X = B the solution that leaves the smallest residual where op(A) has no
 * fewer rows than columns, the sum of whose squares is that of the rows of B behind X; else the
 * solution of least norm.  A is overwritten by its factors.
 *
 * Theorem (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., theorems 20.3 and
 * 21.4).  By reflections X is the exact solution for C + E and b + f, C = op(A), with |E| <= eta
 * |C| and |f| <= eta |b|.  Of the normal equations of that system follows, with r = b - C x,
 *     |C^H r| <= eta |C| (|r| + (1 + eta) (|b| + |C| |x|)),
 * and | |r| - |rows behind x| | <= eta (|b| + |C| |x|).  A solution of least norm has |r| <= eta
 * (|b| + |C| |x|) and lies in the range of (C + E)^H, so that what is outside the range of C^H is
 * at most eta |C| / s |x|, s the least singular value of C; nothing is said of that where eta |C| /
 * s is above 1/4.  eta is p(max(m, n)) of spectrum.h, with Frobenius' norms.
 *
 * info is the number of the first element on the diagonal of the triangular factor that is exactly
 * 0, which no matrix has whose s is above eta |C|; then nothing is said of B.  Of a zero matrix the
 * solution is 0.  Where numbers are not finite, or squares of them may leave the range, nothing is
 * said, and nothing of a solution that is not finite where |b| / (s - eta |C|) may leave it. */
#include <limits.h>
#include <math.h>

#include "householder.h"
#include "kernel.h"
#include "lapack.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "singular.h"
#include "solve.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    LAPACK_TRANS,
    LAPACK_M("rows of A"),
    LAPACK_N("columns of A"),
    LAPACK_NRHS,
    LAPACK_LDA,
    LAPACK_LDB,
    LAPACK_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"a", "b", "info", NULL};
enum { A, B, INFO };

/* Real routines know the transpose alone, and complex ones the conjugate transpose. */
static void normalise(void *of)
{
    Lapack *q = of;
    if (q->trans != TRANSPOSE_NONE)
        q->trans = lapack_is_real(q) ? TRANSPOSE_PLAIN : TRANSPOSE_CONJUGATE;
}

static int64_t larger(const Lapack *q)
{
    return q->m > q->n ? q->m : q->n;
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 3, .depth = q->m};
    shapes->tensor[A] = lapack_matrix(q, q->m, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[A].arrangement = lapack_arrangement(q);
    shapes->tensor[B] = lapack_matrix(q, larger(q), q->nrhs, q->ldb, ROLE_INOUT);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    double extent = (double)(q->m + q->n);
    return 6 * lapack_parts(q) * extent * extent * (extent + (double)q->nrhs + 8);
}

/* T is A, or A^H where that has more rows: the equations are T X = B, or T^H X = B.  The matrices
 * are in an arena. */
typedef struct LeastSquares {
    DType dtype;
    bool turned, least_norm;
    Matrix t, b;
    double norm, eta, step;
    Arena *arena;
} LeastSquares;

static LeastSquares begin(const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Format *format = dtype_format((DType)q->dtype);
    LeastSquares s = {.dtype = (DType)q->dtype, .turned = q->m < q->n, .arena = arena};
    s.least_norm = s.turned == (q->trans == TRANSPOSE_NONE);
    Matrix a = matrix_read(&input->tensors[A], arena);
    s.t = s.turned ? lapack_transposed(&a, true, arena) : a;
    s.b = matrix_read(&input->tensors[B], arena);
    s.norm = matrix_norm(&s.t);
    s.step = (double)(q->m + q->n + 8) * format->smallest_subnormal;
    s.eta =
        spectrum_factor(s.dtype, larger(q)) + 8 * (double)(q->m + q->n) * format->smallest_normal;
    return s;
}

/* First elements on the diagonal of A that are 0. */
static int64_t first_zero(const Matrix *a)
{
    for (int64_t i = 0; i < a->rows && i < a->columns; i++)
        if (scalar_is_zero(*matrix_at(a, i, i)))
            return i + 1;
    return 0;
}

/* Rows of X and of right sides. */
static int64_t unknowns(const LeastSquares *s)
{
    return s->least_norm ? s->t.rows : s->t.columns;
}

static int64_t equations(const LeastSquares *s)
{
    return s->least_norm ? s->t.columns : s->t.rows;
}

/* One right result. */
static int64_t compute(const LeastSquares *s, Ref *a_ref, Ref *b_ref)
{
    int64_t p = s->t.rows, q = s->t.columns, sides = s->b.columns;
    DType dtype = dtype_components(s->dtype) == 2 ? DT_C128 : DT_F64;
    Householder h = {.dtype = dtype, .steps = q};
    h.before = matrix_zeros(p, q + (s->least_norm ? 0 : sides), s->arena);
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = 0; j < h.before.columns; j++)
            *matrix_at(&h.before, i, j) =
                j < q ? *matrix_at(&s->t, i, j) : *matrix_at(&s->b, i, j - q);
    h.after = matrix_copy(&h.before, s->arena);
    h.tau = arena_take(s->arena, (size_t)q + 1, sizeof *h.tau);
    householder_factor(&h);
    Matrix stored = matrix_zeros(p, q, s->arena), x = matrix_copy(&s->b, s->arena);
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = 0; j < h.before.columns; j++)
            *(j < q ? matrix_at(&stored, i, j) : matrix_at(&x, i, j - q)) =
                *matrix_at(&h.after, i, j);
    Matrix r = lapack_factor(&stored, false, false, s->arena);
    Matrix turned = lapack_transposed(&r, true, s->arena);
    Matrix head = matrix_zeros(q, sides, s->arena);
    for (int64_t i = 0; i < q * sides; i++)
        head.values[i] = x.values[i];
    kernel_trsm(&(Kernel){.dtype = dtype}, s->least_norm ? &turned : &r, s->least_norm, &head);
    for (int64_t i = 0; i < p * sides; i++)
        if (i < q * sides)
            x.values[i] = head.values[i];
        else if (s->least_norm)
            x.values[i] = (Scalar){0, 0};
    if (s->least_norm)
        householder_multiply(&h, &x);
    Matrix factors = s->turned ? lapack_transposed(&stored, true, s->arena) : stored;
    matrix_put_rounded(&factors, a_ref);
    matrix_put_rounded(&x, b_ref);
    int64_t zero = 0;
    for (int64_t i = q - 1; i >= 0 && sides > 0; i--) {
        Scalar d = *matrix_at(&r, i, i);
        if (dtype_round(s->dtype, d.re) == 0 && dtype_round(s->dtype, d.im) == 0)
            zero = i + 1;
    }
    return zero;
}

/* One column: r = b - C x in double-double, and sizes. */
typedef struct Residue {
    WideComplex *rest;
    double norm, x_norm, b_norm, scale;
} Residue;

static Residue residue_of(const LeastSquares *s, const Matrix *c, const Matrix *x, int64_t j)
{
    Residue r = {.rest = arena_take(s->arena, (size_t)c->rows + 1, sizeof *r.rest),
                 .x_norm = matrix_column_norm(x, 0, c->columns, j),
                 .b_norm = matrix_column_norm(&s->b, 0, c->rows, j)};
    for (int64_t i = 0; i < c->rows; i++) {
        Scalar b = *matrix_at(&s->b, i, j);
        r.rest[i] = (WideComplex){{b.re, 0}, {b.im, 0}};
        for (int64_t k = 0; k < c->columns; k++)
            wide_complex_add_product(&r.rest[i], -1, *matrix_at(c, i, k), *matrix_at(x, k, j));
        r.norm = hypot(r.norm, hypot(r.rest[i].re.high, r.rest[i].im.high));
    }
    r.scale = r.b_norm + s->norm * r.x_norm;
    return r;
}

/* Row i of column j: what was computed less a rest, in units of which the bound is given. */
static void put_rest(Ref *ref, const Matrix *x, int64_t i, int64_t j, Scalar rest, double bound)
{
    for (int part = 0; part < dtype_components(ref->dtype); part++) {
        size_t at = matrix_element(ref, i, j) + (size_t)part;
        double got = part ? matrix_at(x, i, j)->im : matrix_at(x, i, j)->re;
        double off = part ? rest.im : rest.re;
        if (isfinite(got) && isfinite(off))
            matrix_put_rest(ref, at, got, off, 0x1p-6 * bound, bound);
        else
            matrix_admit_finite(ref, at);
    }
}

static Scalar over(Scalar x, double scale)
{
    return scale > 0 ? (Scalar){x.re / scale, x.im / scale} : (Scalar){0, 0};
}

/* C^H r, and the norm of what is behind X. */
static void judge_least_residual(const LeastSquares *s, Ref *ref, const Matrix *x, int64_t j)
{
    const Matrix *c = &s->t;
    Residue r = residue_of(s, c, x, j);
    double scale = s->norm * (r.norm + (1 + s->eta) * r.scale);
    double bound = s->eta + (scale > 0 ? s->step * s->norm * (1 + s->norm) / scale : 0);
    for (int64_t i = 0; i < c->columns; i++) {
        WideComplex sum = {{0, 0}, {0, 0}};
        for (int64_t k = 0; k < c->rows; k++)
            wide_complex_add_scaled(&sum, 1, scalar_conjugate(*matrix_at(c, k, i)), &r.rest[k]);
        put_rest(ref, x, i, j, over((Scalar){sum.re.high, sum.im.high}, scale), bound);
    }
    if (c->rows == c->columns)
        return;
    double off = matrix_column_norm(x, c->columns, c->rows, j) - r.norm;
    double behind = s->eta + (r.scale > 0 ? s->step * (1 + s->norm) / r.scale : 0);
    put_rest(ref, x, c->columns, j, over((Scalar){-off, 0}, r.scale), behind);
    for (int64_t i = c->columns + 1; i < c->rows; i++)
        put_rest(ref, x, i, j, (Scalar){0, 0}, dtype_format(s->dtype)->largest / 2);
}

/* x_i less its part in the range of T, whose basis is `basis`. */
static Scalar outside(const Matrix *basis, const Matrix *x, int64_t i, int64_t j)
{
    WideComplex rest = {{matrix_at(x, i, j)->re, 0}, {matrix_at(x, i, j)->im, 0}};
    for (int64_t k = 0; k < basis->columns; k++) {
        WideComplex inner = {{0, 0}, {0, 0}};
        for (int64_t l = 0; l < basis->rows; l++)
            wide_complex_add_product(&inner, 1, scalar_conjugate(*matrix_at(basis, l, k)),
                                     *matrix_at(x, l, j));
        wide_complex_add_scaled(&rest, -1, *matrix_at(basis, i, k), &inner);
    }
    return (Scalar){rest.re.high, rest.im.high};
}

/* r, or what of x is outside the range, whichever is larger. */
static void judge_least_norm(const LeastSquares *s, const Spectrum *d, Ref *ref, const Matrix *x,
                             int64_t j)
{
    int64_t p = s->t.rows, q = s->t.columns;
    Matrix c = lapack_transposed(&s->t, true, s->arena);
    Matrix basis = singular_vectors(d, &s->t, 0, p, q, s->arena);
    Residue r = residue_of(s, &c, x, j);
    double least = d->values[p] - d->error, condition = s->norm / least;
    double units = condition * r.x_norm;
    bool ranged = least > 0 && s->eta * condition < 0.25;
    double bound = s->eta + (r.scale > 0 ? s->step * (1 + s->norm) / r.scale : 0);
    double bound_outside = s->eta + (units > 0 ? s->step / units : 0) + d->error / d->norm;
    for (int64_t i = 0; i < p; i++) {
        Scalar rest = {0, 0}, off = {0, 0};
        if (i < q)
            rest = over((Scalar){r.rest[i].re.high, r.rest[i].im.high}, r.scale);
        if (ranged) {
            off = over(outside(&basis, x, i, j), units);
            off = (Scalar){-off.re, -off.im};
        }
        bool outside_counts =
            scalar_size(off) / bound_outside > scalar_size(rest) / bound || i >= q;
        put_rest(ref, x, i, j, outside_counts ? off : rest, outside_counts ? bound_outside : bound);
    }
}

static bool is_moderate(const LeastSquares *s, const Spectrum *d)
{
    const Format *format = dtype_format(s->dtype);
    double low = 256 * sqrt(format->smallest_normal), high = sqrt(format->largest) / 256;
    double b_norm = 0;
    for (int64_t j = 0; j < s->b.columns; j++)
        b_norm = hypot(b_norm, matrix_column_norm(&s->b, 0, equations(s), j));
    return d->known && (s->norm == 0 || (s->norm > low && s->norm < high)) &&
           (b_norm == 0 || (b_norm > low && b_norm < high));
}

/* True where no number on the way to column j of X leaves the range.  The unknowns, and those of
 * each trailing block of the triangle, whose inverse is a block of the inverse, are at most |b| /
 * (s - eta |C|), and what substitution subtracts is |C| times as large. */
static bool stays_finite(const LeastSquares *s, double least, int64_t j)
{
    double divisor = least - s->eta * s->norm;
    double b_norm = matrix_column_norm(&s->b, 0, equations(s), j);
    double most = (double)(s->t.rows + 4) * (1 + s->norm) * b_norm;
    return divisor > 0 && 8 * most < dtype_format(s->dtype)->largest * divisor;
}

static bool column_is_finite(const Matrix *x, int64_t j)
{
    bool finite = true;
    for (int64_t i = 0; i < x->rows && finite; i++)
        finite = scalar_is_finite(*matrix_at(x, i, j));
    return finite;
}

static void judge(const LeastSquares *s, Ref *refs, const Tensor *computed)
{
    Matrix a = matrix_read(&computed[A], s->arena), x = matrix_read(&computed[B], s->arena);
    int64_t info = lapack_integer(&computed[INFO], 0), zero = first_zero(&a);
    bool empty = s->t.columns == 0 || s->b.columns == 0;
    Spectrum d = singular_spectrum(&s->t, s->arena);
    if (!empty && !is_moderate(s, &d)) {
        lapack_put_integer(&refs[INFO], 0, info, 0, INT_MAX);
        return;
    }
    double least = empty ? 1 : d.values[s->t.rows] - d.error;
    if (empty || least > s->eta * s->norm || s->norm == 0)
        zero = s->norm == 0 && info == 1 && !empty ? 1 : 0;
    lapack_put_integer(&refs[INFO], 0, info, zero, zero);
    if (info != 0)
        return;
    for (int64_t j = 0; j < x.columns; j++)
        if (empty || s->norm == 0)
            for (int64_t i = 0; i < unknowns(s); i++)
                for (int part = 0; part < dtype_components(s->dtype); part++)
                    ref_set_exact(&refs[B], matrix_element(&refs[B], i, j) + (size_t)part, 0,
                                  MATCH_VALUE);
        else if (!column_is_finite(&x, j) && !stays_finite(s, least, j))
            continue;
        else if (s->least_norm)
            judge_least_norm(s, &d, &refs[B], &x, j);
        else
            judge_least_residual(s, &refs[B], &x, j);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    LeastSquares s = begin(input, arena);
    lapack_admit_all(&refs[A], &input->tensors[A], arena);
    lapack_admit_all(&refs[B], &input->tensors[B], arena);
    ref_allocate_exact(&refs[INFO], &input->tensors[INFO], arena);
    if (input->computed) {
        judge(&s, refs, input->computed);
        return;
    }
    int64_t zero = compute(&s, &refs[A], &refs[B]);
    lapack_put_integer(&refs[INFO], 0, zero, zero, zero);
}

const OpDesc op_gels = {
    .name = "gels",
    .summary = "least squares and solutions of least norm by reflections",
    LAPACK_OP_TABLES,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
