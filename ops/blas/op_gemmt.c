/* The triangle uplo of C = alpha op(A) op(B) + beta C, C n x n (an extension; gemmtr in the
 * reference implementation since 3.12).  Rules as for gemm. */
#include "blas_matrices.h"

static const Param params[] = {BLAS_DTYPE,
                               BLAS_ORDER,
                               BLAS_UPLO,
                               BLAS_TA,
                               BLAS_TB,
                               BLAS_N("order of C"),
                               BLAS_K("columns of op(A), rows of op(B)"),
                               BLAS_LDA,
                               BLAS_LDB,
                               BLAS_LDC,
                               BLAS_ALPHA,
                               BLAS_BETA,
                               P_END};
static const char *const tensors[] = {"a", "b", "c", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    blas_shape_gemm(q, shapes, q->n, blas_triangle(q, q->n, q->ldc));
}

const OpDesc op_gemmt = {
    .name = "gemmt",
    .summary = "triangle of a product of matrices",
    BLAS_OP_TABLES,
    .shape = shape,
    .work = blas_work_nnk,
    .reference = blas_gemm,
    .product = blas_product_gemm,
};
