/* x = op(A) x, A triangular. */
#include "blas_shapes.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_PARAMS_TRMV, P_END};
static const char *const tensors[] = {"a", "x", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_triangular_product(refs, input, arena);
}

const OpDesc op_trmv = {
    .name = "trmv",
    .summary = "triangular matrix times vector",
    BLAS_OP_TABLES,
    .shape = blas_shape_of_trmv,
    .work = blas_work_square,
    .reference = reference,
};
