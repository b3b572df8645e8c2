/* B = alpha op(A) B or alpha B op(A), A triangular.  alpha = 0 sets B to 0 and reads nothing. */
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
    blas_triangular_multiply(refs, input, arena);
}

const OpDesc op_trmm = {
    .name = "trmm",
    .family = "blas",
    .version = 1,
    .summary = "triangular matrix times matrix",
    .size = sizeof(Blas),
    .params = params,
    .tensors = tensors,
    .shape = shape,
    .work = blas_work_sided,
    .reference = reference,
};
