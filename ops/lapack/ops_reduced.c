/* Forms that eigenvalues and singular values are found from: A = Q T Q^H of a hermitian matrix, of
 * which one triangle is stored, T real and tridiagonal, and A = Q B P^H (reduced.h).  Q and P are
 * products of reflections, whose vectors lie beside T or B.  d and e are the diagonal of T or B and
 * what is beside it, and stand in A as well.  An upper triangle is looked at in reverse, so that
 * the reflections of both are those of a lower one.
 *
 * Theorem (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 19.3 and theorem
 * 19.4, for rows as for columns).  |A - Q T Q^H| and |A - Q B P^H| are at most p(n) u |A| in
 * Frobenius' norm, p linear in the number of reflections times that of their elements.  p(n) is
 * that of spectrum.h, n the larger extent, which is what LAPACK's own test programs accept.  What
 * tau lacks of making a reflection unitary is bounded as householder.h says.  Where numbers are not
 * finite, or their norm may leave the range, nothing is said. */
#include <math.h>

#include "householder.h"
#include "indefinite.h"
#include "lapack.h"
#include "reduced.h"
#include "reference/function.h"
#include "solve.h"
#include "spectrum.h"

typedef struct ReducedRow {
    LapackRow op;
    bool hermitian;
} ReducedRow;

static const Param general_params[] = {
    LAPACK_DTYPE_ORDER,
    LAPACK_M("rows of A"),
    LAPACK_N("columns of A"),
    LAPACK_LDA,
    LAPACK_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const Param hermitian_params[] = {
    LAPACK_DTYPE_ORDER,
    LAPACK_UPLO,
    LAPACK_N("rows and columns of A"),
    LAPACK_LDA,
    LAPACK_EIGEN_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const char *const general_tensors[] = {"a", "d", "e", "tauq", "taup", "info", NULL};
static const char *const hermitian_tensors[] = {"a", "d", "e", "tau", "info", NULL};
enum { A, D, E, TAUQ, TAUP };

static const ReducedRow rows[] = {
    {{"gebrd", "bidiagonal form by reflections", general_params, general_tensors, DTYPES_BLAS},
     false},
    {{"sytrd", "tridiagonal form of a hermitian matrix by reflections", hermitian_params,
      hermitian_tensors, DTYPES_BLAS},
     true},
};

/* A hermitian matrix has as many rows as columns. */
static void normalise(const OpDesc *op, void *of)
{
    const ReducedRow *row = op->detail;
    Lapack *q = of;
    if (row->hermitian)
        q->m = q->n;
}

static int64_t smaller(const Lapack *q)
{
    return q->m < q->n ? q->m : q->n;
}

static int64_t at_least_zero(int64_t x)
{
    return x > 0 ? x : 0;
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const ReducedRow *row = op->detail;
    const Lapack *q = of;
    int64_t extent = row->hermitian ? q->n : smaller(q), beside = at_least_zero(extent - 1);
    const Blas blas = {.dtype = q->dtype};
    *shapes = (Shapes){.count = TAUP + (row->hermitian ? 1 : 2), .depth = q->n};
    shapes->tensor[A] = row->hermitian ? lapack_stored_triangle(q, STORAGE_FULL, ROLE_INOUT)
                                       : lapack_matrix(q, q->m, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[A].arrangement =
        row->hermitian ? lapack_eigen_arrangement(q) : lapack_arrangement(q);
    shapes->tensor[D] = lapack_real_vector(q, extent);
    shapes->tensor[E] = lapack_real_vector(q, beside);
    shapes->tensor[TAUQ] =
        blas_role(blas_vector(&blas, row->hermitian ? beside : extent, 1), ROLE_OUT);
    if (!row->hermitian)
        shapes->tensor[TAUP] = blas_role(blas_vector(&blas, extent, 1), ROLE_OUT);
    shapes->tensor[shapes->count - 1] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const Lapack *q = of;
    double extent = (double)(q->m + q->n + 8);
    (void)op;
    return 4 * lapack_parts(q) * extent * extent * extent;
}

/* What was computed, as one looks at it: of a hermitian matrix its lower triangle.  Reflections
 * from the left start in row left, those from the right in column right, which are vectors in rows.
 */
typedef struct Reduction {
    DType dtype;
    bool hermitian, reversed;
    Matrix before, after;
    Matrix d, e;
    Householder q, p;
    int64_t left, right;
} Reduction;

/* Vectors in columns from row `first` on, or in rows from that column on. */
static Householder reflections_of(const Reduction *r, int64_t first, bool by_rows,
                                  const Matrix *taus, Arena *arena)
{
    int64_t extent = by_rows ? r->after.columns : r->after.rows;
    int64_t m = at_least_zero(extent - first), steps = taus->rows < m ? taus->rows : m;
    Householder h = {.dtype = r->dtype,
                     .before = matrix_zeros(m, steps, arena),
                     .after = matrix_zeros(m, steps, arena),
                     .tau = taus->values,
                     .steps = steps};
    for (int64_t k = 0; k < steps; k++)
        for (int64_t i = k; i < m; i++)
            *matrix_at(&h.after, i, k) = by_rows
                                             ? scalar_conjugate(*matrix_at(&r->after, k, first + i))
                                             : *matrix_at(&r->after, first + i, k);
    return h;
}

static Matrix reversed_vector(const Matrix *x, bool reversed, Arena *arena)
{
    Matrix to = matrix_copy(x, arena);
    for (int64_t i = 0; i < x->rows && reversed; i++)
        to.values[i] = x->values[x->rows - 1 - i];
    return to;
}

static Reduction reduction_of(const ReferenceInput *input, Arena *arena)
{
    const ReducedRow *row = input->op->detail;
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    bool lower = q->uplo == UPLO_LOWER, wide = q->m < q->n;
    Reduction r = {.dtype = (DType)q->dtype,
                   .hermitian = row->hermitian,
                   .reversed = row->hermitian && !lower,
                   .left = row->hermitian || wide,
                   .right = row->hermitian || !wide};
    Matrix before = matrix_read(&input->tensors[A], arena);
    Matrix after = computed ? matrix_read(&computed[A], arena) : before;
    r.before = row->hermitian ? indefinite_lower(&before, lower, arena) : before;
    r.after = row->hermitian ? indefinite_lower(&after, lower, arena) : after;
    if (!computed)
        return r;
    Matrix d = matrix_read(&computed[D], arena), e = matrix_read(&computed[E], arena);
    Matrix tauq = matrix_read(&computed[TAUQ], arena), taup = {0};
    if (!row->hermitian)
        taup = matrix_read(&computed[TAUP], arena);
    Matrix taus = reversed_vector(&tauq, r.reversed, arena);
    r.d = reversed_vector(&d, r.reversed, arena);
    r.e = reversed_vector(&e, r.reversed, arena);
    r.q = reflections_of(&r, r.left, false, &taus, arena);
    if (!row->hermitian)
        r.p = reflections_of(&r, r.right, true, &taup, arena);
    return r;
}

/* Whether element (i, j) is one of T or B beside the diagonal, and which one of e. */
static bool is_beside(const Reduction *r, int64_t i, int64_t j, int64_t *which)
{
    *which = i < j ? i : j;
    return r->left ? i == j + 1 : j == i + 1;
}

/* Q T Q^H or Q B P^H. */
static WideComplex *product_of(const Reduction *r, Arena *arena)
{
    int64_t m = r->before.rows, n = r->before.columns;
    WideComplex *x = arena_take_zeroed(arena, (size_t)(m * n) + 1, sizeof *x);
    for (int64_t i = 0; i < m && i < n; i++)
        x[i * n + i].re.high = matrix_at(&r->d, i, 0)->re;
    for (int64_t k = 0; k < r->e.rows; k++) {
        double beside = matrix_at(&r->e, k, 0)->re;
        if (r->left)
            x[(k + 1) * n + k].re.high = beside;
        if (!r->left || r->hermitian)
            x[k * n + k + 1].re.high = beside;
    }
    householder_apply_left(&r->q, x, n, r->left);
    householder_apply_right(r->hermitian ? &r->q : &r->p, x, m, n, r->right);
    return x;
}

/* The place of an element of the matrix that is looked at in the one that is stored, from the end
 * where that is in reverse. */
static int64_t place_of(const Reduction *r, int64_t i, int64_t extent)
{
    return r->reversed ? extent - 1 - i : i;
}

static void put_stored(Ref *ref, size_t at, double value)
{
    ref_set_exact(ref, at, value, MATCH_VALUE);
    if (dtype_components(ref->dtype) == 2)
        matrix_admit_finite(ref, at + 1);
}

static void judge_elements(const Reduction *r, Ref *refs, double norm, Arena *arena)
{
    const Format *format = dtype_format(r->dtype);
    int64_t m = r->before.rows, n = r->before.columns, extent = m > n ? m : n;
    double scale = norm > 0 ? norm : 1;
    double bound = spectrum_factor(r->dtype, extent) + 64 * (double)(extent + 4) *
                                                           (double)(extent + 4) *
                                                           format->smallest_subnormal / scale;
    WideComplex *product = product_of(r, arena);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < (r->hermitian ? i + 1 : n); j++) {
            Scalar a = *matrix_at(&r->before, i, j);
            const WideComplex *x = &product[i * n + j];
            Wide re = wide_add((Wide){a.re, 0}, (Wide){-x->re.high, -x->re.low});
            Wide im = wide_add((Wide){a.im, 0}, (Wide){-x->im.high, -x->im.low});
            Scalar rest = {re.high / scale, r->hermitian && i == j ? 0 : im.high / scale};
            int64_t which = i, length = i == j ? r->d.rows : r->e.rows;
            size_t at = matrix_element(&refs[A], place_of(r, i, m), place_of(r, j, n));
            if (i != j && !is_beside(r, i, j, &which)) {
                matrix_put_residual(&refs[A], at, *matrix_at(&r->after, i, j), rest,
                                    0x1p-40 * bound, bound);
                continue;
            }
            double got = matrix_at(i == j ? &r->d : &r->e, which, 0)->re;
            double off = fabs(rest.re) > fabs(rest.im) ? rest.re : rest.im;
            matrix_put_residual(&refs[i == j ? D : E], (size_t)place_of(r, which, length),
                                (Scalar){got, 0}, (Scalar){off, 0}, 0x1p-40 * bound, bound);
            put_stored(&refs[A], at, got);
        }
}

static void judge_taus(const Reduction *r, const Householder *h, Ref *ref, Arena *arena)
{
    double *defects = arena_take(arena, (size_t)h->steps + 1, sizeof *defects);
    double *bounds = arena_take(arena, (size_t)h->steps + 1, sizeof *bounds);
    householder_judge_taus(h, defects, bounds);
    for (int64_t k = 0; k < (int64_t)ref->rows; k++) {
        size_t at = matrix_element(ref, place_of(r, k, (int64_t)ref->rows), 0);
        if (k < h->steps)
            matrix_put_residual(ref, at, h->tau[k], (Scalar){-defects[k], 0},
                                0x1p-56 * fabs(defects[k]), bounds[k]);
        for (int part = 0; part < dtype_components(ref->dtype) && k >= h->steps; part++)
            ref_set_exact(ref, at + (size_t)part, 0, MATCH_VALUE);
    }
}

/* Makes the reflection of column `column` from `row` on, and applies it to those behind. */
static Scalar annihilate(Matrix *x, int64_t row, int64_t column, bool positive, Arena *arena)
{
    int64_t m = x->rows - row;
    Matrix part = {x->values + row * x->columns, m, x->columns};
    Scalar tau = {0, 0};
    Householder h = {.before = matrix_zeros(m, 1, arena),
                     .after = matrix_zeros(m, 1, arena),
                     .tau = &tau,
                     .steps = 1,
                     .positive = positive};
    for (int64_t i = 0; i < m; i++)
        h.after.values[i] = *matrix_at(&part, i, column);
    householder_reflect(&h, 0);
    for (int64_t j = column + 1; j < x->columns; j++)
        householder_reflect_column(&h, 0, scalar_conjugate(tau), &part, j);
    for (int64_t i = 0; i < m; i++)
        *matrix_at(&part, i, column) = h.after.values[i];
    return tau;
}

void reduced_bidiagonal(Matrix *a, Scalar *tauq, Scalar *taup, bool positive, Arena *arena)
{
    int64_t m = a->rows, n = a->columns, extent = m < n ? m : n;
    bool wide = m < n;
    for (int64_t k = 0; k < extent; k++) {
        for (int side = 0; side < 2; side++) {
            bool from_right = (side == 0) == wide;
            int64_t start = side == 0 ? k : k + 1;
            Scalar *tau = from_right ? &taup[k] : &tauq[k];
            *tau = (Scalar){0, 0};
            if (start >= (from_right ? n : m))
                continue;
            if (!from_right) {
                *tau = annihilate(a, start, k, positive, arena);
                continue;
            }
            Matrix turned = lapack_transposed(a, true, arena);
            *tau = annihilate(&turned, start, k, positive, arena);
            *a = lapack_transposed(&turned, true, arena);
        }
    }
}

/* One right result: the whole hermitian matrix, or A, with the vectors. */
static void compute(const Reduction *r, const Lapack *q, Ref *refs, Arena *arena)
{
    int64_t extent = smaller(q), n = r->before.columns;
    Matrix x = matrix_copy(&r->before, arena);
    Matrix tauq = matrix_zeros(extent, 1, arena), taup = matrix_zeros(extent, 1, arena);
    for (int64_t i = 0; i < n && r->hermitian; i++)
        for (int64_t j = 0; j < i; j++)
            *matrix_at(&x, j, i) = scalar_conjugate(*matrix_at(&x, i, j));
    if (r->hermitian)
        householder_reduce(&x, 0, n, tauq.values, false, arena);
    else
        reduced_bidiagonal(&x, tauq.values, taup.values, false, arena);
    for (int64_t i = 0; i < r->before.rows; i++)
        for (int64_t j = 0; j < (r->hermitian ? i + 1 : n); j++) {
            Scalar value = *matrix_at(&x, i, j);
            size_t at = matrix_element(&refs[A], place_of(r, i, r->before.rows), place_of(r, j, n));
            int64_t which = i, length = i == j ? extent : extent - 1;
            bool real = i == j || is_beside(r, i, j, &which);
            for (int part = 0; part < dtype_components(r->dtype); part++)
                ref_set_exact(&refs[A], at + (size_t)part,
                              dtype_round(r->dtype, part == 0 ? value.re
                                                    : real    ? 0
                                                              : value.im),
                              MATCH_VALUE);
            if (real && which < length)
                ref_set_exact(&refs[i == j ? D : E], (size_t)place_of(r, which, length),
                              dtype_round(r->dtype, value.re), MATCH_VALUE);
        }
    tauq.rows = (int64_t)refs[TAUQ].rows;
    tauq = reversed_vector(&tauq, r->reversed, arena);
    matrix_put_rounded(&tauq, &refs[TAUQ]);
    if (!r->hermitian)
        matrix_put_rounded(&taup, &refs[TAUP]);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    int info = op_operand(input->op, "info");
    Reduction r = reduction_of(input, arena);
    for (int i = A; i < info; i++)
        lapack_admit_all(&refs[i], &given[i], arena);
    ref_allocate_exact(&refs[info], &given[info], arena);
    lapack_put_integer(&refs[info], 0, 0, 0, 0);
    if (!input->computed) {
        compute(&r, q, refs, arena);
        return;
    }
    double norm = matrix_norm(&r.before), extent = (double)(q->m + q->n);
    if (r.hermitian)
        norm *= sqrt(2);
    if (!matrix_is_finite(&r.before) || !(norm * (8 * extent + 8) < dtype_format(r.dtype)->largest))
        return;
    judge_elements(&r, refs, norm, arena);
    judge_taus(&r, &r.q, &refs[TAUQ], arena);
    if (!r.hermitian)
        judge_taus(&r, &r.p, &refs[TAUP], arena);
}

static const OpDesc shared = {LAPACK_OP_RESIDUAL, .normalise_of_row = normalise,
                              .shape_of_row = shape, .work_of_row = work, .reference = reference};

OP_TABLE(ops_reduced)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
