/* Solves op(A) x = b, A triangular; b is overwritten by x.  Judged by the residual. */
#include "blas_shapes.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_PARAMS_TRMV, P_END};
static const char *const tensors[] = {"a", "x", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_triangular_solve(refs, input, arena);
}

const OpDesc op_trsv = {
    .name = "trsv",
    .summary = "triangular system, one right side",
    BLAS_OP_TABLES,
    .judged_by_residual = true,
    .shape = blas_shape_of_trmv,
    .work = blas_work_square,
    .reference = reference,
};
