/* Operators that are graphs of several nodes, and those with attributes of their own. */
#include <math.h>

#include "onnx_rows.h"

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

const OnnxRow onnx_graph_rows[] = {
    {"mse_loss", NULL, mse_loss},
    {"l1_loss", NULL, l1_loss},
    {"huber_loss", NULL, huber_loss},
    {"smooth_l1_loss", NULL, smooth_l1_loss},
    {"bce_loss", NULL, bce_loss},
    {"bce_with_logits", NULL, bce_with_logits},
    {"kl_div", NULL, kl_div},
    {"nll_loss", "NegativeLogLikelihoodLoss", class_loss},
    {"cross_entropy", "SoftmaxCrossEntropyLoss", class_loss},
    {NULL, NULL, NULL},
};
