/* A X = B by P A = L U; A is overwritten by the factors, B by X.  The factors are judged as lu.h
 * says, and X by the residual of each row given the factors that were computed (solve.h).  Where
 * info says that U has a 0 on its diagonal, nothing is said of B. */
#include "lu.h"
#include "reference/function.h"
#include "solve.h"

static const Param params[] = {
    LAPACK_DTYPE, LAPACK_N("rows and columns of A"),
    LAPACK_NRHS,  LAPACK_LDA,
    LAPACK_LDB,   LAPACK_MATRIX,
    P_END,
};
static const char *const tensors[] = {"a", "ipiv", "b", "info", NULL};
enum { A, IPIV, B, INFO };

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 4, .depth = q->n};
    shapes->tensor[A] = lapack_matrix(q, q->n, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[A].arrangement = lapack_arrangement(q);
    shapes->tensor[IPIV] = lapack_integers(q->n);
    shapes->tensor[B] = lapack_matrix(q, q->n, q->nrhs, q->ldb, ROLE_INOUT);
    shapes->tensor[INFO] = lapack_integers(1);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *before = input->tensors, *after = input->computed;
    LuFactors factors;
    const LapackLu lu = {.a_ref = &refs[A],
                         .ipiv_ref = &refs[IPIV],
                         .info_ref = &refs[INFO],
                         .a = &before[A],
                         .ipiv = &before[IPIV],
                         .info = &before[INFO],
                         .computed_a = after ? &after[A] : NULL,
                         .computed_ipiv = after ? &after[IPIV] : NULL,
                         .computed_info = after ? &after[INFO] : NULL};
    if (!lapack_lu_reference(&lu, &factors, arena)) {
        lapack_admit_all(&refs[B], &before[B], arena);
        return;
    }
    Matrix f = lapack_factor(&factors.lu, true, true, arena);
    Matrix g = lapack_factor(&factors.lu, false, false, arena);
    lapack_solve_reference(&(LapackSolve){.b_ref = &refs[B],
                                          .f = &f,
                                          .g = &g,
                                          .b = &before[B],
                                          .computed = after ? &after[B] : NULL,
                                          .pivots = factors.pivots,
                                          .exchanges = EXCHANGE_RIGHT_SIDES},
                           arena);
}

const OpDesc op_gesv = {
    .name = "gesv",
    .summary = "systems of equations by LU factorization",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = lapack_solve_work,
    .reference = reference,
};
