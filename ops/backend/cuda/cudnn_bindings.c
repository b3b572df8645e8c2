/* Source: the cuDNN documentation, "cudnn_ops Library", "cudnn_cnn Library" and "cudnn_graph
 * Library". */
#include "cudnn_bindings.h"

#include <string.h>

#include "cudnn_plan.h"

static const DnnRow calls[] = {
    {"conv1d", CALL_OF_CONV, 0},
    {"conv2d", CALL_OF_CONV, 0},
    {"conv3d", CALL_OF_CONV, 0},
    {"conv1d_backward_data", CALL_OF_DATA, 0},
    {"conv2d_backward_data", CALL_OF_DATA, 0},
    {"conv3d_backward_data", CALL_OF_DATA, 0},
    {"conv1d_backward_weights", CALL_OF_WEIGHTS, 0},
    {"conv2d_backward_weights", CALL_OF_WEIGHTS, 0},
    {"conv3d_backward_weights", CALL_OF_WEIGHTS, 0},
    {"max_pool1d", CALL_OF_POOL, POOL_MAX},
    {"max_pool2d", CALL_OF_POOL, POOL_MAX},
    {"max_pool3d", CALL_OF_POOL, POOL_MAX},
    {"avg_pool1d", CALL_OF_POOL, POOL_MEAN_WITH_PADS},
    {"avg_pool2d", CALL_OF_POOL, POOL_MEAN_WITH_PADS},
    {"avg_pool3d", CALL_OF_POOL, POOL_MEAN_WITH_PADS},
    {"max_pool1d_backward", CALL_OF_POOL_GRADIENT, POOL_MAX},
    {"max_pool2d_backward", CALL_OF_POOL_GRADIENT, POOL_MAX},
    {"max_pool3d_backward", CALL_OF_POOL_GRADIENT, POOL_MAX},
    {"avg_pool1d_backward", CALL_OF_POOL_GRADIENT, POOL_MEAN_WITH_PADS},
    {"avg_pool2d_backward", CALL_OF_POOL_GRADIENT, POOL_MEAN_WITH_PADS},
    {"avg_pool3d_backward", CALL_OF_POOL_GRADIENT, POOL_MEAN_WITH_PADS},
    {"softmax", CALL_OF_SOFTMAX, SOFTMAX_ACCURATE},
    {"log_softmax", CALL_OF_SOFTMAX, SOFTMAX_LOG},
    {"softmax_backward", CALL_OF_SOFTMAX_GRADIENT, SOFTMAX_ACCURATE},
    {"log_softmax_backward", CALL_OF_SOFTMAX_GRADIENT, SOFTMAX_LOG},
    {"relu", CALL_OF_ACTIVATION, ACTIVATION_RELU},
    {"sigmoid", CALL_OF_ACTIVATION, ACTIVATION_SIGMOID},
    {"tanh", CALL_OF_ACTIVATION, ACTIVATION_TANH},
    {"batch_norm", CALL_OF_NORM, NORM_BY_CHANNEL},
    {"batch_norm_train", CALL_OF_NORM_TRAINING, NORM_BY_CHANNEL},
};

static const GraphRow graphs[] = {
    {"abs", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_ABS", 10, 0}},
    {"ceil", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_CEIL", 11, 0}},
    {"cos", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_COS", 12, 0}},
    {"exp", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_EXP", 13, 0}},
    {"floor", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_FLOOR", 14, 0}},
    {"log", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_LOG", 15, 0}},
    {"neg", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_NEG", 16, 0}},
    {"rsqrt", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_RSQRT", 17, 0}},
    {"sin", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_SIN", 18, 0}},
    {"sqrt", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_SQRT", 4, 0}},
    {"tan", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_TAN", 19, 0}},
    {"erf", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_ERF", 20, 0}},
    {"reciprocal", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_RECIPROCAL", 22, 0}},
    {"relu", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_RELU_FWD", 100, 0}},
    {"relu6", GRAPH_OF_UNARY_TO_6, {"CUDNN_POINTWISE_RELU_FWD", 100, 0}},
    {"leaky_relu", GRAPH_OF_UNARY_WITH_SLOPE, {"CUDNN_POINTWISE_RELU_FWD", 100, 0}},
    {"tanh", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_TANH_FWD", 101, 0}},
    {"sigmoid", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_SIGMOID_FWD", 102, 0}},
    {"elu", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_ELU_FWD", 103, 0}},
    {"gelu", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_GELU_FWD", 104, 0}},
    {"softplus", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_SOFTPLUS_FWD", 105, 0}},
    {"silu", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_SWISH_FWD", 106, 0}},
    {"gelu_tanh", GRAPH_OF_UNARY, {"CUDNN_POINTWISE_GELU_APPROX_TANH_FWD", 107, 0}},
    {"relu_backward", GRAPH_OF_GRADIENT, {"CUDNN_POINTWISE_RELU_BWD", 200, 0}},
    {"tanh_backward", GRAPH_OF_GRADIENT, {"CUDNN_POINTWISE_TANH_BWD", 201, 0}},
    {"sigmoid_backward", GRAPH_OF_GRADIENT, {"CUDNN_POINTWISE_SIGMOID_BWD", 202, 0}},
    {"elu_backward", GRAPH_OF_GRADIENT, {"CUDNN_POINTWISE_ELU_BWD", 203, 0}},
    {"gelu_backward", GRAPH_OF_GRADIENT, {"CUDNN_POINTWISE_GELU_BWD", 204, 0}},
    {"softplus_backward", GRAPH_OF_GRADIENT, {"CUDNN_POINTWISE_SOFTPLUS_BWD", 205, 0}},
    {"silu_backward", GRAPH_OF_GRADIENT, {"CUDNN_POINTWISE_SWISH_BWD", 206, 0}},
    {"gelu_tanh_backward", GRAPH_OF_GRADIENT, {"CUDNN_POINTWISE_GELU_APPROX_TANH_BWD", 207, 0}},
    {"add", GRAPH_OF_BINARY, {"CUDNN_POINTWISE_ADD", 0, 0}},
    {"mul", GRAPH_OF_BINARY, {"CUDNN_POINTWISE_MUL", 1, 0}},
    {"minimum", GRAPH_OF_BINARY, {"CUDNN_POINTWISE_MIN", 2, 0}},
    {"maximum", GRAPH_OF_BINARY, {"CUDNN_POINTWISE_MAX", 3, 0}},
    {"div", GRAPH_OF_BINARY, {"CUDNN_POINTWISE_DIV", 6, 0}},
    {"pow", GRAPH_OF_BINARY, {"CUDNN_POINTWISE_POW", 8, 0}},
    {"sub", GRAPH_OF_BINARY, {"CUDNN_POINTWISE_SUB", 9, 0}},
    {"atan2", GRAPH_OF_BINARY, {"CUDNN_POINTWISE_ATAN2", 23, 0}},
    {"sum", GRAPH_OF_REDUCTION, {"CUDNN_REDUCE_TENSOR_ADD", 0, 0}},
    {"amin", GRAPH_OF_REDUCTION, {"CUDNN_REDUCE_TENSOR_MIN", 2, 0}},
    {"amax", GRAPH_OF_REDUCTION, {"CUDNN_REDUCE_TENSOR_MAX", 3, 0}},
    {"matmul", GRAPH_OF_MATMUL, {NULL, 0, 0}},
    {"linear", GRAPH_OF_LINEAR, {NULL, 0, 0}},
    {"linear_gelu", GRAPH_OF_LINEAR, {"CUDNN_POINTWISE_GELU_APPROX_TANH_FWD", 107, 0}},
    {"relu_linear_backward", GRAPH_OF_ACTIVATED, {"CUDNN_POINTWISE_RELU_BWD", 200, 0}},
    {"gelu_linear_backward", GRAPH_OF_ACTIVATED, {"CUDNN_POINTWISE_GELU_APPROX_TANH_BWD", 207, 0}},
    {"conv1d", GRAPH_OF_FORWARD, {NULL, 0, 0}},
    {"conv2d", GRAPH_OF_FORWARD, {NULL, 0, 0}},
    {"conv3d", GRAPH_OF_FORWARD, {NULL, 0, 0}},
    {"conv1d_backward_data", GRAPH_OF_DATA, {NULL, 0, 0}},
    {"conv2d_backward_data", GRAPH_OF_DATA, {NULL, 0, 0}},
    {"conv3d_backward_data", GRAPH_OF_DATA, {NULL, 0, 0}},
    {"conv1d_backward_weights", GRAPH_OF_WEIGHTS, {NULL, 0, 0}},
    {"conv2d_backward_weights", GRAPH_OF_WEIGHTS, {NULL, 0, 0}},
    {"conv3d_backward_weights", GRAPH_OF_WEIGHTS, {NULL, 0, 0}},
    {"layer_norm", GRAPH_OF_LAYER, {"CUDNN_LAYER_NORM", NORM_LAYER, 0}},
    {"rms_norm", GRAPH_OF_LAYER, {"CUDNN_RMS_NORM", NORM_ROOT, 0}},
    {"instance_norm", GRAPH_OF_CHANNELS, {"CUDNN_INSTANCE_NORM", NORM_INSTANCE, 0}},
    {"layer_norm_backward", GRAPH_OF_NORM_GRADIENT, {"CUDNN_LAYER_NORM", NORM_LAYER, 0}},
    {"instance_norm_backward", GRAPH_OF_NORM_GRADIENT, {"CUDNN_INSTANCE_NORM", NORM_INSTANCE, 0}},
    {"batch_norm_backward", GRAPH_OF_NORM_GRADIENT, {"CUDNN_BATCH_NORM", NORM_BATCH, 0}},
    {"attention", GRAPH_OF_ATTENTION, {NULL, 0, 0}},
};

const DnnRow *cudnn_row(const OpDesc *op)
{
    for (size_t i = 0; i < COUNT_OF(calls); i++)
        if (!strcmp(calls[i].op, op->name))
            return &calls[i];
    return NULL;
}

const GraphRow *cudnn_graph_row(const OpDesc *op)
{
    for (size_t i = 0; i < COUNT_OF(graphs); i++)
        if (!strcmp(graphs[i].op, op->name))
            return &graphs[i];
    return NULL;
}

uint32_t cudnn_dtypes(const OpDesc *op)
{
    const DnnRow *row = cudnn_row(op);
    if (!row)
        return 0;
    /* Parameters of halves are binary32 there. */
    bool is_norm = row->kind == CALL_OF_NORM || row->kind == CALL_OF_NORM_TRAINING;
    return op_dtypes(op) & (uint32_t)(is_norm ? DTYPES_REAL : DTYPES_FLOAT);
}

uint32_t cudnn_graph_dtypes(const OpDesc *op)
{
    const GraphRow *row = cudnn_graph_row(op);
    if (!row)
        return 0;
    /* Engines take binary64 for convolutions alone, and sum halves into binary32 only. */
    uint32_t dtypes = 1u << DT_F32;
    if (row->kind != GRAPH_OF_REDUCTION && row->kind != GRAPH_OF_ACTIVATED)
        dtypes |= 1u << DT_F16 | 1u << DT_BF16;
    if (row->kind == GRAPH_OF_FORWARD || row->kind == GRAPH_OF_DATA ||
        row->kind == GRAPH_OF_WEIGHTS)
        dtypes |= 1u << DT_F64;
    return op_dtypes(op) & dtypes;
}

const GraphKey *cudnn_graph_mode(const OpDesc *op)
{
    const GraphRow *row = cudnn_graph_row(op);
    return row && row->mode.name ? &row->mode : NULL;
}
