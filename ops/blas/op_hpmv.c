/* y = alpha A x + beta y, A hermitian and packed. */
#include "blas_vectors.h"

static const Param params[] = {BLAS_DTYPE,           BLAS_ORDER, BLAS_UPLO,
                               BLAS_N("order of A"), BLAS_INCX,  BLAS_INCY,
                               BLAS_ALPHA,           BLAS_BETA,  P_END};
static const char *const tensors[] = {"ap", "x", "y", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    blas_shape_product(q, shapes, blas_packed_triangle(q, q->n));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_symmetric_product(refs, input, EXPAND_HERMITIAN, arena);
}

const OpDesc op_hpmv = {
    .name = "hpmv",
    .family = "blas",
    .version = 1,
    .summary = "packed hermitian matrix times vector",
    .size = sizeof(Blas),
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_COMPLEX,
    .shape = shape,
    .work = blas_work_square,
    .reference = reference,
};
