/* Functions, reductions, products, windows and norms.  Operands have the names of the operator's
 * table. */
#include "onnx_rows.h"

#include <stdio.h>
#include <string.h>

double onnx_scalar(const Operands *o, const char *name)
{
    return case_scalar(o->source, name).re;
}

static bool with_alpha(OnnxModel *model, const Operands *o)
{
    onnx_set_float(model, "alpha", onnx_scalar(o, "alpha"));
    return true;
}

static bool with_alpha_beta(OnnxModel *model, const Operands *o)
{
    onnx_set_float(model, "beta", onnx_scalar(o, "beta"));
    return with_alpha(model, o);
}

static bool selu(OnnxModel *model, const Operands *o)
{
    onnx_set_float(model, "gamma", onnx_scalar(o, "beta"));
    return with_alpha(model, o);
}

static bool gelu_tanh(OnnxModel *model, const Operands *o)
{
    (void)o;
    onnx_set_string(model, "approximate", "tanh");
    return true;
}

static bool clip(OnnxModel *model, const Operands *o, double low, double high)
{
    onnx_constant(model, "low", o->view[0].dtype, low);
    onnx_constant(model, "high", o->view[0].dtype, high);
    onnx_node(model, "Clip", "x low high", "y");
    return true;
}

static bool clamp(OnnxModel *model, const Operands *o)
{
    return clip(model, o, onnx_scalar(o, "alpha"), onnx_scalar(o, "beta"));
}

static bool relu6(OnnxModel *model, const Operands *o)
{
    return clip(model, o, 0, 6);
}

static bool hardtanh(OnnxModel *model, const Operands *o)
{
    return clip(model, o, -1, 1);
}

static bool hardshrink(OnnxModel *model, const Operands *o)
{
    onnx_set_float(model, "lambd", onnx_scalar(o, "alpha"));
    return true;
}

static bool softshrink(OnnxModel *model, const Operands *o)
{
    onnx_set_float(model, "bias", onnx_scalar(o, "alpha"));
    return hardshrink(model, o);
}

static bool rsqrt(OnnxModel *model, const Operands *o)
{
    (void)o;
    onnx_node(model, "Sqrt", "x", "root");
    onnx_node(model, "Reciprocal", "root", "y");
    return true;
}

static bool silu(OnnxModel *model, const Operands *o)
{
    (void)o;
    onnx_node(model, "Sigmoid", "x", "gate");
    onnx_node(model, "Mul", "x gate", "y");
    return true;
}

static bool square(OnnxModel *model, const Operands *o)
{
    (void)o;
    onnx_node(model, "Mul", "x x", "y");
    return true;
}

static bool modulo_of_truncation(OnnxModel *model, const Operands *o)
{
    (void)o;
    onnx_set_int(model, "fmod", 1);
    return true;
}

static bool unequal(OnnxModel *model, const Operands *o)
{
    (void)o;
    onnx_node(model, "Equal", "a b", "same");
    onnx_node(model, "Not", "same", "y");
    return true;
}

/* Axes are an input of the reductions; none are none. */
void onnx_add_axes(OnnxModel *model, const Operands *o)
{
    int64_t axes[TENSOR_RANK_MAX];
    int count = 0, rank = o->view[0].rank;
    for (int axis = 0; axis < rank; axis++)
        if (case_int(o->source, "axes") >> (rank - 1 - axis) & 1)
            axes[count++] = axis;
    onnx_constant_ints(model, "reduced", axes, count);
    onnx_add_input(model, "reduced");
}

bool onnx_reduce(OnnxModel *model, const Operands *o)
{
    onnx_set_int(model, "keepdims", case_int(o->source, "keepdims"));
    onnx_add_axes(model, o);
    return true;
}

static bool place(OnnxModel *model, const Operands *o)
{
    int axis = 0, rank = o->view[0].rank;
    while (axis + 1 < rank && !(case_int(o->source, "axes") >> (rank - 1 - axis) & 1))
        axis++;
    onnx_set_int(model, "axis", axis);
    onnx_set_int(model, "keepdims", case_int(o->source, "keepdims"));
    return true;
}

static bool running_sum(OnnxModel *model, const Operands *o)
{
    onnx_constant(model, "axis", DT_I64, (double)case_int(o->source, "axis"));
    onnx_node(model, "CumSum", "x axis", "y");
    onnx_set_int(model, "reverse", case_int(o->source, "backwards"));
    onnx_set_int(model, "exclusive", case_int(o->source, "exclusive"));
    return true;
}

static bool linear(OnnxModel *model, const Operands *o)
{
    (void)o;
    onnx_set_int(model, "transB", 1);
    return true;
}

bool onnx_along_axis(OnnxModel *model, const Operands *o)
{
    onnx_set_int(model, "axis", case_int(o->source, "axis"));
    return true;
}

static void set_tuple(OnnxModel *model, const Operands *o, const char *name, const char *param)
{
    const Shape *tuple = case_shape(o->source, param);
    onnx_set_ints(model, name, tuple->extent, (int)tuple->rank);
}

/* Padding in front of all axes, then behind all. */
static void set_pads(OnnxModel *model, const Operands *o)
{
    const Shape *before = case_shape(o->source, "before"), *after = case_shape(o->source, "after");
    int64_t pads[2 * TENSOR_RANK_MAX];
    int count = 0;
    for (int64_t axis = 0; axis < before->rank; axis++)
        pads[count++] = before->extent[axis];
    for (int64_t axis = 0; axis < after->rank; axis++)
        pads[count++] = after->extent[axis];
    onnx_set_ints(model, "pads", pads, count);
}

bool onnx_conv(OnnxModel *model, const Operands *o)
{
    set_tuple(model, o, "kernel_shape", "kernel");
    set_tuple(model, o, "strides", "stride");
    set_tuple(model, o, "dilations", "dilation");
    set_pads(model, o);
    onnx_set_int(model, "group", case_int(o->source, "groups"));
    return true;
}

static bool conv_transpose(OnnxModel *model, const Operands *o)
{
    set_tuple(model, o, "output_padding", "extra");
    return onnx_conv(model, o);
}

static bool pool(OnnxModel *model, const Operands *o)
{
    set_tuple(model, o, "kernel_shape", "kernel");
    set_tuple(model, o, "strides", "stride");
    set_tuple(model, o, "dilations", "dilation");
    set_pads(model, o);
    onnx_set_int(model, "ceil_mode", case_int(o->source, "ceil_mode"));
    return true;
}

static bool mean_pool(OnnxModel *model, const Operands *o)
{
    onnx_set_int(model, "count_include_pad", case_int(o->source, "count_pads"));
    return pool(model, o);
}

/* One window for all, or windows of one extent each. */
static bool adaptive(OnnxModel *model, const Operands *o, const char *whole, const char *windows)
{
    const Shape *size = case_shape(o->source, "size"), *outputs = case_shape(o->source, "extra");
    int64_t kernel[TENSOR_RANK_MAX];
    for (int64_t axis = 0; axis < size->rank; axis++) {
        if (size->extent[axis] % outputs->extent[axis] != 0)
            return false;
        kernel[axis] = size->extent[axis] / outputs->extent[axis];
    }
    onnx_node(model, shape_count(outputs) == 1 ? whole : windows, "x", "y");
    if (shape_count(outputs) == 1)
        return true;
    onnx_set_ints(model, "kernel_shape", kernel, (int)size->rank);
    onnx_set_ints(model, "strides", kernel, (int)size->rank);
    return true;
}

static bool adaptive_mean(OnnxModel *model, const Operands *o)
{
    return adaptive(model, o, "GlobalAveragePool", "AveragePool");
}

static bool adaptive_greatest(OnnxModel *model, const Operands *o)
{
    return adaptive(model, o, "GlobalMaxPool", "MaxPool");
}

static bool with_epsilon(OnnxModel *model, const Operands *o)
{
    onnx_set_float(model, "epsilon", onnx_scalar(o, "epsilon"));
    return true;
}

static bool layer_norm(OnnxModel *model, const Operands *o)
{
    onnx_set_int(model, "axis", case_int(o->source, "axis"));
    return with_epsilon(model, o);
}

static bool group_norm(OnnxModel *model, const Operands *o)
{
    onnx_set_int(model, "num_groups", case_int(o->source, "groups"));
    if (o->view[0].dtype == DT_F64)
        onnx_set_int(model, "stash_type", onnx_type(DT_F64));
    return with_epsilon(model, o);
}

/* The graph that exporters write, and that the library may fuse. */
static bool rms_norm(OnnxModel *model, const Operands *o)
{
    int64_t axes[TENSOR_RANK_MAX];
    int count = 0;
    for (int axis = (int)case_int(o->source, "axis"); axis < o->view[0].rank; axis++)
        axes[count++] = axis;
    onnx_constant(model, "two", o->view[0].dtype, 2);
    onnx_constant(model, "epsilon", o->view[0].dtype, onnx_scalar(o, "epsilon"));
    onnx_constant_ints(model, "axes", axes, count);
    onnx_node(model, "Pow", "x two", "square");
    onnx_node(model, "ReduceMean", "square axes", "mean");
    onnx_node(model, "Add", "mean epsilon", "inside");
    onnx_node(model, "Sqrt", "inside", "root");
    onnx_node(model, "Div", "x root", "unit");
    onnx_node(model, "Mul", "unit scale", "y");
    return true;
}

static bool cast(OnnxModel *model, const Operands *o)
{
    onnx_set_int(model, "to", onnx_type(o->view[1].dtype));
    if (DTYPES_F8 >> o->view[1].dtype & 1)
        onnx_set_int(model, "saturate", case_int(o->source, "saturate"));
    return true;
}

static void put_quantisation(OnnxModel *model, const Operands *o, DType integer_type,
                             const char *type)
{
    onnx_constant(model, "scale", DT_F32, onnx_scalar(o, "alpha"));
    onnx_constant(model, "zero", integer_type, (double)case_int(o->source, "start"));
    onnx_node(model, type, "x scale zero", "y");
}

static bool quantize(OnnxModel *model, const Operands *o)
{
    put_quantisation(model, o, o->view[1].dtype, "QuantizeLinear");
    return true;
}

static bool dequantize(OnnxModel *model, const Operands *o)
{
    put_quantisation(model, o, o->view[0].dtype, "DequantizeLinear");
    return true;
}

const OnnxRow onnx_function_rows[] = {
    {"abs", "Abs", NULL, 0},
    {"add", "Add", NULL, 0},
    {"sub", "Sub", NULL, 0},
    {"mul", "Mul", NULL, 0},
    {"div", "Div", NULL, 0},
    {"pow", "Pow", NULL, 0},
    {"fmod", "Mod", modulo_of_truncation, 0},
    {"maximum", "Max", NULL, 0},
    {"minimum", "Min", NULL, 0},
    {"prelu", "PRelu", NULL, 0},
    {"eq", "Equal", NULL, 0},
    {"lt", "Less", NULL, 0},
    {"le", "LessOrEqual", NULL, 0},
    {"gt", "Greater", NULL, 0},
    {"ge", "GreaterOrEqual", NULL, 0},
    {"logical_and", "And", NULL, 0},
    {"logical_or", "Or", NULL, 0},
    {"logical_xor", "Xor", NULL, 0},
    {"bitwise_and", "BitwiseAnd", NULL, 0},
    {"bitwise_or", "BitwiseOr", NULL, 0},
    {"bitwise_xor", "BitwiseXor", NULL, 0},
    {"ne", NULL, unequal, 0},
    {"sum", "ReduceSum", onnx_reduce, 0},
    {"mean", "ReduceMean", onnx_reduce, 0},
    {"prod", "ReduceProd", onnx_reduce, 0},
    {"amax", "ReduceMax", onnx_reduce, 0},
    {"amin", "ReduceMin", onnx_reduce, 0},
    {"norm1", "ReduceL1", onnx_reduce, 0},
    {"norm2", "ReduceL2", onnx_reduce, 0},
    {"sum_squares", "ReduceSumSquare", onnx_reduce, 0},
    {"logsumexp", "ReduceLogSumExp", onnx_reduce, 0},
    {"all", "ReduceMin", onnx_reduce, 0},
    {"any", "ReduceMax", onnx_reduce, 0},
    {"argmax", "ArgMax", place, 0},
    {"argmin", "ArgMin", place, 0},
    {"cumsum", NULL, running_sum, 0},
    {"matmul", "MatMul", NULL, 0},
    {"linear", "Gemm", linear, 0},
    {"softmax", "Softmax", onnx_along_axis, 0},
    {"log_softmax", "LogSoftmax", onnx_along_axis, 0},
    {"conv1d", "Conv", onnx_conv, 0},
    {"conv2d", "Conv", onnx_conv, 0},
    {"conv3d", "Conv", onnx_conv, 0},
    {"conv_transpose1d", "ConvTranspose", conv_transpose, 0},
    {"conv_transpose2d", "ConvTranspose", conv_transpose, 0},
    {"conv_transpose3d", "ConvTranspose", conv_transpose, 0},
    {"max_pool1d", "MaxPool", pool, 0},
    {"max_pool2d", "MaxPool", pool, 0},
    {"max_pool3d", "MaxPool", pool, 0},
    {"avg_pool1d", "AveragePool", mean_pool, 0},
    {"avg_pool2d", "AveragePool", mean_pool, 0},
    {"avg_pool3d", "AveragePool", mean_pool, 0},
    {"lp_pool1d", "LpPool", pool, 0},
    {"lp_pool2d", "LpPool", pool, 0},
    {"lp_pool3d", "LpPool", pool, 0},
    {"adaptive_avg_pool1d", NULL, adaptive_mean, 0},
    {"adaptive_avg_pool2d", NULL, adaptive_mean, 0},
    {"adaptive_avg_pool3d", NULL, adaptive_mean, 0},
    {"adaptive_max_pool1d", NULL, adaptive_greatest, 0},
    {"adaptive_max_pool2d", NULL, adaptive_greatest, 0},
    {"adaptive_max_pool3d", NULL, adaptive_greatest, 0},
    {"layer_norm", "LayerNormalization", layer_norm, 0},
    {"rms_norm", NULL, rms_norm, 0},
    {"instance_norm", "InstanceNormalization", with_epsilon, 0},
    {"batch_norm", "BatchNormalization", with_epsilon, 0},
    {"group_norm", "GroupNormalization", group_norm, 0},
    {"cast", "Cast", cast, 0},
    {"quantize", NULL, quantize, 0},
    {"dequantize", NULL, dequantize, 0},
    {"clamp", NULL, clamp, 0},
    {"acos", "Acos", NULL, 0},
    {"acosh", "Acosh", NULL, 0},
    {"asin", "Asin", NULL, 0},
    {"asinh", "Asinh", NULL, 0},
    {"atan", "Atan", NULL, 0},
    {"atanh", "Atanh", NULL, 0},
    {"ceil", "Ceil", NULL, 0},
    {"celu", "Celu", with_alpha, 0},
    {"cos", "Cos", NULL, 0},
    {"cosh", "Cosh", NULL, 0},
    {"elu", "Elu", with_alpha, 0},
    {"erf", "Erf", NULL, 0},
    {"exp", "Exp", NULL, 0},
    {"floor", "Floor", NULL, 0},
    {"gelu", "Gelu", NULL, 0},
    {"gelu_tanh", "Gelu", gelu_tanh, 0},
    {"hardshrink", "Shrink", hardshrink, 0},
    {"hardsigmoid", "HardSigmoid", with_alpha_beta, 0},
    {"hardswish", "HardSwish", NULL, 0},
    {"hardtanh", NULL, hardtanh, 0},
    {"isinf", "IsInf", NULL, 0},
    {"isnan", "IsNaN", NULL, 0},
    {"leaky_relu", "LeakyRelu", with_alpha, 0},
    {"log", "Log", NULL, 0},
    {"logical_not", "Not", NULL, 0},
    {"mish", "Mish", NULL, 0},
    {"neg", "Neg", NULL, 0},
    {"reciprocal", "Reciprocal", NULL, 0},
    {"relu", "Relu", NULL, 0},
    {"relu6", NULL, relu6, 0},
    {"round", "Round", NULL, 0},
    {"rsqrt", NULL, rsqrt, 0},
    {"selu", "Selu", selu, 0},
    {"sigmoid", "Sigmoid", NULL, 0},
    {"sign", "Sign", NULL, 0},
    {"silu", NULL, silu, 0},
    {"sin", "Sin", NULL, 0},
    {"sinh", "Sinh", NULL, 0},
    {"softplus", "Softplus", NULL, 0},
    {"softshrink", "Shrink", softshrink, 0},
    {"softsign", "Softsign", NULL, 0},
    {"sqrt", "Sqrt", NULL, 0},
    {"square", NULL, square, 0},
    {"tan", "Tan", NULL, 0},
    {"tanh", "Tanh", NULL, 0},
    {"thresholded_relu", "ThresholdedRelu", with_alpha, 0},
    {NULL, NULL, NULL, 0},
};

const OnnxRow *onnx_row(const OpDesc *op)
{
    static const OnnxRow *const tables[] = {onnx_function_rows, onnx_move_rows, onnx_graph_rows};
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        for (const OnnxRow *row = tables[i]; row->op; row++)
            if (!strcmp(row->op, op->name))
                return row;
    return NULL;
}

bool onnx_takes(const Operands *o, int i)
{
    return !operands_is_output(o, i) && !o->shapes.tensor[i].ignored;
}

/* True when another function follows, in a node that the library may fuse with the first. */
static bool is_activated(const Operands *o)
{
    return case_has(o->source, "activation") && case_int(o->source, "activation") != 0;
}

static void put_activation(OnnxModel *model, const Operands *o)
{
    DType dtype = case_dtype(o->source);
    if (!strcmp(case_choice(o->source, "activation"), "relu")) {
        onnx_node(model, "Relu", "before", "y");
        return;
    }
    onnx_constant(model, "low", dtype, 0);
    onnx_constant(model, "high", dtype, 6);
    onnx_node(model, "Clip", "before low high", "y");
}

bool onnx_write(const OnnxRow *row, const Operands *o, Text *bytes)
{
    OnnxModel model = {0};
    Text inputs = {0}, outputs = {0};
    bool ok = true;
    for (int i = 0; i < o->shapes.count; i++) {
        const char *name = o->source->op->tensors[i];
        ok = ok && onnx_type(o->view[i].dtype) != 0;
        if (operands_is_output(o, i)) {
            onnx_output(&model, name, o->view[i].dtype);
            text_printf(&outputs, "%s ", is_activated(o) ? "before" : name);
        } else {
            if (onnx_takes(o, i))
                onnx_input(&model, name, o->view[i].dtype);
            text_printf(&inputs, "%s ", onnx_takes(o, i) ? name : "-");
        }
    }
    if (row->node)
        onnx_node(&model, row->node, text_string(&inputs), text_string(&outputs));
    ok = ok && (!row->build || row->build(&model, o));
    if (ok && is_activated(o))
        put_activation(&model, o);
    if (ok)
        onnx_finish(&model, row->opset ? row->opset : ONNX_OPSET, bytes);
    onnx_release(&model);
    text_release(&inputs);
    text_release(&outputs);
    return ok;
}
