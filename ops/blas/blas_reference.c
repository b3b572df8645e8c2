/* From stored operands to the inputs of the references. */
#include "blas.h"

Tensor blas_triangular_factor(const Blas *q, const Tensor *stored, Arena *arena)
{
    Tensor dense = tensor_expanded(stored, EXPAND_TRIANGULAR, arena);
    return q->ta == TRANSPOSE_NONE ? dense : tensor_transposed(dense);
}

Tensor blas_scalar_tensor(DType dtype, Scalar scalar, Arena *arena)
{
    Tensor tensor = blas_shape_only(dtype, 1, 1);
    tensor.origin = arena_take_zeroed(arena, 1, dtype_size(dtype));
    dtype_store(dtype, tensor.origin, 0, scalar.re);
    if (dtype_components(dtype) == 2)
        dtype_store(dtype, tensor.origin, 1, scalar.im);
    return tensor;
}

Tensor blas_shape_only(DType dtype, int64_t rows, int64_t columns)
{
    return tensor_matrix(dtype, rows, columns, columns, 1, NULL);
}

void blas_clear_diagonal(Ref *ref)
{
    if (dtype_components(ref->dtype) == 1)
        return;
    for (size_t i = 0; i < ref->rows; i++)
        ref_set_exact(ref, 2 * (i * ref->columns + i) + 1, 0, MATCH_ROUNDED);
}

void blas_affine(Ref *ref, AffineInput *affine, const ReferenceInput *input, Arena *arena)
{
    affine->want_square = input->exchangeable;
    affine->signs_drawn = input->signs_drawn;
    affine_reference(ref, affine, arena);
}
