/* x = op(A) x, A triangular. */
#include "blas_vectors.h"

static const Param params[] = {BLAS_DTYPE,           BLAS_ORDER, BLAS_UPLO, BLAS_TA, BLAS_DIAG,
                               BLAS_N("order of A"), BLAS_LDA,   BLAS_INCX, P_END};
static const char *const tensors[] = {"a", "x", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    blas_shape_in_place(q, shapes, blas_triangle(q, q->n, q->lda));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_triangular_product(refs, input, arena);
}

const OpDesc op_trmv = {
    .name = "trmv",
    .family = "blas",
    .version = 1,
    .summary = "triangular matrix times vector",
    .size = sizeof(Blas),
    .params = params,
    .tensors = tensors,
    .shape = shape,
    .work = blas_work_square,
    .reference = reference,
};
