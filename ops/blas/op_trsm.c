/* Solves op(A) X = alpha B or X op(A) = alpha B, A triangular; B is overwritten by X.  Judged by
 * the residual.  alpha = 0 sets B to 0 and reads nothing. */
#include "blas_matrices.h"

static const Param params[] = {BLAS_DTYPE, BLAS_ORDER, BLAS_SIDE,           BLAS_UPLO,
                               BLAS_TA,    BLAS_DIAG,  BLAS_M("rows of B"), BLAS_N("columns of B"),
                               BLAS_LDA,   BLAS_LDB,   BLAS_ALPHA,          P_END};
static const char *const tensors[] = {"a", "b", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    blas_shape_triangular(params_of_case, shapes);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_triangular_solve_many(refs, input, arena);
}

const OpDesc op_trsm = {
    .name = "trsm",
    .family = "blas",
    .version = 1,
    .summary = "triangular system, many right sides",
    .size = sizeof(Blas),
    .params = params,
    .tensors = tensors,
    .judged_by_residual = true,
    .shape = shape,
    .work = blas_work_sided,
    .reference = reference,
};
