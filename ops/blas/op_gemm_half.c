/* C = alpha op(A) op(B) + beta C in half precision with sums in binary32, rounded once (an
 * extension: hgemm, bgemm).  Bound: the reduction lemma (oracle/bound.h) and one rounding. */
#include "blas_matrices.h"
#include "blas_shapes.h"

static const Param params[] = {BLAS_PARAMS_GEMM, P_END};
static const char *const tensors[] = {"a", "b", "c", NULL};

const OpDesc op_gemm_half = {
    .name = "gemm_half",
    .summary = "product of matrices in half precision, summed in single (extension)",
    BLAS_OP_TABLES,
    .dtypes = 1u << DT_F16 | 1u << DT_BF16,
    .shape = blas_shape_of_gemm,
    .work = blas_work_mnk,
    .reference = blas_gemm,
    .product = blas_product_gemm,
};
