/* A = alpha x y^T + alpha y x^T + A, A symmetric and packed. */
#include "blas_shapes.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_PARAMS_HPR2, P_END};
static const char *const tensors[] = {"x", "y", "ap", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_rank_two(refs, input, false, arena);
}

const OpDesc op_spr2 = {
    .name = "spr2",
    .summary = "packed symmetric rank-2 update",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_REAL,
    .shape = blas_shape_of_hpr2,
    .work = blas_work_square,
    .reference = reference,
    .zeros = BLAS_ZEROS_KEPT,
};
