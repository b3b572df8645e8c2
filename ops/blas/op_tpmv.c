/* x = op(A) x, A packed triangular. */
#include "blas_shapes.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_PARAMS_TPMV, P_END};
static const char *const tensors[] = {"ap", "x", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_triangular_product(refs, input, arena);
}

const OpDesc op_tpmv = {
    .name = "tpmv",
    .summary = "packed triangular matrix times vector",
    BLAS_OP_TABLES,
    .shape = blas_shape_of_tpmv,
    .work = blas_work_square,
    .reference = reference,
};
