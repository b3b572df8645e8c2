/* Operators that are graphs of several nodes, and those with attributes of their own. */
#include "onnx_rows.h"
#include "ops/nn/nn.h"

/* A scalar of all terms: the mean, or the sum. */
static bool put_loss(OnnxModel *model, const Operands *o)
{
    onnx_node(model, case_int(o->source, "mode") ? "ReduceSum" : "ReduceMean", "term", "y");
    onnx_set_int(model, "keepdims", 0);
    return true;
}

static bool mse_loss(OnnxModel *model, const Operands *o)
{
    onnx_node(model, "Sub", "x target", "difference");
    onnx_node(model, "Mul", "difference difference", "term");
    return put_loss(model, o);
}

static bool l1_loss(OnnxModel *model, const Operands *o)
{
    onnx_node(model, "Sub", "x target", "difference");
    onnx_node(model, "Abs", "difference", "term");
    return put_loss(model, o);
}

/* huber: min(d, beta) (d - min(d, beta) / 2); smooth_l1 over beta. */
static bool huber(OnnxModel *model, const Operands *o)
{
    onnx_constant(model, "beta", o->view[0].dtype, onnx_scalar(o, "beta"));
    onnx_constant(model, "half", o->view[0].dtype, 0.5);
    onnx_node(model, "Sub", "x target", "difference");
    onnx_node(model, "Abs", "difference", "d");
    onnx_node(model, "Less", "d beta", "near");
    onnx_node(model, "Mul", "d d", "square");
    onnx_node(model, "Mul", "square half", "own");
    onnx_node(model, "Mul", "beta half", "corner");
    onnx_node(model, "Sub", "d corner", "reach");
    return true;
}

static bool huber_loss(OnnxModel *model, const Operands *o)
{
    (void)huber(model, o);
    onnx_node(model, "Mul", "beta reach", "line");
    onnx_node(model, "Where", "near own line", "term");
    return put_loss(model, o);
}

static bool smooth_l1_loss(OnnxModel *model, const Operands *o)
{
    (void)huber(model, o);
    onnx_node(model, "Div", "own beta", "scaled");
    onnx_node(model, "Where", "near scaled reach", "term");
    return put_loss(model, o);
}

static bool bce_loss(OnnxModel *model, const Operands *o)
{
    onnx_constant(model, "one", o->view[0].dtype, 1);
    onnx_node(model, "Log", "x", "log");
    onnx_node(model, "Mul", "target log", "own");
    onnx_node(model, "Sub", "one x", "rest");
    onnx_node(model, "Log", "rest", "log_rest");
    onnx_node(model, "Sub", "one target", "weight");
    onnx_node(model, "Mul", "weight log_rest", "other");
    onnx_node(model, "Add", "own other", "both");
    onnx_node(model, "Neg", "both", "term");
    return put_loss(model, o);
}

static bool bce_with_logits(OnnxModel *model, const Operands *o)
{
    onnx_constant(model, "one", o->view[0].dtype, 1);
    onnx_node(model, "Relu", "x", "positive");
    onnx_node(model, "Mul", "x target", "product");
    onnx_node(model, "Sub", "positive product", "front");
    onnx_node(model, "Abs", "x", "size");
    onnx_node(model, "Neg", "size", "below");
    onnx_node(model, "Exp", "below", "e");
    onnx_node(model, "Add", "one e", "sum");
    onnx_node(model, "Log", "sum", "log");
    onnx_node(model, "Add", "front log", "term");
    return put_loss(model, o);
}

static bool kl_div(OnnxModel *model, const Operands *o)
{
    onnx_node(model, "Log", "target", "log");
    onnx_node(model, "Sub", "log x", "difference");
    onnx_node(model, "Mul", "target difference", "term");
    return put_loss(model, o);
}

static bool class_loss(OnnxModel *model, const Operands *o)
{
    onnx_set_string(model, "reduction", case_choice(o->source, "mode"));
    return true;
}

static bool norm(OnnxModel *model, const Operands *o)
{
    double order = onnx_scalar(o, "alpha");
    DType dtype = o->view[0].dtype;
    onnx_constant(model, "order", dtype, order);
    onnx_constant(model, "inverse", dtype, 1 / order);
    onnx_node(model, "Abs", "x", "size");
    onnx_node(model, "Pow", "size order", "power");
    onnx_node(model, "ReduceSum", "power", "sum");
    (void)onnx_reduce(model, o);
    onnx_node(model, "Pow", "sum inverse", "y");
    return true;
}

static bool dropout(OnnxModel *model, const Operands *o)
{
    bool trains = case_int(o->source, "mode") != 0;
    onnx_constant(model, "ratio", DT_F32, onnx_scalar(o, "alpha"));
    onnx_constant(model, "training", DT_BOOL, trains);
    onnx_node(model, "Dropout", "x ratio training", "y mask");
    onnx_set_int(model, "seed", case_int(o->source, "start"));
    return true;
}

static bool batch_norm_train(OnnxModel *model, const Operands *o)
{
    onnx_set_int(model, "training_mode", 1);
    onnx_set_float(model, "momentum", onnx_scalar(o, "alpha"));
    onnx_set_float(model, "epsilon", onnx_scalar(o, "epsilon"));
    return case_int(o->source, "correction") == 0;
}

/* As exporters write it: the mean of squares of differences from the mean. */
static bool put_variance(OnnxModel *model, const Operands *o, const char *result)
{
    int64_t count = 1;
    for (int axis = 0; axis < o->view[0].rank; axis++)
        if (case_int(o->source, "axes") >> (o->view[0].rank - 1 - axis) & 1)
            count *= o->view[0].extent[axis];
    onnx_constant(model, "divisor", o->view[0].dtype,
                  (double)(count - case_int(o->source, "correction")));
    onnx_node(model, "ReduceMean", "x", "mean");
    onnx_add_axes(model, o);
    onnx_set_int(model, "keepdims", 1);
    onnx_node(model, "Sub", "x mean", "difference");
    onnx_node(model, "Mul", "difference difference", "square");
    onnx_node(model, "ReduceSum", "square reduced", "sum");
    onnx_set_int(model, "keepdims", case_int(o->source, "keepdims"));
    onnx_node(model, "Div", "sum divisor", result);
    return o->view[0].dtype == DT_F32 || o->view[0].dtype == DT_F64;
}

static bool variance(OnnxModel *model, const Operands *o)
{
    return put_variance(model, o, "y");
}

static bool deviation(OnnxModel *model, const Operands *o)
{
    bool known = put_variance(model, o, "variance");
    onnx_node(model, "Sqrt", "variance", "y");
    return known;
}

static bool resize(OnnxModel *model, const Operands *o)
{
    onnx_constant_ints(model, "sizes", o->view[1].extent, o->view[1].rank);
    onnx_node(model, "Resize", "x - - sizes", "y");
    onnx_set_string(model, "mode", case_choice(o->source, "mode"));
    onnx_set_string(model, "coordinate_transformation_mode",
                    case_choice(o->source, "transformation"));
    onnx_set_string(model, "nearest_mode", case_choice(o->source, "rounding"));
    return true;
}

static bool grid_sample(OnnxModel *model, const Operands *o)
{
    onnx_set_string(model, "mode", case_choice(o->source, "mode"));
    onnx_set_string(model, "padding_mode", case_choice(o->source, "padding"));
    onnx_set_int(model, "align_corners", case_int(o->source, "align_corners"));
    return true;
}

static bool einsum(OnnxModel *model, const Operands *o)
{
    Text equation = {0};
    for (int operand = 0; operand < 3; operand++) {
        int labels[TENSOR_RANK_MAX + 1];
        int count = einsum_labels((const Nn *)(const void *)o->source->params, operand, labels);
        text_printf(&equation, "%s", operand == 1 ? "," : operand == 2 ? "->" : "");
        for (int i = 0; i < count; i++)
            text_printf(&equation, "%c", 'i' + labels[i]);
    }
    onnx_set_string(model, "equation", text_string(&equation));
    text_release(&equation);
    return true;
}

static bool attention(OnnxModel *model, const Operands *o)
{
    onnx_set_int(model, "is_causal", case_int(o->source, "causal"));
    return true;
}

static void set_recurrent(OnnxModel *model, const Operands *o)
{
    onnx_set_int(model, "hidden_size", case_int(o->source, "m"));
    onnx_set_string(model, "direction", case_choice(o->source, "mode"));
}

static const char *recurrent_inputs(const Operands *o, bool has_cell)
{
    enum { BIAS = 3 };
    if (o->shapes.tensor[BIAS].ignored)
        return has_cell ? "x w r - - h0 c0" : "x w r - - h0";
    return has_cell ? "x w r bias - h0 c0" : "x w r bias - h0";
}

static bool rnn(OnnxModel *model, const Operands *o)
{
    onnx_node(model, "RNN", recurrent_inputs(o, false), "y h");
    set_recurrent(model, o);
    return true;
}

static bool gru(OnnxModel *model, const Operands *o)
{
    onnx_node(model, "GRU", recurrent_inputs(o, false), "y h");
    onnx_set_int(model, "linear_before_reset", case_int(o->source, "late_reset"));
    set_recurrent(model, o);
    return true;
}

static bool lstm(OnnxModel *model, const Operands *o)
{
    onnx_node(model, "LSTM", recurrent_inputs(o, true), "y h c");
    set_recurrent(model, o);
    return true;
}

static void put_zeros(OnnxModel *model, const Operands *o)
{
    onnx_constant(model, "zero_a", o->view[0].dtype, (double)case_int(o->source, "zero_a"));
    onnx_constant(model, "zero_b", o->view[1].dtype, (double)case_int(o->source, "zero_b"));
}

static void put_scales(OnnxModel *model, const Operands *o)
{
    put_zeros(model, o);
    onnx_constant(model, "scale_a", DT_F32, onnx_scalar(o, "alpha"));
    onnx_constant(model, "scale_b", DT_F32, onnx_scalar(o, "beta"));
    onnx_constant(model, "scale_y", DT_F32, onnx_scalar(o, "epsilon"));
    onnx_constant(model, "zero_y", o->view[2].dtype, (double)case_int(o->source, "zero_y"));
}

static bool matmul_integer(OnnxModel *model, const Operands *o)
{
    put_zeros(model, o);
    onnx_node(model, "MatMulInteger", "a b zero_a zero_b", "y");
    return true;
}

static bool matmul_quantized(OnnxModel *model, const Operands *o)
{
    put_scales(model, o);
    onnx_node(model, "QLinearMatMul", "a scale_a zero_a b scale_b zero_b scale_y zero_y", "y");
    return true;
}

static bool conv_integer(OnnxModel *model, const Operands *o)
{
    put_zeros(model, o);
    onnx_node(model, "ConvInteger", "a b zero_a zero_b", "y");
    return onnx_conv(model, o);
}

static bool conv_quantized(OnnxModel *model, const Operands *o)
{
    put_scales(model, o);
    onnx_node(model, "QLinearConv", "a scale_a zero_a b scale_b zero_b scale_y zero_y", "y");
    return onnx_conv(model, o);
}

const OnnxRow onnx_graph_rows[] = {
    {"norm", NULL, norm, 0},
    {"dropout", NULL, dropout, 0},
    {"matmul_integer", NULL, matmul_integer, 0},
    {"matmul_quantized", NULL, matmul_quantized, 0},
    {"conv2d_integer", NULL, conv_integer, 0},
    {"conv2d_quantized", NULL, conv_quantized, 0},
    {"batch_norm_train", "BatchNormalization", batch_norm_train, 0},
    {"var", NULL, variance, 0},
    {"std", NULL, deviation, 0},
    {"interpolate1d", NULL, resize, 0},
    {"interpolate2d", NULL, resize, 0},
    {"interpolate3d", NULL, resize, 0},
    {"grid_sample", "GridSample", grid_sample, 0},
    {"einsum", "Einsum", einsum, 0},
    {"attention", "Attention", attention, 23},
    {"rnn", NULL, rnn, 0},
    {"gru", NULL, gru, 0},
    {"lstm", NULL, lstm, 0},
    {"mse_loss", NULL, mse_loss, 0},
    {"l1_loss", NULL, l1_loss, 0},
    {"huber_loss", NULL, huber_loss, 0},
    {"smooth_l1_loss", NULL, smooth_l1_loss, 0},
    {"bce_loss", NULL, bce_loss, 0},
    {"bce_with_logits", NULL, bce_with_logits, 0},
    {"kl_div", NULL, kl_div, 0},
    {"nll_loss", "NegativeLogLikelihoodLoss", class_loss, 0},
    {"cross_entropy", "SoftmaxCrossEntropyLoss", class_loss, 0},
    {NULL, NULL, NULL, 0},
};
