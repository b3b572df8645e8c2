/* y = alpha op(A) x + beta y, A m x n with kl diagonals below the main one and ku above; rules as
 * for gemv. */
#include "blas_vectors.h"

static const Param params[] = {BLAS_DTYPE,
                               BLAS_ORDER,
                               BLAS_TA,
                               BLAS_M("rows of A"),
                               BLAS_N("columns of A"),
                               BLAS_BAND(kl, 1024, "diagonals below the main one"),
                               BLAS_BAND(ku, 1024, "diagonals above the main one"),
                               BLAS_LDA,
                               BLAS_INCX,
                               BLAS_INCY,
                               BLAS_ALPHA,
                               BLAS_BETA,
                               P_END};
static const char *const tensors[] = {"a", "x", "y", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    TensorSpec a = blas_band(q, q->m, q->n, q->kl, q->ku, q->lda);
    blas_shape_product(q, shapes, blas_operated(a, q->ta));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_general_product(refs, input, arena);
}

const OpDesc op_gbmv = {
    .name = "gbmv",
    .summary = "band matrix times vector",
    BLAS_OP_TABLES,
    .shape = shape,
    .work = blas_work_band,
    .reference = reference,
};
