/* y = alpha x + beta y, an extension.  No standard says whether a factor of 0 leaves its vector
 * unread, so that both are defined data.  Bounds as for axpy. */
#include "blas_vectors.h"
#include "reference/elementwise.h"

static const Param params[] = {BLAS_DTYPE,     BLAS_LENGTH, BLAS_ALPHA, BLAS_BETA,
                               BLAS_INCX_ZERO, BLAS_INCY,   P_END};
static const char *const tensors[] = {"x", "y", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    blas_shape_xy(params_of_case, shapes, ROLE_IN, ROLE_INOUT);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    DType dtype = blas_dtype(q);
    if (dtype_components(dtype) == 1) {
        combination_reference(
            &refs[1],
            &(CombinationInput){input->tensors[0], input->tensors[1], q->alpha.re, q->beta.re},
            arena);
        return;
    }
    Ref addend;
    AffineInput product = {
        .a = input->tensors[0],
        .b = blas_scalar_tensor(dtype, q->alpha, arena),
        .c = blas_shape_only(dtype, q->n, 1),
        .alpha = {1, 0},
    };
    affine_reference(&refs[1], &product, arena);
    product.a = input->tensors[1];
    product.b = blas_scalar_tensor(dtype, q->beta, arena);
    affine_reference(&addend, &product, arena);
    ref_add(&refs[1], &addend, ADD_PLAIN);
}

const OpDesc op_axpby = {
    .name = "axpby",
    .summary = "combination of two vectors (extension)",
    BLAS_OP_TABLES,
    .in_place = true,
    .shape = shape,
    .work = blas_work_vector,
    .reference = reference,
};
