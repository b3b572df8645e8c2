/* A = alpha x y^T + alpha y x^T + A, A symmetric. */
#include "blas_shapes.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_PARAMS_HER2, P_END};
static const char *const tensors[] = {"x", "y", "a", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_rank_two(refs, input, false, arena);
}

const OpDesc op_syr2 = {
    .name = "syr2",
    .summary = "symmetric rank-2 update",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_REAL,
    .shape = blas_shape_of_her2,
    .work = blas_work_square,
    .reference = reference,
    .zeros = BLAS_ZEROS_KEPT,
};
