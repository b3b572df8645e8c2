/* What takes a number of any type (add, sub, elu, var, norms) cannot be called through the
 * interface, and is not here. */
#include "torch_rows.h"

#include <string.h>

enum {
    FLOAT = DTYPES_FLOAT,
    NUMBERS = DTYPES_FLOAT | DTYPES_INTEGER,
    BOOLEAN = DTYPES_BOOLEAN,
    BITS = DTYPES_INTEGER | DTYPES_BOOLEAN,
    ANY = NUMBERS | DTYPES_BOOLEAN
};

static bool is_plain(const Case *c)
{
    return !strcmp(case_choice(c, "activation"), "none");
}

static bool has_axes(const Case *c)
{
    return case_int(c, "axes") != 0;
}

static bool runs_forwards(const Case *c)
{
    return !case_int(c, "backwards") && !case_int(c, "exclusive");
}

static bool is_forwards(const Case *c)
{
    return !case_int(c, "backwards");
}

static bool pads_evenly(const Case *c)
{
    return !memcmp(case_shape(c, "before"), case_shape(c, "after"), sizeof(Shape));
}

static bool convolves(const Case *c)
{
    return is_plain(c) && pads_evenly(c);
}

static bool pools(const Case *c)
{
    const Shape *pads = case_shape(c, "before"), *kernel = case_shape(c, "kernel");
    for (int axis = 0; axis < pads->rank; axis++)
        if (2 * pads->extent[axis] > kernel->extent[axis])
            return false;
    return pads_evenly(c);
}

static bool averages(const Case *c)
{
    return pools(c) && shape_count(case_shape(c, "dilation")) == 1;
}

static bool attends(const Case *c)
{
    bool square = case_int(c, "m") == case_int(c, "n");
    return case_int(c, "groups") == 1 && (square || !case_int(c, "causal"));
}

/* One element for each channel is refused. */
static bool has_pixels(const Case *c)
{
    return shape_count(case_shape(c, "size")) != 1;
}

const NativeRow torch_rows[] = {
    {"acos acosh asin asinh atan atanh ceil cos cosh erf erfc exp exp2 expm1 floor log log10 log1p "
     "log2 reciprocal round rsqrt sigmoid sin sinh sqrt tan tanh trunc relu silu mish hardswish "
     "relu6 isnan isinf",
     FLOAT, "aten::%s", "", "x", NULL},
    {"abs neg sign square", NUMBERS, "aten::%s", "", "x", NULL},
    {"logsigmoid", FLOAT, "aten::log_sigmoid", "", "x", NULL},
    {"logical_not", BOOLEAN, "aten::%s", "", "x", NULL},
    {"gelu", FLOAT, "aten::gelu", "", "x 'none", NULL},
    {"gelu_tanh", FLOAT, "aten::gelu", "", "x 'tanh", NULL},
    {"maximum minimum", NUMBERS, "aten::%s", "", "a b", NULL},
    {"mul", NUMBERS, "aten::%s", "Tensor", "a b", NULL},
    {"div fmod remainder", FLOAT, "aten::%s", "Tensor", "a b", NULL},
    {"pow", FLOAT, "aten::pow", "Tensor_Tensor", "a b", NULL},
    {"atan2", FLOAT, "aten::atan2", "", "a b", NULL},
    {"eq ne lt le gt ge", NUMBERS, "aten::%s", "Tensor", "a b", NULL},
    {"logical_and logical_or logical_xor", BOOLEAN, "aten::%s", "", "a b", NULL},
    {"bitwise_and bitwise_or bitwise_xor", BITS, "aten::%s", "Tensor", "a b", NULL},
    {"where", ANY, "aten::where", "self", "condition a b", NULL},
    {"sum", FLOAT, "aten::sum", "dim_IntList", "x :axes? #keepdims -", has_axes},
    {"mean", FLOAT, "aten::mean", "dim", "x :axes? #keepdims -", has_axes},
    {"amax amin", NUMBERS, "aten::%s", "", "x :axes #keepdims", has_axes},
    {"logsumexp", FLOAT, "aten::logsumexp", "", "x :axes #keepdims", has_axes},
    {"all any", BOOLEAN, "aten::%s", "dims", "x :axes? #keepdims", has_axes},
    {"cumsum cumprod", FLOAT, "aten::%s", "", "x #axis -", runs_forwards},
    {"softmax log_softmax", FLOAT, "aten::%s", "int", "x #axis -", NULL},
    {"transpose", ANY, "aten::permute", "", "x :order", NULL},
    {"tile", ANY, "aten::tile", "", "x :copies", NULL},
    {"flip", ANY, "aten::flip", "", "x [axis", NULL},
    {"roll", ANY, "aten::roll", "", "x [start [axis", NULL},
    {"expand", ANY, "aten::expand", "", "x @shape !no", NULL},
    {"slice", ANY, "aten::slice", "Tensor", "x #axis #start? - #step", is_forwards},
    {"tril triu", ANY, "aten::%s", "", "x #diagonal", NULL},
    {"pixel_shuffle", ANY, "aten::pixel_shuffle", "", "x #step", NULL},
    {"concat", ANY, "aten::cat", "", "a&b #axis", NULL},
    {"sort", NUMBERS, "aten::sort", "stable", "x !yes? #axis :descending", NULL},
    {"searchsorted", NUMBERS, "aten::searchsorted", "Tensor", "sorted x !no :right - -", NULL},
    {"index_select", ANY, "aten::index_select", "", "x #axis indices", NULL},
    {"embedding", ANY, "aten::embedding", "", "x indices !-1 !no !no", NULL},
    {"take", ANY, "aten::take", "", "x indices", NULL},
    {"take_along_axis", ANY, "aten::take_along_dim", "", "x indices #axis?", NULL},
    {"scatter", ANY, "aten::scatter", "src", "x #axis indices updates", NULL},
    {"scatter_add", NUMBERS, "aten::scatter_add", "", "x #axis indices updates", NULL},
    {"scatter_mul", FLOAT, "aten::scatter_reduce", "two", "x #axis indices updates 'prod !yes",
     NULL},
    {"scatter_max", FLOAT, "aten::scatter_reduce", "two", "x #axis indices updates 'amax !yes",
     NULL},
    {"scatter_min", FLOAT, "aten::scatter_reduce", "two", "x #axis indices updates 'amin !yes",
     NULL},
    {"matmul", FLOAT, "aten::matmul", "", "a b", is_plain},
    {"linear", FLOAT, "aten::linear", "", "x w bias?", is_plain},
    {"layer_norm", FLOAT, "aten::layer_norm", "", "x :normalised scale? bias? $epsilon !no", NULL},
    {"rms_norm", FLOAT, "aten::rms_norm", "", "x :normalised scale? $epsilon?", NULL},
    {"group_norm", FLOAT, "aten::group_norm", "", "x #groups scale? bias? $epsilon !no", NULL},
    {"instance_norm", FLOAT, "aten::instance_norm", "", "x scale? bias? - - !yes ~0 $epsilon !no",
     has_pixels},
    {"batch_norm", FLOAT, "aten::batch_norm", "",
     "x scale? bias? mean? variance? !no ~0 $epsilon !no", NULL},
    {"conv1d conv2d conv3d", FLOAT, "aten::%s", "", "x w bias? @stride @before @dilation #groups",
     convolves},
    {"conv_transpose1d", FLOAT, "aten::conv_transpose1d", "",
     "x w bias? @stride @before @extra #groups @dilation", convolves},
    {"conv_transpose2d conv_transpose3d", FLOAT, "aten::%s", "input",
     "x w bias? @stride @before @extra #groups @dilation", convolves},
    {"max_pool1d max_pool2d max_pool3d", FLOAT, "aten::%s", "",
     "x @kernel @stride @before @dilation #ceil_mode", pools},
    {"avg_pool1d", FLOAT, "aten::avg_pool1d", "",
     "x @kernel @stride @before #ceil_mode #count_pads", averages},
    {"avg_pool2d avg_pool3d", FLOAT, "aten::%s", "",
     "x @kernel @stride @before #ceil_mode #count_pads -", averages},
    {"adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d", FLOAT, "aten::%s", "",
     "x @extra", NULL},
    {"mse_loss l1_loss", FLOAT, "aten::%s", "", "x target :reduction", NULL},
    {"smooth_l1_loss huber_loss", FLOAT, "aten::%s", "", "x target :reduction $beta", NULL},
    {"bce_with_logits", FLOAT, "aten::binary_cross_entropy_with_logits", "",
     "x target - - :reduction", NULL},
    {"kl_div", FLOAT, "aten::kl_div", "", "x target :reduction !no", NULL},
    {"nll_loss", FLOAT, "aten::nll_loss_nd", "", "x target weight? :reduction !-100", NULL},
    {"cross_entropy", FLOAT, "aten::cross_entropy_loss", "", "x target weight? :reduction !-100 ~0",
     NULL},
    {"attention", FLOAT, "aten::scaled_dot_product_attention", "", "q k v - ~0 #causal - !no",
     attends},
    {0}};
