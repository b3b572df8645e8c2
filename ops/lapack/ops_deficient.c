/* Least squares of matrices whose rank is found: of A X = B the X of least norm among those that
 * leave the smallest residual, where singular values up to a threshold times the largest one count
 * as 0.  gelss and gelsd give all singular values, and where the rank is n, and m more, behind X
 * rows whose squares sum up to those of the residual; gelsy exchanges columns, and leaves out what
 * is behind the columns in front that are far from dependent.  A is destroyed.
 *
 * Theorem.  What is computed is exact for A + E and b + f with |E| <= eta |A|, |f| <= eta |b| (the
 * transformations are unitary: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.,
 * theorem 19.4 and section 20.4; eta is p(max(m, n)) of spectrum.h), but that A + E has the rank r
 * that is said: gelss and gelsd take its r largest singular values, of which U and V are the
 * vectors of A, and gelsy makes one of rank r with |E| <= eta |A| + 2^r sqrt(n - r) s_(r+1) (Gu and
 * Eisenstat, Efficient algorithms for computing a strong rank-revealing QR factorization, SIAM J.
 * Sci. Comput. 17 (1996), section 1.1: without columns that are kept in front).  With e = |E| and
 * sigma = e / (s_r - s_(r+1) - e), the sine of the angle between the spaces of A and of A + E
 * (Wedin; Stewart and Sun, Matrix Perturbation Theory, theorem V.4.4),
 *     |x - V V^H x| <= (sigma + eta) |x|,
 *     |U^H (b - A x)| <= eta |b| + e |x| + sigma |b - A x|.
 * Proof.  x lies in the range of (A + E)_r^H, and b + f - (A + E) x is orthogonal to that of
 * (A + E)_r; projections on these and on those of V and U differ by sigma.  QED.  Where sigma is
 * above 1/4 nothing is said of X; of rank 0 it is 0.
 *
 * The rank is the number of singular values that were computed above the threshold, which a
 * negative rcond makes the precision: u / 2 to 4 u is admitted; gelsy is given u.  The rank of
 * gelsy comes from estimates of the condition of triangles, which are no larger than that is: it is
 * at least k where s_k is above 2^k sqrt n times the threshold (the same section), and at most
 * min(m, n); of columns that are kept in front nothing is said.  Where numbers are not finite, or
 * squares of them may leave the range, nothing is said, and nothing of the rank where there are no
 * right sides. */
#include <limits.h>
#include <math.h>

#include "lapack.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "singular.h"

static const char *const thresholds[] = {"precision", "coarse", NULL};
#define LAPACK_SYSTEM                                                                              \
    LAPACK_DTYPE_ORDER, LAPACK_M("rows of A"), LAPACK_N("columns of A"), LAPACK_NRHS, LAPACK_LDA,  \
        LAPACK_LDB, LAPACK_MATRIX,                                                                 \
        P_CHOICE_AS("threshold", Lapack, norm, thresholds,                                         \
                    "rcond is that of the precision, or 1/128"),                                   \
        LAPACK_LWORK
static const Param params[] = {LAPACK_SYSTEM, P_END};
static const Param exchanging_params[] = {LAPACK_SYSTEM, LAPACK_COLUMNS, P_END};
static const char *const tensors[] = {"a", "b", "s", "rcond", "rank", "info", NULL};
static const char *const exchanging_tensors[] = {"a", "b", "jpvt", "rcond", "rank", "info", NULL};
enum { A, B, S, JPVT = S, RCOND, RANK, INFO };
enum { THRESHOLD_PRECISION };
static const double COARSE = 0x1p-7;

typedef struct DeficientRow {
    LapackRow op;
    bool exchanges;
} DeficientRow;

static const DeficientRow rows[] = {
    {{"gelsd", "least squares of any rank by singular values, by division", params, tensors,
      DTYPES_BLAS},
     false},
    {{"gelss", "least squares of any rank by singular values", params, tensors, DTYPES_BLAS},
     false},
    {{"gelsy", "least squares of any rank by exchanges of columns", exchanging_params,
      exchanging_tensors, DTYPES_BLAS},
     true},
};

static int64_t smaller(const Lapack *q)
{
    return q->m < q->n ? q->m : q->n;
}

static int64_t larger(const Lapack *q)
{
    return q->m > q->n ? q->m : q->n;
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const DeficientRow *row = op->detail;
    const Lapack *q = of;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->m};
    shapes->tensor[A] = lapack_matrix(q, q->m, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[A].arrangement = lapack_arrangement(q);
    shapes->tensor[B] = lapack_matrix(q, larger(q), q->nrhs, q->ldb, ROLE_INOUT);
    shapes->tensor[S] =
        row->exchanges ? lapack_column_pivots(q) : lapack_real_vector(q, smaller(q));
    shapes->tensor[RCOND] = blas_number(dtype_component((DType)q->dtype), ROLE_IN);
    shapes->tensor[RCOND].has_head = true;
    double precision = row->exchanges ? dtype_format((DType)q->dtype)->unit : -1;
    shapes->tensor[RCOND].head = q->norm == THRESHOLD_PRECISION ? precision : COARSE;
    shapes->tensor[RANK] = lapack_integers(1);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const Lapack *q = of;
    double extent = (double)(q->m + q->n);
    (void)op;
    return 6 * lapack_parts(q) * extent * extent * (extent + (double)q->nrhs + 8);
}

/* A case, with the singular values and vectors of A. */
typedef struct Deficient {
    const DeficientRow *row;
    const Lapack *q;
    DType dtype;
    Matrix a, b, u, v;
    Spectrum doubled;
    double norm, eta, step;
    int64_t fixed; /* columns that are kept in front */
    Arena *arena;
} Deficient;

static Deficient begin(const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Format *format = dtype_format((DType)q->dtype);
    Deficient s = {.row = input->op->detail, .q = q, .dtype = (DType)q->dtype, .arena = arena};
    s.a = matrix_read(&input->tensors[A], arena);
    s.b = matrix_read(&input->tensors[B], arena);
    s.doubled = singular_spectrum(&s.a, arena);
    s.u = singular_vectors(&s.doubled, &s.a, 0, q->m, smaller(q), arena);
    s.v = singular_vectors(&s.doubled, &s.a, q->m, q->n, smaller(q), arena);
    s.norm = matrix_norm(&s.a);
    s.step = (double)(q->m + q->n + 8) * format->smallest_subnormal;
    s.eta =
        spectrum_factor(s.dtype, larger(q)) + 8 * (double)(q->m + q->n) * format->smallest_normal;
    s.fixed = s.row->exchanges ? lapack_fixed_columns(&input->tensors[JPVT]) : 0;
    return s;
}

/* Singular value number i, 0 behind the last one. */
static double value_of(const Deficient *s, int64_t i)
{
    return i < smaller(s->q) ? fmax(s->doubled.values[s->q->m + s->q->n - 1 - i], 0) : 0;
}

/* What singular values that count as 0 are to the largest one, from..to. */
static void threshold_of(const Deficient *s, double *from, double *to)
{
    double unit = dtype_format(s->dtype)->unit;
    bool precise = s->q->norm == THRESHOLD_PRECISION;
    *from = precise ? unit / 2 : COARSE * (1 - 16 * unit);
    *to = precise ? 4 * unit : COARSE * (1 + 16 * unit);
}

/* Inner product of column k of a basis and column j of X. */
static WideComplex inner_of(const Matrix *basis, int64_t k, const WideComplex *x)
{
    WideComplex inner = {{0, 0}, {0, 0}};
    for (int64_t i = 0; i < basis->rows; i++)
        wide_complex_add_scaled(&inner, 1, scalar_conjugate(*matrix_at(basis, i, k)), &x[i]);
    return inner;
}

/* b - A x, or b where X is NULL. */
static WideComplex *residue_of(const Deficient *s, const Matrix *x, int64_t j)
{
    WideComplex *rest = arena_take(s->arena, (size_t)s->a.rows + 1, sizeof *rest);
    for (int64_t i = 0; i < s->a.rows; i++) {
        Scalar b = *matrix_at(&s->b, i, j);
        rest[i] = (WideComplex){{b.re, 0}, {b.im, 0}};
        for (int64_t k = 0; k < s->a.columns && x; k++)
            wide_complex_add_product(&rest[i], -1, *matrix_at(&s->a, i, k), *matrix_at(x, k, j));
    }
    return rest;
}

static double norm_of(const WideComplex *x, int64_t count)
{
    double norm = 0;
    for (int64_t i = 0; i < count; i++)
        norm = hypot(norm, hypot(x[i].re.high, x[i].im.high));
    return norm;
}

/* One right result: V_r diag(1 / s) U_r^H B. */
static int64_t compute(const Deficient *s, Ref *refs)
{
    double from, to;
    int64_t rank = 0;
    threshold_of(s, &from, &to);
    while (rank < smaller(s->q) && value_of(s, rank) > to * value_of(s, 0))
        rank++;
    Matrix x = matrix_zeros(larger(s->q), s->b.columns, s->arena);
    for (int64_t j = 0; j < x.columns; j++) {
        WideComplex *b = residue_of(s, NULL, j);
        for (int64_t k = 0; k < rank; k++) {
            WideComplex c = inner_of(&s->u, k, b);
            for (int64_t i = 0; i < s->q->n; i++) {
                Scalar v = *matrix_at(&s->v, i, k), *to_x = matrix_at(&x, i, j);
                to_x->re += (v.re * c.re.high - v.im * c.im.high) / value_of(s, k);
                to_x->im += (v.re * c.im.high + v.im * c.re.high) / value_of(s, k);
            }
        }
        if (s->q->m > s->q->n)
            matrix_at(&x, s->q->n, j)->re = norm_of(residue_of(s, &x, j), s->q->m);
    }
    matrix_put_rounded(&x, &refs[B]);
    for (int64_t i = 0; i < smaller(s->q) && !s->row->exchanges; i++)
        ref_set_exact(&refs[S], (size_t)i, dtype_round(refs[S].dtype, value_of(s, i)), MATCH_VALUE);
    return rank;
}

/* The sine of the angle between the spaces of A and of A + E, and |E|; above 1 where that says
 * nothing. */
static double sine_of(const Deficient *s, int64_t rank, double *change)
{
    double next = value_of(s, rank);
    *change = s->eta * s->norm + s->doubled.error;
    if (s->row->exchanges && rank < smaller(s->q))
        *change +=
            s->fixed
                ? INFINITY
                : ldexp(sqrt((double)(s->q->n - rank)), (int)(rank < 1000 ? rank : 1000)) * next;
    double gap = value_of(s, rank - 1) - next - *change;
    return gap > 0 ? *change / gap : 2;
}

/* Rows of X by whichever is larger of what of x is outside of V, and V U^H (b - A x), each in units
 * of its bound. */
static void judge_column(const Deficient *s, int64_t rank, Ref *ref, const Matrix *x, int64_t j)
{
    int64_t n = s->q->n;
    double change, sine = sine_of(s, rank, &change);
    WideComplex *column = arena_take(s->arena, (size_t)n + 1, sizeof *column);
    WideComplex *rest = residue_of(s, x, j);
    for (int64_t i = 0; i < n; i++) {
        Scalar value = *matrix_at(x, i, j);
        column[i] = (WideComplex){{value.re, 0}, {value.im, 0}};
    }
    double x_norm = norm_of(column, n), rest_norm = norm_of(rest, s->q->m);
    double b_norm = matrix_column_norm(&s->b, 0, s->q->m, j);
    double own = (double)(n + 8) * 0x1p-50, outside = (sine + s->eta + own) * x_norm + s->step;
    double inside = (s->eta + own) * b_norm + (change + own * s->norm) * x_norm +
                    (sine + own) * rest_norm + s->step * (1 + s->norm);
    WideComplex *of_rest = arena_take_zeroed(s->arena, (size_t)n + 1, sizeof *of_rest);
    for (int64_t k = 0; k < rank; k++) {
        WideComplex in_range = inner_of(&s->v, k, column), left = inner_of(&s->u, k, rest);
        for (int64_t i = 0; i < n; i++) {
            wide_complex_add_scaled(&of_rest[i], 1, *matrix_at(&s->v, i, k), &left);
            wide_complex_add_scaled(&column[i], -1, *matrix_at(&s->v, i, k), &in_range);
        }
    }
    for (int64_t i = 0; i < n; i++) {
        Scalar off = {-column[i].re.high, -column[i].im.high};
        Scalar left = {of_rest[i].re.high, of_rest[i].im.high};
        bool by_range = scalar_size(off) / outside > scalar_size(left) / inside;
        double unit = by_range ? outside : inside;
        Scalar part = by_range ? off : left;
        matrix_put_residual(ref, matrix_element(ref, i, j), *matrix_at(x, i, j),
                            (Scalar){part.re / unit, part.im / unit}, 0x1p-20, 1);
    }
}

/* The norm of what is behind X where the rank is n. */
static void judge_behind(const Deficient *s, Ref *ref, const Matrix *x, int64_t j)
{
    int64_t n = s->q->n, m = s->q->m;
    double rest = norm_of(residue_of(s, x, j), m);
    double scale = matrix_column_norm(&s->b, 0, m, j) + s->norm * matrix_column_norm(x, 0, n, j);
    double off = rest - matrix_column_norm(x, n, m, j);
    double bound = s->eta * scale + s->step * (1 + s->norm);
    matrix_put_residual(ref, matrix_element(ref, n, j), *matrix_at(x, n, j),
                        (Scalar){off / bound, 0}, 0x1p-20, 1);
}

static bool is_moderate(const Deficient *s)
{
    const Format *format = dtype_format(s->dtype);
    double low = 256 * sqrt(format->smallest_normal), high = sqrt(format->largest) / 256;
    for (int64_t j = 0; j < s->b.columns; j++) {
        double norm = matrix_column_norm(&s->b, 0, s->q->m, j);
        if (!(norm == 0 || (norm > low && norm < high)))
            return false;
    }
    return s->doubled.known && (s->norm == 0 || (s->norm > low && s->norm < high));
}

/* The least and the largest rank that is admitted. */
static void rank_range(const Deficient *s, const double *values, int64_t *least, int64_t *most)
{
    double from, to;
    threshold_of(s, &from, &to);
    *least = *most = 0;
    for (int64_t k = 0; k < smaller(s->q); k++) {
        double grown = ldexp(sqrt((double)s->q->n), (int)(k < 1000 ? k : 1000) + 1);
        double sure = value_of(s, k) - s->doubled.error - 2 * s->eta * s->norm;
        if (s->row->exchanges ? s->fixed == 0 && sure > 2 * to * grown * s->norm
                              : values[k] > to * values[0])
            *least = k + 1;
        if (s->row->exchanges ? s->norm > 0 : values[k] > from * values[0])
            *most = k + 1;
    }
}

/* Nothing is said of the results then. */
static bool returns_early(const Deficient *s)
{
    return s->row->exchanges && (s->q->m == 0 || s->q->nrhs == 0);
}

static void judge(const Deficient *s, Ref *refs, const Tensor *computed)
{
    bool moderate = is_moderate(s);
    int64_t rank = lapack_integer(&computed[RANK], 0), least = INT_MIN, most = INT_MAX;
    double *values = arena_take(s->arena, (size_t)smaller(s->q) + 1, sizeof *values);
    lapack_put_known(&refs[INFO], &computed[INFO], moderate, 0);
    for (int64_t i = 0; i < smaller(s->q) && !s->row->exchanges; i++)
        values[i] = dtype_load(computed[S].dtype, computed[S].origin, i);
    if (moderate && !returns_early(s))
        rank_range(s, values, &least, &most);
    lapack_put_integer(&refs[RANK], 0, rank, least, most);
    if (!moderate || returns_early(s))
        return;
    if (!s->row->exchanges)
        singular_put_values(&refs[S], 0, s->dtype, &s->a, &s->doubled, values);
    Matrix x = matrix_read(&computed[B], s->arena);
    double change;
    for (int64_t j = 0; j < x.columns; j++) {
        for (int64_t i = 0; i < s->q->n * dtype_components(s->dtype) && rank == 0; i++)
            ref_set_exact(&refs[B],
                          matrix_element(&refs[B], i / dtype_components(s->dtype), j) +
                              (size_t)(i % dtype_components(s->dtype)),
                          0, MATCH_VALUE);
        if (rank < 1 || rank > smaller(s->q) || sine_of(s, rank, &change) > 0.25)
            continue;
        judge_column(s, rank, &refs[B], &x, j);
        if (s->q->m > s->q->n && rank == s->q->n && !s->row->exchanges)
            judge_behind(s, &refs[B], &x, j);
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    Deficient s = begin(input, arena);
    const Tensor *given = input->tensors, *computed = input->computed;
    lapack_admit_all(&refs[A], &given[A], arena);
    lapack_admit_all(&refs[B], &given[B], arena);
    if (s.row->exchanges)
        (void)lapack_put_columns(&refs[JPVT], &given[JPVT], computed ? &computed[JPVT] : NULL,
                                 arena);
    else
        lapack_admit_all(&refs[S], &given[S], arena);
    for (size_t j = 0; returns_early(&s) && j < refs[JPVT].count; j++)
        ref_set_classes(&refs[JPVT], j, CLASS_ANY);
    ref_allocate_exact(&refs[RANK], &given[RANK], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    if (computed) {
        judge(&s, refs, computed);
        return;
    }
    int64_t rank = compute(&s, refs);
    lapack_put_integer(&refs[RANK], 0, rank, rank, rank);
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
}

static const OpDesc shared = {LAPACK_OP_RESIDUAL, .shape_of_row = shape, .work_of_row = work,
                              .reference = reference};

OP_TABLE(ops_deficient)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
