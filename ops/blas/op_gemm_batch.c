/* C_i = alpha op(A_i) op(B_i) + beta C_i for a batch of matrices of one shape (an extension).  The
 * matrices of each operand follow each other without a gap beyond their padding, so that together
 * they are one matrix, side by side by columns or one below the other by rows.  Rules as for gemm,
 * matrix by matrix. */
#include "blas_matrices.h"
#include "blas_shapes.h"

static const Param params[] = {BLAS_PARAMS_GEMM, P_DIM(Blas, batch, 0, 16, "matrices"), P_END};
static const char *const tensors[] = {"a", "b", "c", NULL};

/* The axis of the view along which the matrices follow each other. */
static int batch_axis(const Blas *q, int64_t transpose)
{
    bool by_rows = q->order == ORDER_ROWS;
    return by_rows == (transpose == TRANSPOSE_NONE) ? 0 : 1;
}

static void join_matrices(const Blas *q, TensorSpec *spec, int axis)
{
    spec->batch_stride = spec->layout.extent[axis] * spec->leading;
    spec->layout.extent[axis] *= q->batch;
    spec->contraction = -1;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    blas_shape_gemm(q, shapes, q->m, blas_matrix(q, q->m, q->n, q->ldc));
    join_matrices(q, &shapes->tensor[0], batch_axis(q, q->ta));
    join_matrices(q, &shapes->tensor[1], batch_axis(q, q->tb));
    join_matrices(q, &shapes->tensor[2], batch_axis(q, TRANSPOSE_NONE));
}

static double work(const void *params_of_case)
{
    const Blas *q = params_of_case;
    return blas_work_mnk(params_of_case) * (double)(q->batch + 1);
}

/* Matrix number i of a view that holds the batch along an axis. */
static Tensor slice(const Blas *q, Tensor view, int axis, int64_t i)
{
    int64_t size = (int64_t)dtype_size(view.dtype);
    view.extent[axis] /= q->batch;
    view.origin = (char *)view.origin + i * view.extent[axis] * view.stride[axis] * size;
    return view;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    const Tensor *c = &input->tensors[2];
    size_t batch = (size_t)q->batch;
    Ref *blocks = arena_take_zeroed(arena, batch + 1, sizeof *blocks);
    for (int64_t i = 0; i < q->batch; i++) {
        Tensor views[3] = {slice(q, input->tensors[0], batch_axis(q, q->ta), i),
                           slice(q, input->tensors[1], batch_axis(q, q->tb), i),
                           slice(q, *c, batch_axis(q, TRANSPOSE_NONE), i)};
        Ref one[OP_TENSORS_MAX] = {0};
        blas_gemm(one, &(ReferenceInput){q, views, NULL, false, false}, arena);
        blocks[i] = one[2];
    }
    ref_allocate(&refs[2], c->dtype, (size_t)c->extent[0], (size_t)c->extent[1], arena);
    ref_join(&refs[2], blocks, batch, batch_axis(q, TRANSPOSE_NONE));
}

const OpDesc op_gemm_batch = {
    .name = "gemm_batch",
    .summary = "products of a batch of matrices (extension)",
    BLAS_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
};
