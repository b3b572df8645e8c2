/* Source: the cuDNN documentation, "Graph API", and the enumerations of its headers. */
#include "cudnn_graph_parts.h"

#include <math.h>
#include <string.h>

enum {
    KIND_POINTWISE = 0,
    KIND_CONVOLUTION = 1,
    KIND_CONVOLUTION_FORWARD = 10,
    KIND_CONVOLUTION_WEIGHTS = 11,
    KIND_CONVOLUTION_DATA = 12,
    KIND_OPERATION_POINTWISE = 13,
    KIND_TENSOR = 17,
    KIND_MATMUL = 18,
    KIND_OPERATION_MATMUL = 19,
    KIND_REDUCTION = 21,
    KIND_OPERATION_REDUCTION = 22,
    KIND_OPERATION_NORM = 29,
    KIND_OPERATION_NORM_GRADIENT = 30,
    KIND_OPERATION_ATTENTION = 41
};

const GraphKey graph_kinds[] = {
    {"CUDNN_BACKEND_POINTWISE_DESCRIPTOR", KIND_POINTWISE, 0},
    {"CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR", KIND_CONVOLUTION, 0},
    {"CUDNN_BACKEND_ENGINE_DESCRIPTOR", GRAPH_KIND_ENGINE, 0},
    {"CUDNN_BACKEND_ENGINECFG_DESCRIPTOR", GRAPH_KIND_CONFIG, 0},
    {"CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR", GRAPH_KIND_HEURISTICS, 0},
    {"CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR", GRAPH_KIND_EXECUTION, 0},
    {"CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR", KIND_CONVOLUTION_FORWARD, 0},
    {"CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR", KIND_CONVOLUTION_WEIGHTS, 0},
    {"CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR", KIND_CONVOLUTION_DATA, 0},
    {"CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR", KIND_OPERATION_POINTWISE, 0},
    {"CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR", GRAPH_KIND_OPERATIONS, 0},
    {"CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR", GRAPH_KIND_DATA, 0},
    {"CUDNN_BACKEND_TENSOR_DESCRIPTOR", KIND_TENSOR, 0},
    {"CUDNN_BACKEND_MATMUL_DESCRIPTOR", KIND_MATMUL, 0},
    {"CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR", KIND_OPERATION_MATMUL, 0},
    {"CUDNN_BACKEND_REDUCTION_DESCRIPTOR", KIND_REDUCTION, 0},
    {"CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR", KIND_OPERATION_REDUCTION, 0},
    {"CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR", KIND_OPERATION_NORM, 0},
    {"CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR", KIND_OPERATION_NORM_GRADIENT, 0},
    {"CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR", KIND_OPERATION_ATTENTION, 0},
    {NULL, 0, 0}};

enum {
    POINTWISE_MODE = 0,
    POINTWISE_SUMS = 1,
    POINTWISE_UPPER = 4,
    POINTWISE_SLOPE = 5,
    POINTWISE_ELU = 6,
    POINTWISE_SOFTPLUS = 7,
    POINTWISE_SWISH = 8,
    POINTWISE_AXIS = 9,
    CONVOLUTION_SUMS = 100,
    CONVOLUTION_MODE = 101,
    CONVOLUTION_DILATION = 102,
    CONVOLUTION_STRIDE = 103,
    CONVOLUTION_AFTER = 104,
    CONVOLUTION_BEFORE = 105,
    CONVOLUTION_AXES = 106,
    FORWARD_ALPHA = 700,
    FORWARD_BETA = 701,
    FORWARD_CONVOLUTION = 702,
    FORWARD_W = 703,
    FORWARD_X = 704,
    FORWARD_Y = 705,
    DATA_ALPHA = 706,
    DATA_BETA = 707,
    DATA_CONVOLUTION = 708,
    DATA_W = 709,
    DATA_DX = 710,
    DATA_DY = 711,
    WEIGHTS_ALPHA = 712,
    WEIGHTS_BETA = 713,
    WEIGHTS_CONVOLUTION = 714,
    WEIGHTS_DW = 715,
    WEIGHTS_X = 716,
    WEIGHTS_DY = 717,
    OPERATION_FUNCTION = 750,
    OPERATION_X = 751,
    OPERATION_B = 752,
    OPERATION_Y = 753,
    OPERATION_DX = 756,
    OPERATION_DY = 757,
    OPERATION_T = 758,
    TENSOR_TYPE = 901,
    TENSOR_EXTENTS = 902,
    TENSOR_STRIDES = 903,
    TENSOR_NUMBER = 906,
    TENSOR_VIRTUAL = 907,
    TENSOR_BY_VALUE = 908,
    MATMUL_SUMS = 1500,
    MATMUL_A = 1520,
    MATMUL_B = 1521,
    MATMUL_C = 1522,
    MATMUL_MATMUL = 1523,
    REDUCTION_MODE = 1600,
    REDUCTION_SUMS = 1601,
    REDUCTION_X = 1610,
    REDUCTION_Y = 1611,
    REDUCTION_REDUCTION = 1612,
    NORM_MODE = 2000,
    NORM_PHASE = 2001,
    NORM_X = 2002,
    NORM_SCALE = 2005,
    NORM_BIAS = 2006,
    NORM_EPSILON = 2007,
    NORM_Y = 2013,
    NORM_GRADIENT_MODE = 2100,
    NORM_GRADIENT_X = 2101,
    NORM_GRADIENT_MEAN = 2102,
    NORM_GRADIENT_INVERSE = 2103,
    NORM_GRADIENT_DY = 2104,
    NORM_GRADIENT_SCALE = 2105,
    NORM_GRADIENT_D_SCALE = 2107,
    NORM_GRADIENT_D_BIAS = 2108,
    NORM_GRADIENT_DX = 2109,
    ATTENTION_Q = 2800,
    ATTENTION_K = 2801,
    ATTENTION_V = 2802,
    ATTENTION_Y = 2803,
    ATTENTION_SCALE = 2805
};
enum {
    TYPE_DTYPE = 1,
    TYPE_CONVOLUTION_MODE = 7,
    TYPE_POINTWISE_MODE = 14,
    TYPE_REDUCTION = 18,
    TYPE_NORM_MODE = 27,
    TYPE_NORM_PHASE = 28
};

const GraphKey graph_types[] = {{"CUDNN_TYPE_HANDLE", GRAPH_HANDLE, 0},
                                {"CUDNN_TYPE_DATA_TYPE", TYPE_DTYPE, 0},
                                {"CUDNN_TYPE_BOOLEAN", GRAPH_BOOLEAN, 0},
                                {"CUDNN_TYPE_INT64", GRAPH_INTEGER, 0},
                                {"CUDNN_TYPE_FLOAT", GRAPH_SINGLE, 0},
                                {"CUDNN_TYPE_DOUBLE", GRAPH_DOUBLE, 0},
                                {"CUDNN_TYPE_VOID_PTR", GRAPH_ADDRESS, 0},
                                {"CUDNN_TYPE_CONVOLUTION_MODE", TYPE_CONVOLUTION_MODE, 0},
                                {"CUDNN_TYPE_HEUR_MODE", TYPE_HEURISTICS_MODE, 0},
                                {"CUDNN_TYPE_NUMERICAL_NOTE", TYPE_NOTE, 0},
                                {"CUDNN_TYPE_POINTWISE_MODE", TYPE_POINTWISE_MODE, 0},
                                {"CUDNN_TYPE_BACKEND_DESCRIPTOR", GRAPH_DESCRIPTOR, 0},
                                {"CUDNN_TYPE_REDUCTION_OPERATOR_TYPE", TYPE_REDUCTION, 0},
                                {"CUDNN_TYPE_NORM_MODE", TYPE_NORM_MODE, 0},
                                {"CUDNN_TYPE_NORM_FWD_PHASE", TYPE_NORM_PHASE, 0},
                                {NULL, 0, 0}};

const GraphKey graph_keys[] = {
    {"CUDNN_ATTR_POINTWISE_MODE", POINTWISE_MODE, TYPE_POINTWISE_MODE},
    {"CUDNN_ATTR_POINTWISE_MATH_PREC", POINTWISE_SUMS, TYPE_DTYPE},
    {"CUDNN_ATTR_POINTWISE_RELU_UPPER_CLIP", POINTWISE_UPPER, GRAPH_DOUBLE},
    {"CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP_SLOPE", POINTWISE_SLOPE, GRAPH_DOUBLE},
    {"CUDNN_ATTR_POINTWISE_ELU_ALPHA", POINTWISE_ELU, GRAPH_DOUBLE},
    {"CUDNN_ATTR_POINTWISE_SOFTPLUS_BETA", POINTWISE_SOFTPLUS, GRAPH_DOUBLE},
    {"CUDNN_ATTR_POINTWISE_SWISH_BETA", POINTWISE_SWISH, GRAPH_DOUBLE},
    {"CUDNN_ATTR_POINTWISE_AXIS", POINTWISE_AXIS, GRAPH_INTEGER},
    {"CUDNN_ATTR_CONVOLUTION_COMP_TYPE", CONVOLUTION_SUMS, TYPE_DTYPE},
    {"CUDNN_ATTR_CONVOLUTION_CONV_MODE", CONVOLUTION_MODE, TYPE_CONVOLUTION_MODE},
    {"CUDNN_ATTR_CONVOLUTION_DILATIONS", CONVOLUTION_DILATION, GRAPH_INTEGER},
    {"CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES", CONVOLUTION_STRIDE, GRAPH_INTEGER},
    {"CUDNN_ATTR_CONVOLUTION_POST_PADDINGS", CONVOLUTION_AFTER, GRAPH_INTEGER},
    {"CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS", CONVOLUTION_BEFORE, GRAPH_INTEGER},
    {"CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS", CONVOLUTION_AXES, GRAPH_INTEGER},
    {"CUDNN_ATTR_ENGINEHEUR_MODE", HEURISTICS_MODE, TYPE_HEURISTICS_MODE},
    {"CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH", HEURISTICS_OPERATIONS, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_ENGINEHEUR_RESULTS", HEURISTICS_RESULTS, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_ENGINECFG_ENGINE", CONFIG_ENGINE, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_EXECUTION_PLAN_HANDLE", EXECUTION_HANDLE, GRAPH_HANDLE},
    {"CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG", EXECUTION_CONFIG, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE", EXECUTION_WORKSPACE, GRAPH_INTEGER},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA", FORWARD_ALPHA, GRAPH_SINGLE},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA", FORWARD_BETA, GRAPH_SINGLE},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC", FORWARD_CONVOLUTION, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W", FORWARD_W, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X", FORWARD_X, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y", FORWARD_Y, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA", DATA_ALPHA, GRAPH_SINGLE},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA", DATA_BETA, GRAPH_SINGLE},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC", DATA_CONVOLUTION, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W", DATA_W, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX", DATA_DX, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY", DATA_DY, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA", WEIGHTS_ALPHA, GRAPH_SINGLE},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA", WEIGHTS_BETA, GRAPH_SINGLE},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC", WEIGHTS_CONVOLUTION,
     GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW", WEIGHTS_DW, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X", WEIGHTS_X, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY", WEIGHTS_DY, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR", OPERATION_FUNCTION, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_POINTWISE_XDESC", OPERATION_X, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_POINTWISE_BDESC", OPERATION_B, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_POINTWISE_YDESC", OPERATION_Y, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_POINTWISE_DXDESC", OPERATION_DX, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_POINTWISE_DYDESC", OPERATION_DY, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_POINTWISE_TDESC", OPERATION_T, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATIONGRAPH_HANDLE", OPERATIONS_HANDLE, GRAPH_HANDLE},
    {"CUDNN_ATTR_OPERATIONGRAPH_OPS", OPERATIONS_LIST, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT", GRAPH_TENSOR_ALIGNMENT, GRAPH_INTEGER},
    {"CUDNN_ATTR_TENSOR_DATA_TYPE", TENSOR_TYPE, TYPE_DTYPE},
    {"CUDNN_ATTR_TENSOR_DIMENSIONS", TENSOR_EXTENTS, GRAPH_INTEGER},
    {"CUDNN_ATTR_TENSOR_STRIDES", TENSOR_STRIDES, GRAPH_INTEGER},
    {"CUDNN_ATTR_TENSOR_UNIQUE_ID", TENSOR_NUMBER, GRAPH_INTEGER},
    {"CUDNN_ATTR_TENSOR_IS_VIRTUAL", TENSOR_VIRTUAL, GRAPH_BOOLEAN},
    {"CUDNN_ATTR_TENSOR_IS_BY_VALUE", TENSOR_BY_VALUE, GRAPH_BOOLEAN},
    {"CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS", DATA_NUMBERS, GRAPH_INTEGER},
    {"CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS", DATA_ADDRESSES, GRAPH_ADDRESS},
    {"CUDNN_ATTR_VARIANT_PACK_WORKSPACE", DATA_WORKSPACE, GRAPH_ADDRESS},
    {"CUDNN_ATTR_ENGINE_NUMERICAL_NOTE", ENGINE_NOTES, TYPE_NOTE},
    {"CUDNN_ATTR_MATMUL_COMP_TYPE", MATMUL_SUMS, TYPE_DTYPE},
    {"CUDNN_ATTR_OPERATION_MATMUL_ADESC", MATMUL_A, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_MATMUL_BDESC", MATMUL_B, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_MATMUL_CDESC", MATMUL_C, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_MATMUL_DESC", MATMUL_MATMUL, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_REDUCTION_OPERATOR", REDUCTION_MODE, TYPE_REDUCTION},
    {"CUDNN_ATTR_REDUCTION_COMP_TYPE", REDUCTION_SUMS, TYPE_DTYPE},
    {"CUDNN_ATTR_OPERATION_REDUCTION_XDESC", REDUCTION_X, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_REDUCTION_YDESC", REDUCTION_Y, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_REDUCTION_DESC", REDUCTION_REDUCTION, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_NORM_FWD_MODE", NORM_MODE, TYPE_NORM_MODE},
    {"CUDNN_ATTR_OPERATION_NORM_FWD_PHASE", NORM_PHASE, TYPE_NORM_PHASE},
    {"CUDNN_ATTR_OPERATION_NORM_FWD_XDESC", NORM_X, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC", NORM_SCALE, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC", NORM_BIAS, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC", NORM_EPSILON, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_NORM_FWD_YDESC", NORM_Y, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_NORM_BWD_MODE", NORM_GRADIENT_MODE, TYPE_NORM_MODE},
    {"CUDNN_ATTR_OPERATION_NORM_BWD_XDESC", NORM_GRADIENT_X, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_NORM_BWD_MEAN_DESC", NORM_GRADIENT_MEAN, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_NORM_BWD_INV_VARIANCE_DESC", NORM_GRADIENT_INVERSE, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_NORM_BWD_DYDESC", NORM_GRADIENT_DY, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_NORM_BWD_SCALE_DESC", NORM_GRADIENT_SCALE, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_NORM_BWD_DSCALE_DESC", NORM_GRADIENT_D_SCALE, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_NORM_BWD_DBIAS_DESC", NORM_GRADIENT_D_BIAS, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_NORM_BWD_DXDESC", NORM_GRADIENT_DX, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC", ATTENTION_Q, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC", ATTENTION_K, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC", ATTENTION_V, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC", ATTENTION_Y, GRAPH_DESCRIPTOR},
    {"CUDNN_ATTR_OPERATION_SDPA_FWD_SCALEDESC", ATTENTION_SCALE, GRAPH_DESCRIPTOR},
    {NULL, 0, 0}};

const GraphKey *graph_name(const GraphKey *list, int number)
{
    while (list->name && list->number != number)
        list++;
    if (!list->name)
        BUG("no name for %d", number);
    return list;
}

static int add_descriptor(GraphPlan *plan, int kind)
{
    GraphDescriptor *added = &plan->descriptors[plan->count];
    added->kind = graph_name(graph_kinds, kind);
    added->operand = GRAPH_NO_DATA;
    return plan->count++;
}

static int add_operation(GraphPlan *plan, int kind)
{
    return plan->operations[plan->operation_count++] = add_descriptor(plan, kind);
}

static GraphAttribute *add(GraphPlan *plan, int descriptor, int key, int count)
{
    GraphDescriptor *to = &plan->descriptors[descriptor];
    GraphAttribute *added = &to->attributes[to->count++];
    added->key = graph_name(graph_keys, key);
    added->count = count;
    return added;
}

static void add_list(GraphPlan *plan, int descriptor, int key, const int64_t *values, int count)
{
    memcpy(add(plan, descriptor, key, count)->values, values, (size_t)count * sizeof *values);
}

static void add_value(GraphPlan *plan, int descriptor, int key, int64_t value)
{
    add(plan, descriptor, key, 1)->values[0] = value;
}

static void add_real(GraphPlan *plan, int descriptor, int key, double real)
{
    if (!isnan(real))
        add(plan, descriptor, key, 1)->real = real;
}

/* A descriptor where there is one. */
static void add_part(GraphPlan *plan, int descriptor, int key, int part)
{
    if (part >= 0)
        add_value(plan, descriptor, key, part);
}

int graph_type(DType dtype)
{
    return dtype == DT_F64 ? 1 : dtype == DT_F16 ? 2 : dtype == DT_BF16 ? 9 : 0;
}

int graph_sum_type(DType dtype)
{
    return graph_type(dtype == DT_F64 ? DT_F64 : DT_F32);
}

static int add_tensor(GraphPlan *plan, int type, int alignment, const GraphShape *shape)
{
    int tensor = add_descriptor(plan, KIND_TENSOR);
    add_value(plan, tensor, TENSOR_TYPE, type);
    add_list(plan, tensor, TENSOR_EXTENTS, shape->extent, shape->rank);
    add_list(plan, tensor, TENSOR_STRIDES, shape->stride, shape->rank);
    add_value(plan, tensor, TENSOR_NUMBER, tensor + 1);
    add_value(plan, tensor, GRAPH_TENSOR_ALIGNMENT, alignment);
    return tensor;
}

int graph_operand(GraphPlan *plan, int operand, DType dtype, const GraphShape *shape)
{
    int tensor = add_tensor(plan, graph_type(dtype), GRAPH_AS_ALIGNED, shape);
    plan->descriptors[tensor].operand = operand;
    return tensor;
}

int graph_between(GraphPlan *plan, int type, const GraphShape *shape)
{
    int tensor = add_tensor(plan, type, (int)dtype_size(DT_F64), shape);
    add_value(plan, tensor, TENSOR_VIRTUAL, true);
    return tensor;
}

int graph_number(GraphPlan *plan, float number, int rank)
{
    GraphShape one = {.rank = rank};
    for (int axis = 0; axis < rank; axis++)
        one.extent[axis] = one.stride[axis] = 1;
    int tensor = add_tensor(plan, graph_type(DT_F32), (int)dtype_size(DT_F32), &one);
    add_value(plan, tensor, TENSOR_BY_VALUE, true);
    plan->descriptors[tensor].operand = GRAPH_NUMBER;
    plan->descriptors[tensor].number = number;
    return tensor;
}

int graph_unwanted(GraphPlan *plan, const GraphShape *shape)
{
    int tensor = add_tensor(plan, graph_type(DT_F32), GRAPH_ALIGNMENT_MOST, shape);
    GraphDescriptor *added = &plan->descriptors[tensor];
    added->operand = GRAPH_OWN;
    added->bytes = (int64_t)dtype_size(DT_F32);
    for (int axis = 0; axis < shape->rank; axis++)
        added->bytes *= shape->extent[axis];
    return tensor;
}

GraphFunction graph_function(int mode)
{
    return (GraphFunction){mode, NAN, NAN, NAN, NAN, NAN, -1};
}

static int begin_pointwise(GraphPlan *plan, const GraphFunction *function, int sums)
{
    int f = add_descriptor(plan, KIND_POINTWISE);
    add_value(plan, f, POINTWISE_MODE, function->mode);
    add_value(plan, f, POINTWISE_SUMS, sums);
    add_real(plan, f, POINTWISE_UPPER, function->upper);
    add_real(plan, f, POINTWISE_SLOPE, function->slope);
    add_real(plan, f, POINTWISE_ELU, function->elu);
    add_real(plan, f, POINTWISE_SOFTPLUS, function->softplus);
    add_real(plan, f, POINTWISE_SWISH, function->swish);
    add_part(plan, f, POINTWISE_AXIS, function->axis);
    int operation = add_operation(plan, KIND_OPERATION_POINTWISE);
    add_value(plan, operation, OPERATION_FUNCTION, f);
    return operation;
}

void graph_pointwise(GraphPlan *plan, const GraphFunction *function, int sums, int x, int b, int y)
{
    int operation = begin_pointwise(plan, function, sums);
    add_part(plan, operation, OPERATION_X, x);
    add_part(plan, operation, OPERATION_B, b);
    add_part(plan, operation, OPERATION_Y, y);
}

void graph_select(GraphPlan *plan, int sums, int x, int b, int t, int y)
{
    enum { BINARY_SELECT = 601 };
    GraphFunction function = graph_function(BINARY_SELECT);
    graph_pointwise(plan, &function, sums, x, b, y);
    add_part(plan, plan->operations[plan->operation_count - 1], OPERATION_T, t);
}

void graph_gradient(GraphPlan *plan, const GraphFunction *function, int sums, int dy, int x, int dx)
{
    int operation = begin_pointwise(plan, function, sums);
    add_part(plan, operation, OPERATION_DY, dy);
    add_part(plan, operation, OPERATION_X, x);
    add_part(plan, operation, OPERATION_DX, dx);
}

void graph_matmul(GraphPlan *plan, int sums, int a, int b, int c)
{
    int matmul = add_descriptor(plan, KIND_MATMUL);
    add_value(plan, matmul, MATMUL_SUMS, sums);
    int operation = add_operation(plan, KIND_OPERATION_MATMUL);
    add_part(plan, operation, MATMUL_MATMUL, matmul);
    add_part(plan, operation, MATMUL_A, a);
    add_part(plan, operation, MATMUL_B, b);
    add_part(plan, operation, MATMUL_C, c);
}

void graph_reduction(GraphPlan *plan, int mode, int sums, int x, int y)
{
    int reduction = add_descriptor(plan, KIND_REDUCTION);
    add_value(plan, reduction, REDUCTION_MODE, mode);
    add_value(plan, reduction, REDUCTION_SUMS, sums);
    int operation = add_operation(plan, KIND_OPERATION_REDUCTION);
    add_part(plan, operation, REDUCTION_REDUCTION, reduction);
    add_part(plan, operation, REDUCTION_X, x);
    add_part(plan, operation, REDUCTION_Y, y);
}

void graph_convolution(GraphPlan *plan, GraphConvolution kind, const GraphWindow *window, int sums,
                       int x, int w, int y)
{
    enum { CROSS_CORRELATION = 1 };
    static const struct {
        int kind, alpha, beta, convolution, x, w, y;
    } keys[] = {
        {KIND_CONVOLUTION_FORWARD, FORWARD_ALPHA, FORWARD_BETA, FORWARD_CONVOLUTION, FORWARD_X,
         FORWARD_W, FORWARD_Y},
        {KIND_CONVOLUTION_DATA, DATA_ALPHA, DATA_BETA, DATA_CONVOLUTION, DATA_DX, DATA_W, DATA_DY},
        {KIND_CONVOLUTION_WEIGHTS, WEIGHTS_ALPHA, WEIGHTS_BETA, WEIGHTS_CONVOLUTION, WEIGHTS_X,
         WEIGHTS_DW, WEIGHTS_DY}};
    int convolution = add_descriptor(plan, KIND_CONVOLUTION);
    add_value(plan, convolution, CONVOLUTION_SUMS, sums);
    add_value(plan, convolution, CONVOLUTION_MODE, CROSS_CORRELATION);
    add_value(plan, convolution, CONVOLUTION_AXES, window->axes);
    add_list(plan, convolution, CONVOLUTION_DILATION, window->dilation, window->axes);
    add_list(plan, convolution, CONVOLUTION_STRIDE, window->stride, window->axes);
    add_list(plan, convolution, CONVOLUTION_BEFORE, window->before, window->axes);
    add_list(plan, convolution, CONVOLUTION_AFTER, window->after, window->axes);
    int operation = add_operation(plan, keys[kind].kind);
    add_part(plan, operation, keys[kind].convolution, convolution);
    add_part(plan, operation, keys[kind].x, x);
    add_part(plan, operation, keys[kind].w, w);
    add_part(plan, operation, keys[kind].y, y);
    add_real(plan, operation, keys[kind].alpha, 1);
    add_real(plan, operation, keys[kind].beta, 0);
}

void graph_norm(GraphPlan *plan, int mode, int x, int scale, int bias, int epsilon, int y)
{
    enum { INFERENCE = 0 };
    int operation = add_operation(plan, KIND_OPERATION_NORM);
    add_value(plan, operation, NORM_MODE, mode);
    add_value(plan, operation, NORM_PHASE, INFERENCE);
    add_part(plan, operation, NORM_X, x);
    add_part(plan, operation, NORM_SCALE, scale);
    add_part(plan, operation, NORM_BIAS, bias);
    add_part(plan, operation, NORM_EPSILON, epsilon);
    add_part(plan, operation, NORM_Y, y);
}

void graph_make_inverse(GraphPlan *plan, int tensor, float epsilon)
{
    plan->descriptors[tensor].inverse = true;
    plan->descriptors[tensor].number = epsilon;
}

void graph_norm_gradient(GraphPlan *plan, int mode, const GraphNormGradient *parts)
{
    int operation = add_operation(plan, KIND_OPERATION_NORM_GRADIENT);
    add_value(plan, operation, NORM_GRADIENT_MODE, mode);
    add_part(plan, operation, NORM_GRADIENT_X, parts->x);
    add_part(plan, operation, NORM_GRADIENT_MEAN, parts->mean);
    add_part(plan, operation, NORM_GRADIENT_INVERSE, parts->inverse);
    add_part(plan, operation, NORM_GRADIENT_DY, parts->dy);
    add_part(plan, operation, NORM_GRADIENT_SCALE, parts->scale);
    add_part(plan, operation, NORM_GRADIENT_D_SCALE, parts->dscale);
    add_part(plan, operation, NORM_GRADIENT_D_BIAS, parts->dbias);
    add_part(plan, operation, NORM_GRADIENT_DX, parts->dx);
}

void graph_attention(GraphPlan *plan, int q, int k, int v, int scale, int y)
{
    int operation = add_operation(plan, KIND_OPERATION_ATTENTION);
    add_part(plan, operation, ATTENTION_Q, q);
    add_part(plan, operation, ATTENTION_K, k);
    add_part(plan, operation, ATTENTION_V, v);
    add_part(plan, operation, ATTENTION_SCALE, scale);
    add_part(plan, operation, ATTENTION_Y, y);
}
