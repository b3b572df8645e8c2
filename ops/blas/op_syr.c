/* A = alpha x x^T + A, A symmetric. */
#include "blas_shapes.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_DTYPE, BLAS_ORDER, BLAS_UPLO,  BLAS_N("order of A"),
                               BLAS_INCX,  BLAS_LDA,   BLAS_ALPHA, P_END};
static const char *const tensors[] = {"x", "a", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_rank_one(refs, input, false, arena);
}

const OpDesc op_syr = {
    .name = "syr",
    .summary = "symmetric rank-1 update",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_REAL,
    .shape = blas_shape_of_her,
    .work = blas_work_square,
    .reference = reference,
    .zeros = BLAS_ZEROS_KEPT,
};
