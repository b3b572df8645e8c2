/* result = sum of x_i y_i, by the reduction lemma. */
#include "blas_vectors.h"

static const Param params[] = {BLAS_DTYPE, BLAS_LENGTH, BLAS_INCX, BLAS_INCY, P_END};
static const char *const tensors[] = {"x", "y", "result", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    blas_shape_dot(q, shapes, blas_dtype(q));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_dot(refs, input, false, arena);
}

const OpDesc op_dotu = {
    .name = "dotu",
    .family = "blas",
    .version = 1,
    .summary = "inner product of complex vectors",
    .size = sizeof(Blas),
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_COMPLEX,
    .shape = shape,
    .work = blas_work_vector,
    .reference = reference,
};
