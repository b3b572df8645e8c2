/* y = x w^T + bias, where bias is added to every row.  Bound: the reduction lemma (oracle/bound.h);
 * large results are checked by sums of their rows (reference/checksum.h). */
#include "nn_products.h"

static const Param params[] = {NN_LINEAR_PARAMS, NN_ACTIVATION(Linear), P_END};
const char *const nn_linear_tensors[] = {"x", "w", "bias", "y", NULL};

void nn_linear_shape(const void *params_of_case, Shapes *shapes)
{
    const Linear *q = params_of_case;
    Shape none = {0}, bias = {1, {q->out_features}};
    *shapes = (Shapes){.count = 4, .depth = q->in_features};
    shapes->tensor[0] =
        nn_with_matrix(nn_tensor(nn_dtype(q), &none, ROLE_IN), q->batch, q->in_features);
    shapes->tensor[1] =
        nn_with_matrix(nn_tensor(nn_dtype(q), &none, ROLE_IN), q->out_features, q->in_features);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &bias, ROLE_IN);
    shapes->tensor[3] =
        nn_with_matrix(nn_tensor(nn_dtype(q), &none, ROLE_OUT), q->batch, q->out_features);
    shapes->tensor[2].part = PART_ADDEND;
    shapes->tensor[1].part = PART_RIGHT;
    shapes->tensor[2].ignored = !q->bias;
}

double nn_linear_work(const void *params_of_case)
{
    const Linear *q = params_of_case;
    return (double)(q->batch * q->out_features * (q->in_features + 8) + q->batch * q->in_features +
                    q->in_features * q->out_features);
}

static BatchProduct product_of(const ReferenceInput *input, Tensor *bias)
{
    const Linear *q = input->params;
    const Tensor *y = &input->tensors[3];
    *bias = nn_broadcast(&input->tensors[2], y);
    return (BatchProduct){input->tensors[0], tensor_transposed(input->tensors[1]), *y,
                          q->bias ? bias : NULL};
}

void nn_linear(Ref *ref, const ReferenceInput *input, Arena *arena)
{
    Tensor bias;
    BatchProduct product = product_of(input, &bias);
    nn_batch_product(ref, &product, arena);
}

static void equations(ProductBlocks *blocks, const ReferenceInput *input, Arena *arena)
{
    Tensor bias;
    BatchProduct product = product_of(input, &bias);
    nn_batch_equations(blocks, &product, arena);
}

static bool is_product(const void *params_of_case)
{
    const Linear *q = params_of_case;
    return q->activation == NN_NO_ACTIVATION && !dtype_is_integer(nn_dtype(q));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Linear *q = input->params;
    nn_linear(&refs[3], input, arena);
    nn_activate(&refs[3], q->activation, arena);
}

/* Complex numbers are not compared, and layers of integers have no activation. */
static void normalise(void *params_of_case)
{
    Linear *q = params_of_case;
    if (dtype_components(nn_dtype(q)) == 2 || dtype_is_integer(nn_dtype(q)))
        q->activation = NN_NO_ACTIVATION;
}

static const IllegalRule illegal[] = {{ILLEGAL_EXTENT, "w", 1}, {0}};

const OpDesc op_linear = {
    NN_OP(Linear, 2),
    .name = "linear",
    .summary = "rows times a transposed matrix, with a bias",
    .params = params,
    .tensors = nn_linear_tensors,
    .dtypes = DTYPES_FLOAT | DTYPES_WHOLE | DTYPES_COMPLEX,
    .normalise = normalise,
    .shape = nn_linear_shape,
    .work = nn_linear_work,
    .reference = reference,
    .product = equations,
    .is_product = is_product,
    .illegal = illegal,
    .policy = "nan-by-comparison",
    .nan = NAN_OF_GREATEST,
};
