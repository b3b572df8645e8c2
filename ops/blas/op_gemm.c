/* C = alpha op(A) op(B) + beta C, op one of identity, transpose, conjugate transpose.
 *
 * beta = 0 must not read C, alpha = 0 or k = 0 must not read A and B (BLAS Technical Forum
 * Standard, section 2.7).  Bound: the reduction lemma (oracle/bound.h) per component. */
#include "blas_matrices.h"

static const Param params[] = {BLAS_DTYPE,
                               BLAS_ORDER,
                               BLAS_TA,
                               BLAS_TB,
                               BLAS_M("rows of op(A) and of C"),
                               BLAS_N("columns of op(B) and of C"),
                               BLAS_K("columns of op(A), rows of op(B)"),
                               BLAS_LDA,
                               BLAS_LDB,
                               BLAS_LDC,
                               BLAS_ALPHA,
                               BLAS_BETA,
                               P_END};
static const char *const tensors[] = {"a", "b", "c", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    blas_shape_gemm(q, shapes, q->m, blas_matrix(q, q->m, q->n, q->ldc));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_gemm(refs, input, arena);
}

const OpDesc op_gemm = {
    .name = "gemm",
    .family = "blas",
    .version = 1,
    .summary = "matrix times matrix",
    .size = sizeof(Blas),
    .params = params,
    .tensors = tensors,
    .shape = shape,
    .work = blas_work_mnk,
    .reference = reference,
};
