/* result = alpha + sum of x_i y_i, accumulated in binary64 and rounded once to binary32: the
 * reduction lemma in binary64 and one rounding. */
#include "blas_vectors.h"

static const Param params[] = {
    BLAS_DTYPE,
    BLAS_LENGTH,
    BLAS_INCX_ZERO,
    BLAS_INCY_ZERO,
    P_SCALAR(Blas, alpha, 0, "number that is added"),
    P_END,
};
static const char *const tensors[] = {"x", "y", "result", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    blas_shape_dot(params_of_case, shapes, DT_F32);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    AffineInput affine = {
        .a = tensor_transposed(input->tensors[0]),
        .b = input->tensors[1],
        .c = blas_scalar_tensor(DT_F64, q->alpha, arena),
        .alpha = {1, 0},
        .beta = {1, 0},
    };
    affine_reference(&refs[2], &affine, arena);
    ref_narrow(&refs[2], DT_F32);
}

const OpDesc op_sdsdot = {
    .name = "sdsdot",
    .summary = "inner product accumulated in double, rounded to single",
    BLAS_OP_TABLES,
    .dtypes = 1u << DT_F32,
    .shape = shape,
    .work = blas_work_vector,
    .reference = reference,
};
