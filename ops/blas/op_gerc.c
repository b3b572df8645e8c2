/* A = alpha x y^H + A, A m x n. */
#include "blas_shapes.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_PARAMS_GER, P_END};
static const char *const tensors[] = {"x", "y", "a", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_outer_product(refs, input, true, arena);
}

const OpDesc op_gerc = {
    .name = "gerc",
    .summary = "outer product added to a matrix, y conjugated",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_COMPLEX,
    .shape = blas_shape_of_ger,
    .work = blas_work_matrix,
    .reference = reference,
};
