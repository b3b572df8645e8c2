/* y = a b for the last two axes; the others are a batch, whose axes either may repeat.  Bound: the
 * reduction lemma (oracle/bound.h); half precisions are summed in binary32 and rounded once. */
#include "nn_products.h"

static const Param params[] = {
    NN_DTYPE,
    P_SHAPE(Nn, shape, 0, 3, "axes of the batch"),
    NN_EXPAND_A,
    NN_EXPAND_B,
    P_DIM(Nn, m, 0, 512, "rows of a and y"),
    P_DIM(Nn, n, 0, 512, "columns of b and y"),
    P_DIM(Nn, k, 0, 512, "columns of a, rows of b"),
    NN_ACTIVATION,
    P_END,
};
static const char *const tensors[] = {"a", "b", "y", NULL};

static void normalise(void *params_of_case)
{
    Nn *q = params_of_case;
    q->expand_a = nn_expansion(&q->shape, q->expand_a, 0);
    q->expand_b = nn_expansion(&q->shape, q->expand_b, q->expand_a);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    *shapes = (Shapes){.count = 3, .depth = q->k};
    shapes->tensor[0] =
        nn_with_matrix(nn_expanded(nn_dtype(q), &q->shape, q->expand_a), q->m, q->k);
    shapes->tensor[1] =
        nn_with_matrix(nn_expanded(nn_dtype(q), &q->shape, q->expand_b), q->k, q->n);
    shapes->tensor[2] = nn_with_matrix(nn_tensor(nn_dtype(q), &q->shape, ROLE_OUT), q->m, q->n);
    shapes->tensor[0].part = PART_LEFT;
    shapes->tensor[1].part = PART_RIGHT;
}

static double work(const void *params_of_case)
{
    const Nn *q = params_of_case;
    return (double)shape_count(&q->shape) *
           (double)(q->m * q->n * (q->k + 8) + q->m * q->k + q->k * q->n);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Nn *q = input->params;
    const Tensor *a = &input->tensors[0], *b = &input->tensors[1], *y = &input->tensors[2];
    nn_batch_product(&refs[2], &(BatchProduct){*a, *b, *y, NULL}, arena);
    nn_activate(&refs[2], q->activation, arena);
}

const OpDesc op_matmul = {
    NN_OP_TABLES,
    .name = "matmul",
    .summary = "product of matrices, with a batch",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_FLOAT,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .policy = "nan-by-comparison",
};
