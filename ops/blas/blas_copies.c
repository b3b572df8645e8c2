/* Scaled copies. */
#include "blas_copies.h"

#include <math.h>

/* No text says whether alpha = 0 multiplies: NaN is admitted beside 0 where the element, or its
 * other part, is not finite. */
static void admit_products_with_zero(Ref *ref, const Tensor *a)
{
    int64_t components = dtype_components(a->dtype);
    for (size_t element = 0; element < ref->count; element++) {
        int64_t entry = (int64_t)element / components;
        int64_t at = tensor_offset(a, entry / a->extent[1], entry % a->extent[1]) * components;
        for (int64_t part = 0; part < components; part++)
            if (!isfinite(dtype_load(a->dtype, a->origin, at + part)))
                ref_set_classes(ref, element, CLASS_FINITE | CLASS_NAN);
    }
}

void blas_scaled_copy(Ref *ref, const Blas *q, const Tensor *a, Arena *arena)
{
    AffineInput affine = {
        .a = blas_shape_only(blas_dtype(q), a->extent[0], 0),
        .b = blas_shape_only(blas_dtype(q), 0, a->extent[1]),
        .c = *a,
        .conjugate_c = q->ta == TRANSPOSE_CONJUGATE,
        .alpha = {1, 0},
        .beta = q->alpha,
    };
    affine_reference(ref, &affine, arena);
    if (scalar_is_zero(q->alpha))
        admit_products_with_zero(ref, a);
}
