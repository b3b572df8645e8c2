/* A = alpha x y^H + conj(alpha) y x^H + A, A hermitian and packed; the imaginary parts of its
 * diagonal become 0. */
#include "blas_vectors.h"

static const Param params[] = {BLAS_DTYPE, BLAS_ORDER, BLAS_UPLO,  BLAS_N("order of A"),
                               BLAS_INCX,  BLAS_INCY,  BLAS_ALPHA, P_END};
static const char *const tensors[] = {"x", "y", "ap", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    blas_shape_update(q, shapes, blas_packed_triangle(q, q->n), true);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_rank_two(refs, input, true, arena);
}

const OpDesc op_hpr2 = {
    .name = "hpr2",
    .family = "blas",
    .version = 1,
    .summary = "packed hermitian rank-2 update",
    .size = sizeof(Blas),
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_COMPLEX,
    .shape = shape,
    .work = blas_work_square,
    .reference = reference,
};
