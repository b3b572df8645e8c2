/* Plans by operator.  Numbers are those of the library's C interface, the same in versions 2 and 3.
 */
#include "onednn_parts.h"

#include <stdio.h>
#include <string.h>

enum { CONVOLUTION_DIRECT = 1, DECONVOLUTION_DIRECT = 10 };

static int dnnl_type(DType dtype)
{
    static const int types[DT_COUNT] = {
        [DT_F16] = 1, [DT_BF16] = 2, [DT_F32] = 3, [DT_I32] = 4, [DT_I8] = 5, [DT_U8] = 6};
    return types[dtype];
}

static DnnlArgument *add(DnnlPlan *plan, DnnlArgumentKind kind)
{
    DnnlArgument *argument = &plan->arguments[plan->argument_count++];
    *argument = (DnnlArgument){.kind = kind};
    return argument;
}

void dnnl_add_integer(DnnlPlan *plan, int64_t value)
{
    add(plan, DNNL_INTEGER)->integer = value;
}

void dnnl_add_algorithm(DnnlPlan *plan, const char *name)
{
    add(plan, DNNL_ALGORITHM)->algorithm = name;
}

void dnnl_add_number(DnnlPlan *plan, double value)
{
    add(plan, DNNL_NUMBER)->number = value;
}

void dnnl_add_memory(DnnlPlan *plan, int memory)
{
    add(plan, DNNL_MEMORY)->integer = memory;
}

void dnnl_add_nothing(DnnlPlan *plan)
{
    (void)add(plan, DNNL_NOTHING);
}

void dnnl_add_dimensions(DnnlPlan *plan, const int64_t *values, int64_t count)
{
    memcpy(add(plan, DNNL_DIMENSIONS)->dimensions, values, (size_t)count * sizeof *values);
}

/* dnnl_NAME_forward_desc_init(blob, ...) or dnnl_NAME_forward_primitive_desc_create(&result,
 * engine,
 * ...). */
void dnnl_begin(DnnlPlan *plan, const char *name)
{
    bool old = plan->version == 2;
    (void)snprintf(plan->function, sizeof plan->function, "dnnl_%s_%s", name,
                   old ? "desc_init" : "primitive_desc_create");
    (void)add(plan, old ? DNNL_BLOB : DNNL_RESULT);
    if (!old)
        (void)add(plan, DNNL_ENGINE);
}

bool dnnl_finish(DnnlPlan *plan)
{
    if (plan->version > 2)
        (void)add(plan, DNNL_ATTRIBUTES);
    return true;
}

/* The operand with leading axes of 1 up to a rank; numbers are vectors of one element. */
int dnnl_memory_of(DnnlPlan *plan, const Operands *o, int operand, int argument, int rank)
{
    const Tensor *view = &o->view[operand];
    DnnlMemory *memory = &plan->memories[plan->memory_count];
    *memory =
        (DnnlMemory){.operand = operand, .argument = argument, .type = dnnl_type(view->dtype)};
    memory->rank = rank > view->rank ? rank : view->rank;
    memory->rank = memory->rank > 0 ? memory->rank : 1;
    for (int axis = 0; axis < memory->rank; axis++) {
        int own = axis - (memory->rank - view->rank);
        memory->extent[axis] = own >= 0 ? view->extent[own] : 1;
        memory->stride[axis] = own >= 0 ? view->stride[own] : tensor_count(view);
    }
    return plan->memory_count++;
}

static bool eltwise(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    int x = dnnl_memory_of(plan, o, 0, ARGUMENT_SRC, 0),
        y = dnnl_memory_of(plan, o, 1, ARGUMENT_DST, 0);
    dnnl_begin(plan, "eltwise_forward");
    dnnl_add_integer(plan, PROPAGATION_INFERENCE);
    dnnl_add_algorithm(plan, row->algorithm);
    dnnl_add_memory(plan, x);
    if (plan->version > 2)
        dnnl_add_memory(plan, y);
    dnnl_add_number(plan, row->takes_alpha ? case_scalar(o->source, "alpha").re : row->alpha);
    dnnl_add_number(plan, row->takes_beta ? case_scalar(o->source, "beta").re : row->beta);
    return dnnl_finish(plan);
}

/* Version 3 has the parameters of version 2 as numbers of their own. */
static bool new_eltwise(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    return plan->version > 2 && eltwise(plan, o, row);
}

static bool old_eltwise(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    return plan->version == 2 && eltwise(plan, o, row);
}

static bool softmax(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    bool logarithm = !strcmp(row->op, "log_softmax");
    int x = dnnl_memory_of(plan, o, 0, ARGUMENT_SRC, 0),
        y = dnnl_memory_of(plan, o, 1, ARGUMENT_DST, 0);
    dnnl_begin(plan, logarithm && plan->version == 2 ? "logsoftmax_forward" : "softmax_forward");
    dnnl_add_integer(plan, PROPAGATION_INFERENCE);
    if (plan->version > 2)
        dnnl_add_algorithm(plan, row->algorithm);
    dnnl_add_memory(plan, x);
    if (plan->version > 2)
        dnnl_add_memory(plan, y);
    dnnl_add_integer(plan, case_int(o->source, "axis"));
    return dnnl_finish(plan);
}

static bool binary(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    int rank = o->view[2].rank;
    int a = dnnl_memory_of(plan, o, 0, ARGUMENT_SRC, rank),
        b = dnnl_memory_of(plan, o, 1, ARGUMENT_SRC_1, rank);
    int y = dnnl_memory_of(plan, o, 2, ARGUMENT_DST, rank);
    dnnl_begin(plan, "binary");
    dnnl_add_algorithm(plan, row->algorithm);
    dnnl_add_memory(plan, a);
    dnnl_add_memory(plan, b);
    dnnl_add_memory(plan, y);
    return dnnl_finish(plan);
}

bool dnnl_product(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    int rank = o->view[2].rank;
    (void)row;
    int a = dnnl_memory_of(plan, o, 0, ARGUMENT_SRC, rank),
        b = dnnl_memory_of(plan, o, 1, ARGUMENT_WEIGHTS, rank);
    int y = dnnl_memory_of(plan, o, 2, ARGUMENT_DST, rank);
    dnnl_begin(plan, "matmul");
    dnnl_add_memory(plan, a);
    dnnl_add_memory(plan, b);
    dnnl_add_memory(plan, -1);
    dnnl_add_memory(plan, y);
    return dnnl_finish(plan);
}

static void swap_axes(DnnlMemory *memory, int a, int b)
{
    int64_t extent = memory->extent[a], stride = memory->stride[a];
    memory->extent[a] = memory->extent[b];
    memory->stride[a] = memory->stride[b];
    memory->extent[b] = extent;
    memory->stride[b] = stride;
}

static bool linear(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    (void)row;
    bool with_bias = !o->shapes.tensor[2].ignored;
    int x = dnnl_memory_of(plan, o, 0, ARGUMENT_SRC, 2),
        w = dnnl_memory_of(plan, o, 1, ARGUMENT_WEIGHTS, 2);
    int bias = with_bias ? dnnl_memory_of(plan, o, 2, ARGUMENT_BIAS, 2) : -1;
    int y = dnnl_memory_of(plan, o, 3, ARGUMENT_DST, 2);
    swap_axes(&plan->memories[w], 0, 1);
    dnnl_begin(plan, "matmul");
    dnnl_add_memory(plan, x);
    dnnl_add_memory(plan, w);
    dnnl_add_memory(plan, bias);
    dnnl_add_memory(plan, y);
    return dnnl_finish(plan);
}

/* Reduced axes stay with an extent of 1. */
static bool reduction(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    int rank = o->view[0].rank;
    int64_t axes = case_int(o->source, "axes"), step = 1;
    int x = dnnl_memory_of(plan, o, 0, ARGUMENT_SRC, 0),
        y = dnnl_memory_of(plan, o, 1, ARGUMENT_DST, rank);
    DnnlMemory *kept = &plan->memories[y];
    for (int axis = rank - 1; axis >= 0; axis--) {
        kept->extent[axis] = axes >> (rank - 1 - axis) & 1 ? 1 : o->view[0].extent[axis];
        kept->stride[axis] = step;
        step *= kept->extent[axis];
    }
    dnnl_begin(plan, "reduction");
    dnnl_add_algorithm(plan, row->algorithm);
    dnnl_add_memory(plan, x);
    dnnl_add_memory(plan, y);
    dnnl_add_number(plan, row->alpha);
    dnnl_add_number(plan, row->beta);
    /* Without a reduced axis the library refuses. */
    return tensor_count(&o->view[1]) != tensor_count(&o->view[0]) && tensor_is_dense(&o->view[1]) &&
           dnnl_finish(plan);
}

/* Weights with an axis of groups in front: of outputs and inputs of each group. */
static int weights_of(DnnlPlan *plan, const Operands *o, int operand, bool transposed)
{
    int64_t groups = case_int(o->source, "groups");
    int w = dnnl_memory_of(plan, o, operand, ARGUMENT_WEIGHTS, 0);
    DnnlMemory *memory = &plan->memories[w];
    for (int axis = memory->rank; axis > 0; axis--) {
        memory->extent[axis] = memory->extent[axis - 1];
        memory->stride[axis] = memory->stride[axis - 1];
    }
    memory->rank++;
    memory->extent[1] /= groups;
    memory->extent[0] = groups;
    memory->stride[0] = memory->extent[1] * memory->stride[1];
    if (transposed)
        swap_axes(memory, 1, 2);
    return w;
}

/* Dilations are counted from 0 there; padding behind is what the extents ask for. */
DnnlWindow dnnl_window_of(const Operands *o, int result, int source, bool transposed)
{
    const Case *c = o->source;
    DnnlWindow w = {.axes = (int)case_shape(c, "size")->rank};
    for (int axis = 0; axis < w.axes; axis++) {
        int64_t size = o->view[source].extent[axis + 2];
        int64_t out = o->view[result].extent[axis + 2];
        w.stride[axis] = case_shape(c, "stride")->extent[axis];
        w.kernel[axis] = case_shape(c, "kernel")->extent[axis];
        w.dilation[axis] = case_shape(c, "dilation")->extent[axis] - 1;
        w.before[axis] = case_shape(c, "before")->extent[axis];
        int64_t reach = (w.dilation[axis] + 1) * (w.kernel[axis] - 1) + 1;
        int64_t small = transposed ? size : out, large = transposed ? out : size;
        w.after[axis] = (small - 1) * w.stride[axis] + reach - large - w.before[axis];
    }
    return w;
}

static void add_window(DnnlPlan *plan, const DnnlWindow *window)
{
    dnnl_add_dimensions(plan, window->stride, window->axes);
    dnnl_add_dimensions(plan, window->dilation, window->axes);
    dnnl_add_dimensions(plan, window->before, window->axes);
    dnnl_add_dimensions(plan, window->after, window->axes);
}

static bool convolve(DnnlPlan *plan, const Operands *o, bool transposed)
{
    bool with_bias = !o->shapes.tensor[2].ignored;
    DnnlWindow window = dnnl_window_of(o, 3, 0, transposed);
    int x = dnnl_memory_of(plan, o, 0, ARGUMENT_SRC, 0), w = weights_of(plan, o, 1, transposed);
    int bias = with_bias ? dnnl_memory_of(plan, o, 2, ARGUMENT_BIAS, 0) : -1;
    int y = dnnl_memory_of(plan, o, 3, ARGUMENT_DST, 0);
    const char *const names[2][2] = {
        {"convolution_forward", "deconvolution_forward"},
        {"dilated_convolution_forward", "dilated_deconvolution_forward"}};
    dnnl_begin(plan, names[plan->version == 2][transposed]);
    dnnl_add_integer(plan, PROPAGATION_INFERENCE);
    dnnl_add_integer(plan, transposed ? DECONVOLUTION_DIRECT : CONVOLUTION_DIRECT);
    dnnl_add_memory(plan, x);
    dnnl_add_memory(plan, w);
    dnnl_add_memory(plan, bias);
    dnnl_add_memory(plan, y);
    add_window(plan, &window);
    return dnnl_finish(plan);
}

static bool convolution(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    (void)row;
    return convolve(plan, o, false);
}

static bool deconvolution(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    (void)row;
    return convolve(plan, o, true);
}

static bool pool(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    DnnlWindow window = dnnl_window_of(o, 1, 0, false);
    const char *algorithm = row->algorithm;
    if (case_has(o->source, "count_pads") && case_int(o->source, "count_pads")) {
        /* A window by ceil counts places there that are beyond the padding. */
        if (case_int(o->source, "ceil_mode"))
            return false;
        algorithm = "pooling_avg_include_padding";
    }
    int x = dnnl_memory_of(plan, o, 0, ARGUMENT_SRC, 0),
        y = dnnl_memory_of(plan, o, 1, ARGUMENT_DST, 0);
    dnnl_begin(plan, plan->version == 2 ? "pooling_v2_forward" : "pooling_forward");
    dnnl_add_integer(plan, PROPAGATION_INFERENCE);
    dnnl_add_algorithm(plan, algorithm);
    dnnl_add_memory(plan, x);
    dnnl_add_memory(plan, y);
    dnnl_add_dimensions(plan, window.stride, window.axes);
    dnnl_add_dimensions(plan, window.kernel, window.axes);
    dnnl_add_dimensions(plan, window.dilation, window.axes);
    dnnl_add_dimensions(plan, window.before, window.axes);
    dnnl_add_dimensions(plan, window.after, window.axes);
    return dnnl_finish(plan);
}

/* Version 3 takes a hint about the forward primitive before the attributes: none is needed. */
bool dnnl_finish_backward(DnnlPlan *plan)
{
    if (plan->version > 2)
        (void)add(plan, DNNL_NOTHING);
    return dnnl_finish(plan);
}

static bool eltwise_backward(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    int dy = dnnl_memory_of(plan, o, 0, ARGUMENT_DIFF_DST, 0),
        x = dnnl_memory_of(plan, o, 1, ARGUMENT_SRC, 0);
    int dx = dnnl_memory_of(plan, o, 2, ARGUMENT_DIFF_SRC, 0);
    dnnl_begin(plan, "eltwise_backward");
    dnnl_add_algorithm(plan, row->algorithm);
    dnnl_add_memory(plan, dx);
    if (plan->version > 2)
        dnnl_add_memory(plan, dy);
    dnnl_add_memory(plan, x);
    dnnl_add_number(plan, row->takes_alpha ? case_scalar(o->source, "alpha").re : row->alpha);
    dnnl_add_number(plan, row->takes_beta ? case_scalar(o->source, "beta").re : row->beta);
    return dnnl_finish_backward(plan);
}

static bool new_eltwise_backward(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    return plan->version > 2 && eltwise_backward(plan, o, row);
}

static bool softmax_backward(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    bool old_logarithm = plan->version == 2 && !strcmp(row->op, "log_softmax_backward");
    int dy = dnnl_memory_of(plan, o, 0, ARGUMENT_DIFF_DST, 0),
        y = dnnl_memory_of(plan, o, 1, ARGUMENT_DST, 0);
    int dx = dnnl_memory_of(plan, o, 2, ARGUMENT_DIFF_SRC, 0);
    dnnl_begin(plan, old_logarithm ? "logsoftmax_backward" : "softmax_backward");
    if (plan->version > 2)
        dnnl_add_algorithm(plan, row->algorithm);
    dnnl_add_memory(plan, dx);
    if (plan->version > 2)
        dnnl_add_memory(plan, dy);
    dnnl_add_memory(plan, y);
    dnnl_add_integer(plan, case_int(o->source, "axis"));
    return dnnl_finish_backward(plan);
}

static bool data_backward(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    (void)row;
    DnnlWindow window = dnnl_window_of(o, 0, 2, false);
    int dy = dnnl_memory_of(plan, o, 0, ARGUMENT_DIFF_DST, 0), w = weights_of(plan, o, 1, false);
    int dx = dnnl_memory_of(plan, o, 2, ARGUMENT_DIFF_SRC, 0);
    dnnl_begin(plan, plan->version == 2 ? "dilated_convolution_backward_data"
                                        : "convolution_backward_data");
    dnnl_add_integer(plan, CONVOLUTION_DIRECT);
    dnnl_add_memory(plan, dx);
    dnnl_add_memory(plan, w);
    dnnl_add_memory(plan, dy);
    add_window(plan, &window);
    return dnnl_finish_backward(plan);
}

static bool weights_backward(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    (void)row;
    DnnlWindow window = dnnl_window_of(o, 1, 0, false);
    int x = dnnl_memory_of(plan, o, 0, ARGUMENT_SRC, 0),
        dy = dnnl_memory_of(plan, o, 1, ARGUMENT_DIFF_DST, 0);
    int dw = weights_of(plan, o, 2, false);
    plan->memories[dw].argument = ARGUMENT_DIFF_WEIGHTS;
    dnnl_begin(plan, plan->version == 2 ? "dilated_convolution_backward_weights"
                                        : "convolution_backward_weights");
    dnnl_add_integer(plan, CONVOLUTION_DIRECT);
    dnnl_add_memory(plan, x);
    dnnl_add_memory(plan, dw);
    dnnl_add_memory(plan, -1);
    dnnl_add_memory(plan, dy);
    add_window(plan, &window);
    return dnnl_finish_backward(plan);
}

static const DnnlRow rows[] = {
    {"relu_backward", "eltwise_relu", eltwise_backward, 0, 0, false, false},
    {"abs_backward", "eltwise_abs", eltwise_backward, 0, 0, false, false},
    {"square_backward", "eltwise_square", eltwise_backward, 0, 0, false, false},
    {"sqrt_backward", "eltwise_sqrt", eltwise_backward, 0, 0, false, false},
    {"exp_backward", "eltwise_exp", eltwise_backward, 0, 0, false, false},
    {"log_backward", "eltwise_log", eltwise_backward, 0, 0, false, false},
    {"tanh_backward", "eltwise_tanh", eltwise_backward, 0, 0, false, false},
    {"sigmoid_backward", "eltwise_logistic", eltwise_backward, 0, 0, false, false},
    {"softplus_backward", "eltwise_soft_relu", eltwise_backward, 1, 0, false, false},
    {"gelu_backward", "eltwise_gelu_erf", eltwise_backward, 0, 0, false, false},
    {"elu_backward", "eltwise_elu", eltwise_backward, 0, 0, true, false},
    {"leaky_relu_backward", "eltwise_relu", eltwise_backward, 0, 0, true, false},
    {"silu_backward", "eltwise_swish", eltwise_backward, 1, 0, false, false},
    {"mish_backward", "eltwise_mish", eltwise_backward, 0, 0, false, false},
    {"gelu_tanh_backward", "eltwise_gelu_tanh", eltwise_backward, 0, 0, false, false},
    {"hardswish_backward", "eltwise_hardswish", eltwise_backward, 1.0 / 6, 0.5, false, false},
    {"hardsigmoid_backward", "eltwise_hardsigmoid", eltwise_backward, 0, 0, true, true},
    {"hardtanh_backward", "eltwise_clip", eltwise_backward, -1, 1, false, false},
    {"relu6_backward", "eltwise_clip", eltwise_backward, 0, 6, false, false},
    {"logsigmoid_backward", "eltwise_soft_relu", new_eltwise_backward, -1, 0, false, false},
    {"softmax_backward", "softmax_accurate", softmax_backward, 0, 0, false, false},
    {"log_softmax_backward", "softmax_log", softmax_backward, 0, 0, false, false},
    {"conv1d_backward_data", NULL, data_backward, 0, 0, false, false},
    {"conv2d_backward_data", NULL, data_backward, 0, 0, false, false},
    {"conv3d_backward_data", NULL, data_backward, 0, 0, false, false},
    {"conv1d_backward_weights", NULL, weights_backward, 0, 0, false, false},
    {"conv2d_backward_weights", NULL, weights_backward, 0, 0, false, false},
    {"conv3d_backward_weights", NULL, weights_backward, 0, 0, false, false},
    {"relu", "eltwise_relu", eltwise, 0, 0, false, false},
    {"leaky_relu", "eltwise_relu", eltwise, 0, 0, true, false},
    {"tanh", "eltwise_tanh", eltwise, 0, 0, false, false},
    {"elu", "eltwise_elu", eltwise, 0, 0, true, false},
    {"square", "eltwise_square", eltwise, 0, 0, false, false},
    {"abs", "eltwise_abs", eltwise, 0, 0, false, false},
    {"sqrt", "eltwise_sqrt", eltwise, 0, 0, false, false},
    {"hardtanh", "eltwise_clip", eltwise, -1, 1, false, false},
    {"relu6", "eltwise_clip", eltwise, 0, 6, false, false},
    {"clamp", "eltwise_clip", eltwise, 0, 0, true, true},
    {"softplus", "eltwise_soft_relu", eltwise, 1, 0, false, false},
    {"sigmoid", "eltwise_logistic", eltwise, 0, 0, false, false},
    {"exp", "eltwise_exp", eltwise, 0, 0, false, false},
    {"gelu_tanh", "eltwise_gelu_tanh", eltwise, 0, 0, false, false},
    {"gelu", "eltwise_gelu_erf", eltwise, 0, 0, false, false},
    {"silu", "eltwise_swish", eltwise, 1, 0, false, false},
    {"log", "eltwise_log", eltwise, 0, 0, false, false},
    {"round", "eltwise_round", eltwise, 0, 0, false, false},
    {"mish", "eltwise_mish", eltwise, 0, 0, false, false},
    {"logsigmoid", "eltwise_logsigmoid", old_eltwise, 0, 0, false, false},
    {"logsigmoid", "eltwise_soft_relu", new_eltwise, -1, 0, false, false},
    {"hardswish", "eltwise_hardswish", eltwise, 1.0 / 6, 0.5, false, false},
    {"hardsigmoid", "eltwise_hardsigmoid", new_eltwise, 0, 0, true, true},
    {"softmax", "softmax_accurate", softmax, 0, 0, false, false},
    {"log_softmax", "softmax_log", softmax, 0, 0, false, false},
    {"add", "binary_add", binary, 0, 0, false, false},
    {"sub", "binary_sub", binary, 0, 0, false, false},
    {"mul", "binary_mul", binary, 0, 0, false, false},
    {"div", "binary_div", binary, 0, 0, false, false},
    {"maximum", "binary_max", binary, 0, 0, false, false},
    {"minimum", "binary_min", binary, 0, 0, false, false},
    {"matmul", NULL, dnnl_product, 0, 0, false, false},
    {"linear", NULL, linear, 0, 0, false, false},
    {"linear_gelu", NULL, linear, 0, 0, false, false},
    {"sum", "reduction_sum", reduction, 0, 0, false, false},
    {"mean", "reduction_mean", reduction, 0, 0, false, false},
    {"prod", "reduction_mul", reduction, 0, 0, false, false},
    {"amax", "reduction_max", reduction, 0, 0, false, false},
    {"amin", "reduction_min", reduction, 0, 0, false, false},
    {"norm1", "reduction_norm_lp_power_p_sum", reduction, 1, 0, false, false},
    {"norm2", "reduction_norm_lp_sum", reduction, 2, 0, false, false},
    {"sum_squares", "reduction_norm_lp_power_p_sum", reduction, 2, 0, false, false},
    {"conv1d", NULL, convolution, 0, 0, false, false},
    {"conv2d", NULL, convolution, 0, 0, false, false},
    {"conv3d", NULL, convolution, 0, 0, false, false},
    {"conv_transpose1d", NULL, deconvolution, 0, 0, false, false},
    {"conv_transpose2d", NULL, deconvolution, 0, 0, false, false},
    {"conv_transpose3d", NULL, deconvolution, 0, 0, false, false},
    {"max_pool1d", "pooling_max", pool, 0, 0, false, false},
    {"max_pool2d", "pooling_max", pool, 0, 0, false, false},
    {"max_pool3d", "pooling_max", pool, 0, 0, false, false},
    {"avg_pool1d", "pooling_avg_exclude_padding", pool, 0, 0, false, false},
    {"avg_pool2d", "pooling_avg_exclude_padding", pool, 0, 0, false, false},
    {"avg_pool3d", "pooling_avg_exclude_padding", pool, 0, 0, false, false},
    {NULL, NULL, NULL, 0, 0, false, false},
};

/* The first row of an operator from `row` on; rows of it follow each other where versions differ.
 */
static const DnnlRow *find_row(const DnnlRow *row, const OpDesc *op)
{
    while (row->op && strcmp(row->op, op->name) != 0)
        row++;
    return row->op ? row : NULL;
}

static const DnnlRow *first_row(const OpDesc *op, DType dtype)
{
    if (dtype_is_integer(dtype))
        return find_row(dnnl_integer_rows, op);
    const DnnlRow *row = find_row(rows, op);
    return row ? row : find_row(dnnl_layer_rows, op);
}

bool dnnl_knows(const OpDesc *op, DType dtype)
{
    return dnnl_type(dtype) != 0 && first_row(op, dtype);
}

static void plan_activation(DnnlPlan *plan, const Case *c)
{
    const char *name = case_has(c, "activation") ? case_choice(c, "activation") : "none";
    if (!strcmp(name, "relu"))
        plan->activation = "eltwise_relu";
    if (!strcmp(c->op->name, "linear_gelu"))
        plan->activation = "eltwise_gelu_tanh";
    if (strcmp(name, "relu6") != 0)
        return;
    plan->activation = "eltwise_clip";
    plan->activation_end = 6;
}

bool dnnl_plan(DnnlPlan *plan, int version, const Operands *o)
{
    const DnnlRow *row = first_row(o->source->op, case_dtype(o->source));
    for (; row; row = find_row(row + 1, o->source->op)) {
        *plan = (DnnlPlan){.version = version};
        plan_activation(plan, o->source);
        if (row->build(plan, o, row))
            return true;
    }
    return false;
}
