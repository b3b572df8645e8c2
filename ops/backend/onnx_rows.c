/* The rows.  Operands have the names of the operator's table. */
#include "onnx_rows.h"

#include <stdio.h>
#include <string.h>

static double scalar(const Operands *o, const char *name)
{
    return case_scalar(o->source, name).re;
}

static bool with_alpha(OnnxModel *model, const Operands *o)
{
    onnx_set_float(model, "alpha", scalar(o, "alpha"));
    return true;
}

static bool with_alpha_beta(OnnxModel *model, const Operands *o)
{
    onnx_set_float(model, "beta", scalar(o, "beta"));
    return with_alpha(model, o);
}

static bool selu(OnnxModel *model, const Operands *o)
{
    onnx_set_float(model, "gamma", scalar(o, "beta"));
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
    return clip(model, o, scalar(o, "alpha"), scalar(o, "beta"));
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
    onnx_set_float(model, "lambd", scalar(o, "alpha"));
    return true;
}

static bool softshrink(OnnxModel *model, const Operands *o)
{
    onnx_set_float(model, "bias", scalar(o, "alpha"));
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

static int64_t integer(const Operands *o, const char *name)
{
    return case_int(o->source, name);
}

/* Axes are an input of the reductions; none are none. */
static bool reduce(OnnxModel *model, const Operands *o)
{
    int64_t axes[TENSOR_RANK_MAX];
    int count = 0, rank = o->view[0].rank;
    for (int axis = 0; axis < rank; axis++)
        if (integer(o, "axes") >> (rank - 1 - axis) & 1)
            axes[count++] = axis;
    onnx_set_int(model, "keepdims", integer(o, "keepdims"));
    onnx_constant_ints(model, "reduced", axes, count);
    onnx_add_input(model, "reduced");
    return true;
}

static bool place(OnnxModel *model, const Operands *o)
{
    int axis = 0, rank = o->view[0].rank;
    while (axis + 1 < rank && !(integer(o, "axes") >> (rank - 1 - axis) & 1))
        axis++;
    onnx_set_int(model, "axis", axis);
    onnx_set_int(model, "keepdims", integer(o, "keepdims"));
    return true;
}

static bool running_sum(OnnxModel *model, const Operands *o)
{
    onnx_constant(model, "axis", DT_I64, (double)integer(o, "axis"));
    onnx_node(model, "CumSum", "x axis", "y");
    onnx_set_int(model, "reverse", integer(o, "backwards"));
    onnx_set_int(model, "exclusive", integer(o, "exclusive"));
    return true;
}

static bool linear(OnnxModel *model, const Operands *o)
{
    (void)o;
    onnx_set_int(model, "transB", 1);
    return true;
}

static bool along_axis(OnnxModel *model, const Operands *o)
{
    onnx_set_int(model, "axis", integer(o, "axis"));
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
    onnx_set_int(model, "group", integer(o, "groups"));
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
    onnx_set_int(model, "ceil_mode", integer(o, "ceil_mode"));
    return true;
}

static bool mean_pool(OnnxModel *model, const Operands *o)
{
    onnx_set_int(model, "count_include_pad", integer(o, "count_pads"));
    return pool(model, o);
}

static bool with_epsilon(OnnxModel *model, const Operands *o)
{
    onnx_set_float(model, "epsilon", scalar(o, "epsilon"));
    return true;
}

static bool layer_norm(OnnxModel *model, const Operands *o)
{
    onnx_set_int(model, "axis", integer(o, "axis"));
    return with_epsilon(model, o);
}

static bool group_norm(OnnxModel *model, const Operands *o)
{
    onnx_set_int(model, "num_groups", integer(o, "groups"));
    if (o->view[0].dtype == DT_F64)
        onnx_set_int(model, "stash_type", onnx_type(DT_F64));
    return with_epsilon(model, o);
}

/* The graph that exporters write, and that the library may fuse. */
static bool rms_norm(OnnxModel *model, const Operands *o)
{
    int64_t axes[TENSOR_RANK_MAX];
    int count = 0;
    for (int axis = (int)integer(o, "axis"); axis < o->view[0].rank; axis++)
        axes[count++] = axis;
    onnx_constant(model, "two", o->view[0].dtype, 2);
    onnx_constant(model, "epsilon", o->view[0].dtype, scalar(o, "epsilon"));
    onnx_constant_ints(model, "axes", axes, count);
    onnx_node(model, "Pow", "x two", "square");
    onnx_node(model, "ReduceMean", "square axes", "mean");
    onnx_node(model, "Add", "mean epsilon", "inside");
    onnx_node(model, "Sqrt", "inside", "root");
    onnx_node(model, "Div", "x root", "unit");
    onnx_node(model, "Mul", "unit scale", "y");
    return true;
}

static bool transpose(OnnxModel *model, const Operands *o)
{
    int64_t order[TENSOR_RANK_MAX];
    int rank = o->view[0].rank;
    for (int i = 0; i < rank; i++) {
        int64_t at = (i + integer(o, "axis")) % rank;
        order[i] = integer(o, "backwards") ? rank - 1 - at : at;
    }
    onnx_set_ints(model, "perm", order, rank);
    return true;
}

static void put_slice(OnnxModel *model, int64_t axis, int64_t start, int64_t end, int64_t step)
{
    onnx_constant_ints(model, "starts", &start, 1);
    onnx_constant_ints(model, "ends", &end, 1);
    onnx_constant_ints(model, "axes", &axis, 1);
    onnx_constant_ints(model, "steps", &step, 1);
    onnx_node(model, "Slice", "x starts ends axes steps", "y");
}

static bool slice(OnnxModel *model, const Operands *o)
{
    int64_t step = integer(o, "step"), axis = integer(o, "axis");
    bool backwards = integer(o, "backwards");
    put_slice(model, axis, integer(o, "start"), backwards ? INT64_MIN : o->view[0].extent[axis],
              backwards ? -step : step);
    return true;
}

static bool flip(OnnxModel *model, const Operands *o)
{
    put_slice(model, integer(o, "axis"), -1, INT64_MIN, -1);
    return true;
}

static bool tile(OnnxModel *model, const Operands *o)
{
    int64_t copies[TENSOR_RANK_MAX];
    for (int axis = 0; axis < o->view[0].rank; axis++)
        copies[axis] = axis == integer(o, "axis") ? integer(o, "step") : 1;
    onnx_constant_ints(model, "copies", copies, o->view[0].rank);
    onnx_node(model, "Tile", "x copies", "y");
    return true;
}

static bool expand(OnnxModel *model, const Operands *o)
{
    onnx_constant_ints(model, "shape", o->view[1].extent, o->view[1].rank);
    onnx_node(model, "Expand", "x shape", "y");
    return true;
}

static bool pad(OnnxModel *model, const Operands *o)
{
    int64_t pads[2 * TENSOR_RANK_MAX] = {0}, axis = integer(o, "axis");
    pads[axis] = integer(o, "start");
    pads[axis + o->view[0].rank] = integer(o, "step");
    onnx_constant_ints(model, "pads", pads, 2 * o->view[0].rank);
    onnx_node(model, "Pad", "x pads", "y");
    onnx_set_string(model, "mode", case_choice(o->source, "mode"));
    return true;
}

static bool triangle(OnnxModel *model, const Operands *o, int upper)
{
    onnx_constant(model, "diagonal", DT_I64, (double)integer(o, "diagonal"));
    onnx_node(model, "Trilu", "x diagonal", "y");
    onnx_set_int(model, "upper", upper);
    return true;
}

static bool lower_triangle(OnnxModel *model, const Operands *o)
{
    return triangle(model, o, 0);
}

static bool upper_triangle(OnnxModel *model, const Operands *o)
{
    return triangle(model, o, 1);
}

static bool space_to_depth(OnnxModel *model, const Operands *o)
{
    onnx_set_int(model, "blocksize", integer(o, "step"));
    return true;
}

static bool pixel_shuffle(OnnxModel *model, const Operands *o)
{
    onnx_set_string(model, "mode", "CRD");
    return space_to_depth(model, o);
}

static bool cast(OnnxModel *model, const Operands *o)
{
    onnx_set_int(model, "to", onnx_type(o->view[1].dtype));
    return true;
}

static void put_quantisation(OnnxModel *model, const Operands *o, DType integer_type,
                             const char *type)
{
    onnx_constant(model, "scale", DT_F32, scalar(o, "alpha"));
    onnx_constant(model, "zero", integer_type, (double)integer(o, "start"));
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

static bool topk(OnnxModel *model, const Operands *o)
{
    int64_t count = integer(o, "k");
    onnx_constant_ints(model, "count", &count, 1);
    onnx_node(model, "TopK", "x count", "values places");
    onnx_set_int(model, "axis", integer(o, "axis"));
    onnx_set_int(model, "largest", integer(o, "mode") == 0);
    return true;
}

/* A scalar of all terms: the mean, or the sum. */
static bool loss(OnnxModel *model, const Operands *o, const char *type, const char *inputs)
{
    onnx_node(model, "Sub", "x target", "difference");
    onnx_node(model, type, inputs, "term");
    onnx_node(model, integer(o, "mode") ? "ReduceSum" : "ReduceMean", "term", "y");
    onnx_set_int(model, "keepdims", 0);
    return true;
}

static bool mse_loss(OnnxModel *model, const Operands *o)
{
    return loss(model, o, "Mul", "difference difference");
}

static bool l1_loss(OnnxModel *model, const Operands *o)
{
    return loss(model, o, "Abs", "difference");
}

const OnnxRow onnx_rows[] = {
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
    {"softmax", "Softmax", along_axis},
    {"log_softmax", "LogSoftmax", along_axis},
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
    {"transpose", "Transpose", transpose},
    {"slice", NULL, slice},
    {"flip", NULL, flip},
    {"tile", NULL, tile},
    {"expand", NULL, expand},
    {"pad", NULL, pad},
    {"tril", NULL, lower_triangle},
    {"triu", NULL, upper_triangle},
    {"pixel_shuffle", "DepthToSpace", pixel_shuffle},
    {"space_to_depth", "SpaceToDepth", space_to_depth},
    {"where", "Where", NULL},
    {"gather", "Gather", along_axis},
    {"take_along_axis", "GatherElements", along_axis},
    {"scatter", "ScatterElements", along_axis},
    {"concat", "Concat", along_axis},
    {"cast", "Cast", cast},
    {"quantize", NULL, quantize},
    {"dequantize", NULL, dequantize},
    {"topk", NULL, topk},
    {"clamp", NULL, clamp},
    {"mse_loss", NULL, mse_loss},
    {"l1_loss", NULL, l1_loss},
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
    for (const OnnxRow *row = onnx_rows; row->op; row++)
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
