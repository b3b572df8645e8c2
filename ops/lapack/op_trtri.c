/* The inverse of a triangular matrix, in place of its triangle.  Judged element by element against
 * the exact inverse (inverse.h).  A unit diagonal is neither read nor written.  info is the number
 * of the first element of the diagonal that is exactly 0: then nothing is said of A. */
#include "inverse.h"
#include "solve.h"

static const Param params[] = {
    LAPACK_DTYPE, LAPACK_UPLO, LAPACK_DIAG, LAPACK_N("rows and columns of A"), LAPACK_LDA, P_END,
};
static const char *const tensors[] = {"a", "info", NULL};
enum { A, INFO };

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 2, .depth = q->n};
    shapes->tensor[A] = lapack_triangle(q, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[INFO] = lapack_integers(1);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    bool lower = q->uplo == UPLO_LOWER, unit = q->diag == DIAGONAL_UNIT;
    Matrix stored = matrix_read(&input->tensors[A], arena);
    Matrix factor = lapack_factor(&stored, lower, unit, arena);
    if (!lower)
        factor = lapack_transposed(&factor, false, arena);
    triangle_reference(refs, input, &factor, triangle_inverse_put, !lower, arena);
}

const OpDesc op_trtri = {
    .name = "trtri",
    .summary = "inverse of a triangular matrix",
    LAPACK_OP_DIRECT,
    .shape = shape,
    .work = lapack_inverse_work,
    .reference = reference,
};
