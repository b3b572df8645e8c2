/* y = alpha A x + beta y, A symmetric. */
#include "blas_shapes.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_PARAMS_HEMV, P_END};
static const char *const tensors[] = {"a", "x", "y", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_symmetric_product(refs, input, EXPAND_SYMMETRIC, arena);
}

const OpDesc op_symv = {
    .name = "symv",
    .summary = "symmetric matrix times vector",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_REAL,
    .shape = blas_shape_of_hemv,
    .work = blas_work_square,
    .reference = reference,
};
