/* C = alpha op(A) op(B) + beta C, op one of identity, transpose, conjugate transpose.
 *
 * beta = 0 must not read C, alpha = 0 or k = 0 must not read A and B (BLAS Technical Forum
 * Standard, section 2.7).  Bound: the reduction lemma (oracle/bound.h) per component. */
#include "blas_matrices.h"
#include "blas_shapes.h"

static const Param params[] = {BLAS_PARAMS_GEMM, P_END};
static const char *const tensors[] = {"a", "b", "c", NULL};

const OpDesc op_gemm = {
    .name = "gemm",
    .summary = "matrix times matrix",
    BLAS_OP_TABLES,
    .shape = blas_shape_of_gemm,
    .work = blas_work_mnk,
    .reference = blas_gemm,
    .product = blas_product_gemm,
};
