/* A = alpha x x^T + A, A symmetric and packed. */
#include "blas_vectors.h"

static const Param params[] = {BLAS_DTYPE, BLAS_ORDER, BLAS_UPLO, BLAS_N("order of A"),
                               BLAS_INCX,  BLAS_ALPHA, P_END};
static const char *const tensors[] = {"x", "ap", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    blas_shape_update(q, shapes, blas_packed_triangle(q, q->n), false);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_rank_one(refs, input, false, arena);
}

const OpDesc op_spr = {
    .name = "spr",
    .family = "blas",
    .version = 1,
    .summary = "packed symmetric rank-1 update",
    .size = sizeof(Blas),
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_REAL,
    .shape = shape,
    .work = blas_work_square,
    .reference = reference,
};
