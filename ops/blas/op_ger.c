/* A = alpha x y^T + A, A m x n. */
#include "blas_shapes.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_PARAMS_GER, P_END};
static const char *const tensors[] = {"x", "y", "a", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_outer_product(refs, input, false, arena);
}

const OpDesc op_ger = {
    .name = "ger",
    .summary = "outer product added to a matrix",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_REAL,
    .shape = blas_shape_of_ger,
    .work = blas_work_matrix,
    .reference = reference,
};
