/* Pooling over one to three axes (reference/pool.h). */
#include <string.h>

#include "nn_pool.h"

#define POOL_PARAMS                                                                                \
    NN_DTYPE(Pool), NN_BATCH(Pool), NN_CHANNELS(Pool), NN_WINDOW(Pool, NN_ANY_AXES),               \
        P_CHOICE_AS("ceil_mode", Pool, window.ceil_mode, nn_yes_no,                                \
                    "a last window that reaches beyond the end")
#define NN_CHANNELS(type) P_DIM(type, channels, 1, 256, "channels")

const Param nn_pool_params[] = {POOL_PARAMS, P_END};
const Param nn_mean_pool_params[] = {POOL_PARAMS,
                                     P_CHOICE(Pool, count_include_pad, nn_yes_no,
                                              "padding counts as zeros", .formerly = "count_pads"),
                                     P_END};
const Param nn_adaptive_pool_params[] = {NN_DTYPE(AdaptivePool),
                                         NN_BATCH(AdaptivePool),
                                         NN_CHANNELS(AdaptivePool),
                                         NN_INPUT_SIZE(AdaptivePool, input_size, NN_ANY_AXES,
                                                       "no text says what windows of nothing give"),
                                         NN_OUTPUT_SIZE(AdaptivePool, 9, "extents of y"),
                                         P_END};
static const char *const tensors[] = {"x", "y", NULL};

/* A kernel that shrinks leaves less room for padding, and less padding less for the kernel. */
void nn_normalise_pool(void *params_of_case)
{
    Window *w = &((Pool *)params_of_case)->window, before;
    do {
        before = *w;
        nn_fit_kernel(w);
        for (int axis = 0; axis < w->input_size.rank; axis++) {
            int64_t most = w->kernel_size.extent[axis] - 1;
            int64_t *front = &w->pads_begin.extent[axis], *end = &w->pads_end.extent[axis];
            *front = *front < most ? *front : most;
            *end = *end < most ? *end : most;
        }
    } while (memcmp(&before, w, sizeof before) != 0);
}

void nn_pool_shape(const void *params_of_case, Shapes *shapes)
{
    const Pool *q = params_of_case;
    Shape outputs = nn_outputs(&q->window);
    Shape x = nn_image(q->batch, q->channels, &q->window.input_size);
    Shape y = nn_image(q->batch, q->channels, &outputs);
    *shapes = (Shapes){.count = 2, .depth = shape_count(&q->window.kernel_size)};
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

PoolInput nn_pool_input(const Pool *q)
{
    const Window *w = &q->window;
    PoolInput in = {.count_pads = q->count_include_pad};
    for (int axis = 0; axis < w->input_size.rank; axis++) {
        in.kernel[axis] = w->kernel_size.extent[axis];
        in.stride[axis] = w->stride.extent[axis];
        in.dilation[axis] = w->dilation.extent[axis];
        in.before[axis] = w->pads_begin.extent[axis];
        in.after[axis] = w->pads_end.extent[axis];
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

void nn_adaptive_pool_shape(const void *params_of_case, Shapes *shapes)
{
    const AdaptivePool *q = params_of_case;
    Shape x = nn_image(q->batch, q->channels, &q->input_size);
    Shape y = nn_image(q->batch, q->channels, &q->output_size);
    *shapes = (Shapes){.count = 2,
                       .depth = shape_count(&q->input_size) / shape_count(&q->output_size) + 2};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &x, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
}

double nn_adaptive_pool_work(const void *params_of_case)
{
    const AdaptivePool *q = params_of_case;
    double windows = 1;
    for (int axis = 0; axis < q->input_size.rank; axis++)
        windows *= (double)(q->input_size.extent[axis] + 2 * q->output_size.extent[axis]);
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

/* A window that reaches beyond the image by one element has no place, by two less than none. */
static const IllegalRule illegal[] = {{ILLEGAL_TUPLE, "stride", 0},
                                      {ILLEGAL_TUPLE, "dilation", 0},
                                      {ILLEGAL_KERNEL, "kernel_size", 1},
                                      {ILLEGAL_KERNEL, "kernel_size", 2},
                                      {ILLEGAL_RANK, "x", 0},
                                      {ILLEGAL_PADDING, "", -1},
                                      {ILLEGAL_PADDING, "", 1},
                                      {0}};
static const IllegalRule mean_illegal[] = {
    {ILLEGAL_TUPLE, "stride", 0},       {ILLEGAL_KERNEL, "kernel_size", 1},
    {ILLEGAL_KERNEL, "kernel_size", 2}, {ILLEGAL_RANK, "x", 0},
    {ILLEGAL_PADDING, "", -1},          {ILLEGAL_PADDING, "", 1},
    {ILLEGAL_TUPLE, "dilation", 0},     {0}};

static const IllegalRule adaptive_illegal[] = {{ILLEGAL_TUPLE, "output_size", -1}, {0}};

#define POOL_TABLES .tensors = tensors, .fills = nn_moderate_fills
#define GREATEST    .dtypes = DTYPES_FLOAT | DTYPES_WHOLE, .detail = &greatest
#define POOL_OP                                                                                    \
    NN_OP(Pool, 2), POOL_TABLES, .normalise = nn_normalise_pool, .shape = nn_pool_shape,           \
                                 .work = nn_pool_work, .reference = reference
#define ADAPTIVE_OP                                                                                \
    NN_OP(AdaptivePool, 2), POOL_TABLES,                                                           \
        .params = nn_adaptive_pool_params, .shape = nn_adaptive_pool_shape,                        \
        .work = nn_adaptive_pool_work, .reference = adaptive_reference,                            \
        .illegal = adaptive_illegal

static const OpDesc rows[] = {
    {POOL_OP, .name = "max_pool%dd", .summary = "greatest of each window", .params = nn_pool_params,
     GREATEST, .policy = "nan-by-comparison", .nan = NAN_OF_GREATEST, .illegal = illegal},
    {POOL_OP, .name = "avg_pool%dd", .summary = "mean of each window",
     .params = nn_mean_pool_params, .dtypes = DTYPES_FLOAT, .detail = &mean,
     .illegal = mean_illegal},
    {POOL_OP, .name = "lp_pool%dd", .summary = "euclidean norm of each window",
     .params = nn_pool_params, .dtypes = DTYPES_FLOAT, .detail = &norm},
    {ADAPTIVE_OP, .name = "adaptive_avg_pool%dd",
     .summary = "mean of each window, windows by the extents", .dtypes = DTYPES_FLOAT,
     .detail = &mean},
    {ADAPTIVE_OP, .name = "adaptive_max_pool%dd",
     .summary = "greatest of each window, windows by the extents", GREATEST,
     .policy = "nan-by-comparison", .nan = NAN_OF_GREATEST},
};

OP_TABLE(ops_pool)
{
    static OpDesc table[3 * COUNT_OF(rows) + 1];
    static SpreadOp storage[3 * COUNT_OF(rows)];
    nn_spread_axes(table, storage, rows, COUNT_OF(rows));
    return table;
}
