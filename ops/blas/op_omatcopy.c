/* B = alpha op(A), A rows x columns as stored, op one of identity, transpose, conjugate transpose
 * (an extension): one rounding per component where alpha is real. */
#include "blas_copies.h"

static const Param params[] = {BLAS_COPY_PARAMS, P_END};
static const char *const tensors[] = {"a", "b", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    bool plain = q->ta == TRANSPOSE_NONE;
    *shapes = (Shapes){.count = 2, .depth = 1};
    shapes->tensor[0] = blas_operated(blas_matrix(q, q->m, q->n, q->lda), q->ta);
    shapes->tensor[1] = blas_matrix(q, plain ? q->m : q->n, plain ? q->n : q->m, q->ldb);
    shapes->tensor[1].role = ROLE_OUT;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_scaled_copy(&refs[1], input->params, &input->tensors[0], arena);
}

const OpDesc op_omatcopy = {
    .name = "omatcopy",
    .summary = "scaled copy or transpose of a matrix (extension)",
    BLAS_OP_TABLES,
    .shape = shape,
    .work = blas_work_matrix,
    .reference = reference,
};
