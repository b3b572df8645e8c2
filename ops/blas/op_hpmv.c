/* y = alpha A x + beta y, A hermitian and packed. */
#include "blas_shapes.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_PARAMS_HPMV, P_END};
static const char *const tensors[] = {"ap", "x", "y", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_symmetric_product(refs, input, EXPAND_HERMITIAN, arena);
}

const OpDesc op_hpmv = {
    .name = "hpmv",
    .summary = "packed hermitian matrix times vector",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_COMPLEX,
    .shape = blas_shape_of_hpmv,
    .work = blas_work_square,
    .reference = reference,
};
