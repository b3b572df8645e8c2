/* y = alpha A x + beta y, A hermitian; the imaginary parts of its diagonal are taken as 0. */
#include "blas_shapes.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_PARAMS_HEMV, P_END};
static const char *const tensors[] = {"a", "x", "y", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_symmetric_product(refs, input, EXPAND_HERMITIAN, arena);
}

const OpDesc op_hemv = {
    .name = "hemv",
    .summary = "hermitian matrix times vector",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_COMPLEX,
    .shape = blas_shape_of_hemv,
    .work = blas_work_square,
    .reference = reference,
};
