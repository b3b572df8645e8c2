/* y = alpha x + y.  alpha = 0 leaves y alone and does not read x.  Real types: the outcome is one
 * of two, fused or not (reference/elementwise.h); complex types: the reduction lemma with alpha as
 * a factor. */
#include "blas_vectors.h"
#include "reference/elementwise.h"

static const Param params[] = {BLAS_DTYPE,     BLAS_LENGTH, BLAS_ALPHA,
                               BLAS_INCX_ZERO, BLAS_INCY,   P_END};
static const char *const tensors[] = {"x", "y", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    blas_shape_xy(q, shapes, ROLE_IN, ROLE_INOUT);
    shapes->tensor[0].ignored = scalar_is_zero(q->alpha);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    const Tensor *x = &input->tensors[0], *y = &input->tensors[1];
    if (scalar_is_zero(q->alpha)) {
        copy_reference(&refs[1], y, arena);
        return;
    }
    if (dtype_components(blas_dtype(q)) == 1) {
        combination_reference(&refs[1], &(CombinationInput){*x, *y, q->alpha.re, 1}, arena);
        return;
    }
    AffineInput affine = {
        .a = *x,
        .b = blas_scalar_tensor(blas_dtype(q), q->alpha, arena),
        .c = *y,
        .alpha = {1, 0},
        .beta = {1, 0},
    };
    affine_reference(&refs[1], &affine, arena);
}

const OpDesc op_axpy = {
    .name = "axpy",
    .summary = "multiple of a vector added to a vector",
    BLAS_OP_TABLES,
    .in_place = true,
    .shape = shape,
    .work = blas_work_vector,
    .reference = reference,
    .zeros = BLAS_ZEROS_KEPT,
};
