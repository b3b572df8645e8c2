/* Operators as graphs: one operation, or a product with a bias and an activation behind it. */
#include <math.h>
#include <string.h>

#include "cudnn_graph_work.h"
#include "cudnn_parts.h"

enum {
    POINTWISE_ADD = 0,
    RELU = 100,
    RELU_GRADIENT = 200,
    SILU = 106,
    SILU_GRADIENT = 206,
    GELU = 107,
    GELU_GRADIENT = 207
};

typedef enum GraphKind {
    KIND_UNARY,
    KIND_GRADIENT,
    KIND_BINARY,
    KIND_REDUCTION,
    KIND_MATMUL,
    KIND_LINEAR,
    KIND_ACTIVATED,
    KIND_FORWARD,
    KIND_DATA,
    KIND_WEIGHTS,
    KIND_LAYER,
    KIND_CHANNELS,
    KIND_NORM_GRADIENT,
    KIND_ATTENTION
} GraphKind;

static const struct {
    const char *op;
    GraphKind kind;
    GraphKey mode; /* of the function, reduction or normalisation */
} rows[] = {
    {"abs", KIND_UNARY, {"CUDNN_POINTWISE_ABS", 10, 0}},
    {"ceil", KIND_UNARY, {"CUDNN_POINTWISE_CEIL", 11, 0}},
    {"cos", KIND_UNARY, {"CUDNN_POINTWISE_COS", 12, 0}},
    {"exp", KIND_UNARY, {"CUDNN_POINTWISE_EXP", 13, 0}},
    {"floor", KIND_UNARY, {"CUDNN_POINTWISE_FLOOR", 14, 0}},
    {"log", KIND_UNARY, {"CUDNN_POINTWISE_LOG", 15, 0}},
    {"neg", KIND_UNARY, {"CUDNN_POINTWISE_NEG", 16, 0}},
    {"rsqrt", KIND_UNARY, {"CUDNN_POINTWISE_RSQRT", 17, 0}},
    {"sin", KIND_UNARY, {"CUDNN_POINTWISE_SIN", 18, 0}},
    {"sqrt", KIND_UNARY, {"CUDNN_POINTWISE_SQRT", 4, 0}},
    {"tan", KIND_UNARY, {"CUDNN_POINTWISE_TAN", 19, 0}},
    {"erf", KIND_UNARY, {"CUDNN_POINTWISE_ERF", 20, 0}},
    {"reciprocal", KIND_UNARY, {"CUDNN_POINTWISE_RECIPROCAL", 22, 0}},
    {"relu", KIND_UNARY, {"CUDNN_POINTWISE_RELU_FWD", RELU, 0}},
    {"relu6", KIND_UNARY, {"CUDNN_POINTWISE_RELU_FWD", RELU, 0}},
    {"leaky_relu", KIND_UNARY, {"CUDNN_POINTWISE_RELU_FWD", RELU, 0}},
    {"tanh", KIND_UNARY, {"CUDNN_POINTWISE_TANH_FWD", 101, 0}},
    {"sigmoid", KIND_UNARY, {"CUDNN_POINTWISE_SIGMOID_FWD", 102, 0}},
    {"elu", KIND_UNARY, {"CUDNN_POINTWISE_ELU_FWD", 103, 0}},
    {"gelu", KIND_UNARY, {"CUDNN_POINTWISE_GELU_FWD", 104, 0}},
    {"softplus", KIND_UNARY, {"CUDNN_POINTWISE_SOFTPLUS_FWD", 105, 0}},
    {"silu", KIND_UNARY, {"CUDNN_POINTWISE_SWISH_FWD", SILU, 0}},
    {"gelu_tanh", KIND_UNARY, {"CUDNN_POINTWISE_GELU_APPROX_TANH_FWD", 107, 0}},
    {"relu_backward", KIND_GRADIENT, {"CUDNN_POINTWISE_RELU_BWD", RELU_GRADIENT, 0}},
    {"tanh_backward", KIND_GRADIENT, {"CUDNN_POINTWISE_TANH_BWD", 201, 0}},
    {"sigmoid_backward", KIND_GRADIENT, {"CUDNN_POINTWISE_SIGMOID_BWD", 202, 0}},
    {"elu_backward", KIND_GRADIENT, {"CUDNN_POINTWISE_ELU_BWD", 203, 0}},
    {"gelu_backward", KIND_GRADIENT, {"CUDNN_POINTWISE_GELU_BWD", 204, 0}},
    {"softplus_backward", KIND_GRADIENT, {"CUDNN_POINTWISE_SOFTPLUS_BWD", 205, 0}},
    {"silu_backward", KIND_GRADIENT, {"CUDNN_POINTWISE_SWISH_BWD", SILU_GRADIENT, 0}},
    {"gelu_tanh_backward",
     KIND_GRADIENT,
     {"CUDNN_POINTWISE_GELU_APPROX_TANH_BWD", GELU_GRADIENT, 0}},
    {"add", KIND_BINARY, {"CUDNN_POINTWISE_ADD", POINTWISE_ADD, 0}},
    {"mul", KIND_BINARY, {"CUDNN_POINTWISE_MUL", 1, 0}},
    {"minimum", KIND_BINARY, {"CUDNN_POINTWISE_MIN", 2, 0}},
    {"maximum", KIND_BINARY, {"CUDNN_POINTWISE_MAX", 3, 0}},
    {"div", KIND_BINARY, {"CUDNN_POINTWISE_DIV", 6, 0}},
    {"pow", KIND_BINARY, {"CUDNN_POINTWISE_POW", 8, 0}},
    {"sub", KIND_BINARY, {"CUDNN_POINTWISE_SUB", 9, 0}},
    {"atan2", KIND_BINARY, {"CUDNN_POINTWISE_ATAN2", 23, 0}},
    {"sum", KIND_REDUCTION, {"CUDNN_REDUCE_TENSOR_ADD", 0, 0}},
    {"amin", KIND_REDUCTION, {"CUDNN_REDUCE_TENSOR_MIN", 2, 0}},
    {"amax", KIND_REDUCTION, {"CUDNN_REDUCE_TENSOR_MAX", 3, 0}},
    {"matmul", KIND_MATMUL, {NULL, 0, 0}},
    {"linear", KIND_LINEAR, {NULL, 0, 0}},
    {"linear_gelu", KIND_LINEAR, {"CUDNN_POINTWISE_GELU_APPROX_TANH_FWD", GELU, 0}},
    {"relu_linear_backward", KIND_ACTIVATED, {"CUDNN_POINTWISE_RELU_BWD", RELU_GRADIENT, 0}},
    {"gelu_linear_backward",
     KIND_ACTIVATED,
     {"CUDNN_POINTWISE_GELU_APPROX_TANH_BWD", GELU_GRADIENT, 0}},
    {"conv1d", KIND_FORWARD, {NULL, 0, 0}},
    {"conv2d", KIND_FORWARD, {NULL, 0, 0}},
    {"conv3d", KIND_FORWARD, {NULL, 0, 0}},
    {"conv1d_backward_data", KIND_DATA, {NULL, 0, 0}},
    {"conv2d_backward_data", KIND_DATA, {NULL, 0, 0}},
    {"conv3d_backward_data", KIND_DATA, {NULL, 0, 0}},
    {"conv1d_backward_weights", KIND_WEIGHTS, {NULL, 0, 0}},
    {"conv2d_backward_weights", KIND_WEIGHTS, {NULL, 0, 0}},
    {"conv3d_backward_weights", KIND_WEIGHTS, {NULL, 0, 0}},
    {"layer_norm", KIND_LAYER, {"CUDNN_LAYER_NORM", NORM_LAYER, 0}},
    {"rms_norm", KIND_LAYER, {"CUDNN_RMS_NORM", NORM_ROOT, 0}},
    {"instance_norm", KIND_CHANNELS, {"CUDNN_INSTANCE_NORM", NORM_INSTANCE, 0}},
    {"layer_norm_backward", KIND_NORM_GRADIENT, {"CUDNN_LAYER_NORM", NORM_LAYER, 0}},
    {"instance_norm_backward", KIND_NORM_GRADIENT, {"CUDNN_INSTANCE_NORM", NORM_INSTANCE, 0}},
    {"batch_norm_backward", KIND_NORM_GRADIENT, {"CUDNN_BATCH_NORM", NORM_BATCH, 0}},
    {"attention", KIND_ATTENTION, {NULL, 0, 0}},
};

static int row_of(const OpDesc *op)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (!strcmp(rows[i].op, op->name))
            return (int)i;
    return -1;
}

uint32_t cudnn_graph_dtypes(const OpDesc *op)
{
    int row = row_of(op);
    if (row < 0)
        return 0;
    /* Engines take binary64 for convolutions alone, and sum halves into binary32 only. */
    uint32_t dtypes = 1u << DT_F32;
    if (rows[row].kind != KIND_REDUCTION && rows[row].kind != KIND_ACTIVATED)
        dtypes |= 1u << DT_F16 | 1u << DT_BF16;
    if (rows[row].kind >= KIND_FORWARD && rows[row].kind <= KIND_WEIGHTS)
        dtypes |= 1u << DT_F64;
    return op_dtypes(op) & dtypes;
}

const GraphKey *cudnn_graph_mode(const OpDesc *op)
{
    int row = row_of(op);
    return row >= 0 && rows[row].mode.name ? &rows[row].mode : NULL;
}

const Tensor *graph_layout(const GraphWork *work, int operand)
{
    return &work->shapes->tensor[operand].layout;
}

static void append_axis(GraphShape *shape, int64_t extent, int64_t stride)
{
    shape->extent[shape->rank] = extent;
    shape->stride[shape->rank++] = stride;
}

GraphShape graph_image_shape(const Tensor *t)
{
    enum { SAMPLE_AXES = 2, LEAST = 4 };
    GraphShape shape = {0};
    for (int axis = 0; axis < t->rank; axis++) {
        if (axis == SAMPLE_AXES && t->rank < LEAST)
            append_axis(&shape, 1, t->extent[axis] * t->stride[axis]);
        append_axis(&shape, t->extent[axis], t->stride[axis]);
    }
    return shape;
}

int graph_put(const GraphWork *work, int operand, const GraphShape *shape)
{
    return graph_operand(work->plan, operand, graph_layout(work, operand)->dtype, shape);
}

int graph_put_image(const GraphWork *work, int operand)
{
    GraphShape shape = graph_image_shape(graph_layout(work, operand));
    return graph_put(work, operand, &shape);
}

static void remove_axis(GraphShape *shape, int axis)
{
    shape->rank--;
    for (int i = axis; i < shape->rank; i++) {
        shape->extent[i] = shape->extent[i + 1];
        shape->stride[i] = shape->stride[i + 1];
    }
}

static bool is_one_axis(const GraphShape *shape, int outer)
{
    int64_t first = shape->extent[outer], second = shape->extent[outer + 1];
    if (first == 1 || second == 1)
        return first == second;
    return shape->stride[outer] == second * shape->stride[outer + 1];
}

/* True where an axis and the one inside it are one in all shapes. */
static bool is_one_axis_of_all(const GraphShape *shapes, int count, int outer)
{
    for (int i = 0; i < count; i++)
        if (!is_one_axis(&shapes[i], outer))
            return false;
    return true;
}

static bool is_of_extent_one(const GraphShape *shapes, int count, int axis)
{
    for (int i = 0; i < count; i++)
        if (shapes[i].extent[axis] != 1)
            return false;
    return true;
}

/* Four axes at least, the innermost in the place of channels, where engines for functions want it;
 * those of extent 1 have the strides that they would have if the others were packed. */
static void put_channels_second(GraphShape *shape)
{
    enum { LEAST = 4 };
    GraphShape from = *shape;
    int ones = from.rank < LEAST ? LEAST - from.rank : 0;
    *shape = (GraphShape){.rank = from.rank + ones};
    int64_t packed = 1;
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        int to = axis == shape->rank - 1 ? 1 : axis > 0 ? axis + 1 : 0;
        int64_t extent = axis < ones ? 1 : from.extent[axis - ones];
        shape->extent[to] = extent;
        shape->stride[to] = extent == 1 ? packed : from.stride[axis - ones];
        packed = extent * shape->stride[to];
    }
}

/* To functions of elements all axes are alike: as few as there can be. */
static void merge_axes(GraphShape *shapes, int count)
{
    for (int axis = shapes[0].rank - 1; axis >= 0; axis--) {
        bool one = is_of_extent_one(shapes, count, axis);
        bool merged = !one && axis + 1 < shapes[0].rank && is_one_axis_of_all(shapes, count, axis);
        for (int i = 0; i < count && merged; i++) {
            shapes[i].extent[axis + 1] *= shapes[i].extent[axis];
            shapes[i].stride[axis] = shapes[i].stride[axis + 1];
        }
        for (int i = 0; i < count && (one || merged); i++)
            remove_axis(&shapes[i], axis);
    }
    for (int i = 0; i < count; i++)
        put_channels_second(&shapes[i]);
}

/* So many axes at least, those that it lacks in front. */
static GraphShape plain_shape(const Tensor *t, int rank)
{
    GraphShape shape = {0};
    for (int axis = t->rank; axis < rank; axis++)
        append_axis(&shape, 1, tensor_count(t));
    for (int axis = 0; axis < t->rank; axis++)
        append_axis(&shape, t->extent[axis], t->stride[axis]);
    return shape;
}

GraphShape graph_dense(int rank, const int64_t *extents)
{
    GraphShape shape = {.rank = rank};
    int64_t step = 1;
    for (int axis = rank - 1; axis >= 0; axis--) {
        shape.extent[axis] = extents[axis];
        shape.stride[axis] = step;
        step *= extents[axis];
    }
    return shape;
}

/* What parameters a function has in the case. */
static GraphFunction function_of(const Case *c, int mode)
{
    GraphFunction function = graph_function(mode);
    bool elu = strncmp(c->op->name, "elu", 3) == 0;
    if (strcmp(c->op->name, "relu6") == 0)
        function.upper = 6;
    if (strcmp(c->op->name, "leaky_relu") == 0)
        function.slope = case_scalar(c, "alpha").re;
    if (elu)
        function.elu = case_scalar(c, "alpha").re;
    if (mode == SILU || mode == SILU_GRADIENT)
        function.swish = 1;
    if (strncmp(c->op->name, "softplus", 8) == 0)
        function.softplus = 1;
    return function;
}

static bool plan_functions(const GraphWork *work, GraphKind kind, int mode)
{
    GraphShape shapes[OP_TENSORS_MAX] = {{0}};
    GraphFunction function = function_of(work->c, mode);
    int count = work->shapes->count, tensors[OP_TENSORS_MAX] = {0};
    for (int i = 0; i < count; i++)
        shapes[i] = plain_shape(graph_layout(work, i), graph_layout(work, count - 1)->rank);
    merge_axes(shapes, count);
    for (int i = 0; i < count; i++)
        tensors[i] = graph_put(work, i, &shapes[i]);
    const int *t = tensors;
    if (kind == KIND_GRADIENT)
        graph_gradient(work->plan, &function, work->sums, t[0], t[1], t[2]);
    else if (kind == KIND_BINARY)
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
    GraphShape shapes[] = {plain_shape(x, 0), {0}};
    for (int axis = 0, own = 0; axis < x->rank; axis++) {
        bool reduced = axes >> (x->rank - 1 - axis) & 1;
        if (reduced)
            append_axis(&shapes[1], 1, 1);
        else
            append_axis(&shapes[1], y->extent[own], y->stride[own]);
        own += y->rank == x->rank || !reduced;
    }
    merge_axes(shapes, 2);
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
        GraphFunction function = graph_function(gelu ? GELU : RELU);
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
        shapes[operand] = plain_shape(graph_layout(work, operand), rank > LEAST ? rank : LEAST);
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
    bool biased = strcmp(case_choice(work->c, "with_bias"), "yes") == 0;
    const int64_t bias[] = {1, 1, w->extent[0]};
    GraphShape of_x = matrix_shape(x);
    GraphShape of_w = {
        3, {1, w->extent[1], w->extent[0]}, {tensor_count(w), w->stride[1], w->stride[0]}};
    Ending e = {.y = Y,
                .bias = biased ? BIAS : -1,
                .of_y = matrix_shape(y),
                .of_bias = graph_dense(3, bias),
                .activation = mode == GELU ? "gelu" : case_choice(work->c, "activation")};
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
    dnn_window_numbers(c, "before", 0, window.before);
    dnn_window_numbers(c, "after", 0, window.after);
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
    bool biased = strcmp(case_choice(work->c, "with_bias"), "yes") == 0;
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

static bool plan_kind(const GraphWork *work, int row)
{
    int number = rows[row].mode.number;
    switch (rows[row].kind) {
    case KIND_REDUCTION:
        return plan_reduction(work, number);
    case KIND_MATMUL:
        return plan_matmul(work);
    case KIND_LINEAR:
        return plan_linear(work, number);
    case KIND_ACTIVATED:
        return plan_activated(work, number);
    case KIND_FORWARD:
        return plan_forward(work);
    case KIND_DATA:
        return plan_window_gradient(work, GRAPH_DATA);
    case KIND_WEIGHTS:
        return plan_window_gradient(work, GRAPH_WEIGHTS);
    case KIND_LAYER:
        return graph_plan_layer(work, number);
    case KIND_CHANNELS:
        return graph_plan_channels(work, number);
    case KIND_NORM_GRADIENT:
        return graph_plan_norm_gradient(work, number);
    case KIND_ATTENTION:
        return graph_plan_attention(work);
    default:
        return plan_functions(work, rows[row].kind, number);
    }
}

bool cudnn_graph_plan(GraphPlan *plan, const Case *c, const Shapes *shapes)
{
    int row = row_of(c->op);
    *plan = (GraphPlan){0};
    GraphWork work = {plan, c, shapes, graph_sum_type(case_dtype(c))};
    if (row < 0)
        return false;
    for (int i = 0; i < shapes->count; i++)
        if (!shapes->tensor[i].ignored && (tensor_is_empty(&shapes->tensor[i].layout) ||
                                           tensor_count(&shapes->tensor[i].layout) > INT32_MAX))
            return false;
    return plan_kind(&work, row);
}
