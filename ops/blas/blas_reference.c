/* From stored operands to the inputs of the references. */
#include <string.h>

#include "blas.h"

static void copy_element(const Tensor *from, int64_t i, int64_t j, Tensor *to, int64_t row,
                         int64_t column, bool conjugate)
{
    size_t size = dtype_size(from->dtype);
    char *at = (char *)to->origin + (row * to->stride[0] + column) * (int64_t)size;
    memcpy(at, (const char *)from->origin + tensor_offset(from, i, j) * (int64_t)size, size);
    if (!conjugate || dtype_components(from->dtype) == 1)
        return;
    double imaginary = dtype_load(from->dtype, at, 1);
    dtype_store(from->dtype, at, 1, row == column ? 0 : -imaginary);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The zeros that the dense copy has by structure. */
static void limit_dense(Tensor *dense, const Tensor *stored, BlasExpansion expansion)
{
    int64_t below = larger(stored->below, 0), above = larger(stored->above, 0);
    dense->limited = true;
    dense->below = expansion == EXPAND_TRIANGULAR ? below : larger(below, above);
    dense->above = expansion == EXPAND_TRIANGULAR ? above : larger(below, above);
    if (dense->below >= dense->extent[0] - 1 && dense->above >= dense->extent[1] - 1)
        dense->limited = false;
}

Tensor blas_dense(const Tensor *stored, BlasExpansion expansion, Arena *arena)
{
    int64_t rows = stored->extent[0], columns = stored->extent[1];
    size_t size = dtype_size(stored->dtype);
    Tensor dense = {.dtype = stored->dtype,
                    .rank = 2,
                    .extent = {rows, columns},
                    .stride = {columns, 1},
                    .origin = arena_take_zeroed(arena, (size_t)(rows * columns) + 1, size)};
    for (int64_t i = 0; i < rows; i++) {
        TensorRow row = tensor_row(stored, i);
        for (int64_t j = row.first; j < row.end; j++) {
            copy_element(stored, i, j, &dense, i, j, expansion == EXPAND_HERMITIAN && i == j);
            if (expansion != EXPAND_TRIANGULAR && i != j)
                copy_element(stored, i, j, &dense, j, i, expansion == EXPAND_HERMITIAN);
        }
        if (expansion == EXPAND_TRIANGULAR && i < columns && (row.first > i || row.end <= i))
            dtype_store(stored->dtype, (char *)dense.origin + i * (columns + 1) * (int64_t)size, 0,
                        1);
    }
    limit_dense(&dense, stored, expansion);
    return dense;
}

Tensor blas_triangular_factor(const Blas *q, const Tensor *stored, Arena *arena)
{
    Tensor dense = blas_dense(stored, EXPAND_TRIANGULAR, arena);
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
