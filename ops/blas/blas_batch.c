/* Storage and references of batches. */
#include "blas_batch.h"

/* The axis of the view along which the matrices follow each other. */
static int batch_axis(const Blas *q, int64_t transpose)
{
    bool by_rows = q->order == ORDER_ROWS;
    return by_rows == (transpose == TRANSPOSE_NONE) ? 0 : 1;
}

static void join_matrices(TensorSpec *spec, int axis, int64_t count)
{
    spec->batch_stride = spec->layout.extent[axis] * spec->leading;
    spec->layout.extent[axis] *= count;
    spec->contraction = -1;
}

void blas_shape_batch(const Blas *q, Shapes *shapes, int64_t count)
{
    blas_shape_gemm(q, shapes, q->m, blas_matrix(q, q->m, q->n, q->ldc));
    join_matrices(&shapes->tensor[0], batch_axis(q, q->ta), count);
    join_matrices(&shapes->tensor[1], batch_axis(q, q->tb), count);
    join_matrices(&shapes->tensor[2], batch_axis(q, TRANSPOSE_NONE), count);
}

double blas_work_batch(const Blas *q, int64_t count)
{
    int64_t elements = q->m * q->k + q->k * q->n;
    return (blas_work_mnk(q) + (double)elements) * (double)(count + 1);
}

/* Matrix number i of a view that holds the batch along an axis. */
static Tensor slice(Tensor view, int axis, int64_t count, int64_t i)
{
    int64_t size = (int64_t)dtype_size(view.dtype);
    view.extent[axis] /= count;
    view.origin = (char *)view.origin + i * view.extent[axis] * view.stride[axis] * size;
    return view;
}

void blas_product_batch(ProductBlocks *product, const ReferenceInput *input, int64_t count,
                        Arena *arena)
{
    const Blas *q = input->params;
    int axis = batch_axis(q, TRANSPOSE_NONE);
    *product =
        (ProductBlocks){arena_take_zeroed(arena, (size_t)count + 1, sizeof(ProductBlock)), count};
    for (int64_t i = 0; i < count; i++) {
        Tensor views[3] = {slice(input->tensors[0], batch_axis(q, q->ta), count, i),
                           slice(input->tensors[1], batch_axis(q, q->tb), count, i),
                           slice(input->tensors[2], axis, count, i)};
        ReferenceInput one = {.op = input->op, .params = q, .tensors = views};
        ProductBlocks single;
        blas_product_gemm(&single, &one, arena);
        product->block[i] = (ProductBlock){
            .equation = single.block->equation,
            .first = i * (axis == 0 ? views[2].extent[0] * views[2].extent[1] : views[2].extent[1]),
            .row_step = input->tensors[2].extent[1],
            .column_step = 1,
        };
    }
}

void blas_batch(Ref *refs, const ReferenceInput *input, int64_t count, Arena *arena)
{
    const Blas *q = input->params;
    const Tensor *c = &input->tensors[2];
    Ref *blocks = arena_take_zeroed(arena, (size_t)count + 1, sizeof *blocks);
    ProductBlocks product;
    blas_product_batch(&product, input, count, arena);
    for (int64_t i = 0; i < count; i++)
        equation_reference(&blocks[i], &product.block[i].equation, NULL, NULL, (size_t)q->m, arena);
    ref_allocate(&refs[2], c->dtype, (size_t)c->extent[0], (size_t)c->extent[1], arena);
    ref_join(&refs[2], blocks, (size_t)count, batch_axis(q, TRANSPOSE_NONE));
}
