/* One affine reference for each matrix of the batch. */
#include "nn_products.h"

#include "reference/affine.h"

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

void nn_batch_product(Ref *ref, const BatchProduct *p, Arena *arena)
{
    const Tensor *y = &p->y;
    int64_t rows = y->extent[y->rank - 2], columns = y->extent[y->rank - 1], batch = 1;
    for (int axis = 0; axis < y->rank - 2; axis++)
        batch *= y->extent[axis];
    DType arithmetic = dtype_arithmetic(y->dtype);
    bool half = arithmetic != y->dtype;
    Ref *blocks = arena_take_zeroed(arena, (size_t)batch + 1, sizeof *blocks);
    for (int64_t i = 0; i < batch; i++) {
        AffineInput affine = {
            .a = matrix_of(&p->a, y, i),
            .b = matrix_of(&p->b, y, i),
            .c = p->c ? matrix_of(p->c, y, i)
                      : tensor_matrix(arithmetic, rows, columns, columns, 1, NULL),
            .alpha = {1, 0},
            .beta = {p->c ? 1 : 0, 0},
        };
        affine.c.dtype = p->c && half ? affine.c.dtype : arithmetic;
        affine_reference(&blocks[i], &affine, arena);
        if (half)
            ref_narrow(&blocks[i], y->dtype);
    }
    ref_allocate(ref, y->dtype, (size_t)(batch * rows), (size_t)columns, arena);
    ref_join(ref, blocks, (size_t)batch, 0);
    ref->accumulator = arithmetic;
}
