/* Gradients of products of matrices: sums of products in any order, over the rows or columns and
 * over the axes of a batch along which an operand is broadcast (the lemma of oracle/bound.h). */
#include "nn_products.h"
#include "reference/reduce.h"

/* A matrix in an array: elements from one row, and from one column, to the next. */
typedef struct Matrix {
    const double *values;
    int64_t row, column;
} Matrix;

/* to[i * row + j * column] += sum over k of a[i, k] b[k, j]. */
typedef struct Product {
    Sum *to;
    int64_t row, column, rows, columns, depth;
    Matrix a, b;
} Product;

static void multiply(const Product *p)
{
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t j = 0; j < p->columns; j++)
            for (int64_t k = 0; k < p->depth; k++)
                sum_add_product(&p->to[i * p->row + j * p->column],
                                p->a.values[i * p->a.row + k * p->a.column],
                                p->b.values[k * p->b.row + j * p->b.column]);
}

static Sum *begin_sums(Ref *ref, const Tensor *y, int lattice, Arena *arena)
{
    ref_allocate_bounded(ref, y->dtype, y, arena);
    Sum *sums = arena_take(arena, ref->count + 1, sizeof *sums);
    for (size_t i = 0; i < ref->count; i++) {
        sums[i] = sum_begin();
        sums[i].lattice = lattice;
    }
    return sums;
}

static void put_sums(Ref *ref, const Sum *sums)
{
    for (size_t i = 0; i < ref->count; i++)
        ref_put_products(ref, i, &sums[i], (double)sums[i].terms);
}

static const Param matmul_params[] = {NN_DTYPE(Matmul),
                                      NN_BATCH_SHAPE,
                                      NN_BROADCAST_A(Matmul),
                                      NN_BROADCAST_B(Matmul),
                                      P_DIM(Matmul, m, 0, 128, "rows of a and y"),
                                      P_DIM(Matmul, n, 0, 128, "columns of b and y"),
                                      P_DIM(Matmul, k, 0, 128, "columns of a, rows of b"),
                                      P_END};
static const Param linear_params[] = {
    NN_LINEAR(1, 256, "rows of x and y", "columns of y", "columns of x and w"), P_END};
static const char *const matmul_tensors[] = {"dy", "a", "b", "da", "db", NULL};
static const char *const linear_tensors[] = {"dy", "x", "w", "dx", "dw", "dbias", NULL};
enum { DY, LEFT, RIGHT, D_LEFT, D_RIGHT, D_BIAS };

static void normalise(void *params)
{
    Matmul *q = params;
    q->broadcast_a = nn_broadcast_axes(&q->batch_shape, q->broadcast_a, 0);
    q->broadcast_b = nn_broadcast_axes(&q->batch_shape, q->broadcast_b, q->broadcast_a);
}

static void matmul_shape(const void *params, Shapes *shapes)
{
    const Matmul *q = params;
    DType dtype = nn_dtype(q);
    *shapes = (Shapes){.count = 5, .depth = q->k};
    shapes->tensor[DY] = nn_with_matrix(nn_tensor(dtype, &q->batch_shape, ROLE_IN), q->m, q->n);
    shapes->tensor[LEFT] =
        nn_with_matrix(nn_broadcast_operand(dtype, &q->batch_shape, q->broadcast_a), q->m, q->k);
    shapes->tensor[RIGHT] =
        nn_with_matrix(nn_broadcast_operand(dtype, &q->batch_shape, q->broadcast_b), q->k, q->n);
    shapes->tensor[RIGHT].part = PART_RIGHT;
    for (int i = 0; i < 2; i++) {
        shapes->tensor[D_LEFT + i] = shapes->tensor[LEFT + i];
        shapes->tensor[D_LEFT + i].role = ROLE_OUT;
    }
}

static void linear_shape(const void *params, Shapes *shapes)
{
    const Linear *q = params;
    Shape dy = {2, {q->batch, q->out_features}}, x = {2, {q->batch, q->in_features}},
          w = {2, {q->out_features, q->in_features}}, bias = {1, {q->out_features}};
    const Shape *const extents[] = {&dy, &x, &w, &x, &w, &bias};
    *shapes = (Shapes){.count = 6, .depth = q->in_features};
    for (int i = DY; i <= D_BIAS; i++)
        shapes->tensor[i] = nn_tensor(nn_dtype(q), extents[i], i >= D_LEFT ? ROLE_OUT : ROLE_IN);
    shapes->tensor[RIGHT].part = PART_RIGHT;
}

static double work(int64_t products, int64_t m, int64_t n, int64_t k)
{
    return 16.0 * (double)products * (double)(m * n * k + m + n);
}

static double matmul_work(const void *params)
{
    const Matmul *q = params;
    return work(shape_count(&q->batch_shape), q->m, q->n, q->k);
}

static double linear_work(const void *params)
{
    const Linear *q = params;
    return work(1, q->batch, q->out_features, q->in_features);
}

static void matmul_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Matmul *q = input->params;
    const Tensor *t = input->tensors;
    int of_dy = 0, of_a = 0, of_b = 0;
    const double *dy = tensor_read(&t[DY], &of_dy, arena), *a = tensor_read(&t[LEFT], &of_a, arena);
    const double *b = tensor_read(&t[RIGHT], &of_b, arena);
    Sum *da = begin_sums(&refs[D_LEFT], &t[D_LEFT], of_dy + of_b, arena);
    Sum *db = begin_sums(&refs[D_RIGHT], &t[D_RIGHT], of_dy + of_a, arena);
    for (int64_t i = 0; i < shape_count(&q->batch_shape); i++) {
        int64_t at_a = nn_matrix_offset(&t[LEFT], &t[DY], i);
        int64_t at_b = nn_matrix_offset(&t[RIGHT], &t[DY], i);
        Matrix gradient = {dy + i * q->m * q->n, q->n, 1};
        Matrix turned = {gradient.values, 1, q->n};
        multiply(&(Product){da + at_a, q->k, 1, q->m, q->k, q->n, gradient, {b + at_b, 1, q->n}});
        /* db transposed, so that dy comes first. */
        multiply(&(Product){db + at_b, 1, q->n, q->n, q->k, q->m, turned, {a + at_a, q->k, 1}});
    }
    put_sums(&refs[D_LEFT], da);
    put_sums(&refs[D_RIGHT], db);
}

static void linear_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Linear *q = input->params;
    const Tensor *t = input->tensors;
    int of_dy = 0, of_x = 0, of_w = 0;
    const double *dy = tensor_read(&t[DY], &of_dy, arena), *x = tensor_read(&t[LEFT], &of_x, arena);
    const double *w = tensor_read(&t[RIGHT], &of_w, arena);
    Sum *dx = begin_sums(&refs[D_LEFT], &t[D_LEFT], of_dy + of_w, arena);
    Sum *dw = begin_sums(&refs[D_RIGHT], &t[D_RIGHT], of_dy + of_x, arena);
    multiply(&(Product){dx,
                        q->in_features,
                        1,
                        q->batch,
                        q->in_features,
                        q->out_features,
                        {dy, q->out_features, 1},
                        {w, q->in_features, 1}});
    multiply(&(Product){dw,
                        q->in_features,
                        1,
                        q->out_features,
                        q->in_features,
                        q->batch,
                        {dy, 1, q->out_features},
                        {x, q->in_features, 1}});
    put_sums(&refs[D_LEFT], dx);
    put_sums(&refs[D_RIGHT], dw);
    Ref *ref = &refs[D_BIAS];
    ref_allocate_bounded(ref, t[D_BIAS].dtype, &t[D_BIAS], arena);
    for (int64_t j = 0; j < q->out_features; j++) {
        Sum sum = sum_begin();
        for (int64_t i = 0; i < q->batch; i++)
            sum_add(&sum, dy[i * q->out_features + j]);
        ref_put_sum(ref, (size_t)j, &sum, 1, sum_error(&sum, dtype_format(ref->accumulator)));
    }
}

#define GRADIENTS .dtypes = DTYPES_REAL, .fills = nn_moderate_fills

static const OpDesc table[] = {
    {NN_OP(Matmul, 2), GRADIENTS, .name = "matmul_backward", .summary = "gradients of matmul",
     .params = matmul_params, .tensors = matmul_tensors, .normalise = normalise,
     .shape = matmul_shape, .work = matmul_work, .reference = matmul_reference},
    {NN_OP(Linear, 2), GRADIENTS, .name = "linear_backward", .summary = "gradients of linear",
     .params = linear_params, .tensors = linear_tensors, .shape = linear_shape, .work = linear_work,
     .reference = linear_reference},
    {.name = NULL},
};

OP_TABLE(ops_product_backward)
{
    return table;
}
