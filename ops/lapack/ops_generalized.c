/* Eigenvalues w and vectors x of A x = w B x, A B x = w x or B A x = w x, as itype says, A
 * hermitian and B = L L^H definite; and the matrix C that has the same values: L^-1 A L^-H, or L^H
 * A L, whose vectors are y = L^H x, or L^-1 x for the last one.  One triangle of both is stored.
 *
 * sygst is given L; routines of complex types may change it on the way, and restore it (zhegst.f).
 * Theorem.  What is computed satisfies
 *     |A - L C L^H| <= gamma_c |L| |C| |L^H|, or |C - L^H A L| <= gamma_c |L^H| |A| |L|,
 * c = 8 n + 32, element by element.  Proof.  C is made by substitutions and products with L, or
 * with halves of products that are added twice; multiplied out with what follows them, all that is
 * added is a part of L C L^H, or of L^H A L, by magnitudes, and takes part in at most c roundings
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 3.1 and theorem 8.5).
 * QED.  Of complex types gamma is 2 gamma of twice the count.
 *
 * sygv and sygvd: |w' - w| <= p(n) u (s |A| + k |w|), k the condition number of B, s = |B^-1| or
 * |B| (LAPACK Users' Guide, 3rd ed., section 4.10).  They find y and w of C + E with |E| <= p(n) u
 * (s |A| + k |w|), and x by a substitution or a product, which is an error of p(n) u sqrt k in y; L
 * is that of B + F, |F| <= p(n) u |B|, which is p(n) u k in L^-1 F L^-H.  So |C y - w y| <= p(n) u
 * k (s |A| + |w|) and |Y^H Y - I| <= p(n) u k, to first order (Davies, Higham and Tisseur, Analysis
 * of the Cholesky method with iterative refinement for solving the symmetric definite generalized
 * eigenproblem, SIAM J. Matrix Anal. Appl. 23 (2001), section 2).  |B - L L^H| <= p(n) u |B|.  p is
 * that of spectrum.h, norms are Frobenius'.
 *
 * Where numbers are not finite, or squares of them may leave the range, nothing is said, nor where
 * p(n) u k is above 1/4, which leaves open whether B is found to be definite. */
#include <complex.h>
#include <limits.h>
#include <math.h>

#include "lapack.h"
#include "long_matrix.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "spectrum.h"

#define LAPACK_ITYPE                                                                               \
    P_INTEGER_AS("itype", Lapack, kl, 1, 3, 1, "A x = w B x, A B x = w x or B A x = w x")
#define LAPACK_PAIR                                                                                \
    LAPACK_UPLO, LAPACK_N("rows and columns of A"), LAPACK_LDA, LAPACK_LDB, LAPACK_EIGEN_MATRIX
static const Param driver_params[] = {LAPACK_DTYPE_ORDER, LAPACK_ITYPE, LAPACK_JOB,
                                      LAPACK_PAIR,        LAPACK_LWORK, P_END};
static const Param standard_params[] = {LAPACK_DTYPE_ORDER, LAPACK_ITYPE, LAPACK_PAIR, P_END};
static const char *const driver_tensors[] = {"a", "b", "w", "info", NULL};
static const char *const standard_tensors[] = {"a", "b", "info", NULL};
enum { A, B, W };

typedef struct GeneralizedRow {
    LapackRow op;
    bool solves;
} GeneralizedRow;

static const GeneralizedRow rows[] = {
    {{"sygst", "hermitian matrix with the values of a definite pencil", standard_params,
      standard_tensors, DTYPES_BLAS},
     false},
    {{"sygv", "eigenvalues and vectors of a definite pencil by QL iterations", driver_params,
      driver_tensors, DTYPES_BLAS},
     true},
    {{"sygvd", "eigenvalues and vectors of a definite pencil by division", driver_params,
      driver_tensors, DTYPES_BLAS},
     true},
};

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const GeneralizedRow *row = op->detail;
    const Lapack *q = of;
    *shapes = (Shapes){.count = row->solves ? W + 2 : W + 1, .depth = q->n};
    shapes->tensor[A] = row->solves ? lapack_matrix(q, q->n, q->n, q->lda, ROLE_INOUT)
                                    : lapack_triangle(q, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[A].arrangement = lapack_eigen_arrangement(q);
    bool changes = row->solves || !lapack_is_real(q);
    shapes->tensor[B] = lapack_triangle(q, q->n, q->ldb, changes ? ROLE_INOUT : ROLE_IN);
    shapes->tensor[B].arrangement = ARRANGED_DEFINITE;
    if (row->solves)
        shapes->tensor[W] = lapack_real_vector(q, q->n);
    shapes->tensor[shapes->count - 1] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const Lapack *q = of;
    (void)op;
    return 80 * lapack_parts(q) * (double)(q->n * q->n) * (double)(q->n + 8);
}

/* L of a definite B, in 64 bits; false where it is not definite. */
static bool factor(LongMatrix *l)
{
    int64_t n = l->n;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            long double _Complex sum = i < j ? 0 : l->values[i * n + j];
            for (int64_t k = 0; k < j && i >= j; k++)
                sum -= l->values[i * n + k] * conjl(l->values[j * n + k]);
            if (i == j && !(creall(sum) > 0))
                return false;
            if (i == j)
                sum = sqrtl(creall(sum));
            else if (i > j)
                sum /= l->values[j * n + j];
            l->values[i * n + j] = sum;
        }
    return true;
}

/* X becomes L^-1 X. */
static void solve(const LongMatrix *l, LongMatrix *x)
{
    int64_t n = l->n;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            for (int64_t k = 0; k < i; k++)
                x->values[i * n + j] -= l->values[i * n + k] * x->values[k * n + j];
            x->values[i * n + j] /= l->values[i * n + i];
        }
}

static LongMatrix turned(const LongMatrix *x, Arena *arena)
{
    int64_t n = x->n;
    LongMatrix to = {n, arena_take(arena, (size_t)(n * n) + 1, sizeof *to.values)};
    for (int64_t i = 0; i < n * n; i++)
        to.values[i] = conjl(x->values[i % n * n + i / n]);
    return to;
}

/* The whole hermitian matrix of a lower triangle. */
static LongMatrix whole_of(const Matrix *lower, Arena *arena)
{
    Matrix whole = matrix_copy(lower, arena);
    for (int64_t i = 0; i < lower->rows; i++) {
        matrix_at(&whole, i, i)->im = 0;
        for (int64_t j = 0; j < i; j++)
            *matrix_at(&whole, j, i) = scalar_conjugate(*matrix_at(lower, i, j));
    }
    return long_matrix_of(&whole, arena);
}

/* L C L^H, or L^H C L. */
static LongMatrix product_of(const LongMatrix *l, const LongMatrix *c, bool outside, Arena *arena)
{
    LongMatrix l_turned = turned(l, arena);
    LongMatrix half = long_matrix_product(outside ? l : &l_turned, c, false, arena);
    return long_matrix_product(&half, outside ? &l_turned : l, false, arena);
}

/* L^-1 A L^-H, or L^H A L. */
static LongMatrix standard_form(const LongMatrix *a, const LongMatrix *l, int64_t itype,
                                Arena *arena)
{
    if (itype == 1) {
        LongMatrix x = {a->n, arena_take(arena, (size_t)(a->n * a->n) + 1, sizeof *x.values)};
        for (int64_t i = 0; i < a->n * a->n; i++)
            x.values[i] = a->values[i];
        solve(l, &x);
        x = turned(&x, arena);
        solve(l, &x);
        return x;
    }
    return product_of(l, a, false, arena);
}

static bool is_moderate(DType dtype, double norm)
{
    const Format *format = dtype_format(dtype);
    return norm == 0 ||
           (norm > 256 * sqrt(format->smallest_normal) && norm < sqrt(format->largest) / 256);
}

static LongMatrix sizes_of(const LongMatrix *x, Arena *arena)
{
    int64_t count = x->n * x->n;
    LongMatrix to = {x->n, arena_take(arena, (size_t)count + 1, sizeof *to.values)};
    for (int64_t i = 0; i < count; i++)
        to.values[i] = cabsl(x->values[i]);
    return to;
}

/* Elements of the triangle that is stored, each in units of its bound. */
static void judge_standard(Ref *ref, const Lapack *q, const Matrix *a, const Matrix *b,
                           const Matrix *found, Arena *arena)
{
    const Format *format = dtype_format((DType)q->dtype);
    bool lower = q->uplo == UPLO_LOWER, first = q->kl == 1;
    double count = 8 * (double)q->n + 32, step = count * format->smallest_normal;
    double gamma =
        lapack_is_real(q) ? equation_gamma(format, count) : 2 * equation_gamma(format, 2 * count);
    Matrix c = lapack_lower_triangle(found, lower, arena);
    LongMatrix given = whole_of(a, arena), l = long_matrix_of(b, arena);
    LongMatrix result = whole_of(&c, arena), *inner = first ? &result : &given;
    LongMatrix l_sizes = sizes_of(&l, arena), sizes = sizes_of(inner, arena);
    LongMatrix product = product_of(&l, inner, first, arena);
    sizes = product_of(&l_sizes, &sizes, first, arena);
    for (int64_t i = 0; i < q->n; i++)
        for (int64_t j = 0; j <= i; j++) {
            int64_t at = i * q->n + j;
            long double _Complex off = first ? given.values[at] - product.values[at]
                                             : product.values[at] - result.values[at];
            double bound = gamma * (double)creall(sizes.values[at]) + step;
            Scalar rest = {(double)(creall(off) / bound), (double)(cimagl(off) / bound)};
            size_t element = lower ? matrix_element(ref, i, j) : matrix_element(ref, j, i);
            Scalar got = lower ? *matrix_at(found, i, j) : *matrix_at(found, j, i);
            if (!lower)
                rest.im = -rest.im;
            if (i == j)
                rest.im = 0;
            matrix_put_residual(ref, element, got, rest, 0x1p-10, 1);
        }
}

static void refer_standard(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    bool lower = q->uplo == UPLO_LOWER;
    Matrix stored = matrix_read(&input->tensors[A], arena);
    Matrix factors = matrix_read(&input->tensors[B], arena);
    Matrix a = lapack_lower_triangle(&stored, lower, arena);
    Matrix l = lapack_lower_triangle(&factors, lower, arena);
    if (!lapack_is_real(q)) {
        lapack_admit_all(&refs[B], &input->tensors[B], arena);
        if (matrix_is_finite(&factors))
            matrix_put(&factors, &refs[B]);
    }
    if (!input->computed) {
        LongMatrix given = whole_of(&a, arena), factor_of_b = long_matrix_of(&l, arena);
        LongMatrix c = standard_form(&given, &factor_of_b, q->kl, arena);
        for (int64_t i = 0; i < q->n * q->n; i++)
            stored.values[i] = long_matrix_element(&c, i / q->n, i % q->n, 1);
        matrix_put_rounded(&stored, &refs[A]);
        return;
    }
    Matrix found = matrix_read(&input->computed[A], arena);
    if (is_moderate((DType)q->dtype, matrix_norm(&a)) &&
        is_moderate((DType)q->dtype, matrix_norm(&l)) &&
        is_moderate((DType)q->dtype, matrix_norm(&found)))
        judge_standard(&refs[A], q, &a, &l, &found, arena);
}

/* A pencil, with what its bounds are made of. */
typedef struct Pencil {
    DType dtype;
    LongMatrix a, b, l, c;
    Spectrum of_b, of_c;
    double size, condition, factor; /* s |A|; p(n) u */
    bool known;
} Pencil;

static Pencil pencil_of(const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    bool lower = q->uplo == UPLO_LOWER;
    Matrix stored = matrix_read(&input->tensors[A], arena);
    Matrix definite = matrix_read(&input->tensors[B], arena);
    Matrix a = lapack_lower_triangle(&stored, lower, arena);
    Matrix b = lapack_lower_triangle(&definite, lower, arena);
    Pencil p = {.dtype = (DType)q->dtype,
                .a = whole_of(&a, arena),
                .b = whole_of(&b, arena),
                .l = whole_of(&b, arena),
                .of_b = spectrum_of(&b, arena),
                .factor = spectrum_factor((DType)q->dtype, q->n)};
    double a_norm = 1.5 * matrix_norm(&a);
    if (q->n == 0 || !matrix_is_finite(&a) || !p.of_b.known || !factor(&p.l))
        return p;
    double least = p.of_b.values[0] - p.of_b.error, most = p.of_b.values[q->n - 1] + p.of_b.error;
    p.c = standard_form(&p.a, &p.l, q->kl, arena);
    p.condition = most / least;
    p.size = q->kl == 1 ? a_norm / least : a_norm * most;
    for (int64_t i = 0; i < q->n * q->n; i++)
        stored.values[i] = long_matrix_element(&p.c, i / q->n, i % q->n, 1);
    p.of_c = spectrum_of(&stored, arena);
    p.known = least > 0 && p.factor * p.condition < 0.25 && p.of_c.known &&
              is_moderate(p.dtype, a_norm) && is_moderate(p.dtype, most) &&
              is_moderate(p.dtype, least) && is_moderate(p.dtype, p.size) && a_norm > 0;
    p.of_c.error += (double)q->n * p.size * (0x1p-52 + p.condition * 0x1p-60);
    return p;
}

static void judge_values(const Pencil *p, Ref *ref, const double *w)
{
    double before = -INFINITY, step = dtype_format(p->dtype)->smallest_normal;
    for (int64_t i = 0; i < p->a.n; i++) {
        double bound = p->factor * (p->size + p->condition * fabs(w[i])) * (1 + 0x1p-40) + step;
        ref_put_bounded(ref, (size_t)i, (long double)p->of_c.values[i] + p->of_c.lows[i],
                        p->of_c.error, bound);
        if (w[i] < before)
            ref_set_exact(ref, (size_t)i, before, MATCH_VALUE);
        before = w[i];
    }
}

/* C y - w y or Y^H Y - I, each in units of its bound. */
static void judge_vectors(const Pencil *p, Ref *ref, const Matrix *x, const double *w,
                          int64_t itype, Arena *arena)
{
    int64_t n = x->rows;
    LongMatrix y = long_matrix_of(x, arena), l_turned = turned(&p->l, arena);
    if (itype == 3)
        solve(&p->l, &y);
    else
        y = long_matrix_product(&l_turned, &y, false, arena);
    LongMatrix cy = long_matrix_product(&p->c, &y, false, arena), y_turned = turned(&y, arena);
    LongMatrix gram = long_matrix_product(&y_turned, &y, false, arena);
    double unit = p->factor * p->condition;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            int64_t at = i * n + j;
            double bound = unit * (p->size + fabs(w[j]));
            long double _Complex rest = (cy.values[at] - w[j] * y.values[at]) / bound;
            long double _Complex skew = (gram.values[at] - (i == j)) / unit;
            if (cabsl(skew) > cabsl(rest))
                rest = skew;
            matrix_put_residual(ref, matrix_element(ref, i, j), *matrix_at(x, i, j),
                                (Scalar){(double)-creall(rest), (double)-cimagl(rest)}, 0x1p-4, 1);
        }
}

/* B - L L^H, in units of its bound. */
static void judge_factor(const Pencil *p, Ref *ref, const Matrix *found, bool lower, Arena *arena)
{
    Matrix triangle = lapack_lower_triangle(found, lower, arena);
    LongMatrix l = long_matrix_of(&triangle, arena);
    LongMatrix product = long_matrix_product(&l, &l, true, arena);
    double bound = p->factor * p->of_b.norm;
    for (int64_t i = 0; i < p->b.n; i++)
        for (int64_t j = 0; j <= i; j++) {
            int64_t at = i * p->b.n + j;
            long double _Complex off = (p->b.values[at] - product.values[at]) / bound;
            Scalar rest = {(double)creall(off), (double)(lower ? cimagl(off) : -cimagl(off))};
            int64_t row = lower ? i : j, column = lower ? j : i;
            matrix_put_residual(ref, matrix_element(ref, row, column),
                                *matrix_at(found, row, column), rest, 0x1p-10, 1);
        }
}

/* One right result. */
static void put_driver(const Pencil *p, Ref *refs, const Lapack *q, Arena *arena)
{
    int64_t n = q->n;
    LongMatrix y = long_matrix_of(&p->of_c.vectors, arena), l_turned = turned(&p->l, arena);
    if (q->kl == 3)
        y = long_matrix_product(&p->l, &y, false, arena);
    /* L^-H Y, from the last row on. */
    for (int64_t at = n * n - 1; at >= 0 && q->kl != 3; at--) {
        int64_t i = at / n;
        for (int64_t k = i + 1; k < n; k++)
            y.values[at] -= l_turned.values[i * n + k] * y.values[k * n + at % n];
        y.values[at] /= l_turned.values[i * n + i];
    }
    Matrix x = matrix_zeros(n, n, arena), l = matrix_zeros(n, n, arena);
    for (int64_t i = 0; i < n * n; i++) {
        x.values[i] = long_matrix_element(&y, i / n, i % n, 1);
        l.values[i] =
            long_matrix_element(q->uplo == UPLO_LOWER ? &p->l : &l_turned, i / n, i % n, 1);
    }
    matrix_put_rounded(&x, &refs[A]);
    matrix_put_rounded(&l, &refs[B]);
    for (int64_t i = 0; i < n; i++)
        ref_set_exact(&refs[W], (size_t)i, dtype_round(refs[W].dtype, p->of_c.values[i]),
                      MATCH_VALUE);
}

static void refer_driver(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { INFO = W + 1 };
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    bool lower = q->uplo == UPLO_LOWER;
    Pencil p = pencil_of(input, arena);
    lapack_admit_all(&refs[B], &input->tensors[B], arena);
    lapack_admit_all(&refs[W], &input->tensors[W], arena);
    if (computed) {
        lapack_put_known(&refs[INFO], &computed[INFO], p.known || q->n == 0, 0);
        if (!p.known || lapack_integer(&computed[INFO], 0) != 0)
            return;
        double *w = arena_take(arena, (size_t)q->n + 1, sizeof *w);
        for (int64_t i = 0; i < q->n; i++)
            w[i] = dtype_load(computed[W].dtype, computed[W].origin, i);
        judge_values(&p, &refs[W], w);
        Matrix x = matrix_read(&computed[A], arena), found = matrix_read(&computed[B], arena);
        if (q->job)
            judge_vectors(&p, &refs[A], &x, w, q->kl, arena);
        judge_factor(&p, &refs[B], &found, lower, arena);
        return;
    }
    if (p.known)
        put_driver(&p, refs, q, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const GeneralizedRow *row = input->op->detail;
    int info = op_operand(input->op, "info");
    lapack_admit_all(&refs[A], &input->tensors[A], arena);
    ref_allocate_exact(&refs[info], &input->tensors[info], arena);
    lapack_put_integer(&refs[info], 0, 0, 0, 0);
    if (row->solves)
        refer_driver(refs, input, arena);
    else
        refer_standard(refs, input, arena);
}

static const OpDesc shared = {LAPACK_OP_RESIDUAL, .shape_of_row = shape, .work_of_row = work,
                              .reference = reference};

OP_TABLE(ops_generalized)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
