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

#define BACKWARD_OP(kind, axes, table_of_params, names, how)                                       \
    NN_OP_TABLES, .name = kind #axes "d_backward", .summary = "gradient of " kind #axes "d",       \
                  .params = (table_of_params)[(axes)-1], .tensors = (names),                       \
                  .dtypes = DTYPES_REAL, .fills = nn_moderate_fills,                               \
                  .normalise = nn_normalise_pool, .shape_of_row = shape, .work = work,             \
                  .reference = reference, .detail = &(how)

#define ADAPTIVE_OP(kind, axes, names, how)                                                        \
    NN_OP_TABLES, .name = kind #axes "d_backward", .summary = "gradient of " kind #axes "d",       \
                  .params = nn_adaptive_pool_params[(axes)-1], .tensors = (names),                 \
                  .dtypes = DTYPES_REAL, .fills = nn_moderate_fills,                               \
                  .normalise = nn_normalise_adaptive_pool, .shape_of_row = shape,                  \
                  .work = adaptive_work, .reference = reference, .detail = &(how)

static const OpDesc table[] = {
    {BACKWARD_OP("max_pool", 1, nn_pool_params, tensors, greatest)},
    {BACKWARD_OP("max_pool", 2, nn_pool_params, tensors, greatest)},
    {BACKWARD_OP("max_pool", 3, nn_pool_params, tensors, greatest)},
    {BACKWARD_OP("avg_pool", 1, nn_mean_pool_params, mean_tensors, mean)},
    {BACKWARD_OP("avg_pool", 2, nn_mean_pool_params, mean_tensors, mean)},
    {BACKWARD_OP("avg_pool", 3, nn_mean_pool_params, mean_tensors, mean)},
    {BACKWARD_OP("lp_pool", 1, nn_pool_params, tensors, norm)},
    {BACKWARD_OP("lp_pool", 2, nn_pool_params, tensors, norm)},
    {BACKWARD_OP("lp_pool", 3, nn_pool_params, tensors, norm)},
    {ADAPTIVE_OP("adaptive_max_pool", 1, tensors, greatest)},
    {ADAPTIVE_OP("adaptive_max_pool", 2, tensors, greatest)},
    {ADAPTIVE_OP("adaptive_max_pool", 3, tensors, greatest)},
    {ADAPTIVE_OP("adaptive_avg_pool", 1, mean_tensors, mean)},
    {ADAPTIVE_OP("adaptive_avg_pool", 2, mean_tensors, mean)},
    {ADAPTIVE_OP("adaptive_avg_pool", 3, mean_tensors, mean)},
    {.name = NULL},
};

const OpDesc *ops_pool_backward(void)
{
    return table;
}
