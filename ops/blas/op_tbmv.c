/* x = op(A) x, A band triangular. */
#include "blas_vectors.h"

static const Param params[] = {BLAS_DTYPE,
                               BLAS_ORDER,
                               BLAS_UPLO,
                               BLAS_TA,
                               BLAS_DIAG,
                               BLAS_N("order of A"),
                               BLAS_K("diagonals beside the main one"),
                               BLAS_LDA,
                               BLAS_INCX,
                               P_END};
static const char *const tensors[] = {"a", "x", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    blas_shape_in_place(q, shapes, blas_band_triangle(q, q->n, q->lda));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_triangular_product(refs, input, arena);
}

const OpDesc op_tbmv = {
    .name = "tbmv",
    .family = "blas",
    .version = 1,
    .summary = "band triangular matrix times vector",
    .size = sizeof(Blas),
    .params = params,
    .tensors = tensors,
    .shape = shape,
    .work = blas_work_band,
    .reference = reference,
};
