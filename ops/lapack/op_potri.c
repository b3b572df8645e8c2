/* The inverse of A = L L^H or U^H U from its Cholesky factor as potrf leaves it; the stored
 * triangle is overwritten by that of the inverse.  Judged element by element against the exact
 * inverse of the product (inverse.h).  The factor is any triangle with a real diagonal; the other
 * triangle must neither be read nor written.  info is the number of the first element of the
 * diagonal that is exactly 0: then nothing is said of A. */
#include "inverse.h"
#include "lapack.h"
#include "reference/function.h"
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
    const Tensor *a = &input->tensors[A];
    bool lower = q->uplo == UPLO_LOWER;
    Matrix stored = matrix_read(a, arena);
    Matrix factor = lower ? stored : lapack_transposed(&stored, true, arena);
    int64_t zero = lapack_first_zero(&factor);
    ref_allocate_exact(&refs[INFO], &input->tensors[INFO], arena);
    lapack_put_integer(&refs[INFO], 0, zero, zero, zero);
    lapack_admit_all(&refs[A], a, arena);
    if (zero)
        return;
    TriangleInverse inverse = triangle_inverse(&factor, a->dtype, arena);
    for (int64_t i = 0; i < q->n; i++) {
        TensorRow row = tensor_row(a, i);
        for (int64_t j = row.first; j < row.end; j++)
            triangle_gram_put(&inverse, &refs[A], matrix_element(&refs[A], i, j), i, j);
    }
}

const OpDesc op_potri = {
    .name = "potri",
    .summary = "inverse of a matrix by its Cholesky factor",
    LAPACK_OP_DIRECT,
    .shape = lapack_hermitian_shape,
    .work = lapack_inverse_work,
    .reference = reference,
};
