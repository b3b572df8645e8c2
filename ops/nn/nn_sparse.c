/* One equation for each row, of the rows that are gathered for it. */
#include "nn_sparse.h"

#include <math.h>

void sparse_begin(SparseResult *r, Ref *ref, DType dtype, int64_t rows, int64_t columns,
                  Arena *arena)
{
    *r = (SparseResult){.ref = ref, .dtype = dtype, .columns = columns, .arena = arena};
    r->blocks.count = rows;
    if (dtype_is_integer(dtype)) {
        ref_allocate(ref, dtype, (size_t)rows, (size_t)columns, arena);
        nn_allocate_candidates(ref, arena);
    } else {
        r->blocks.block = arena_take_zeroed(arena, (size_t)rows + 1, sizeof(ProductBlock));
    }
}

static void put_integers(const SparseResult *r, const SparseRow *row)
{
    const Tensor *left = &row->left.view, *right = &row->right.view;
    for (int64_t j = 0; j < r->columns; j++) {
        IntegerSum sum = {0};
        for (size_t e = 0; e < row->count; e++) {
            int64_t at = (int64_t)row->of_right[e] * right->extent[1] + j;
            nn_add_integers(&sum, tensor_value(left, (int64_t)row->of_left[e]),
                            tensor_value(right, at));
        }
        size_t element = (size_t)(r->next * r->columns + j);
        nn_put_integer_sum(r->ref, element, &sum);
    }
}

void sparse_put(SparseResult *r, const SparseRow *row)
{
    REQUIRE(r->next < r->blocks.count);
    if (!r->blocks.block) {
        put_integers(r, row);
        r->next++;
        return;
    }
    ProductEquation *e = &r->blocks.block[r->next++].equation;
    Tensor left = stored_rows(&row->left, row->of_left, row->count, r->arena);
    StoredMatrix a = {.view = tensor_transposed(left), .conjugate = row->left.conjugate};
    StoredMatrix b = {.view = stored_rows(&row->right, row->of_right, row->count, r->arena),
                      .conjugate = row->right.conjugate};
    e->result.view = tensor_matrix(r->dtype, 1, r->columns, r->columns, 1, NULL);
    equation_add(e, row->alpha, a, b);
    e->beta = row->beta;
    e->c.view = row->c;
}

void sparse_end(SparseResult *r)
{
    REQUIRE(r->next == r->blocks.count);
    if (r->blocks.block)
        nn_blocks_reference(r->ref, &r->blocks, r->dtype, r->columns, r->arena);
}

size_t sparse_stored(const Tensor *mask, int64_t row, size_t *columns)
{
    size_t count = 0;
    for (int64_t j = 0; j < mask->extent[1]; j++)
        if (tensor_value(mask, row * mask->extent[1] + j) != 0)
            columns[count++] = (size_t)j;
    return count;
}

Tensor sparse_row_as_column(const Tensor *view, int64_t row)
{
    int64_t size = (int64_t)dtype_size(view->dtype);
    return tensor_matrix(view->dtype, view->extent[1], 1, view->stride[1], 1,
                         (char *)view->origin + row * view->stride[0] * size);
}

void sparse_product(Ref *ref, const Tensor *mask, const Tensor *a, const Tensor *b, DType dtype,
                    Arena *arena)
{
    size_t *stored = arena_take(arena, (size_t)a->extent[1] + 1, sizeof *stored);
    SparseResult result;
    sparse_begin(&result, ref, dtype, a->extent[0], b->extent[1], arena);
    for (int64_t i = 0; i < a->extent[0]; i++) {
        SparseRow row = {.left = {.view = sparse_row_as_column(a, i)},
                         .right = {.view = *b},
                         .of_left = stored,
                         .of_right = stored,
                         .count = sparse_stored(mask, i, stored),
                         .alpha = {1, 0}};
        sparse_put(&result, &row);
    }
    sparse_end(&result);
}
