/* Solves op(A) x = b, A band triangular; b is overwritten by x.  Judged by the residual. */
#include "blas_shapes.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_PARAMS_TBMV, P_END};
static const char *const tensors[] = {"a", "x", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_triangular_solve(refs, input, arena);
}

const OpDesc op_tbsv = {
    .name = "tbsv",
    .summary = "band triangular system, one right side",
    BLAS_OP_TABLES,
    .judged_by_residual = true,
    .shape = blas_shape_of_tbmv,
    .work = blas_work_band,
    .reference = reference,
};
