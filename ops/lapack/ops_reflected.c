/* A = Q R, L Q, Q L or R Q with a unitary Q that is a product of reflections; A is overwritten by
 * the triangle and the vectors of the reflections.  geqp3 factors A P.
 *
 * All are factors Q R (householder.h) of A as one looks at it: of A^H where Q is on the right, and
 * of A with its rows and columns in reverse where the triangle ends at the last row or column; the
 * reflections are then in reverse as well.
 *
 * Reflections of geqp3 are applied to rows and columns as they are needed: where householder.h has
 * T V^H A there is F^H, the columns of F = A^H V T by products with A, so that each element takes
 * part in at most twice the roundings, which four times that bound has room for.  Step k takes the
 * column whose elements from row k on have the largest norm (LAPACK Users' Guide, 3rd ed., section
 * 2.4.2.3).  Norms are found by subtraction, and again where less than sqrt u of a square is left,
 * so that n steps leave an error of n u / sqrt u of a square (Drmac and Bujanovic, On the failure
 * of rank-revealing QR factorization software, ACM Trans. Math. Softw. 35 (2008), section 3):
 * |r_kk| is at least 1 - 8 (n + 4) sqrt u of the norm of the same rows of each later column of R,
 * less what both columns of R may be off by.
 *
 * geqrt has the triangles T of its blocks of reflections in place of tau, which is their diagonal
 * (householder.h). */
#include <math.h>

#include "factors.h"
#include "large_reflections.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "reflected.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    LAPACK_M("rows of A"),
    LAPACK_N("columns of A"),
    LAPACK_LDA,
    LAPACK_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const Param pivoted_params[] = {
    LAPACK_DTYPE_ORDER,
    LAPACK_M("rows of A"),
    LAPACK_N("columns of A"),
    LAPACK_COLUMNS,
    LAPACK_LDA,
    LAPACK_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const Param blocked_params[] = {
    LAPACK_DTYPE_ORDER,
    LAPACK_M("rows of A"),
    LAPACK_N("columns of A"),
    HOUSEHOLDER_NB,
    LAPACK_LDA,
    HOUSEHOLDER_LDT,
    LAPACK_MATRIX,
    P_END,
};
static const char *const blocked_tensors[] = {"a", "t", "info", NULL};
static const char *const tensors[] = {"a", "tau", "info", NULL};
static const char *const pivoted_tensors[] = {"a", "tau", "info", "jpvt", NULL};
enum { A, TAU, INFO, JPVT };

typedef struct ReflectedRow {
    LapackRow op;
    Reflected way;
    bool pivoted, blocked;
} ReflectedRow;

static const ReflectedRow rows[] = {
    {{"gelqf", "factors L Q by reflections", params, tensors, DTYPES_BLAS},
     {true, false, 0},
     false,
     false},
    {{"geqlf", "factors Q L by reflections", params, tensors, DTYPES_BLAS},
     {false, true, 0},
     false,
     false},
    {{"geqp3", "factors Q R by reflections with exchanges of columns", pivoted_params,
      pivoted_tensors, DTYPES_BLAS},
     {false, false, 0},
     true,
     false},
    {{"geqrf", "factors Q R by reflections", params, tensors, DTYPES_BLAS},
     {false, false, 0},
     false,
     false},
    {{"geqrt", "factors Q R by blocks of reflections", blocked_params, blocked_tensors,
      DTYPES_BLAS},
     {false, false, 0},
     false,
     true},
    {{"gerqf", "factors R Q by reflections", params, tensors, DTYPES_BLAS},
     {true, true, 0},
     false,
     false},
};

static int64_t steps_of(const Lapack *q)
{
    return q->m < q->n ? q->m : q->n;
}

static void normalise(const OpDesc *op, void *of)
{
    const ReflectedRow *row = op->detail;
    Lapack *q = of;
    if (row->blocked)
        q->kl = householder_block(q->kl, steps_of(q));
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const ReflectedRow *row = op->detail;
    const Lapack *q = of;
    *shapes = (Shapes){.count = row->pivoted ? 4 : 3, .depth = q->m};
    if (row->pivoted)
        shapes->tensor[JPVT] = lapack_column_pivots(q);
    shapes->tensor[A] = lapack_matrix(q, q->m, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[A].arrangement = lapack_arrangement(q);
    shapes->tensor[TAU] =
        blas_role(blas_vector(&(Blas){.dtype = q->dtype}, steps_of(q), 1), ROLE_OUT);
    if (row->blocked)
        shapes->tensor[TAU] = lapack_matrix(q, q->kl, steps_of(q), q->ldt, ROLE_OUT);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const Lapack *q = of;
    double extent = (double)(q->m + q->n + 8);
    (void)op;
    return 4 * lapack_parts(q) * extent * extent * (double)(steps_of(q) + 4);
}

/* Expects more of r_kk where a later column is longer. */
static void judge_exchanges(const Householder *h, const HouseholderResidual *r, Ref *ref,
                            int64_t fixed)
{
    const Format *format = dtype_format(h->dtype);
    int64_t m = h->before.rows, n = h->before.columns;
    double kept = 1 - 8 * (double)(n + 4) * sqrt(format->unit), room = sqrt((double)m + 1);
    for (int64_t k = fixed; k < h->steps && r->known; k++) {
        Scalar pivot = *matrix_at(&h->after, k, k);
        double least = 0, size = hypot(pivot.re, pivot.im);
        for (int64_t j = k + 1; j < n; j++) {
            double norm = matrix_column_norm(&h->after, k, j < m ? j + 1 : m, j);
            least = fmax(least, kept * norm - room * (r->bounds[j] + r->bounds[k]));
        }
        if (size < least)
            ref_set_exact(ref, matrix_element(ref, k, k), copysign(least, pivot.re), MATCH_VALUE);
    }
}

/* fixed: of exchanged columns, those in front. */
static void judge(const ReflectedRow *row, const Reflected *way, const Householder *h,
                  int64_t fixed, Ref *refs, Arena *arena)
{
    HouseholderResidual r = householder_residual(h, arena);
    for (int64_t j = 0; j < h->before.columns && r.known && row->pivoted; j++)
        r.bounds[j] *= 4;
    reflected_judge(way, h, &r, &refs[A], &refs[TAU]);
    if (row->pivoted)
        judge_exchanges(h, &r, &refs[A], fixed);
}

/* T above its diagonal; beside it nothing is said. */
static void put_blocks(const Householder *h, Ref *ref, bool computed, bool known, Arena *arena)
{
    const Format *format = dtype_format(h->dtype);
    int64_t nb = (int64_t)ref->rows;
    bool pair = dtype_components(h->dtype) == 2;
    double count = (double)(nb + 1) * (double)(2 * h->before.rows + 3 * nb + 8);
    double gamma = pair ? 2 * equation_gamma(format, 2 * count) : equation_gamma(format, count);
    double *sizes = arena_take_zeroed(arena, (size_t)(nb * h->steps) + 1, sizeof *sizes);
    Matrix t;
    householder_blocks(h, nb, &t, sizes, arena);
    for (int64_t i = 0; i < nb; i++)
        for (int64_t j = 0; j < h->steps; j++)
            for (int part = 0; part < (pair ? 2 : 1); part++) {
                size_t at = matrix_element(ref, i, j) + (size_t)part;
                double value = part ? matrix_at(&t, i, j)->im : matrix_at(&t, i, j)->re;
                double bound = gamma * sizes[i * h->steps + j];
                double tiny = 8 * count * format->smallest_subnormal * (1 + bound / gamma);
                if (i > j % nb)
                    ref_leave(ref, at, arena);
                else if (!computed)
                    ref_set_exact(ref, at, dtype_round(ref->dtype, value), MATCH_VALUE);
                else if (i < j % nb && known && bound < format->largest / 0x1p20)
                    ref_put_bounded(ref, at, value, 0x1p-52 * bound, bound + tiny);
            }
}

static void exchange_columns(Householder *h, int64_t *order, int64_t i, int64_t k)
{
    int64_t kept = order[i];
    order[i] = order[k];
    order[k] = kept;
    for (int64_t row = 0; row < h->after.rows; row++) {
        Scalar x = *matrix_at(&h->after, row, i);
        *matrix_at(&h->after, row, i) = *matrix_at(&h->after, row, k);
        *matrix_at(&h->after, row, k) = x;
    }
}

static void factor_exchanging(Householder *h, int64_t *order, int64_t fixed)
{
    for (int64_t k = 0; k < h->steps; k++) {
        int64_t longest = k;
        double most = -1;
        for (int64_t j = k; j < h->after.columns && k >= fixed; j++) {
            double norm = matrix_column_norm(&h->after, k, h->after.rows, j);
            longest = norm > most ? j : longest;
            most = fmax(most, norm);
        }
        exchange_columns(h, order, k, longest);
        householder_reflect(h, k);
        for (int64_t j = k + 1; j < h->after.columns; j++)
            householder_reflect_column(h, k, scalar_conjugate(h->tau[k]), &h->after, j);
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const ReflectedRow *row = input->op->detail;
    const Lapack *q = input->params;
    const Tensor *given = input->tensors, *computed = input->computed;
    Matrix a = matrix_read(&given[A], arena);
    Reflected way = row->way;
    way.block = row->blocked ? q->kl : 0;
    lapack_admit_all(&refs[A], &given[A], arena);
    lapack_admit_all(&refs[TAU], &given[TAU], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    ColumnOrder order = {.legal = true};
    int64_t fixed = 0;
    if (row->pivoted) {
        order =
            lapack_put_columns(&refs[JPVT], &given[JPVT], computed ? &computed[JPVT] : NULL, arena);
        a = lapack_take_columns(&a, order.columns, arena);
        fixed = lapack_fixed_columns(&given[JPVT]);
    }
    Householder h = reflected_factors(&way, given[A].dtype, &a, computed ? &computed[A] : NULL,
                                      computed ? &computed[TAU] : NULL, arena);
    if (!computed) {
        h.after = matrix_copy(&h.before, arena);
        if (row->pivoted)
            factor_exchanging(&h, order.columns, fixed);
        else
            householder_factor(&h);
        for (int64_t j = 0; j < q->n && row->pivoted; j++)
            lapack_put_integer(&refs[JPVT], j, order.columns[j] + 1, 1, q->n);
        reflected_put(&way, &h, &refs[A], &refs[TAU]);
        if (row->blocked)
            put_blocks(&h, &refs[TAU], false, true, arena);
        return;
    }
    Matrix tau = matrix_read(&computed[TAU], arena);
    if (row->blocked)
        put_blocks(&h, &refs[TAU], true, matrix_is_finite(&h.after) && matrix_is_finite(&tau),
                   arena);
    if (order.legal)
        judge(row, &way, &h, fixed, refs, arena);
}

static void check_factors(FactorChecks *checks, const ReferenceInput *input, Arena *arena)
{
    ref_allocate_exact(&checks->refs[INFO], &input->tensors[INFO], arena);
    lapack_put_integer(&checks->refs[INFO], 0, 0, 0, 0);
    checks->judged |= 1u << INFO;
    lapack_check_reflections(checks, input, A, TAU, arena);
}

/* Of binary32 the bound of large matrices says nothing. */
static bool has_sums(const void *of)
{
    const Lapack *q = of;
    return (q->dtype == DT_F64 || q->dtype == DT_C128) && lapack_is_plain_matrix(of);
}

static const OpDesc shared = {LAPACK_OP_RESIDUAL, .normalise_of_row = normalise,
                              .shape_of_row = shape, .work_of_row = work, .reference = reference};

OP_TABLE(ops_reflected)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const Reflected *way = &rows[i].way;
        if (way->turned || way->reversed || rows[i].pivoted || rows[i].blocked)
            continue;
        table[i].factors = check_factors;
        table[i].is_product = has_sums;
    }
    return table;
}
