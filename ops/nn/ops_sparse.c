/* Products with matrices that store some of their elements only.  The stored ones are those where a
 * mask is set; what a is elsewhere no library is told.
 *
 *     sparse_matmul    y[i, j] = sum over the p with mask[i, p] of a[i, p] b[p, j]
 *     sampled_matmul   y[i, j] = sum over p of a[i, p] b[p, j] where mask[i, j], else 0
 *
 * A stored 0 is a factor like any other, and an element that is not stored is none: it meets no NaN
 * and no infinity of b (PyTorch, torch.sparse: "unspecified elements"; the Sparse BLAS standard,
 * chapter 3 of the BLAS Technical Forum Standard, 3.1).  Bound: the reduction lemma
 * (oracle/bound.h) over the stored elements; half precisions are summed in binary32 and rounded
 * once.  Integers are exact, modulo 2^bits. */
#include "nn_sparse.h"

typedef struct Sparse {
    int64_t dtype, m, n, k;
} Sparse;

static const Param params[] = {NN_DTYPE(Sparse), P_DIM(Sparse, m, 0, 1024, "rows of a and y"),
                               P_DIM(Sparse, n, 0, 1024, "columns of b and y"),
                               P_DIM(Sparse, k, 0, 1024, "columns of a, rows of b"), P_END};
static const char *const tensors[] = {"mask", "a", "b", "y", NULL};
static const char *const gradient_tensors[] = {"dy", "mask", "a", "b", "da", "db", NULL};
enum { MASK, A, B, Y };
enum { G_DY, G_MASK, G_A, G_B, G_DA, G_DB };

static double work(const void *params_of_case)
{
    const Sparse *q = params_of_case;
    return (double)(q->m * q->n * (q->k + 8) + q->m * q->k + q->k * q->n);
}

static double gradient_work(const void *params_of_case)
{
    return 2 * work(params_of_case);
}

static void shape_with(const Sparse *q, bool sampled, Shapes *shapes)
{
    Shape a = {2, {q->m, q->k}}, b = {2, {q->k, q->n}}, y = {2, {q->m, q->n}};
    *shapes = (Shapes){.depth = q->k};
    nn_add_operand(shapes, DT_BOOL, sampled ? &y : &a, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &a, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &b, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
    shapes->tensor[A].part = PART_LEFT;
    shapes->tensor[B].part = PART_RIGHT;
}

static void sparse_shape(const void *params_of_case, Shapes *shapes)
{
    shape_with(params_of_case, false, shapes);
}

static void sampled_shape(const void *params_of_case, Shapes *shapes)
{
    shape_with(params_of_case, true, shapes);
}

static void gradient_shape_with(const Sparse *q, bool sampled, Shapes *shapes)
{
    Shape a = {2, {q->m, q->k}}, b = {2, {q->k, q->n}}, y = {2, {q->m, q->n}};
    *shapes = (Shapes){.depth = q->k};
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_IN);
    nn_add_operand(shapes, DT_BOOL, sampled ? &y : &a, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &a, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &b, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &a, ROLE_OUT);
    nn_add_operand(shapes, nn_dtype(q), &b, ROLE_OUT);
    shapes->tensor[G_B].part = PART_RIGHT;
}

static void gradient_shape(const void *params_of_case, Shapes *shapes)
{
    gradient_shape_with(params_of_case, false, shapes);
}

static void sampled_gradient_shape(const void *params_of_case, Shapes *shapes)
{
    gradient_shape_with(params_of_case, true, shapes);
}

static void put_sampled(Ref *ref, const Tensor *mask, const Tensor *a, const Tensor *b, DType dtype,
                        Arena *arena)
{
    ProductBlocks product;
    int64_t rows = a->extent[0], columns = b->extent[1];
    Tensor y = tensor_matrix(dtype, rows, columns, columns, 1, NULL);
    ProductEquation *e = product_of_one(&product, &y, arena);
    StoredMatrix of_a = {.view = *a}, of_b = {.view = *b};
    equation_add(e, (Scalar){1, 0}, of_a, of_b);
    nn_blocks_reference(ref, &product, dtype, columns, arena);
    size_t parts = (size_t)dtype_components(dtype);
    for (size_t i = 0; i < ref->count; i++)
        if (tensor_value(mask, (int64_t)(i / parts)) == 0)
            ref_set_exact(ref, i, 0, MATCH_VALUE);
}

static void sparse_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *t = input->tensors;
    sparse_product(&refs[Y], &t[MASK], &t[A], &t[B], t[Y].dtype, arena);
}

static void sampled_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *t = input->tensors;
    put_sampled(&refs[Y], &t[MASK], &t[A], &t[B], t[Y].dtype, arena);
}

/* da = dy b^T where elements are stored, db = a^T dy. */
static void gradient_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *t = input->tensors;
    Tensor b = tensor_transposed(t[G_B]), a = tensor_transposed(t[G_A]);
    Tensor mask = tensor_transposed(t[G_MASK]);
    put_sampled(&refs[G_DA], &t[G_MASK], &t[G_DY], &b, t[G_DY].dtype, arena);
    sparse_product(&refs[G_DB], &mask, &a, &t[G_DY], t[G_DY].dtype, arena);
}

/* With dy where the mask is set alone: da = dy b^T, db = a^T dy, which is made transposed. */
static void sampled_gradient_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *t = input->tensors;
    Tensor b = tensor_transposed(t[G_B]), dy = tensor_transposed(t[G_DY]);
    Tensor mask = tensor_transposed(t[G_MASK]);
    Ref transposed;
    sparse_product(&refs[G_DA], &t[G_MASK], &t[G_DY], &b, t[G_DY].dtype, arena);
    sparse_product(&transposed, &mask, &dy, &t[G_A], t[G_DY].dtype, arena);
    nn_axis_back(&refs[G_DB], &transposed, &t[G_DB], 0, arena);
}

static const OpDesc operators[] = {
    {NN_OP(Sparse, 1), .name = "sparse_matmul",
     .summary = "product of a matrix that stores some elements, and a matrix", .params = params,
     .tensors = tensors, .dtypes = DTYPES_FLOAT | DTYPES_COMPLEX | DTYPES_INTEGER,
     .shape = sparse_shape, .work = work, .reference = sparse_reference},
    {NN_OP(Sparse, 1), .name = "sparse_matmul_backward", .summary = "gradients of sparse_matmul",
     .params = params, .tensors = gradient_tensors, .dtypes = DTYPES_FLOAT, .shape = gradient_shape,
     .work = gradient_work, .reference = gradient_reference},
    {NN_OP(Sparse, 1), .name = "sampled_matmul",
     .summary = "those elements of a product at which a mask is set", .params = params,
     .tensors = tensors, .dtypes = DTYPES_FLOAT | DTYPES_COMPLEX, .shape = sampled_shape,
     .work = work, .reference = sampled_reference},
    {NN_OP(Sparse, 1), .name = "sampled_matmul_backward", .summary = "gradients of sampled_matmul",
     .params = params, .tensors = gradient_tensors, .dtypes = DTYPES_FLOAT,
     .shape = sampled_gradient_shape, .work = gradient_work,
     .reference = sampled_gradient_reference},
    {.name = NULL},
};

OP_TABLE(ops_sparse)
{
    return operators;
}
