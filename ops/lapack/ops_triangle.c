/* Triangular matrices, stored in a square, packed or as a band: op(A) X = B, where B is overwritten
 * by X, and inverses in place of them; and the inverse of a matrix by its Cholesky factor.
 *
 * X is judged as that of trsm is, each unknown by its equation (reference/solve.h), inverses
 * element by element against the exact ones (inverse.h).  A unit diagonal is neither read nor
 * written.  info is the number of the first element of the diagonal that is exactly 0: then X or
 * the inverse is not computed, and nothing is said of it. */
#include <math.h>

#include "factors.h"
#include "inverse.h"
#include "ops/blas/blas_matrices.h"
#include "reference/function.h"
#include "solve.h"

#define TRIANGLE_OF_N                                                                              \
    LAPACK_DTYPE_ORDER, LAPACK_UPLO, LAPACK_DIAG, LAPACK_N("rows and columns of A")
#define SYSTEM_OF_N                                                                                \
    LAPACK_DTYPE_ORDER, LAPACK_UPLO, LAPACK_TRANS, LAPACK_DIAG, LAPACK_N("rows and columns of A")

static const Param system_params[] = {SYSTEM_OF_N, LAPACK_NRHS, LAPACK_LDA, LAPACK_LDB, P_END};
static const Param packed_system_params[] = {SYSTEM_OF_N, LAPACK_NRHS, LAPACK_LDB, P_END};
static const Param band_system_params[] = {SYSTEM_OF_N, LAPACK_K,   LAPACK_NRHS,
                                           LAPACK_LDA,  LAPACK_LDB, P_END};
static const Param inverse_params[] = {TRIANGLE_OF_N, LAPACK_LDA, P_END};
static const Param packed_inverse_params[] = {TRIANGLE_OF_N, P_END};
static const Param gram_params[] = {
    LAPACK_DTYPE_ORDER,      LAPACK_UPLO, LAPACK_N("rows and columns of A"), LAPACK_LDA,
    LAPACK_HERMITIAN_MATRIX, P_END};
static const Param packed_gram_params[] = {LAPACK_DTYPE_ORDER, LAPACK_UPLO,
                                           LAPACK_N("rows and columns of A"),
                                           LAPACK_HERMITIAN_MATRIX, P_END};
static const char *const system_tensors[] = {"a", "b", "info", NULL};
static const char *const inverse_tensors[] = {"a", "info", NULL};
enum { A, B };

typedef enum TriangleTask { TASK_SOLVE, TASK_INVERT, TASK_INVERT_GRAM } TriangleTask;

typedef struct TriangleRow {
    LapackRow op;
    LapackStorage storage;
    TriangleTask task;
} TriangleRow;

static const TriangleRow rows[] = {
    {{"potri", "inverse of a matrix by its Cholesky factor", gram_params, inverse_tensors,
      DTYPES_BLAS},
     STORAGE_FULL,
     TASK_INVERT_GRAM},
    {{"pptri", "inverse of a matrix by its packed Cholesky factor", packed_gram_params,
      inverse_tensors, DTYPES_BLAS},
     STORAGE_PACKED,
     TASK_INVERT_GRAM},
    {{"tbtrs", "band triangular system, checked for singularity", band_system_params,
      system_tensors, DTYPES_BLAS},
     STORAGE_BAND,
     TASK_SOLVE},
    {{"tptri", "inverse of a packed triangular matrix", packed_inverse_params, inverse_tensors,
      DTYPES_BLAS},
     STORAGE_PACKED,
     TASK_INVERT},
    {{"tptrs", "packed triangular system, checked for singularity", packed_system_params,
      system_tensors, DTYPES_BLAS},
     STORAGE_PACKED,
     TASK_SOLVE},
    {{"trtri", "inverse of a triangular matrix", inverse_params, inverse_tensors, DTYPES_BLAS},
     STORAGE_FULL,
     TASK_INVERT},
    {{"trtrs", "triangular system, checked for singularity", system_params, system_tensors,
      DTYPES_BLAS},
     STORAGE_FULL,
     TASK_SOLVE},
};

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const TriangleRow *row = op->detail;
    const Lapack *q = of;
    bool solves = row->task == TASK_SOLVE;
    *shapes = (Shapes){.count = solves ? 3 : 2, .depth = q->n};
    shapes->tensor[A] = lapack_stored_triangle(q, row->storage, solves ? ROLE_IN : ROLE_INOUT);
    if (row->task == TASK_INVERT_GRAM)
        shapes->tensor[A].arrangement = lapack_hermitian_arrangement(q);
    if (solves)
        shapes->tensor[B] = lapack_matrix(q, q->n, q->nrhs, q->ldb, ROLE_INOUT);
    shapes->tensor[solves ? B + 1 : B] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const TriangleRow *row = op->detail;
    const Lapack *q = of;
    if (row->task != TASK_SOLVE)
        return lapack_inverse_work(of);
    return 2 * lapack_parts(q) * (double)(q->n * q->nrhs) * (double)(q->n + 8);
}

static void solve(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    Matrix stored = matrix_read(&given[A], arena);
    int64_t zero = q->diag == DIAGONAL_STORED ? lapack_first_zero(&stored) : 0;
    const Blas blas = {.dtype = q->dtype,
                       .uplo = q->uplo,
                       .ta = q->trans,
                       .diag = q->diag,
                       .m = q->n,
                       .n = q->nrhs,
                       .alpha = {1, 0}};
    ReferenceInput system = *input;
    system.params = &blas;
    ref_allocate_exact(&refs[B + 1], &given[B + 1], arena);
    lapack_put_integer(&refs[B + 1], 0, zero, zero, zero);
    if (zero)
        lapack_admit_all(&refs[B], &given[B], arena);
    else
        blas_solve(refs, &system, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const TriangleRow *row = input->op->detail;
    const Lapack *q = input->params;
    bool lower = q->uplo == UPLO_LOWER, gram = row->task == TASK_INVERT_GRAM;
    if (row->task == TASK_SOLVE) {
        solve(refs, input, arena);
        return;
    }
    Matrix stored = matrix_read(&input->tensors[A], arena);
    Matrix factor = lapack_factor(&stored, lower, q->diag == DIAGONAL_UNIT, arena);
    if (!lower)
        factor = lapack_transposed(&factor, gram, arena);
    triangle_reference(refs, input, &factor, gram ? triangle_gram_put : triangle_inverse_put,
                       !lower && !gram, arena);
}

/* Whether a diagonal that is read has neither a 0 nor, of complex numbers, one so small that its
 * reciprocal would be. */
static bool has_usual_diagonal(const Tensor *a)
{
    const double least = dtype_components(a->dtype) == 2 ? 0x1p-24 : 0;
    const StoredMatrix stored = {.view = *a};
    for (int64_t k = 0; k < a->extent[0]; k++) {
        Scalar d = stored_element(&stored, k, k);
        double size = fmax(fabs(d.re), fabs(d.im));
        if (size == 0 || !(size >= least))
            return false;
    }
    return true;
}

/* Judges info, operand number `info`, as 0; false, and nothing is judged, where the diagonal is
 * one of which no info is known. */
static bool check_info(FactorChecks *checks, const ReferenceInput *input, int info, Arena *arena)
{
    const Lapack *q = input->params;
    if (q->diag != DIAGONAL_UNIT && !has_usual_diagonal(&input->tensors[A]))
        return false;
    ref_allocate_exact(&checks->refs[info], &input->tensors[info], arena);
    lapack_put_integer(&checks->refs[info], 0, 0, 0, 0);
    checks->judged |= 1u << info;
    return true;
}

static void check_system(FactorChecks *checks, const ReferenceInput *input, Arena *arena)
{
    enum { INFO = B + 1 };
    const Lapack *q = input->params;
    bool unit = q->diag == DIAGONAL_UNIT;
    if (!check_info(checks, input, INFO, arena))
        return;
    lapack_check_triangle(checks, input,
                          &(LargeTriangle){.a = A,
                                           .b = B,
                                           .lower = q->uplo == UPLO_LOWER,
                                           .unit = unit,
                                           .transposed = q->trans != TRANSPOSE_NONE,
                                           .conjugate = q->trans == TRANSPOSE_CONJUGATE});
}

static void check_inverse(FactorChecks *checks, const ReferenceInput *input, Arena *arena)
{
    enum { INFO = B };
    const Lapack *q = input->params;
    bool unit = q->diag == DIAGONAL_UNIT;
    if (!check_info(checks, input, INFO, arena))
        return;
    lapack_check_triangle_inverse(
        checks, input,
        &(LargeTriangle){.a = A, .b = A, .lower = q->uplo == UPLO_LOWER, .unit = unit});
}

static void make_well_posed(void *params)
{
    ((Lapack *)params)->diag = DIAGONAL_UNIT;
}

static const OpDesc shared = {LAPACK_OP_COMMON, .shape_of_row = shape, .work_of_row = work,
                              .reference = reference};

OP_TABLE(ops_triangle)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        bool solves = rows[i].task == TASK_SOLVE;
        bool has_sums = rows[i].storage == STORAGE_FULL && rows[i].task != TASK_INVERT_GRAM;
        table[i].judged_by_residual = table[i].only_by_residual = solves;
        table[i].factors = !has_sums ? NULL : solves ? check_system : check_inverse;
        table[i].well_posed = has_sums ? make_well_posed : NULL;
    }
    return table;
}
