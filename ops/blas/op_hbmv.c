/* y = alpha A x + beta y, A hermitian with k diagonals on either side. */
#include "blas_shapes.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_PARAMS_HBMV, P_END};
static const char *const tensors[] = {"a", "x", "y", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_symmetric_product(refs, input, EXPAND_HERMITIAN, arena);
}

const OpDesc op_hbmv = {
    .name = "hbmv",
    .summary = "hermitian band matrix times vector",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_COMPLEX,
    .shape = blas_shape_of_hbmv,
    .work = blas_work_band,
    .reference = reference,
};
