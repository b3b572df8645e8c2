/* B = alpha op(A) B or alpha B op(A), A triangular.  alpha = 0 sets B to 0 and reads nothing. */
#include "blas_matrices.h"
#include "blas_shapes.h"

static const Param params[] = {BLAS_PARAMS_TRMM, P_END};
static const char *const tensors[] = {"a", "b", NULL};

const OpDesc op_trmm = {
    .name = "trmm",
    .summary = "triangular matrix times matrix",
    BLAS_OP_TABLES,
    .shape = blas_shape_of_trmm,
    .work = blas_work_sided,
    .reference = blas_product,
    .product = blas_product_triangular,
};
