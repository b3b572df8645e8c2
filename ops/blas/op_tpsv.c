/* Solves op(A) x = b, A packed triangular; b is overwritten by x.  Judged by the residual. */
#include "blas_vectors.h"

static const Param params[] = {BLAS_DTYPE, BLAS_ORDER,           BLAS_UPLO, BLAS_TA,
                               BLAS_DIAG,  BLAS_N("order of A"), BLAS_INCX, P_END};
static const char *const tensors[] = {"ap", "x", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    blas_shape_in_place(q, shapes, blas_packed_triangle(q, q->n));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_triangular_solve(refs, input, arena);
}

const OpDesc op_tpsv = {
    .name = "tpsv",
    .family = "blas",
    .version = 1,
    .summary = "packed triangular system, one right side",
    .size = sizeof(Blas),
    .params = params,
    .tensors = tensors,
    .judged_by_residual = true,
    .shape = shape,
    .work = blas_work_square,
    .reference = reference,
};
