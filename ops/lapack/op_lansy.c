/* A norm of a symmetric matrix, hermitian where it is complex, of which one triangle is stored
 * (norm.h); imaginary parts of its diagonal are not read. */
#include "norm.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_NORM, LAPACK_UPLO, LAPACK_N("rows and columns of A"),
    LAPACK_LDA,         P_END,
};
static const char *const tensors[] = {"a", "result", NULL};
enum { A, RESULT };

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 2, .depth = q->n};
    shapes->tensor[A] = lapack_triangle(q, q->n, q->lda, ROLE_IN);
    shapes->tensor[RESULT] = lapack_norm_result(q);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    Matrix a = matrix_read(&input->tensors[A], arena);
    for (int64_t i = 0; i < q->n; i++) {
        matrix_at(&a, i, i)->im = 0;
        for (int64_t j = 0; j < i; j++)
            if (q->uplo == UPLO_LOWER)
                *matrix_at(&a, j, i) = *matrix_at(&a, i, j);
            else
                *matrix_at(&a, i, j) = *matrix_at(&a, j, i);
    }
    lapack_norm_reference(&refs[RESULT], &a, (DType)q->dtype, q->norm, arena);
}

const OpDesc op_lansy = {
    .name = "lansy",
    .summary = "norm of a symmetric or hermitian matrix",
    LAPACK_OP_DIRECT,
    .shape = shape,
    .work = lapack_norm_work,
    .reference = reference,
};
