/* Factors of two matrices with one unitary Q: of ggqrf A = Q R and B = Q T Z, of ggrqf A = R Q and
 * B = Z T Q, R and T triangles, Q and Z products of reflections.  A is overwritten by R, B by T,
 * and both by the vectors of the reflections, as geqrf and gerqf leave them.
 *
 * A, R and Q are judged as those are (ops_reflected.c).  B is first multiplied, C = Q^H B or B Q^H,
 * and C is factored.  Theorem.  C as it is computed is within e |b_j| of the exact product in each
 * column, or row, e = gamma_(m + 2 k + 8) sqrt k eta of householder.h without what makes the
 * reflections: products are the same, by those of A.  So |C - T Z| or |C - Z T|, C exact, by each
 * of the columns that are looked at, is at most its bound there and 2 e |B| more, Frobenius' norm
 * of B, as norms of columns of what is computed are no more than 1 + e times as long while e is
 * below 1/8; nothing is said above. */
#include <math.h>

#include "dense.h"
#include "lapack.h"
#include "reference/function.h"
#include "reflected.h"

static const Param left_params[] = {LAPACK_DTYPE_ORDER,
                                    LAPACK_N("rows of A and of B"),
                                    LAPACK_M("columns of A"),
                                    LAPACK_COUNT_P("columns of B"),
                                    LAPACK_LDA,
                                    LAPACK_LDB,
                                    LAPACK_MATRIX,
                                    LAPACK_LWORK,
                                    P_END};
static const Param right_params[] = {LAPACK_DTYPE_ORDER,
                                     LAPACK_M("rows of A"),
                                     LAPACK_COUNT_P("rows of B"),
                                     LAPACK_N("columns of A and of B"),
                                     LAPACK_LDA,
                                     LAPACK_LDB,
                                     LAPACK_MATRIX,
                                     LAPACK_LWORK,
                                     P_END};
static const char *const tensors[] = {"a", "taua", "b", "taub", "info", NULL};
enum { A, TAU_A, B, TAU_B, INFO };

typedef struct PairRow {
    LapackRow op;
    Reflected first, second;
} PairRow;

static const PairRow rows[] = {
    {{"ggqrf", "factors Q R and Q T Z of two matrices", left_params, tensors, DTYPES_BLAS},
     {false, false, 0},
     {true, true, 0}},
    {{"ggrqf", "factors R Q and Z T Q of two matrices", right_params, tensors, DTYPES_BLAS},
     {true, true, 0},
     {false, false, 0}},
};

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const PairRow *row = op->detail;
    const Lapack *q = of;
    bool right = row->first.turned;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    for (int i = A; i <= B; i += B - A) {
        int64_t other = i == A ? q->m : q->k, pad = i == A ? q->lda : q->ldb;
        int64_t steps = other < q->n ? other : q->n;
        shapes->tensor[i] =
            lapack_matrix(q, right ? other : q->n, right ? q->n : other, pad, ROLE_INOUT);
        shapes->tensor[i].arrangement = lapack_arrangement(q);
        shapes->tensor[i + 1] =
            blas_role(blas_vector(&(Blas){.dtype = q->dtype}, steps, 1), ROLE_OUT);
    }
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const Lapack *q = of;
    double extent = (double)(q->m + q->n + q->k + 8);
    (void)op;
    return 8 * lapack_parts(q) * extent * extent * (double)(q->n + 4);
}

/* Q^H B, or B Q^H, for the reflections of A. */
static Matrix multiplied(const Reflected *way, const Householder *h, const Matrix *b, Arena *arena)
{
    Matrix x = reflected_look(way, b, arena);
    WideComplex *column = arena_take(arena, (size_t)x.rows + 1, sizeof *column);
    for (int64_t j = 0; j < x.columns; j++) {
        for (int64_t i = 0; i < x.rows; i++)
            column[i] = (WideComplex){{matrix_at(&x, i, j)->re, 0}, {matrix_at(&x, i, j)->im, 0}};
        householder_apply_adjoint(h, column);
        for (int64_t i = 0; i < x.rows; i++)
            *matrix_at(&x, i, j) = (Scalar){column[i].re.high, column[i].im.high};
    }
    return reflected_look(way, &x, arena);
}

static void judge(const PairRow *row, const ReferenceInput *input, const Matrix *a, const Matrix *b,
                  Ref *refs, Arena *arena)
{
    const Tensor *computed = input->computed;
    DType dtype = input->tensors[A].dtype;
    Householder h = reflected_factors(&row->first, dtype, a, &computed[A], &computed[TAU_A], arena);
    HouseholderResidual r = householder_residual(&h, arena);
    reflected_judge(&row->first, &h, &r, &refs[A], &refs[TAU_A]);
    if (!r.known || !matrix_is_finite(&h.after) || !matrix_is_finite(b))
        return;
    double factor = householder_factor_error(&h, 1, arena), norm = dense_norm(b, 0, b->columns);
    Matrix c = multiplied(&row->first, &h, b, arena);
    Householder second =
        reflected_factors(&row->second, dtype, &c, &computed[B], &computed[TAU_B], arena);
    HouseholderResidual s = householder_residual(&second, arena);
    s.known = s.known && factor < 0.125 && norm < dtype_format(dtype)->largest / 16;
    double extent = (double)(h.before.rows + 4);
    double tiny = 64 * extent * extent * dtype_format(dtype)->smallest_subnormal;
    for (int64_t j = 0; j < second.before.columns && s.known; j++) {
        s.bounds[j] += (2 * factor + 0x1p-50) * norm * (1 + 0x1p-20) + tiny;
        s.errors[j] += 0x1p-52 * norm;
        s.scales[j] = fmax(s.scales[j], norm);
    }
    reflected_judge(&row->second, &second, &s, &refs[B], &refs[TAU_B]);
}

static void compute(const PairRow *row, DType dtype, const Matrix *a, const Matrix *b, Ref *refs,
                    Arena *arena)
{
    Householder h = reflected_factors(&row->first, dtype, a, NULL, NULL, arena);
    h.after = matrix_copy(&h.before, arena);
    householder_factor(&h);
    Matrix c = multiplied(&row->first, &h, b, arena);
    Householder second = reflected_factors(&row->second, dtype, &c, NULL, NULL, arena);
    second.after = matrix_copy(&second.before, arena);
    householder_factor(&second);
    reflected_put(&row->first, &h, &refs[A], &refs[TAU_A]);
    reflected_put(&row->second, &second, &refs[B], &refs[TAU_B]);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const PairRow *row = input->op->detail;
    const Tensor *given = input->tensors;
    Matrix a = matrix_read(&given[A], arena), b = matrix_read(&given[B], arena);
    for (int i = A; i < INFO; i++)
        lapack_admit_all(&refs[i], &given[i], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    if (input->computed)
        judge(row, input, &a, &b, refs, arena);
    else
        compute(row, given[A].dtype, &a, &b, refs, arena);
}

static const OpDesc shared = {LAPACK_OP_RESIDUAL, .shape_of_row = shape, .work_of_row = work,
                              .reference = reference};

OP_TABLE(ops_reflected_pair)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
