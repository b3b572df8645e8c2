/* A normalisation is one operation; attention is one, or a chain of single ones where it is causal.
 */
#include "cudnn_graph_layers.h"

#include <math.h>
#include <string.h>

/* Layers as channels of as many samples as there are; only dense ones. */
bool graph_plan_layer(const GraphWork *work, int mode)
{
    const Tensor *x = graph_layout(work, 0);
    bool biased = work->shapes->count == 4;
    int y = work->shapes->count - 1;
    int64_t size = tensor_count(graph_layout(work, 1)), samples = size ? tensor_count(x) / size : 0;
    const int64_t extents[] = {samples, size, 1, 1}, one[] = {1, size, 1, 1};
    GraphShape of_x = graph_dense(4, extents), of_scale = graph_dense(4, one);
    for (int operand = 0; operand <= y; operand++)
        if (!tensor_is_dense(graph_layout(work, operand)))
            return false;
    int first = graph_put(work, 0, &of_x), scale = graph_put(work, 1, &of_scale);
    int bias = biased ? graph_put(work, 2, &of_scale) : -1;
    int epsilon = graph_number(work->plan, (float)case_scalar(work->c, "epsilon").re, 4);
    graph_norm(work->plan, mode, first, scale, bias, epsilon, graph_put(work, y, &of_x));
    return true;
}

bool graph_plan_channels(const GraphWork *work, int mode)
{
    enum { X, SCALE, BIAS, Y };
    GraphShape of_x = graph_image_shape(graph_layout(work, X)),
               of_y = graph_image_shape(graph_layout(work, Y));
    /* x and y lie alike. */
    for (int axis = 0; axis < of_x.rank; axis++)
        if (of_x.stride[axis] != of_y.stride[axis])
            return false;
    const int64_t channels[] = {1, of_x.extent[1], 1, 1, 1};
    GraphShape of_scale = graph_dense(of_x.rank, channels), of_bias = of_scale;
    of_scale.stride[1] = graph_layout(work, SCALE)->stride[0];
    of_bias.stride[1] = graph_layout(work, BIAS)->stride[0];
    int x = graph_put(work, X, &of_x), scale = graph_put(work, SCALE, &of_scale),
        bias = graph_put(work, BIAS, &of_bias);
    int epsilon = graph_number(work->plan, (float)case_scalar(work->c, "epsilon").re, of_x.rank);
    graph_norm(work->plan, mode, x, scale, bias, epsilon, graph_put(work, Y, &of_y));
    return true;
}

/* Samples or channels in front of a mean, as many axes as x has. */
static int put_statistics(const GraphWork *work, int operand, int rank, int mode)
{
    const Tensor *t = graph_layout(work, operand);
    int64_t extents[GRAPH_AXES_MAX] = {1, 1, 1, 1, 1, 1};
    if (mode == NORM_BATCH)
        extents[1] = t->extent[0];
    else if (mode == NORM_INSTANCE)
        memcpy(extents, t->extent, 2 * sizeof *extents);
    else
        extents[0] = tensor_count(t);
    GraphShape shape = graph_dense(rank, extents);
    return graph_put(work, operand, &shape);
}

/* From the mean and 1 / sqrt(variance + epsilon) that a forward pass would have left. */
bool graph_plan_norm_gradient(const GraphWork *work, int mode)
{
    enum { DY, X, SCALE, MEAN, VARIANCE, DX, D_SCALE, D_BIAS };
    const Tensor *scale = graph_layout(work, SCALE);
    GraphShape of_x = graph_image_shape(graph_layout(work, X));
    for (int operand = DY; operand <= D_BIAS; operand++)
        if (!tensor_is_dense(graph_layout(work, operand)))
            return false;
    const int64_t size = tensor_count(scale);
    const int64_t layers[] = {tensor_count(graph_layout(work, X)) / size, size, 1, 1};
    const int64_t channels[] = {1, size, 1, 1, 1};
    if (mode == NORM_LAYER)
        of_x = graph_dense(4, layers);
    GraphShape of_scale = graph_dense(of_x.rank, channels);
    GraphNormGradient parts = {.dy = graph_put(work, DY, &of_x),
                               .x = graph_put(work, X, &of_x),
                               .scale = graph_put(work, SCALE, &of_scale),
                               .mean = put_statistics(work, MEAN, of_x.rank, mode),
                               .inverse = put_statistics(work, VARIANCE, of_x.rank, mode),
                               .dx = graph_put(work, DX, &of_x),
                               .dscale = graph_put(work, D_SCALE, &of_scale),
                               .dbias = graph_put(work, D_BIAS, &of_scale)};
    graph_make_inverse(work->plan, parts.inverse, (float)case_scalar(work->c, "epsilon").re);
    graph_norm_gradient(work->plan, mode, &parts);
    return true;
}

/* A function of two tensors, or of x alone, into a tensor of its own. */
static int put_function(const GraphWork *work, const GraphFunction *function, int type, int x,
                        int b, const GraphShape *shape)
{
    int y = graph_between(work->plan, type, shape);
    graph_pointwise(work->plan, function, type, x, b, y);
    return y;
}

static int put_indices(const GraphWork *work, int scores, int axis, const GraphShape *shape)
{
    enum { GENERATE_INDEX = 501 };
    GraphFunction indices = graph_function(GENERATE_INDEX);
    indices.axis = axis;
    return put_function(work, &indices, GRAPH_TYPE_INTEGER, scores, -1, shape);
}

/* Scores where a row sees them; nothing has a weight elsewhere. */
static int put_mask(const GraphWork *work, int scores, const GraphShape *shape)
{
    enum { ROWS = 2, COLUMNS = 3, AT_LEAST = 303 };
    GraphFunction at_least = graph_function(AT_LEAST);
    int rows = put_indices(work, scores, ROWS, shape);
    int columns = put_indices(work, scores, COLUMNS, shape);
    int seen = put_function(work, &at_least, GRAPH_TYPE_BOOLEAN, rows, columns, shape);
    int masked = graph_between(work->plan, work->sums, shape);
    int nothing = graph_number(work->plan, -INFINITY, shape->rank);
    graph_select(work->plan, work->sums, scores, nothing, seen, masked);
    return masked;
}

/* The logarithm of the sum of exponentials, as training has it: without it the library does not
 * know the operations together. */
static void put_statistic(const GraphWork *work, int total, int greatest, const GraphShape *of_rows)
{
    enum { ADD = 0, LOGARITHM = 15 };
    GraphFunction add = graph_function(ADD), logarithm = graph_function(LOGARITHM);
    int log = put_function(work, &logarithm, work->sums, total, -1, of_rows);
    graph_pointwise(work->plan, &add, work->sums, log, greatest,
                    graph_unwanted(work->plan, of_rows));
}

/* Weights of the type of the operands, as the product takes them. */
static int put_softmax(const GraphWork *work, int scores, const GraphShape *shape)
{
    enum { SUBTRACT = 9, EXPONENTIAL = 13, DIVIDE = 6, REDUCE_ADD = 0, REDUCE_MAXIMUM = 3 };
    GraphFunction subtract = graph_function(SUBTRACT), divide = graph_function(DIVIDE);
    GraphFunction exponential = graph_function(EXPONENTIAL);
    const int64_t extents[] = {shape->extent[0], shape->extent[1], shape->extent[2], 1};
    GraphShape of_rows = graph_dense(4, extents);
    int greatest = graph_between(work->plan, work->sums, &of_rows);
    graph_reduction(work->plan, REDUCE_MAXIMUM, work->sums, scores, greatest);
    int below = put_function(work, &subtract, work->sums, scores, greatest, shape);
    int powers = put_function(work, &exponential, work->sums, below, -1, shape);
    int total = graph_between(work->plan, work->sums, &of_rows);
    graph_reduction(work->plan, REDUCE_ADD, work->sums, powers, total);
    put_statistic(work, total, greatest, &of_rows);
    int weights = graph_between(work->plan, graph_type(case_dtype(work->c)), shape);
    graph_pointwise(work->plan, &divide, work->sums, powers, total, weights);
    return weights;
}

/* By single operations, which the library knows together, of halves. */
static bool plan_causal_attention(const GraphWork *work)
{
    if (dtype_size(case_dtype(work->c)) != dtype_size(DT_F16))
        return false;
    enum { Q, K, V, Y, MULTIPLY = 1 };
    GraphFunction multiply = graph_function(MULTIPLY);
    GraphShape of_q = graph_image_shape(graph_layout(work, Q)),
               of_k = graph_image_shape(graph_layout(work, K)), across = of_k;
    const int64_t extents[] = {of_q.extent[0], of_q.extent[1], of_q.extent[2], of_k.extent[2]};
    GraphShape of_scores = graph_dense(4, extents);
    for (int axis = 2; axis < 4; axis++) {
        across.extent[axis] = of_k.extent[5 - axis];
        across.stride[axis] = of_k.stride[5 - axis];
    }
    int q = graph_put(work, Q, &of_q), k = graph_put(work, K, &across);
    int v = graph_put_image(work, V), y = graph_put_image(work, Y);
    int scale =
        graph_number(work->plan, (float)(1 / sqrt((double)case_int(work->c, "head_size"))), 4);
    int products = graph_between(work->plan, work->sums, &of_scores);
    graph_matmul(work->plan, work->sums, q, k, products);
    int scores = put_function(work, &multiply, work->sums, products, scale, &of_scores);
    int weights = put_softmax(work, put_mask(work, scores, &of_scores), &of_scores);
    graph_matmul(work->plan, work->sums, weights, v, y);
    return true;
}

/* The operation of its own has masks for blocks only. */
bool graph_plan_attention(const GraphWork *work)
{
    enum { Q, K, V, Y };
    if (strcmp(case_choice(work->c, "is_causal"), "yes") == 0)
        return plan_causal_attention(work);
    int q = graph_put_image(work, Q), k = graph_put_image(work, K), v = graph_put_image(work, V);
    float scale = (float)(1 / sqrt((double)case_int(work->c, "head_size")));
    graph_attention(work->plan, q, k, v, graph_number(work->plan, scale, 4),
                    graph_put_image(work, Y));
    return true;
}
