/* A = alpha x y^H + conj(alpha) y x^H + A, A hermitian; the imaginary parts of its diagonal become
 * 0. */
#include "blas_shapes.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_PARAMS_HER2, P_END};
static const char *const tensors[] = {"x", "y", "a", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_rank_two(refs, input, true, arena);
}

const OpDesc op_her2 = {
    .name = "her2",
    .summary = "hermitian rank-2 update",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_COMPLEX,
    .shape = blas_shape_of_her2,
    .work = blas_work_square,
    .reference = reference,
    .zeros = BLAS_ZEROS_KEPT,
};
