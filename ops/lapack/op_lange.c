/* A norm of a matrix: the largest magnitude, the largest sum of a column or of a row, or Frobenius'
 * (norm.h). */
#include "norm.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,       LAPACK_NORM, LAPACK_M("rows of A"),
    LAPACK_N("columns of A"), LAPACK_LDA,  P_END,
};
static const char *const tensors[] = {"a", "result", NULL};
enum { A, RESULT };

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 2, .depth = q->m};
    shapes->tensor[A] = lapack_matrix(q, q->m, q->n, q->lda, ROLE_IN);
    shapes->tensor[RESULT] = lapack_norm_result(q);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    Matrix a = matrix_read(&input->tensors[A], arena);
    lapack_norm_reference(&refs[RESULT], &a, (DType)q->dtype, q->norm, arena);
}

const OpDesc op_lange = {
    .name = "lange",
    .summary = "norm of a matrix",
    LAPACK_OP_DIRECT,
    .shape = shape,
    .work = lapack_norm_work,
    .reference = reference,
};
