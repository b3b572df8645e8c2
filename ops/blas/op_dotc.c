/* result = sum of conj(x_i) y_i, by the reduction lemma. */
#include "blas_shapes.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_PARAMS_DOT, P_END};
static const char *const tensors[] = {"x", "y", "result", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_dot(refs, input, true, arena);
}

const OpDesc op_dotc = {
    .name = "dotc",
    .summary = "inner product of complex vectors, the first conjugated",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_COMPLEX,
    .shape = blas_shape_of_dot,
    .work = blas_work_vector,
    .reference = reference,
};
