/* The inverse of A = L L^H or U^H U from its Cholesky factor as potrf leaves it; the stored
 * triangle is overwritten by that of the inverse.  Judged element by element against the exact
 * inverse of the product (inverse.h).  The factor is any triangle with a real diagonal; the other
 * triangle must neither be read nor written.  info is the number of the first element of the
 * diagonal that is exactly 0: then nothing is said of A. */
#include "inverse.h"
#include "solve.h"

static const Param params[] = {
    LAPACK_DTYPE,
    LAPACK_UPLO,
    LAPACK_N("rows and columns of A"),
    LAPACK_LDA,
    LAPACK_HERMITIAN_MATRIX,
    P_END,
};
static const char *const tensors[] = {"a", "info", NULL};
enum { A, INFO };

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    bool lower = q->uplo == UPLO_LOWER;
    Matrix stored = matrix_read(&input->tensors[A], arena);
    Matrix factor = lower ? stored : lapack_transposed(&stored, true, arena);
    triangle_reference(refs, input, &factor, triangle_gram_put, false, arena);
}

const OpDesc op_potri = {
    .name = "potri",
    .summary = "inverse of a matrix by its Cholesky factor",
    LAPACK_OP_DIRECT,
    .shape = lapack_hermitian_shape,
    .work = lapack_inverse_work,
    .reference = reference,
};
