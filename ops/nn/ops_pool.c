/* Pooling over one to three axes (reference/pool.h). */
#include <string.h>

#include "nn_pool.h"

#define POOL_PARAMS(axes)                                                                          \
    NN_DTYPE, NN_BATCH, NN_CHANNELS, NN_WINDOW(axes),                                              \
        P_CHOICE(Nn, ceil_mode, nn_yes_no, "a last window that reaches beyond the end")
#define MEAN_PARAMS(axes)                                                                          \
    POOL_PARAMS(axes), P_CHOICE(Nn, count_pads, nn_yes_no, "padding counts as zeros")
#define ADAPTIVE_PARAMS(axes)                                                                      \
    NN_DTYPE, NN_BATCH, NN_CHANNELS, NN_SIZE(axes),                                                \
        P_TUPLE(Nn, extra, axes, 1, 9, 1, "extents of y")

const Param nn_pool_params[3][NN_POOL_PARAMS_MAX] = {
    {POOL_PARAMS(1), P_END}, {POOL_PARAMS(2), P_END}, {POOL_PARAMS(3), P_END}};
const Param nn_mean_pool_params[3][NN_POOL_PARAMS_MAX] = {
    {MEAN_PARAMS(1), P_END}, {MEAN_PARAMS(2), P_END}, {MEAN_PARAMS(3), P_END}};
const Param nn_adaptive_pool_params[3][NN_POOL_PARAMS_MAX] = {
    {ADAPTIVE_PARAMS(1), P_END}, {ADAPTIVE_PARAMS(2), P_END}, {ADAPTIVE_PARAMS(3), P_END}};
static const char *const tensors[] = {"x", "y", NULL};

/* Either may have to give way to the other. */
void nn_normalise_pool(void *params_of_case)
{
    Nn *q = params_of_case, before;
    do {
        before = *q;
        nn_fit_kernel(q);
        for (int axis = 0; axis < q->size.rank; axis++) {
            int64_t most = q->kernel.extent[axis] - 1;
            int64_t *front = &q->before.extent[axis], *end = &q->after.extent[axis];
            *front = *front < most ? *front : most;
            *end = *end < most ? *end : most;
        }
    } while (memcmp(&before, q, sizeof before) != 0);
}

void nn_pool_shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    Shape outputs = nn_outputs(q);
    Shape x = nn_image(q->batch, q->channels, &q->size);
    Shape y = nn_image(q->batch, q->channels, &outputs);
    *shapes = (Shapes){.count = 2, .depth = shape_count(&q->kernel)};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &x, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
}

double nn_pool_work(const void *params_of_case)
{
    Shapes shapes;
    nn_pool_shape(params_of_case, &shapes);
    return 16.0 * (double)tensor_count(&shapes.tensor[1].layout) * (double)(shapes.depth + 4) +
           8.0 * (double)tensor_count(&shapes.tensor[0].layout);
}

PoolInput nn_pool_input(const Nn *q)
{
    PoolInput in = {.count_pads = q->count_pads};
    for (int axis = 0; axis < q->size.rank; axis++) {
        in.kernel[axis] = q->kernel.extent[axis];
        in.stride[axis] = q->stride.extent[axis];
        in.dilation[axis] = q->dilation.extent[axis];
        in.before[axis] = q->before.extent[axis];
        in.after[axis] = q->after.extent[axis];
    }
    return in;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    PoolInput in = nn_pool_input(input->params);
    in.x = input->tensors[0];
    in.y = input->tensors[1];
    in.reduction = *(const Reduction *)input->op->detail;
    pool_reference(&refs[1], &in, arena);
}

void nn_normalise_adaptive_pool(void *params_of_case)
{
    Nn *q = params_of_case;
    nn_fill_empty(&q->size);
}

void nn_adaptive_pool_shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    Shape x = nn_image(q->batch, q->channels, &q->size);
    Shape y = nn_image(q->batch, q->channels, &q->extra);
    *shapes = (Shapes){.count = 2, .depth = shape_count(&q->size) / shape_count(&q->extra) + 2};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &x, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
}

double nn_adaptive_pool_work(const void *params_of_case)
{
    const Nn *q = params_of_case;
    double windows = 1;
    for (int axis = 0; axis < q->size.rank; axis++)
        windows *= (double)(q->size.extent[axis] + 2 * q->extra.extent[axis]);
    return 32.0 * (double)(q->batch * q->channels) * windows;
}

static void adaptive_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    PoolInput in = {.x = input->tensors[0],
                    .y = input->tensors[1],
                    .reduction = *(const Reduction *)input->op->detail,
                    .adaptive = true};
    pool_reference(&refs[1], &in, arena);
}

static const Reduction greatest = REDUCE_GREATEST, mean = REDUCE_MEAN, norm = REDUCE_NORM_2;

#define POOL_OP(kind, axes, table_of_params, text, how)                                            \
    NN_OP_TABLES, .name = kind #axes "d", .summary = text, .params = (table_of_params)[(axes)-1],  \
                  .tensors = tensors, .dtypes = DTYPES_FLOAT, .fills = nn_moderate_fills,          \
                  .normalise = nn_normalise_pool, .shape = nn_pool_shape, .work = nn_pool_work,    \
                  .reference = reference, .detail = &(how)

#define ADAPTIVE_OP(kind, axes, text, how)                                                         \
    NN_OP_TABLES, .name = kind #axes "d", .summary = text ", windows by the extents",              \
                  .params = nn_adaptive_pool_params[(axes)-1], .tensors = tensors,                 \
                  .dtypes = DTYPES_FLOAT, .fills = nn_moderate_fills,                              \
                  .normalise = nn_normalise_adaptive_pool, .shape = nn_adaptive_pool_shape,        \
                  .work = nn_adaptive_pool_work, .reference = adaptive_reference, .detail = &(how)

static const OpDesc table[] = {
    {POOL_OP("max_pool", 1, nn_pool_params, "greatest of each window", greatest),
     .policy = "nan-by-comparison"},
    {POOL_OP("max_pool", 2, nn_pool_params, "greatest of each window", greatest),
     .policy = "nan-by-comparison"},
    {POOL_OP("max_pool", 3, nn_pool_params, "greatest of each window", greatest),
     .policy = "nan-by-comparison"},
    {POOL_OP("avg_pool", 1, nn_mean_pool_params, "mean of each window", mean)},
    {POOL_OP("avg_pool", 2, nn_mean_pool_params, "mean of each window", mean)},
    {POOL_OP("avg_pool", 3, nn_mean_pool_params, "mean of each window", mean)},
    {POOL_OP("lp_pool", 1, nn_pool_params, "euclidean norm of each window", norm)},
    {POOL_OP("lp_pool", 2, nn_pool_params, "euclidean norm of each window", norm)},
    {POOL_OP("lp_pool", 3, nn_pool_params, "euclidean norm of each window", norm)},
    {ADAPTIVE_OP("adaptive_avg_pool", 1, "mean of each window", mean)},
    {ADAPTIVE_OP("adaptive_avg_pool", 2, "mean of each window", mean)},
    {ADAPTIVE_OP("adaptive_avg_pool", 3, "mean of each window", mean)},
    {ADAPTIVE_OP("adaptive_max_pool", 1, "greatest of each window", greatest),
     .policy = "nan-by-comparison"},
    {ADAPTIVE_OP("adaptive_max_pool", 2, "greatest of each window", greatest),
     .policy = "nan-by-comparison"},
    {ADAPTIVE_OP("adaptive_max_pool", 3, "greatest of each window", greatest),
     .policy = "nan-by-comparison"},
    {.name = NULL},
};

const OpDesc *ops_pool(void)
{
    return table;
}
