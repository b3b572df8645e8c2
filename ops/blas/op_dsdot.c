/* result = sum of x_i y_i in binary64, whose products are exact: the reduction lemma. */
#include "blas_shapes.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_PARAMS_DOT, P_END};
static const char *const tensors[] = {"x", "y", "result", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    blas_shape_dot(params_of_case, shapes, DT_F64);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_dot(refs, input, false, arena);
}

const OpDesc op_dsdot = {
    .name = "dsdot",
    .summary = "inner product of single precision vectors in double",
    BLAS_OP_TABLES,
    .dtypes = 1u << DT_F32,
    .shape = shape,
    .work = blas_work_vector,
    .reference = reference,
};
