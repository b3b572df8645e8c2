/* A X = B, A = L L^H or U^H U as potrf left it; B is overwritten by X.  Judged by the residual of
 * each row (solve.h).  The factor is any triangle with a real diagonal; the other triangle must not
 * be read. */
#include "solve.h"

#include "reference/function.h"

static const Param params[] = {
    LAPACK_DTYPE, LAPACK_UPLO, LAPACK_N("rows and columns of A"), LAPACK_NRHS,
    LAPACK_LDA,   LAPACK_LDB,  LAPACK_HERMITIAN_MATRIX,           P_END,
};
static const char *const tensors[] = {"a", "b", "info", NULL};
enum { A, B, INFO };

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 3, .depth = q->n};
    shapes->tensor[A] = lapack_triangle(q, q->n, q->lda, ROLE_IN);
    shapes->tensor[A].arrangement = lapack_hermitian_arrangement(q);
    shapes->tensor[B] = lapack_matrix(q, q->n, q->nrhs, q->ldb, ROLE_INOUT);
    shapes->tensor[INFO] = lapack_integers(1);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    Matrix stored = matrix_read(&given[A], arena);
    Matrix turned = lapack_transposed(&stored, true, arena);
    bool lower = q->uplo == UPLO_LOWER;
    lapack_solve_reference(&(LapackSolve){.b_ref = &refs[B],
                                          .f = lower ? &stored : &turned,
                                          .g = lower ? &turned : &stored,
                                          .b = &given[B],
                                          .computed = input->computed ? &input->computed[B] : NULL},
                           arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
}

const OpDesc op_potrs = {
    .name = "potrs",
    .summary = "systems of equations by a Cholesky factor",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = lapack_solve_work,
    .reference = reference,
};
