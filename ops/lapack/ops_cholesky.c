/* A = L L^H or U^H U, A hermitian and positive definite, of which one triangle is stored, in a
 * square, packed or as a band: its factors, systems A X = B by factors that are given, and both.
 * The triangle is overwritten by the factor, whose diagonal is real and positive, and B by X.
 *
 * |A - L L^H| is bounded element by element (reference/equation.h), and each row of B - A X given
 * the factor (solve.h).  info is the order of a leading minor that was found not to be positive
 * definite, and may be what reference/definite.h says; then nothing is promised of the triangle and
 * of B.  The other triangle must neither be read nor written.  Of numbers that are not finite info
 * is open.  Factors that are given are any triangles with a real diagonal. */
#include "cholesky.h"
#include "factors.h"
#include "reference/function.h"
#include "solve.h"

#define A_OF_N LAPACK_DTYPE_ORDER, LAPACK_UPLO, LAPACK_N("rows and columns of A")

static const Param factor_params[] = {A_OF_N, LAPACK_LDA, LAPACK_HERMITIAN_MATRIX, P_END};
static const Param packed_params[] = {A_OF_N, LAPACK_HERMITIAN_MATRIX, P_END};
static const Param band_params[] = {A_OF_N, LAPACK_K, LAPACK_LDA, LAPACK_HERMITIAN_MATRIX, P_END};
static const Param solve_params[] = {
    A_OF_N, LAPACK_NRHS, LAPACK_LDA, LAPACK_LDB, LAPACK_HERMITIAN_MATRIX, P_END};
static const Param packed_solve_params[] = {A_OF_N, LAPACK_NRHS, LAPACK_LDB,
                                            LAPACK_HERMITIAN_MATRIX, P_END};
static const Param band_solve_params[] = {
    A_OF_N, LAPACK_K, LAPACK_NRHS, LAPACK_LDA, LAPACK_LDB, LAPACK_HERMITIAN_MATRIX, P_END};
static const char *const factor_tensors[] = {"a", "info", NULL};
static const char *const solve_tensors[] = {"a", "b", "info", NULL};
enum { A, B };

typedef struct CholeskyRow {
    LapackRow op;
    LapackStorage storage;
    bool factors, solves;
} CholeskyRow;

static const CholeskyRow rows[] = {
    {{"pbsv", "systems of equations by Cholesky factorization, A a band", band_solve_params,
      solve_tensors, DTYPES_BLAS},
     STORAGE_BAND,
     true,
     true},
    {{"pbtrf", "Cholesky factorization of a band matrix", band_params, factor_tensors, DTYPES_BLAS},
     STORAGE_BAND,
     true,
     false},
    {{"pbtrs", "systems of equations by the Cholesky factor of a band matrix", band_solve_params,
      solve_tensors, DTYPES_BLAS},
     STORAGE_BAND,
     false,
     true},
    {{"posv", "systems of equations by Cholesky factorization", solve_params, solve_tensors,
      DTYPES_BLAS},
     STORAGE_FULL,
     true,
     true},
    {{"potrf", "Cholesky factorization", factor_params, factor_tensors, DTYPES_BLAS},
     STORAGE_FULL,
     true,
     false},
    {{"potrs", "systems of equations by a Cholesky factor", solve_params, solve_tensors,
      DTYPES_BLAS},
     STORAGE_FULL,
     false,
     true},
    {{"ppsv", "systems of equations by Cholesky factorization, A packed", packed_solve_params,
      solve_tensors, DTYPES_BLAS},
     STORAGE_PACKED,
     true,
     true},
    {{"pptrf", "Cholesky factorization of a packed matrix", packed_params, factor_tensors,
      DTYPES_BLAS},
     STORAGE_PACKED,
     true,
     false},
    {{"pptrs", "systems of equations by a packed Cholesky factor", packed_solve_params,
      solve_tensors, DTYPES_BLAS},
     STORAGE_PACKED,
     false,
     true},
};

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const CholeskyRow *row = op->detail;
    const Lapack *q = of;
    *shapes = (Shapes){.count = row->solves ? 3 : 2, .depth = q->n};
    shapes->tensor[A] =
        lapack_stored_triangle(q, row->storage, row->factors ? ROLE_INOUT : ROLE_IN);
    shapes->tensor[A].arrangement = lapack_hermitian_arrangement(q);
    if (row->solves)
        shapes->tensor[B] = lapack_matrix(q, q->n, q->nrhs, q->ldb, ROLE_INOUT);
    shapes->tensor[row->solves ? B + 1 : B] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const CholeskyRow *row = op->detail;
    const Lapack *q = of;
    double factor = 4 * lapack_parts(q) * (double)(q->n * q->n) * (double)(q->n + 8);
    return (row->factors ? factor : 0) + (row->solves ? lapack_solve_work(of) : 0);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const CholeskyRow *row = input->op->detail;
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    bool lower = q->uplo == UPLO_LOWER;
    Ref *info_ref = &refs[row->solves ? B + 1 : B];
    int64_t info = 0;
    Matrix factor;
    ref_allocate_exact(info_ref, &given[row->solves ? B + 1 : B], arena);
    if (row->factors) {
        const Tensor *after = input->computed;
        Matrix a = matrix_read(&given[A], arena);
        const LapackCholesky cholesky = {
            .factor_ref = &refs[A],
            .info_ref = info_ref,
            .place = &given[A],
            .a = &a,
            .lower = lower,
            .computed = after ? &after[A] : NULL,
            .info = after ? lapack_integer(&after[op_operand(input->op, "info")], 0) : 0};
        info = lapack_cholesky_reference(&cholesky, &factor, arena);
    } else {
        factor = matrix_read(&given[A], arena);
        lapack_put_integer(info_ref, 0, 0, 0, 0);
    }
    if (!row->solves)
        return;
    if (info != 0) {
        lapack_admit_all(&refs[B], &given[B], arena);
        return;
    }
    Matrix turned = lapack_transposed(&factor, true, arena);
    lapack_solve_reference(&(LapackSolve){.b_ref = &refs[B],
                                          .f = lower ? &factor : &turned,
                                          .g = lower ? &turned : &factor,
                                          .b = &given[B],
                                          .computed = input->computed ? &input->computed[B] : NULL},
                           arena);
}

/* Factors whose product is near A say by themselves that A is nearly definite: where info is 0,
 * nothing else tells whether it may be. */
static void check_factors(FactorChecks *checks, const ReferenceInput *input, Arena *arena)
{
    const CholeskyRow *row = input->op->detail;
    bool lower = ((const Lapack *)input->params)->uplo == UPLO_LOWER;
    int info_at = row->solves ? B + 1 : B;
    Ref *ref = &checks->refs[info_at];
    int64_t info = lapack_integer(&input->computed[info_at], 0);
    ref_allocate_exact(ref, &input->tensors[info_at], arena);
    checks->judged |= 1u << info_at;
    if (row->factors && info != 0) {
        Matrix a = matrix_read(&input->tensors[A], arena);
        lapack_judge_definite(ref, &a, input->tensors[A].dtype, info, lower, arena);
        return;
    }
    lapack_put_integer(ref, 0, info, 0, 0);
    if (row->factors)
        lapack_check_cholesky(checks, input, A, lower);
    if (row->solves)
        lapack_check_solution(checks, input,
                              &(LargeSolve){.a = A, .b = B, .cholesky = true, .lower = lower});
}

static const OpDesc shared = {LAPACK_OP_RESIDUAL, .shape_of_row = shape, .work_of_row = work,
                              .reference = reference, .is_product = lapack_is_plain_matrix};

OP_TABLE(ops_cholesky)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i].factors = rows[i].storage == STORAGE_FULL ? check_factors : NULL;
    return table;
}
