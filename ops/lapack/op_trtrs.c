/* op(A) X = B, A triangular; B is overwritten by X.  X is judged as that of trsm is, each unknown
 * by its equation (reference/solve.h).  info is the number of the first element of the diagonal
 * that is exactly 0: then X is not computed, and nothing is said of B. */
#include "lapack.h"
#include "ops/blas/blas_matrices.h"
#include "reference/function.h"

static const Param params[] = {
    LAPACK_DTYPE, LAPACK_UPLO, LAPACK_TRANS, LAPACK_DIAG, LAPACK_N("rows and columns of A"),
    LAPACK_NRHS,  LAPACK_LDA,  LAPACK_LDB,   P_END,
};
static const char *const tensors[] = {"a", "b", "info", NULL};
enum { A, B, INFO };

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 3, .depth = q->n};
    shapes->tensor[A] = lapack_triangle(q, q->n, q->lda, ROLE_IN);
    shapes->tensor[B] = lapack_matrix(q, q->n, q->nrhs, q->ldb, ROLE_INOUT);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 2 * lapack_parts(q) * (double)(q->n * q->nrhs) * (double)(q->n + 8);
}

/* The number of the first 0 on the diagonal, 0 where there is none. */
static int64_t first_zero(const Lapack *q, const Tensor *a, Arena *arena)
{
    Matrix stored = matrix_read(a, arena);
    for (int64_t i = 0; i < q->n && q->diag == DIAGONAL_STORED; i++)
        if (scalar_is_zero(*matrix_at(&stored, i, i)))
            return i + 1;
    return 0;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    int64_t zero = first_zero(q, &given[A], arena);
    const Blas blas = {.dtype = q->dtype,
                       .uplo = q->uplo,
                       .ta = q->trans,
                       .diag = q->diag,
                       .m = q->n,
                       .n = q->nrhs,
                       .alpha = {1, 0}};
    ReferenceInput solve = *input;
    solve.params = &blas;
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    lapack_put_integer(&refs[INFO], 0, zero, zero, zero);
    if (zero)
        lapack_admit_all(&refs[B], &given[B], arena);
    else
        blas_triangular_solve_many(refs, &solve, arena);
}

const OpDesc op_trtrs = {
    .name = "trtrs",
    .summary = "triangular system, checked for singularity",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
};
