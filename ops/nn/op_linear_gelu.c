/* y = gelu(x w^T + bias) in one step, gelu by tanh, as libraries of products have it behind them.
 * Bound: the reduction lemma (oracle/bound.h) through a function with a Lipschitz constant
 * (nn_products.h). */
#include "nn_products.h"

static const Param params[] = {NN_LINEAR_PARAMS, P_END};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    nn_linear(&refs[3], input, arena);
    nn_apply_gelu(&refs[3]);
}

const OpDesc op_linear_gelu = {
    NN_OP(Linear, 2),
    .name = "linear_gelu",
    .summary = "gelu of rows times a transposed matrix, with a bias",
    .params = params,
    .tensors = nn_linear_tensors,
    .dtypes = 1u << DT_F32 | 1u << DT_F16 | 1u << DT_BF16,
    .fills = nn_moderate_fills,
    .shape = nn_linear_shape,
    .work = nn_linear_work,
    .reference = reference,
};
