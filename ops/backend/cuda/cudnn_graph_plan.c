/* Operators as graphs: one operation, or a product with a bias and an activation behind it. */
#include <math.h>
#include <string.h>

#include "cudnn_bindings.h"
#include "cudnn_graph_layers.h"
#include "cudnn_graph_work.h"
#include "cudnn_parts.h"

/* The function with its parameters in the case. */
static GraphFunction function_of(const Case *c, GraphKind kind, int mode)
{
    GraphFunction function = graph_function(mode);
    int forward = kind == GRAPH_OF_GRADIENT ? mode - POINTWISE_GRADIENT : mode;
    if (kind == GRAPH_OF_UNARY_TO_6)
        function.upper = 6;
    if (kind == GRAPH_OF_UNARY_WITH_SLOPE)
        function.slope = case_scalar(c, "negative_slope").re;
    if (forward == POINTWISE_ELU)
        function.elu = case_scalar(c, "alpha").re;
    if (forward == POINTWISE_SILU)
        function.swish = 1;
    if (forward == POINTWISE_SOFTPLUS)
        function.softplus = 1;
    return function;
}

static bool plan_functions(const GraphWork *work, GraphKind kind, int mode)
{
    GraphShape shapes[OP_TENSORS_MAX] = {{0}};
    GraphFunction function = function_of(work->c, kind, mode);
    int count = work->shapes->count, tensors[OP_TENSORS_MAX] = {0};
    for (int i = 0; i < count; i++)
        shapes[i] = graph_plain_shape(graph_layout(work, i), graph_layout(work, count - 1)->rank);
    graph_merge_axes(shapes, count);
    for (int i = 0; i < count; i++)
        tensors[i] = graph_put(work, i, &shapes[i]);
    const int *t = tensors;
    if (kind == GRAPH_OF_GRADIENT)
        graph_gradient(work->plan, &function, work->sums, t[0], t[1], t[2]);
    else if (kind == GRAPH_OF_BINARY)
        graph_pointwise(work->plan, &function, work->sums, t[0], t[1], t[2]);
    else
        graph_pointwise(work->plan, &function, work->sums, t[0], -1, t[1]);
    return true;
}

/* The result has an axis of 1 for each that is reduced, whether it keeps them or not. */
static bool plan_reduction(const GraphWork *work, int mode)
{
    const Tensor *x = graph_layout(work, 0), *y = graph_layout(work, 1);
    int64_t axes = case_int(work->c, "axes");
    GraphShape shapes[] = {graph_plain_shape(x, 0), {0}};
    for (int axis = 0, own = 0; axis < x->rank; axis++) {
        bool reduced = axes >> (x->rank - 1 - axis) & 1;
        if (reduced)
            graph_append_axis(&shapes[1], 1, 1);
        else
            graph_append_axis(&shapes[1], y->extent[own], y->stride[own]);
        own += y->rank == x->rank || !reduced;
    }
    graph_merge_axes(shapes, 2);
    int from = graph_put(work, 0, &shapes[0]), to = graph_put(work, 1, &shapes[1]);
    graph_reduction(work->plan, mode, work->sums, from, to);
    return true;
}

/* How a product ends: in y at once, or before operations that add a bias (-1: none) and activate,
 * of which the last writes y. */
typedef struct Ending {
    int y, bias;
    GraphShape of_y, of_bias;
    const char *activation;
} Ending;

static int product_of(const GraphWork *work, const Ending *e)
{
    return e->bias < 0 && strcmp(e->activation, "none") == 0
               ? graph_put(work, e->y, &e->of_y)
               : graph_between(work->plan, work->sums, &e->of_y);
}

static void end_product(const GraphWork *work, const Ending *e, int product)
{
    bool activated = strcmp(e->activation, "none") != 0;
    if (e->bias >= 0) {
        GraphFunction add = graph_function(POINTWISE_ADD);
        int bias = graph_put(work, e->bias, &e->of_bias);
        int sum = activated ? graph_between(work->plan, work->sums, &e->of_y)
                            : graph_put(work, e->y, &e->of_y);
        graph_pointwise(work->plan, &add, work->sums, product, bias, sum);
        product = sum;
    }
    if (activated) {
        bool gelu = strcmp(e->activation, "gelu") == 0;
        GraphFunction function = graph_function(gelu ? POINTWISE_GELU : POINTWISE_RELU);
        function.upper = strcmp(e->activation, "relu6") == 0 ? 6 : NAN;
        graph_pointwise(work->plan, &function, work->sums, product, -1,
                        graph_put(work, e->y, &e->of_y));
    }
}

/* Three axes at least, the last two of matrices. */
static bool plan_matmul(const GraphWork *work)
{
    enum { LEAST = 3 };
    GraphShape shapes[3];
    int rank = graph_layout(work, 2)->rank;
    for (int operand = 0; operand < 3; operand++)
        shapes[operand] =
            graph_plain_shape(graph_layout(work, operand), rank > LEAST ? rank : LEAST);
    Ending e = {
        .y = 2, .bias = -1, .of_y = shapes[2], .activation = case_choice(work->c, "activation")};
    int a = graph_put(work, 0, &shapes[0]), b = graph_put(work, 1, &shapes[1]),
        product = product_of(work, &e);
    graph_matmul(work->plan, work->sums, a, b, product);
    end_product(work, &e, product);
    return true;
}

/* One matrix. */
static GraphShape matrix_shape(const Tensor *t)
{
    return (GraphShape){
        3, {1, t->extent[0], t->extent[1]}, {tensor_count(t), t->stride[0], t->stride[1]}};
}

static bool plan_linear(const GraphWork *work, int mode)
{
    enum { X, W, BIAS, Y };
    const Tensor *x = graph_layout(work, X), *w = graph_layout(work, W), *y = graph_layout(work, Y);
    bool biased = strcmp(case_choice(work->c, "bias"), "yes") == 0;
    const int64_t bias[] = {1, 1, w->extent[0]};
    GraphShape of_x = matrix_shape(x);
    GraphShape of_w = {
        3, {1, w->extent[1], w->extent[0]}, {tensor_count(w), w->stride[1], w->stride[0]}};
    Ending e = {.y = Y,
                .bias = biased ? BIAS : -1,
                .of_y = matrix_shape(y),
                .of_bias = graph_dense(3, bias),
                .activation = mode == POINTWISE_GELU ? "gelu" : case_choice(work->c, "activation")};
    e.of_bias.stride[2] = graph_layout(work, BIAS)->stride[0];
    int left = graph_put(work, X, &of_x), right = graph_put(work, W, &of_w),
        product = product_of(work, &e);
    graph_matmul(work->plan, work->sums, left, right, product);
    end_product(work, &e, product);
    return true;
}

/* The gradient behind the product, and the sums of its columns. */
static bool plan_activated(const GraphWork *work, int mode)
{
    enum { DY, W, Z, DZ, D_BIAS };
    enum { REDUCE_ADD = 0 };
    GraphShape shapes[DZ + 1];
    int tensors[DZ + 1];
    GraphFunction function = graph_function(mode);
    const int64_t bias[] = {1, 1, graph_layout(work, D_BIAS)->extent[0]};
    GraphShape of_bias = graph_dense(3, bias);
    of_bias.stride[2] = graph_layout(work, D_BIAS)->stride[0];
    for (int i = DY; i <= DZ; i++) {
        shapes[i] = matrix_shape(graph_layout(work, i));
        tensors[i] = graph_put(work, i, &shapes[i]);
    }
    int product = graph_between(work->plan, work->sums, &shapes[DZ]);
    graph_matmul(work->plan, work->sums, tensors[DY], tensors[W], product);
    graph_gradient(work->plan, &function, work->sums, product, tensors[Z], tensors[DZ]);
    graph_reduction(work->plan, REDUCE_ADD, work->sums, tensors[DZ],
                    graph_put(work, D_BIAS, &of_bias));
    return true;
}

static GraphWindow window_of(const Case *c)
{
    GraphWindow window = {.axes = dnn_window_axes(c)};
    dnn_window_numbers(c, "pads_begin", 0, window.before);
    dnn_window_numbers(c, "pads_end", 0, window.after);
    dnn_window_numbers(c, "stride", 1, window.stride);
    dnn_window_numbers(c, "dilation", 1, window.dilation);
    return window;
}

/* Weights have no gaps, and repeat nothing; their axes may be in any order. */
static bool is_packed(const Tensor *weights)
{
    return tensor_span(weights) == tensor_count(weights);
}

static bool plan_forward(const GraphWork *work)
{
    enum { X, W, BIAS, Y };
    if (!is_packed(graph_layout(work, W)))
        return false;
    bool biased = strcmp(case_choice(work->c, "bias"), "yes") == 0;
    GraphWindow window = window_of(work->c);
    const int64_t bias[] = {1, graph_layout(work, BIAS)->extent[0], 1, 1, 1};
    Ending e = {.y = Y,
                .bias = biased ? BIAS : -1,
                .of_y = graph_image_shape(graph_layout(work, Y)),
                .activation = case_choice(work->c, "activation")};
    e.of_bias = graph_dense(e.of_y.rank, bias);
    e.of_bias.stride[1] = graph_layout(work, BIAS)->stride[0];
    int x = graph_put_image(work, X), w = graph_put_image(work, W), product = product_of(work, &e);
    graph_convolution(work->plan, GRAPH_FORWARD, &window, work->sums, x, w, product);
    end_product(work, &e, product);
    return true;
}

/* Operands are dy, w and dx, or x, dy and dw. */
static bool plan_window_gradient(const GraphWork *work, GraphConvolution kind)
{
    GraphWindow window = window_of(work->c);
    if (!is_packed(graph_layout(work, kind == GRAPH_DATA ? 1 : 2)))
        return false;
    int first = graph_put_image(work, 0), second = graph_put_image(work, 1),
        result = graph_put_image(work, 2);
    if (kind == GRAPH_DATA)
        graph_convolution(work->plan, kind, &window, work->sums, result, second, first);
    else
        graph_convolution(work->plan, kind, &window, work->sums, first, result, second);
    return true;
}

static bool plan_row(const GraphWork *work, const GraphRow *row)
{
    int number = row->mode.number;
    switch (row->kind) {
    case GRAPH_OF_REDUCTION:
        return plan_reduction(work, number);
    case GRAPH_OF_MATMUL:
        return plan_matmul(work);
    case GRAPH_OF_LINEAR:
        return plan_linear(work, number);
    case GRAPH_OF_ACTIVATED:
        return plan_activated(work, number);
    case GRAPH_OF_FORWARD:
        return plan_forward(work);
    case GRAPH_OF_DATA:
        return plan_window_gradient(work, GRAPH_DATA);
    case GRAPH_OF_WEIGHTS:
        return plan_window_gradient(work, GRAPH_WEIGHTS);
    case GRAPH_OF_LAYER:
        return graph_plan_layer(work, number);
    case GRAPH_OF_CHANNELS:
        return graph_plan_channels(work, number);
    case GRAPH_OF_NORM_GRADIENT:
        return graph_plan_norm_gradient(work, number);
    case GRAPH_OF_ATTENTION:
        return graph_plan_attention(work);
    default:
        return plan_functions(work, row->kind, number);
    }
}

bool cudnn_graph_plan(GraphPlan *plan, const Case *c, const Shapes *shapes)
{
    const GraphRow *row = cudnn_graph_row(c->op);
    *plan = (GraphPlan){0};
    GraphWork work = {plan, c, shapes, graph_sum_type(case_dtype(c))};
    if (!row)
        return false;
    for (int i = 0; i < shapes->count; i++)
        if (!shapes->tensor[i].ignored && (tensor_is_empty(&shapes->tensor[i].layout) ||
                                           tensor_count(&shapes->tensor[i].layout) > INT32_MAX))
            return false;
    return plan_row(&work, row);
}
