/* op(A) X = B, A = P L U as getrf left it; B is overwritten by X.  Judged by the residual of each
 * row (solve.h).  The factors are any numbers, and ipiv any rows: those of B are exchanged in their
 * order, and of X backwards where A is transposed. */
#include "solve.h"

#include "reference/function.h"

static const Param params[] = {
    LAPACK_DTYPE, LAPACK_TRANS, LAPACK_N("rows and columns of A"), LAPACK_NRHS,
    LAPACK_LDA,   LAPACK_LDB,   LAPACK_HERMITIAN_MATRIX,           P_END,
};
static const char *const tensors[] = {"a", "ipiv", "b", "info", NULL};
enum { A, IPIV, B, INFO };

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 4, .depth = q->n};
    shapes->tensor[A] = lapack_matrix(q, q->n, q->n, q->lda, ROLE_IN);
    shapes->tensor[A].arrangement = lapack_hermitian_arrangement(q);
    shapes->tensor[IPIV] = lapack_pivots(q->n);
    shapes->tensor[B] = lapack_matrix(q, q->n, q->nrhs, q->ldb, ROLE_INOUT);
    shapes->tensor[INFO] = lapack_integers(1);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    bool plain = q->trans == TRANSPOSE_NONE;
    Matrix lu = matrix_read(&given[A], arena);
    int64_t *pivots = lapack_read_pivots(&given[IPIV], arena);
    Matrix lower = lapack_factor(&lu, true, true, arena);
    Matrix upper = lapack_factor(&lu, false, false, arena);
    bool conjugate = q->trans == TRANSPOSE_CONJUGATE;
    Matrix f = plain ? lower : lapack_transposed(&upper, conjugate, arena);
    Matrix g = plain ? upper : lapack_transposed(&lower, conjugate, arena);
    lapack_solve_reference(
        &(LapackSolve){.b_ref = &refs[B],
                       .f = &f,
                       .g = &g,
                       .b = &given[B],
                       .computed = input->computed ? &input->computed[B] : NULL,
                       .pivots = pivots,
                       .exchanges = plain ? EXCHANGE_RIGHT_SIDES : EXCHANGE_SOLUTIONS},
        arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
}

const OpDesc op_getrs = {
    .name = "getrs",
    .summary = "systems of equations by LU factors",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = lapack_solve_work,
    .reference = reference,
};
