/* One equation for each matrix of the batch. */
#include "nn_products.h"

#include <math.h>

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

void nn_add_integers(IntegerSum *sum, double x, double w)
{
    long double term = (long double)x * w;
    sum->bits += dtype_bits_of(x) * dtype_bits_of(w);
    sum->value += term;
    sum->size += fabsl(term);
    sum->terms++;
}

void nn_put_integer_sum(Ref *ref, size_t element, const IntegerSum *sum)
{
    /* Each term and each addition is rounded to 64 bits, and so is each of the sizes. */
    long double roundings = 4 * (long double)sum->terms;
    ref_put_whole(ref, element, sum->bits, sum->value,
                  sum->size < 0x1p63L ? 0 : sum->size * roundings * 0x1p-63L);
}

/* Sums of products of one matrix, whose first result is element number `first`. */
static void put_integers(Ref *ref, const ProductEquation *e, int64_t first)
{
    const Tensor *a = &e->term[0].a.view, *b = &e->term[0].b.view;
    int64_t columns = e->result.view.extent[1], depth = a->extent[1];
    for (int64_t i = 0; i < e->result.view.extent[0] * columns; i++) {
        IntegerSum sum = {0};
        if (e->beta.re != 0)
            nn_add_integers(&sum, tensor_value(&e->c.view, i), 1);
        for (int64_t k = 0; k < depth; k++)
            nn_add_integers(&sum, tensor_value(a, i / columns * depth + k),
                            tensor_value(b, k * columns + i % columns));
        nn_put_integer_sum(ref, (size_t)(first + i), &sum);
    }
}

static void integer_product(Ref *ref, const ProductBlocks *product, const Tensor *y, Arena *arena)
{
    ref_allocate_exact(ref, y, arena);
    nn_allocate_candidates(ref, arena);
    for (int64_t i = 0; i < product->count; i++)
        put_integers(ref, &product->block[i].equation, product->block[i].first);
}

void nn_batch_product(Ref *ref, const BatchProduct *p, Arena *arena)
{
    ProductBlocks product;
    nn_batch_equations(&product, p, arena);
    if (dtype_is_integer(p->y.dtype)) {
        integer_product(ref, &product, &p->y, arena);
        return;
    }
    nn_blocks_reference(ref, &product, p->y.dtype, p->y.extent[p->y.rank - 1], arena);
}
