/* C = alpha op(A) op(A)^H + beta C, C hermitian with a real diagonal; alpha and beta are real.
 * Rules as for gemm. */
#include "blas_matrices.h"
#include "blas_shapes.h"

static const Param params[] = {
    BLAS_DTYPE,
    BLAS_ORDER,
    BLAS_UPLO,
    P_CHOICE(Blas, ta, blas_conjugate_transposes, "A is n x k, or k x n", .placement = true),
    BLAS_N("order of C"),
    BLAS_K("columns of op(A)"),
    BLAS_LDA,
    BLAS_LDC,
    BLAS_ALPHA_REAL,
    BLAS_BETA_REAL,
    P_END};
static const char *const tensors[] = {"a", "c", NULL};

static void update(ProductBlocks *product, const ReferenceInput *input, Arena *arena)
{
    blas_product_rank(product, input, true, arena);
}

const OpDesc op_herk = {
    .name = "herk",
    .summary = "hermitian rank-k update",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_COMPLEX,
    .shape = blas_shape_of_herk,
    .work = blas_work_nnk,
    .reference = blas_rank,
    .zeros = BLAS_ZEROS_UPDATED,
    .product = update,
};
