/* Scaled copies and their sums. */
#include "blas_copies.h"

#include <math.h>

#include "reference/elementwise.h"

void blas_admit_zero_products(Ref *ref, const Tensor *a)
{
    int64_t components = dtype_components(a->dtype);
    for (size_t element = 0; element < ref->count; element++) {
        int64_t entry = (int64_t)element / components;
        int64_t at = tensor_offset(a, entry / a->extent[1], entry % a->extent[1]) * components;
        for (int64_t part = 0; part < components; part++)
            if (!isfinite(dtype_load(a->dtype, a->origin, at + part)))
                ref_set_classes(ref, element, ref->classes[element] | CLASS_NAN);
    }
}

/* The matrix times a scalar, as the sum of one product per element. */
static AffineInput scaled(const Blas *q, const Tensor *matrix, int64_t transpose, Scalar factor)
{
    return (AffineInput){
        .a = blas_shape_only(blas_dtype(q), matrix->extent[0], 0),
        .b = blas_shape_only(blas_dtype(q), 0, matrix->extent[1]),
        .c = *matrix,
        .conjugate_c = transpose == TRANSPOSE_CONJUGATE,
        .alpha = {1, 0},
        .beta = factor,
    };
}

void blas_scaled_copy(Ref *ref, const Blas *q, const Tensor *a, Arena *arena)
{
    AffineInput affine = scaled(q, a, q->ta, q->alpha);
    affine_reference(ref, &affine, arena);
    if (scalar_is_zero(q->alpha))
        blas_admit_zero_products(ref, a);
}

void blas_matrix_sum(Ref *ref, const Blas *q, const Tensor *a, const Tensor *b, Arena *arena)
{
    if (dtype_components(blas_dtype(q)) == 1) {
        combination_reference(ref, &(CombinationInput){*a, *b, q->alpha.re, q->beta.re}, arena);
        return;
    }
    Ref addend;
    AffineInput first = scaled(q, a, q->ta, q->alpha), second = scaled(q, b, q->tb, q->beta);
    affine_reference(ref, &first, arena);
    affine_reference(&addend, &second, arena);
    ref_add(ref, &addend, ADD_PLAIN);
}
