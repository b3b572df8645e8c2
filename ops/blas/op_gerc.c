/* A = alpha x y^H + A, A m x n. */
#include "blas_vectors.h"

static const Param params[] = {BLAS_DTYPE,
                               BLAS_ORDER,
                               BLAS_M("rows of A"),
                               BLAS_N("columns of A"),
                               BLAS_INCX,
                               BLAS_INCY,
                               BLAS_LDA,
                               BLAS_ALPHA,
                               P_END};
static const char *const tensors[] = {"x", "y", "a", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    blas_shape_update(q, shapes, blas_matrix(q, q->m, q->n, q->lda), true);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_outer_product(refs, input, true, arena);
}

const OpDesc op_gerc = {
    .name = "gerc",
    .family = "blas",
    .version = 1,
    .summary = "outer product added to a matrix, y conjugated",
    .size = sizeof(Blas),
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_COMPLEX,
    .shape = shape,
    .work = blas_work_matrix,
    .reference = reference,
};
