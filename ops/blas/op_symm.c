/* C = alpha A B + beta C or alpha B A + beta C, A symmetric.  Rules as for gemm. */
#include "blas_matrices.h"

static const Param params[] = {BLAS_DTYPE,
                               BLAS_ORDER,
                               BLAS_SIDE,
                               BLAS_UPLO,
                               BLAS_M("rows of B and of C"),
                               BLAS_N("columns of B and of C"),
                               BLAS_LDA,
                               BLAS_LDB,
                               BLAS_LDC,
                               BLAS_ALPHA,
                               BLAS_BETA,
                               P_END};
static const char *const tensors[] = {"a", "b", "c", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    blas_shape_sided(params_of_case, shapes);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_sided_product(refs, input, EXPAND_SYMMETRIC, arena);
}

const OpDesc op_symm = {
    .name = "symm",
    .family = "blas",
    .version = 1,
    .summary = "symmetric matrix times matrix",
    .size = sizeof(Blas),
    .params = params,
    .tensors = tensors,
    .shape = shape,
    .work = blas_work_sided,
    .reference = reference,
};
