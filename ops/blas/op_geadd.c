/* C = alpha A + beta C (an extension).  beta = 0 must not read C as in gemm; no text says so, which
 * makes it a policy of its own only where a library disagrees. */
#include "blas_copies.h"

static const Param params[] = {
    BLAS_DTYPE,
    BLAS_ORDER,
    P_DIM(Blas, m, 1, 1024, "rows of A and of C"),
    P_DIM(Blas, n, 1, 1024, "columns of A and of C"),
    BLAS_LDA,
    BLAS_LDC,
    BLAS_ALPHA,
    BLAS_BETA,
    P_END,
};
static const char *const tensors[] = {"a", "c", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    *shapes = (Shapes){.count = 2, .depth = 1};
    shapes->tensor[0] = blas_matrix(q, q->m, q->n, q->lda);
    shapes->tensor[1] = blas_role(blas_matrix(q, q->m, q->n, q->ldc), ROLE_INOUT);
    shapes->tensor[1].part = PART_ADDEND;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_matrix_sum(&refs[1], input->params, &input->tensors[0], &input->tensors[1], arena);
}

const OpDesc op_geadd = {
    .name = "geadd",
    .summary = "combination of two matrices (extension)",
    BLAS_OP_TABLES,
    .shape = shape,
    .work = blas_work_matrix,
    .reference = reference,
};
