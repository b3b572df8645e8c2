/* y = a b for the last two axes; the others are a batch, along which either is broadcast.  Bound:
 * the reduction lemma (oracle/bound.h); half precisions are summed in binary32 and rounded once.
 * Large results are checked by sums of their rows (reference/checksum.h), each matrix by itself. */
#include "nn_products.h"

static const Param params[] = {
    NN_DTYPE(Matmul),
    NN_BATCH_SHAPE,
    NN_BROADCAST_A(Matmul),
    NN_BROADCAST_B(Matmul),
    P_DIM(Matmul, m, 0, 4096, "rows of a and y"),
    P_DIM(Matmul, n, 0, 4096, "columns of b and y"),
    P_DIM(Matmul, k, 0, 4096, "columns of a, rows of b"),
    NN_ACTIVATION(Matmul),
    P_END,
};
static const char *const tensors[] = {"a", "b", "y", NULL};

static void normalise(void *params_of_case)
{
    Matmul *q = params_of_case;
    q->broadcast_a = nn_broadcast_axes(&q->batch_shape, q->broadcast_a, 0);
    q->broadcast_b = nn_broadcast_axes(&q->batch_shape, q->broadcast_b, q->broadcast_a);
    if (dtype_components(nn_dtype(q)) == 2 || dtype_is_integer(nn_dtype(q)))
        q->activation = NN_NO_ACTIVATION;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Matmul *q = params_of_case;
    *shapes = (Shapes){.count = 3, .depth = q->k};
    shapes->tensor[0] = nn_with_matrix(
        nn_broadcast_operand(nn_dtype(q), &q->batch_shape, q->broadcast_a), q->m, q->k);
    shapes->tensor[1] = nn_with_matrix(
        nn_broadcast_operand(nn_dtype(q), &q->batch_shape, q->broadcast_b), q->k, q->n);
    shapes->tensor[2] =
        nn_with_matrix(nn_tensor(nn_dtype(q), &q->batch_shape, ROLE_OUT), q->m, q->n);
    shapes->tensor[0].part = PART_LEFT;
    shapes->tensor[1].part = PART_RIGHT;
}

static double work(const void *params_of_case)
{
    const Matmul *q = params_of_case;
    return (double)shape_count(&q->batch_shape) *
           (double)(q->m * q->n * (q->k + 8) + q->m * q->k + q->k * q->n);
}

static BatchProduct product_of(const ReferenceInput *input)
{
    return (BatchProduct){input->tensors[0], input->tensors[1], input->tensors[2], NULL};
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Matmul *q = input->params;
    BatchProduct product = product_of(input);
    nn_batch_product(&refs[2], &product, arena);
    nn_activate(&refs[2], q->activation, arena);
}

static void equations(ProductBlocks *blocks, const ReferenceInput *input, Arena *arena)
{
    BatchProduct product = product_of(input);
    nn_batch_equations(blocks, &product, arena);
}

static bool is_product(const void *params_of_case)
{
    const Matmul *q = params_of_case;
    return q->activation == NN_NO_ACTIVATION && !dtype_is_integer(nn_dtype(q));
}

static const IllegalRule illegal[] = {
    {ILLEGAL_EXTENT, "b", -2}, {ILLEGAL_RANK, "a", 0}, {ILLEGAL_RANK, "b", 0}, {0}};

const OpDesc op_matmul = {
    NN_OP(Matmul, 2),
    .name = "matmul",
    .summary = "product of matrices, with a batch",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_FLOAT | DTYPES_WHOLE | DTYPES_COMPLEX,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .illegal = illegal,
    .policy = "nan-by-comparison",
    .nan = NAN_OF_GREATEST,
    .product = equations,
    .is_product = is_product,
};
