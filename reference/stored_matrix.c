/* Dense copies of matrices of which a part is stored. */
#include "stored_matrix.h"

#include <string.h>

/* Element (i, j), whose imaginary part is multiplied by 1, -1 or 0. */
static void copy_element(const Tensor *from, int64_t i, int64_t j, Tensor *to, int64_t row,
                         int64_t column, int imaginary)
{
    size_t size = dtype_size(from->dtype);
    char *at = (char *)to->origin + (row * to->stride[0] + column) * (int64_t)size;
    memcpy(at, (const char *)from->origin + tensor_offset(from, i, j) * (int64_t)size, size);
    if (imaginary == 1 || dtype_components(from->dtype) == 1)
        return;
    dtype_store(from->dtype, at, 1, imaginary == 0 ? 0 : -dtype_load(from->dtype, at, 1));
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The zeros that the dense copy has by structure. */
static void limit_dense(Tensor *dense, const Tensor *stored, Expansion expansion)
{
    int64_t below = larger(stored->below, 0), above = larger(stored->above, 0);
    dense->limited = true;
    dense->below = expansion == EXPAND_TRIANGULAR ? below : larger(below, above);
    dense->above = expansion == EXPAND_TRIANGULAR ? above : larger(below, above);
    if (dense->below >= dense->extent[0] - 1 && dense->above >= dense->extent[1] - 1)
        dense->limited = false;
}

static Tensor zero_matrix(DType dtype, int64_t rows, int64_t columns, Arena *arena)
{
    void *origin = arena_take_zeroed(arena, (size_t)(rows * columns) + 1, dtype_size(dtype));
    return tensor_matrix(dtype, rows, columns, columns, 1, origin);
}

Tensor tensor_expanded(const Tensor *stored, Expansion expansion, Arena *arena)
{
    int64_t rows = stored->extent[0], columns = stored->extent[1];
    size_t size = dtype_size(stored->dtype);
    bool hermitian = expansion == EXPAND_HERMITIAN;
    Tensor dense = zero_matrix(stored->dtype, rows, columns, arena);
    for (int64_t i = 0; i < rows; i++) {
        TensorRow row = tensor_row(stored, i);
        for (int64_t j = row.first; j < row.end; j++) {
            copy_element(stored, i, j, &dense, i, j, hermitian && i == j ? 0 : 1);
            if (expansion != EXPAND_TRIANGULAR && i != j)
                copy_element(stored, i, j, &dense, j, i, hermitian ? -1 : 1);
        }
        if (expansion == EXPAND_TRIANGULAR && i < columns && (row.first > i || row.end <= i))
            dtype_store(stored->dtype, (char *)dense.origin + i * (columns + 1) * (int64_t)size, 0,
                        1);
    }
    limit_dense(&dense, stored, expansion);
    return dense;
}

static bool is_stored(const Tensor *view, int64_t i, int64_t j)
{
    TensorRow row = tensor_row(view, i);
    return j >= row.first && j < row.end;
}

/* What is at (i, j) of the matrix, put to a place of a dense one that is 0. */
static void put_element(const StoredMatrix *f, int64_t i, int64_t j, Tensor *to, int64_t row,
                        int64_t column)
{
    bool mirrors = f->expansion == EXPAND_SYMMETRIC || f->expansion == EXPAND_HERMITIAN;
    if (is_stored(&f->view, i, j))
        copy_element(&f->view, i, j, to, row, column, i == j && f->real_diagonal ? 0 : 1);
    else if (mirrors && is_stored(&f->view, j, i))
        copy_element(&f->view, j, i, to, row, column, f->expansion == EXPAND_HERMITIAN ? -1 : 1);
    else if (f->expansion == EXPAND_TRIANGULAR && i == j)
        dtype_store(to->dtype, to->origin,
                    (row * to->stride[0] + column) * dtype_components(to->dtype), 1);
}

Scalar stored_element(const StoredMatrix *f, int64_t i, int64_t j)
{
    bool mirrors = f->expansion == EXPAND_SYMMETRIC || f->expansion == EXPAND_HERMITIAN;
    bool stored = is_stored(&f->view, i, j), mirrored = !stored && mirrors;
    if (!stored && !(mirrors && is_stored(&f->view, j, i)))
        return (Scalar){f->expansion == EXPAND_TRIANGULAR && i == j ? 1 : 0, 0};
    int components = dtype_components(f->view.dtype);
    int64_t at =
        (mirrored ? tensor_offset(&f->view, j, i) : tensor_offset(&f->view, i, j)) * components;
    Scalar x = {dtype_load(f->view.dtype, f->view.origin, at), 0};
    if (components == 2 && !(i == j && f->real_diagonal))
        x.im = dtype_load(f->view.dtype, f->view.origin, at + 1);
    bool turned = f->conjugate != (mirrored && f->expansion == EXPAND_HERMITIAN);
    return turned ? (Scalar){x.re, -x.im} : x;
}

Tensor stored_rows(const StoredMatrix *f, const size_t *rows, size_t count, Arena *arena)
{
    int64_t columns = f->view.extent[1];
    if (f->patches)
        return patches_rows(f->patches, rows, count, arena);
    if (!rows && f->expansion != EXPAND_NONE)
        return tensor_expanded(&f->view, f->expansion, arena);
    if (!rows && !f->real_diagonal)
        return f->view;
    Tensor some = zero_matrix(f->view.dtype, (int64_t)count, columns, arena);
    for (size_t k = 0; k < count; k++)
        for (int64_t j = 0; j < columns; j++)
            put_element(f, (int64_t)(rows ? rows[k] : k), j, &some, (int64_t)k, j);
    if (!rows)
        limit_dense(&some, &f->view, EXPAND_TRIANGULAR);
    return some;
}

Tensor stored_dense(const StoredMatrix *f, Arena *arena)
{
    return stored_rows(f, NULL, (size_t)f->view.extent[0], arena);
}

/* Elements that lie `step` bytes apart, of one size that the compiler knows. */
static void gather(char *to, const char *from, int64_t step, int64_t count, size_t size)
{
    for (int64_t i = 0; i < count; i++)
        memcpy(to + i * (int64_t)size, from + i * step, size);
}

/* Elements first..end - 1 of a row that is not packed. */
static void copy_span(const Tensor *from, int64_t row, int64_t first, int64_t end, char *to)
{
    size_t size = dtype_size(from->dtype);
    int64_t step = from->stride[1] * (int64_t)size;
    const char *at = (const char *)from->origin + tensor_offset(from, row, first) * (int64_t)size;
    if (size == sizeof(float))
        gather(to, at, step, end - first, sizeof(float));
    else if (size == sizeof(double))
        gather(to, at, step, end - first, sizeof(double));
    else
        gather(to, at, step, end - first, size);
}

Tensor stored_tile(const StoredMatrix *f, int64_t first, int64_t end, bool mirrored, Arena *arena)
{
    int64_t extent = end - first, size = (int64_t)dtype_size(f->view.dtype);
    Tensor tile = zero_matrix(f->view.dtype, extent, extent, arena);
    Tensor view = mirrored ? tensor_transposed(f->view) : f->view;
    REQUIRE(view.packing == PACKING_NONE);
    for (int64_t i = first; i < end; i++) {
        TensorRow row = tensor_row(&view, i);
        int64_t from = larger(row.first, first), last = row.end < end ? row.end : end;
        char *line = (char *)tile.origin + (i - first) * extent * size;
        char *diagonal = line + (i - first) * size;
        if (from < last)
            copy_span(&view, i, from, last, line + (from - first) * size);
        if (mirrored)
            memset(diagonal, 0, (size_t)size);
        else if (f->real_diagonal && dtype_components(tile.dtype) == 2)
            dtype_store(tile.dtype, diagonal, 1, 0);
        else if (f->expansion == EXPAND_TRIANGULAR && !is_stored(&view, i, i))
            put_element(f, i, i, &tile, i - first, i - first);
    }
    return tile;
}
