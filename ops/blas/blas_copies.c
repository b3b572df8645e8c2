/* Scaled copies. */
#include "blas_copies.h"

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
}
