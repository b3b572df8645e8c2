/* C = alpha A B + beta C or alpha B A + beta C, A hermitian; the imaginary parts of its diagonal
 * are taken as 0.  Rules as for gemm. */
#include "blas_matrices.h"
#include "blas_shapes.h"

static const Param params[] = {BLAS_PARAMS_HEMM, P_END};
static const char *const tensors[] = {"a", "b", "c", NULL};

static void sided(ProductBlocks *product, const ReferenceInput *input, Arena *arena)
{
    blas_product_sided(product, input, EXPAND_HERMITIAN, arena);
}

const OpDesc op_hemm = {
    .name = "hemm",
    .summary = "hermitian matrix times matrix",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_COMPLEX,
    .shape = blas_shape_of_hemm,
    .work = blas_work_sided,
    .reference = blas_product,
    .product = sided,
};
