/* Solves op(A) X = alpha B or X op(A) = alpha B, A triangular; B is overwritten by X.  Judged by
 * the residual.  alpha = 0 sets B to 0 and reads nothing. */
#include "blas_matrices.h"
#include "blas_shapes.h"

static const Param params[] = {BLAS_PARAMS_TRMM, P_END};
static const char *const tensors[] = {"a", "b", NULL};

static void take_unit_diagonal(void *of)
{
    Blas *q = of;
    q->diag = DIAGONAL_UNIT;
}

const OpDesc op_trsm = {
    .name = "trsm",
    .summary = "triangular system, many right sides",
    BLAS_OP_TABLES,
    .judged_by_residual = true,
    .shape = blas_shape_of_trmm,
    .work = blas_work_sided,
    .reference = blas_solve,
    .product = blas_product_solve,
    .well_posed = take_unit_diagonal,
};
