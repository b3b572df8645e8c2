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
static bool reduce(OnnxModel *model, const Operands *o)
{
    int64_t axes[TENSOR_RANK_MAX];
    int count = 0, rank = o->view[0].rank;
    for (int axis = 0; axis < rank; axis++)
        if (case_int(o->source, "axes") >> (rank - 1 - axis) & 1)
            axes[count++] = axis;
    onnx_set_int(model, "keepdims", case_int(o->source, "keepdims"));
    onnx_constant_ints(model, "reduced", axes, count);
    onnx_add_input(model, "reduced");
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

static bool conv(OnnxModel *model, const Operands *o)
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
    return conv(model, o);
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
    {"abs", "Abs", NULL},
    {"add", "Add", NULL},
    {"sub", "Sub", NULL},
    {"mul", "Mul", NULL},
    {"div", "Div", NULL},
    {"pow", "Pow", NULL},
    {"fmod", "Mod", modulo_of_truncation},
    {"maximum", "Max", NULL},
    {"minimum", "Min", NULL},
    {"prelu", "PRelu", NULL},
    {"eq", "Equal", NULL},
    {"lt", "Less", NULL},
    {"le", "LessOrEqual", NULL},
    {"gt", "Greater", NULL},
    {"ge", "GreaterOrEqual", NULL},
    {"logical_and", "And", NULL},
    {"logical_or", "Or", NULL},
    {"logical_xor", "Xor", NULL},
    {"bitwise_and", "BitwiseAnd", NULL},
    {"bitwise_or", "BitwiseOr", NULL},
    {"bitwise_xor", "BitwiseXor", NULL},
    {"ne", NULL, unequal},
    {"sum", "ReduceSum", reduce},
    {"mean", "ReduceMean", reduce},
    {"prod", "ReduceProd", reduce},
    {"amax", "ReduceMax", reduce},
    {"amin", "ReduceMin", reduce},
    {"norm1", "ReduceL1", reduce},
    {"norm2", "ReduceL2", reduce},
    {"sum_squares", "ReduceSumSquare", reduce},
    {"logsumexp", "ReduceLogSumExp", reduce},
    {"all", "ReduceMin", reduce},
    {"any", "ReduceMax", reduce},
    {"argmax", "ArgMax", place},
    {"argmin", "ArgMin", place},
    {"cumsum", NULL, running_sum},
    {"matmul", "MatMul", NULL},
    {"linear", "Gemm", linear},
    {"softmax", "Softmax", onnx_along_axis},
    {"log_softmax", "LogSoftmax", onnx_along_axis},
    {"conv1d", "Conv", conv},
    {"conv2d", "Conv", conv},
    {"conv3d", "Conv", conv},
    {"conv_transpose1d", "ConvTranspose", conv_transpose},
    {"conv_transpose2d", "ConvTranspose", conv_transpose},
    {"conv_transpose3d", "ConvTranspose", conv_transpose},
    {"max_pool1d", "MaxPool", pool},
    {"max_pool2d", "MaxPool", pool},
    {"max_pool3d", "MaxPool", pool},
    {"avg_pool1d", "AveragePool", mean_pool},
    {"avg_pool2d", "AveragePool", mean_pool},
    {"avg_pool3d", "AveragePool", mean_pool},
    {"lp_pool1d", "LpPool", pool},
    {"lp_pool2d", "LpPool", pool},
    {"layer_norm", "LayerNormalization", layer_norm},
    {"rms_norm", NULL, rms_norm},
    {"instance_norm", "InstanceNormalization", with_epsilon},
    {"batch_norm", "BatchNormalization", with_epsilon},
    {"group_norm", "GroupNormalization", group_norm},
    {"cast", "Cast", cast},
    {"quantize", NULL, quantize},
    {"dequantize", NULL, dequantize},
    {"clamp", NULL, clamp},
    {"acos", "Acos", NULL},
    {"acosh", "Acosh", NULL},
    {"asin", "Asin", NULL},
    {"asinh", "Asinh", NULL},
    {"atan", "Atan", NULL},
    {"atanh", "Atanh", NULL},
    {"ceil", "Ceil", NULL},
    {"celu", "Celu", with_alpha},
    {"cos", "Cos", NULL},
    {"cosh", "Cosh", NULL},
    {"elu", "Elu", with_alpha},
    {"erf", "Erf", NULL},
    {"exp", "Exp", NULL},
    {"floor", "Floor", NULL},
    {"gelu", "Gelu", NULL},
    {"gelu_tanh", "Gelu", gelu_tanh},
    {"hardshrink", "Shrink", hardshrink},
    {"hardsigmoid", "HardSigmoid", with_alpha_beta},
    {"hardswish", "HardSwish", NULL},
    {"hardtanh", NULL, hardtanh},
    {"isinf", "IsInf", NULL},
    {"isnan", "IsNaN", NULL},
    {"leaky_relu", "LeakyRelu", with_alpha},
    {"log", "Log", NULL},
    {"logical_not", "Not", NULL},
    {"mish", "Mish", NULL},
    {"neg", "Neg", NULL},
    {"reciprocal", "Reciprocal", NULL},
    {"relu", "Relu", NULL},
    {"relu6", NULL, relu6},
    {"round", "Round", NULL},
    {"rsqrt", NULL, rsqrt},
    {"selu", "Selu", selu},
    {"sigmoid", "Sigmoid", NULL},
    {"sign", "Sign", NULL},
    {"silu", NULL, silu},
    {"sin", "Sin", NULL},
    {"sinh", "Sinh", NULL},
    {"softplus", "Softplus", NULL},
    {"softshrink", "Shrink", softshrink},
    {"softsign", "Softsign", NULL},
    {"sqrt", "Sqrt", NULL},
    {"square", NULL, square},
    {"tan", "Tan", NULL},
    {"tanh", "Tanh", NULL},
    {"thresholded_relu", "ThresholdedRelu", with_alpha},
    {NULL, NULL, NULL},
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
            text_printf(&outputs, "%s ", name);
        } else {
            if (onnx_takes(o, i))
                onnx_input(&model, name, o->view[i].dtype);
            text_printf(&inputs, "%s ", onnx_takes(o, i) ? name : "-");
        }
    }
    if (row->node)
        onnx_node(&model, row->node, text_string(&inputs), text_string(&outputs));
    ok = ok && (!row->build || row->build(&model, o));
    if (ok)
        onnx_finish(&model, ONNX_OPSET, bytes);
    onnx_release(&model);
    text_release(&inputs);
    text_release(&outputs);
    return ok;
}
