/* y = alpha op(A) x + beta y, op one of identity, transpose, conjugate transpose; A is m x n as
 * stored.
 *
 * beta = 0 must not read y, alpha = 0 must not read A and x (BLAS Technical Forum Standard, section
 * 2.7); where m or n is 0 the routine returns at once and y keeps its bits, whatever beta is
 * (section 2.5.3; reference implementation of xGEMV). */
#include "blas_vectors.h"

static const Param params[] = {
    BLAS_DTYPE, BLAS_ORDER, BLAS_TA,   BLAS_M("rows of A"), BLAS_N("columns of A"),
    BLAS_LDA,   BLAS_INCX,  BLAS_INCY, BLAS_ALPHA,          BLAS_BETA,
    P_END};
static const char *const tensors[] = {"a", "x", "y", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    blas_shape_product(q, shapes, blas_operated(blas_matrix(q, q->m, q->n, q->lda), q->ta));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_general_product(refs, input, arena);
}

const OpDesc op_gemv = {
    .name = "gemv",
    .summary = "matrix times vector",
    BLAS_OP_TABLES,
    .shape = shape,
    .work = blas_work_matrix,
    .reference = reference,
};
