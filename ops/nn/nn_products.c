/* One equation for each matrix of the batch. */
#include "nn_products.h"

TensorSpec nn_with_matrix(TensorSpec spec, int64_t rows, int64_t columns)
{
    Shape shape = shape_of_tensor(&spec.layout);
    shape.extent[shape.rank++] = rows;
    shape.extent[shape.rank++] = columns;
    return nn_tensor(spec.layout.dtype, &shape, spec.role);
}

int64_t nn_matrix_offset(const Tensor *t, const Tensor *y, int64_t number)
{
    int64_t offset = 0;
    for (int axis = y->rank - 3; axis >= 0; axis--) {
        int own = axis - (y->rank - t->rank);
        int64_t index = tensor_take_index(&number, y->extent[axis]);
        if (own >= 0 && t->extent[own] != 1)
            offset += index * t->stride[own];
    }
    return offset;
}

static Tensor matrix_of(const Tensor *t, const Tensor *y, int64_t number)
{
    int last = t->rank - 1;
    int64_t bytes = nn_matrix_offset(t, y, number) * (int64_t)dtype_size(t->dtype);
    return tensor_matrix(t->dtype, t->extent[last - 1], t->extent[last], t->stride[last - 1],
                         t->stride[last], (char *)t->origin + bytes);
}

void nn_batch_equations(ProductBlocks *blocks, const BatchProduct *product, Arena *arena)
{
    const Tensor *y = &product->y;
    int row = y->rank - 2, column = y->rank - 1;
    int64_t batch = 1;
    for (int axis = 0; axis < row; axis++)
        batch *= y->extent[axis];
    *blocks =
        (ProductBlocks){arena_take_zeroed(arena, (size_t)batch + 1, sizeof(ProductBlock)), batch};
    for (int64_t i = 0; i < batch; i++) {
        ProductEquation *e = &blocks->block[i].equation;
        blocks->block[i].first = i * y->extent[row] * y->extent[column];
        blocks->block[i].row_step = y->extent[column];
        blocks->block[i].column_step = 1;
        e->result.view = tensor_matrix(y->dtype, y->extent[row], y->extent[column], y->stride[row],
                                       y->stride[column], NULL);
        StoredMatrix a = {.view = matrix_of(&product->a, y, i)};
        StoredMatrix b = {.view = matrix_of(&product->b, y, i)};
        equation_add(e, (Scalar){1, 0}, a, b);
        e->beta.re = product->c ? 1 : 0;
        if (product->c)
            e->c.view = matrix_of(product->c, y, i);
    }
}

void nn_blocks_reference(Ref *ref, const ProductBlocks *product, DType dtype, int64_t columns,
                         Arena *arena)
{
    size_t count = (size_t)product->count, rows = 0;
    Ref *blocks = arena_take_zeroed(arena, count + 1, sizeof *blocks);
    for (size_t i = 0; i < count; i++) {
        const ProductEquation *e = &product->block[i].equation;
        size_t own = (size_t)e->result.view.extent[0];
        equation_reference(&blocks[i], e, NULL, NULL, own, arena);
        rows += own;
    }
    ref_allocate(ref, dtype, rows, (size_t)columns, arena);
    ref_join(ref, blocks, count, 0);
    ref->accumulator = dtype_arithmetic(dtype);
}

void nn_batch_product(Ref *ref, const BatchProduct *p, Arena *arena)
{
    ProductBlocks product;
    nn_batch_equations(&product, p, arena);
    nn_blocks_reference(ref, &product, p->y.dtype, p->y.extent[p->y.rank - 1], arena);
}
