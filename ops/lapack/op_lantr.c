/* A norm of a trapezoidal matrix: the triangle that is stored of m x n elements (norm.h); a unit
 * diagonal is not read. */
#include "norm.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,       LAPACK_NORM, LAPACK_UPLO, LAPACK_DIAG, LAPACK_M("rows of A"),
    LAPACK_N("columns of A"), LAPACK_LDA,  P_END,
};
static const char *const tensors[] = {"a", "result", NULL};
enum { A, RESULT };

/* An upper trapezoid has no more rows than columns, a lower one no fewer. */
static void normalise(void *of)
{
    Lapack *q = of;
    if (q->uplo == UPLO_UPPER)
        q->m = q->m > q->n ? q->n : q->m;
    else
        q->n = q->n > q->m ? q->m : q->n;
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 2, .depth = q->m};
    TensorSpec a = lapack_matrix(q, q->m, q->n, q->lda, ROLE_IN);
    TensorSpec square = lapack_triangle(q, q->m, q->lda, ROLE_IN);
    a.layout.limited = square.layout.limited;
    a.layout.below = square.layout.below;
    a.layout.above = square.layout.above;
    if (q->uplo == UPLO_UPPER)
        a.layout.above = q->n;
    else
        a.layout.below = q->m;
    shapes->tensor[A] = a;
    shapes->tensor[RESULT] = lapack_norm_result(q);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    Matrix a = matrix_read(&input->tensors[A], arena);
    for (int64_t i = 0; i < q->m && i < q->n && q->diag == DIAGONAL_UNIT; i++)
        *matrix_at(&a, i, i) = (Scalar){1, 0};
    lapack_norm_reference(&refs[RESULT], &a, (DType)q->dtype, q->norm, arena);
}

const OpDesc op_lantr = {
    .name = "lantr",
    .summary = "norm of a trapezoidal matrix",
    LAPACK_OP_DIRECT,
    .normalise = normalise,
    .shape = shape,
    .work = lapack_norm_work,
    .reference = reference,
};
