/* Gradients of pooling (reference/pool.h). */
#include "nn_pool.h"

static const char *const tensors[] = {"dy", "x", "dx", NULL};
static const char *const mean_tensors[] = {"dy", "dx", NULL};

static const Reduction greatest = REDUCE_GREATEST, mean = REDUCE_MEAN, norm = REDUCE_NORM_2;

static double work(const void *params_of_case)
{
    return 4 * nn_pool_work(params_of_case);
}

static double adaptive_work(const void *params_of_case)
{
    return 4 * nn_adaptive_pool_work(params_of_case);
}

static bool is_adaptive(const OpDesc *op)
{
    return op->work == adaptive_work;
}

static void shape(const OpDesc *op, const void *params_of_case, Shapes *shapes)
{
    Shapes forward;
    bool needs_x = op->detail != &mean;
    if (is_adaptive(op))
        nn_adaptive_pool_shape(params_of_case, &forward);
    else
        nn_pool_shape(params_of_case, &forward);
    *shapes = (Shapes){.count = needs_x ? 3 : 2, .depth = forward.depth};
    shapes->tensor[0] = forward.tensor[1];
    shapes->tensor[0].role = ROLE_IN;
    shapes->tensor[1] = forward.tensor[0];
    shapes->tensor[shapes->count - 1] = forward.tensor[0];
    shapes->tensor[shapes->count - 1].role = ROLE_OUT;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    bool needs_x = input->op->detail != &mean;
    const Tensor *dx = &input->tensors[needs_x ? 2 : 1];
    PoolInput in = {.adaptive = true};
    if (!is_adaptive(input->op))
        in = nn_pool_input(input->params);
    in.reduction = *(const Reduction *)input->op->detail;
    in.x = needs_x ? input->tensors[1] : *dx;
    in.y = input->tensors[0];
    pool_gradient_reference(&refs[needs_x ? 2 : 1], &in, arena);
}

#define BACKWARD_TABLES                                                                            \
    .dtypes = DTYPES_REAL, .fills = nn_moderate_fills, .shape_of_row = shape, .reference = reference
#define BACKWARD_OP NN_OP(Pool, 2), BACKWARD_TABLES, .normalise = nn_normalise_pool, .work = work
#define ADAPTIVE_OP                                                                                \
    NN_OP(AdaptivePool, 2), BACKWARD_TABLES, .params = nn_adaptive_pool_params,                    \
                                             .work = adaptive_work

static const OpDesc rows[] = {
    {BACKWARD_OP, .name = "max_pool%dd_backward", .summary = "gradient of max_pool%dd",
     .params = nn_pool_params, .tensors = tensors, .detail = &greatest},
    {BACKWARD_OP, .name = "avg_pool%dd_backward", .summary = "gradient of avg_pool%dd",
     .params = nn_mean_pool_params, .tensors = mean_tensors, .detail = &mean},
    {BACKWARD_OP, .name = "lp_pool%dd_backward", .summary = "gradient of lp_pool%dd",
     .params = nn_pool_params, .tensors = tensors, .detail = &norm},
    {ADAPTIVE_OP, .name = "adaptive_max_pool%dd_backward",
     .summary = "gradient of adaptive_max_pool%dd", .tensors = tensors, .detail = &greatest},
    {ADAPTIVE_OP, .name = "adaptive_avg_pool%dd_backward",
     .summary = "gradient of adaptive_avg_pool%dd", .tensors = mean_tensors, .detail = &mean},
};

OP_TABLE(ops_pool_backward)
{
    static OpDesc table[3 * COUNT_OF(rows) + 1];
    static SpreadOp storage[3 * COUNT_OF(rows)];
    nn_spread_axes(table, storage, rows, COUNT_OF(rows));
    return table;
}
