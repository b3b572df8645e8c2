/* C = alpha op(A) op(B)^T + alpha op(B) op(A)^T + beta C, C symmetric.  Rules as for gemm. */
#include "blas_matrices.h"
#include "blas_shapes.h"

static const Param params[] = {
    BLAS_DTYPE,
    BLAS_ORDER,
    BLAS_UPLO,
    P_CHOICE(Blas, ta, blas_plain_transposes, "A is n x k, or k x n", .placement = true),
    BLAS_N("order of C"),
    BLAS_K("columns of op(A)"),
    BLAS_LDA,
    BLAS_LDB,
    BLAS_LDC,
    BLAS_ALPHA,
    BLAS_BETA,
    P_END};
static const char *const tensors[] = {"a", "b", "c", NULL};

static void update(ProductBlocks *product, const ReferenceInput *input, Arena *arena)
{
    blas_product_rank(product, input, false, arena);
}

const OpDesc op_syr2k = {
    .name = "syr2k",
    .summary = "symmetric rank-2k update",
    BLAS_OP_TABLES,
    .shape = blas_shape_of_her2k,
    .work = blas_work_nnk,
    .reference = blas_rank,
    .zeros = BLAS_ZEROS_UPDATED,
    .product = update,
};
