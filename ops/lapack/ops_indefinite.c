/* Symmetric and hermitian matrices that need not be definite, of which one triangle is stored:
 * factors L D L^T or L D L^H by diagonal pivoting in place of it, systems A X = B and inverses by
 * factors that are given, and systems by both (indefinite.h).  X is where B was.  Where info is not
 * 0 nothing is said of X. Where numbers are not finite nothing is said. */
#include <limits.h>
#include <math.h>

#include "indefinite_factors.h"
#include "reference/function.h"
#include "solve.h"

#define A_OF_N    LAPACK_DTYPE_ORDER, LAPACK_UPLO, LAPACK_N("rows and columns of A")
#define SYMMETRIC LAPACK_MATRIX
#define HERMITIAN LAPACK_HERMITIAN_MATRIX

static const Param factor_params[] = {A_OF_N, LAPACK_LDA, SYMMETRIC, LAPACK_LWORK, P_END};
static const Param solve_params[] = {A_OF_N, LAPACK_NRHS, LAPACK_LDA, LAPACK_LDB, HERMITIAN, P_END};
static const Param inverse_params[] = {A_OF_N, LAPACK_LDA, HERMITIAN, P_END};
static const Param driver_params[] = {A_OF_N,    LAPACK_NRHS,  LAPACK_LDA, LAPACK_LDB,
                                      SYMMETRIC, LAPACK_LWORK, P_END};
static const Param hermitian_factor_params[] = {A_OF_N, LAPACK_LDA, HERMITIAN, LAPACK_LWORK, P_END};
static const Param hermitian_driver_params[] = {A_OF_N,    LAPACK_NRHS,  LAPACK_LDA, LAPACK_LDB,
                                                HERMITIAN, LAPACK_LWORK, P_END};
static const char *const factor_tensors[] = {"a", "ipiv", "info", NULL};
static const char *const solve_tensors[] = {"a", "ipiv", "b", "info", NULL};
enum { A, IPIV, B };

typedef struct IndefiniteRow {
    LapackRow op;
    bool hermitian, factors, solves, inverts;
} IndefiniteRow;

static const IndefiniteRow rows[] = {
    {{"hesv", "systems of equations with a hermitian matrix", hermitian_driver_params,
      solve_tensors, DTYPES_COMPLEX},
     true,
     true,
     true,
     false},
    {{"hetrf", "factors of a hermitian matrix by diagonal pivoting", hermitian_factor_params,
      factor_tensors, DTYPES_COMPLEX},
     true,
     true,
     false,
     false},
    {{"hetri", "inverse of a hermitian matrix by its factors", inverse_params, factor_tensors,
      DTYPES_COMPLEX},
     true,
     false,
     false,
     true},
    {{"hetrs", "systems of equations by the factors of a hermitian matrix", solve_params,
      solve_tensors, DTYPES_COMPLEX},
     true,
     false,
     true,
     false},
    {{"sysv", "systems of equations with a symmetric matrix", driver_params, solve_tensors,
      DTYPES_BLAS},
     false,
     true,
     true,
     false},
    {{"sytrf", "factors of a symmetric matrix by diagonal pivoting", factor_params, factor_tensors,
      DTYPES_BLAS},
     false,
     true,
     false,
     false},
    {{"sytri", "inverse of a symmetric matrix by its factors", inverse_params, factor_tensors,
      DTYPES_BLAS},
     false,
     false,
     false,
     true},
    {{"sytrs", "systems of equations by the factors of a symmetric matrix", solve_params,
      solve_tensors, DTYPES_BLAS},
     false,
     false,
     true,
     false},
};

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const IndefiniteRow *row = op->detail;
    const Lapack *q = of;
    bool symmetric = row->factors && !row->hermitian;
    int info = row->solves ? B + 1 : B;
    *shapes = (Shapes){.count = info + 1, .depth = q->n};
    shapes->tensor[A] = lapack_stored_triangle(q, STORAGE_FULL,
                                               row->factors || row->inverts ? ROLE_INOUT : ROLE_IN);
    shapes->tensor[A].arrangement =
        symmetric ? lapack_arrangement(q) : lapack_hermitian_arrangement(q);
    shapes->tensor[IPIV] = row->factors ? lapack_integers(q->n) : lapack_pivots(q->n);
    if (!row->factors)
        shapes->tensor[IPIV].arrangement =
            q->uplo == UPLO_LOWER ? ARRANGED_LOWER_BLOCKS : ARRANGED_UPPER_BLOCKS;
    if (row->solves)
        shapes->tensor[B] = lapack_matrix(q, q->n, q->nrhs, q->ldb, ROLE_INOUT);
    shapes->tensor[info] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const IndefiniteRow *row = op->detail;
    const Lapack *q = of;
    double factor = 6 * lapack_parts(q) * (double)(q->n * q->n) * (double)(q->n + 8);
    if (row->inverts)
        return 4 * factor;
    return (row->factors ? factor : 0) + (row->solves ? 2 * lapack_solve_work(of) : 0);
}

static void refer_inverse(Ref *refs, const Tensor *a, const Indefinite *factors, bool lower,
                          Arena *arena)
{
    int64_t zero = indefinite_first_zero(factors, lower);
    lapack_admit_all(&refs[A], a, arena);
    lapack_put_integer(&refs[B], 0, zero, zero, zero);
    if (zero == 0)
        indefinite_put_inverse(&refs[A], factors, lower, arena);
    ref_limit(&refs[A], a);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const IndefiniteRow *row = input->op->detail;
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    bool lower = q->uplo == UPLO_LOWER;
    int info_at = row->solves ? B + 1 : B;
    Indefinite factors;
    int64_t info = 0;
    ref_allocate_exact(&refs[info_at], &given[info_at], arena);
    if (row->factors) {
        const Tensor *after = input->computed;
        Matrix stored = matrix_read(&given[A], arena);
        const IndefiniteFactors of = {.a_ref = &refs[A],
                                      .ipiv_ref = &refs[IPIV],
                                      .info_ref = &refs[info_at],
                                      .place = &given[A],
                                      .ipiv = &given[IPIV],
                                      .stored = &stored,
                                      .lower = lower,
                                      .hermitian = row->hermitian,
                                      .computed = after ? &after[A] : NULL,
                                      .computed_ipiv = after ? &after[IPIV] : NULL,
                                      .info = after ? lapack_integer(&after[info_at], 0) : 0};
        info = indefinite_factors_reference(&of, &factors, arena);
    } else {
        Matrix stored = matrix_read(&given[A], arena);
        factors =
            indefinite_read(&stored, &given[IPIV], lower, row->hermitian, (DType)q->dtype, arena);
        lapack_put_integer(&refs[info_at], 0, 0, 0, 0);
    }
    if (row->inverts)
        refer_inverse(refs, &given[A], &factors, lower, arena);
    if (!row->solves)
        return;
    Matrix b = matrix_read(&given[B], arena), turned = b;
    lapack_admit_all(&refs[B], &given[B], arena);
    if (info != 0)
        return;
    Matrix x = input->computed ? matrix_read(&input->computed[B], arena) : b;
    for (int64_t i = 0; i < q->n / 2 && !lower; i++) {
        matrix_exchange_rows(&turned, i, q->n - 1 - i);
        if (input->computed)
            matrix_exchange_rows(&x, i, q->n - 1 - i);
    }
    if (input->computed) {
        indefinite_put_solution(&refs[B], &factors, &turned, &x, lower, arena);
        return;
    }
    indefinite_solve(&factors, &turned, arena);
    for (int64_t i = 0; i < q->n / 2 && !lower; i++)
        matrix_exchange_rows(&turned, i, q->n - 1 - i);
    matrix_put_rounded(&turned, &refs[B]);
}

static const OpDesc shared = {LAPACK_OP_RESIDUAL, .shape_of_row = shape, .work_of_row = work,
                              .reference = reference};

OP_TABLE(ops_indefinite)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i].judged_by_residual = table[i].only_by_residual = !rows[i].inverts;
    return table;
}
