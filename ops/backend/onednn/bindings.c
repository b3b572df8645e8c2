/* Source: the oneDNN documentation, "Primitives", and dnnl.h of versions 2.6 and 3.2. */
#include "bindings.h"

#include <string.h>

static const BindingRow rows[] = {
    {"relu", "eltwise_forward(forward_inference, eltwise_relu, src=x, [dst=y], 0, 0)"},
    {"leaky_relu",
     "eltwise_forward(forward_inference, eltwise_relu, src=x, [dst=y], negative_slope, 0)"},
    {"tanh", "eltwise_forward(forward_inference, eltwise_tanh, src=x, [dst=y], 0, 0)"},
    {"elu", "eltwise_forward(forward_inference, eltwise_elu, src=x, [dst=y], alpha, 0)"},
    {"square", "eltwise_forward(forward_inference, eltwise_square, src=x, [dst=y], 0, 0)"},
    {"abs", "eltwise_forward(forward_inference, eltwise_abs, src=x, [dst=y], 0, 0)"},
    {"sqrt", "eltwise_forward(forward_inference, eltwise_sqrt, src=x, [dst=y], 0, 0)"},
    {"hardtanh", "eltwise_forward(forward_inference, eltwise_clip, src=x, [dst=y], -1, 1)"},
    {"relu6", "eltwise_forward(forward_inference, eltwise_clip, src=x, [dst=y], 0, 6)"},
    {"clamp", "eltwise_forward(forward_inference, eltwise_clip, src=x, [dst=y], min, max) requires "
              "ordered-ends"},
    {"softplus", "eltwise_forward(forward_inference, eltwise_soft_relu, src=x, [dst=y], 1, 0)"},
    {"sigmoid", "eltwise_forward(forward_inference, eltwise_logistic, src=x, [dst=y], 0, 0)"},
    {"exp", "eltwise_forward(forward_inference, eltwise_exp, src=x, [dst=y], 0, 0)"},
    {"gelu_tanh", "eltwise_forward(forward_inference, eltwise_gelu_tanh, src=x, [dst=y], 0, 0)"},
    {"gelu", "eltwise_forward(forward_inference, eltwise_gelu_erf, src=x, [dst=y], 0, 0)"},
    {"silu", "eltwise_forward(forward_inference, eltwise_swish, src=x, [dst=y], 1, 0)"},
    {"log", "eltwise_forward(forward_inference, eltwise_log, src=x, [dst=y], 0, 0)"},
    {"round", "eltwise_forward(forward_inference, eltwise_round, src=x, [dst=y], 0, 0)"},
    {"mish", "eltwise_forward(forward_inference, eltwise_mish, src=x, [dst=y], 0, 0)"},
    {"logsigmoid", "eltwise_forward(forward_inference, eltwise_logsigmoid, src=x, [dst=y], 0, 0) "
                   "version 2"},
    {"logsigmoid", "eltwise_forward(forward_inference, eltwise_soft_relu, src=x, [dst=y], -1, 0) "
                   "version 3"},
    {"hardswish",
     "eltwise_forward(forward_inference, eltwise_hardswish, src=x, [dst=y], 1/6, 0.5)"},
    /* Version 2 has its parameters as constants. */
    {"hardsigmoid", "eltwise_forward(forward_inference, eltwise_hardsigmoid, src=x, [dst=y], "
                    "alpha, beta) version 3"},

    {"relu_backward", "eltwise_backward(eltwise_relu, diff_src=dx, [diff_dst=dy], src=x, 0, 0)"},
    {"leaky_relu_backward",
     "eltwise_backward(eltwise_relu, diff_src=dx, [diff_dst=dy], src=x, negative_slope, 0)"},
    {"abs_backward", "eltwise_backward(eltwise_abs, diff_src=dx, [diff_dst=dy], src=x, 0, 0)"},
    {"square_backward",
     "eltwise_backward(eltwise_square, diff_src=dx, [diff_dst=dy], src=x, 0, 0)"},
    {"sqrt_backward", "eltwise_backward(eltwise_sqrt, diff_src=dx, [diff_dst=dy], src=x, 0, 0)"},
    {"exp_backward", "eltwise_backward(eltwise_exp, diff_src=dx, [diff_dst=dy], src=x, 0, 0)"},
    {"log_backward", "eltwise_backward(eltwise_log, diff_src=dx, [diff_dst=dy], src=x, 0, 0)"},
    {"tanh_backward", "eltwise_backward(eltwise_tanh, diff_src=dx, [diff_dst=dy], src=x, 0, 0)"},
    {"sigmoid_backward",
     "eltwise_backward(eltwise_logistic, diff_src=dx, [diff_dst=dy], src=x, 0, 0)"},
    {"softplus_backward",
     "eltwise_backward(eltwise_soft_relu, diff_src=dx, [diff_dst=dy], src=x, 1, 0)"},
    {"gelu_backward",
     "eltwise_backward(eltwise_gelu_erf, diff_src=dx, [diff_dst=dy], src=x, 0, 0)"},
    {"gelu_tanh_backward",
     "eltwise_backward(eltwise_gelu_tanh, diff_src=dx, [diff_dst=dy], src=x, 0, 0)"},
    {"elu_backward", "eltwise_backward(eltwise_elu, diff_src=dx, [diff_dst=dy], src=x, alpha, 0)"},
    {"silu_backward", "eltwise_backward(eltwise_swish, diff_src=dx, [diff_dst=dy], src=x, 1, 0)"},
    {"mish_backward", "eltwise_backward(eltwise_mish, diff_src=dx, [diff_dst=dy], src=x, 0, 0)"},
    {"hardswish_backward",
     "eltwise_backward(eltwise_hardswish, diff_src=dx, [diff_dst=dy], src=x, 1/6, 0.5)"},
    {"hardsigmoid_backward",
     "eltwise_backward(eltwise_hardsigmoid, diff_src=dx, [diff_dst=dy], src=x, alpha, beta)"},
    {"hardtanh_backward",
     "eltwise_backward(eltwise_clip, diff_src=dx, [diff_dst=dy], src=x, -1, 1)"},
    {"relu6_backward", "eltwise_backward(eltwise_clip, diff_src=dx, [diff_dst=dy], src=x, 0, 6)"},
    {"logsigmoid_backward", "eltwise_backward(eltwise_soft_relu, diff_src=dx, [diff_dst=dy], "
                            "src=x, -1, 0) version 3"},

    {"softmax", "softmax_forward(forward_inference, [softmax_accurate], src=x, [dst=y], axis)"},
    {"log_softmax", "logsoftmax_forward(forward_inference, src=x, [dst=y], axis) "
                    "version 2"},
    {"log_softmax", "softmax_forward(forward_inference, softmax_log, src=x, dst=y, axis)"},
    {"softmax_backward",
     "softmax_backward([softmax_accurate], diff_src=dx, [diff_dst=dy], dst=y, axis)"},
    {"log_softmax_backward", "logsoftmax_backward(diff_src=dx, [diff_dst=dy], dst=y, axis) "
                             "version 2"},
    {"log_softmax_backward",
     "softmax_backward(softmax_log, diff_src=dx, diff_dst=dy, dst=y, axis)"},

    {"add", "binary(binary_add, src=aligned(a), src_1=aligned(b), dst=y)"},
    {"sub", "binary(binary_sub, src=aligned(a), src_1=aligned(b), dst=y)"},
    {"mul", "binary(binary_mul, src=aligned(a), src_1=aligned(b), dst=y)"},
    {"div", "binary(binary_div, src=aligned(a), src_1=aligned(b), dst=y)"},
    {"maximum", "binary(binary_max, src=aligned(a), src_1=aligned(b), dst=y)"},
    {"minimum", "binary(binary_min, src=aligned(a), src_1=aligned(b), dst=y)"},

    {"matmul", "matmul(src=aligned(a), weights=aligned(b), NULL, dst=y)"},
    {"matmul_integer", "matmul(src=aligned(a), weights=aligned(b), NULL, dst=y) of integers "
                       "requires zero_point_a=0, zero_point_b=0"},
    {"linear", "matmul(src=x, weights=transposed(w), bias=aligned(bias), dst=y)"},
    {"linear_gelu",
     "matmul(src=x, weights=transposed(w), bias=aligned(bias), dst=y) then eltwise_gelu_tanh"},

    {"sum", "reduction(reduction_sum, src=x, dst=kept(y), 0, 0) requires reduced, dense-result"},
    {"mean", "reduction(reduction_mean, src=x, dst=kept(y), 0, 0) requires reduced, dense-result"},
    {"prod", "reduction(reduction_mul, src=x, dst=kept(y), 0, 0) requires reduced, dense-result"},
    {"amax", "reduction(reduction_max, src=x, dst=kept(y), 0, 0) requires reduced, dense-result"},
    {"amin", "reduction(reduction_min, src=x, dst=kept(y), 0, 0) requires reduced, dense-result"},
    {"norm1", "reduction(reduction_norm_lp_power_p_sum, src=x, dst=kept(y), 1, 0) "
              "requires reduced, dense-result"},
    {"norm2", "reduction(reduction_norm_lp_sum, src=x, dst=kept(y), 2, 0) "
              "requires reduced, dense-result"},
    {"sum_squares", "reduction(reduction_norm_lp_power_p_sum, src=x, dst=kept(y), 2, 0) "
                    "requires reduced, dense-result"},

    {"conv1d conv2d conv3d",
     "convolution_forward(forward_inference, convolution_direct, src=x, weights=by_groups(w), "
     "bias=bias, dst=y, strides, dilates, padding_l, padding_r)"},
    {"conv_transpose1d conv_transpose2d conv_transpose3d",
     "deconvolution_forward(forward_inference, deconvolution_direct, src=x, "
     "weights=from_inputs(w), bias=bias, dst=y, strides, dilates, padding_l, padding_r)"},
    {"conv1d_backward_data conv2d_backward_data conv3d_backward_data",
     "convolution_backward_data(convolution_direct, diff_src=dx, weights=by_groups(w), "
     "diff_dst=dy, strides, dilates, padding_l, padding_r)"},
    {"conv1d_backward_weights conv2d_backward_weights conv3d_backward_weights",
     "convolution_backward_weights(convolution_direct, src=x, diff_weights=by_groups(dw), NULL, "
     "diff_dst=dy, strides, dilates, padding_l, padding_r)"},

    {"max_pool1d max_pool2d max_pool3d",
     "pooling_forward(forward_inference, pooling_max, src=x, dst=y, strides, kernel, dilates, "
     "padding_l, padding_r)"},
    {"avg_pool1d avg_pool2d avg_pool3d",
     "pooling_forward(forward_inference, pooling_avg_exclude_padding, src=x, dst=y, strides, "
     "kernel, dilates, padding_l, padding_r) requires count_include_pad=no"},
    /* A window by ceil would count places that are beyond the padding. */
    {"avg_pool1d avg_pool2d avg_pool3d",
     "pooling_forward(forward_inference, pooling_avg_include_padding, src=x, dst=y, strides, "
     "kernel, dilates, padding_l, padding_r) requires ceil_mode=no"},
    {"avg_pool1d_backward avg_pool2d_backward avg_pool3d_backward",
     "pooling_backward(pooling_avg_exclude_padding, diff_src=dx, diff_dst=dy, strides, kernel, "
     "dilates, padding_l, padding_r) requires count_include_pad=no"},
    {"avg_pool1d_backward avg_pool2d_backward avg_pool3d_backward",
     "pooling_backward(pooling_avg_include_padding, diff_src=dx, diff_dst=dy, strides, kernel, "
     "dilates, padding_l, padding_r) requires ceil_mode=no"},

    {"batch_norm", "batch_normalization_forward(forward_inference, src=x, [dst=y], epsilon, "
                   "statistics|scale|shift) with scale=scale, shift=bias, mean=mean, "
                   "variance=variance requires f32"},
    {"layer_norm", "layer_normalization_forward(forward_inference, src=x, [dst=y], statistics(x), "
                   "epsilon, scale|shift) with scale=scale, shift=bias "
                   "requires several-axes, last-axis, f32"},
    {"local_response_norm", "lrn_forward(forward_inference, lrn_across_channels, src=x, [dst=y], "
                            "size:int64, alpha, beta, k) requires odd-window"},
    /* A shift is asked for there, though no gradient depends on it. */
    {"batch_norm_backward",
     "batch_normalization_backward(backward, diff_src=dx, src=x, epsilon, scale|shift) "
     "with diff_dst=dy, scale=scale, mean=mean, variance=variance, diff_scale=dscale, "
     "diff_shift=dbias, shift=scale requires several-axes version 2"},
    {"batch_norm_backward",
     "batch_normalization_backward(backward, diff_src=dx, diff_dst=dy, src=x, epsilon, "
     "scale|shift) with scale=scale, mean=mean, variance=variance, diff_scale=dscale, "
     "diff_shift=dbias requires several-axes version 3"},
    {"layer_norm_backward",
     "layer_normalization_backward(backward, diff_src=dx, [diff_dst=dy], src=x, mean=mean, "
     "epsilon, scale|shift) with scale=scale, variance=variance, diff_scale=dscale, "
     "diff_shift=dbias, shift=scale requires several-axes"},

    /* Which element is the nearest is its own rule. */
    {"interpolate1d interpolate2d interpolate3d",
     "resampling_forward(forward_inference, resampling_linear, NULL, src=x, dst=y) "
     "requires mode=linear, coordinate_transformation_mode=half_pixel"},
};

static bool is_reduced(const Operands *o)
{
    return tensor_count(&o->view[1]) != tensor_count(&o->view[0]);
}

static bool has_dense_result(const Operands *o)
{
    return tensor_is_dense(&o->view[1]);
}

static bool has_several_axes(const Operands *o)
{
    return o->view[0].rank > 1;
}

static bool is_f32(const Operands *o)
{
    return o->view[0].dtype == DT_F32;
}

static bool has_odd_window(const Operands *o)
{
    return case_int(o->source, "size") % 2 == 1;
}

static const RowCondition conditions[] = {
    {"reduced", is_reduced, "a reduction of single elements"},
    {"dense-result", has_dense_result, "a result with gaps"},
    {"several-axes", has_several_axes, "no axis beside the one that is normalised"},
    {"f32", is_f32, "scale and statistics of another type than binary32"},
    {"odd-window", has_odd_window, "a window of an even size, which has one channel less there"},
    {NULL, NULL, NULL},
};

static bool is_of_version(const BindingRow *row, int version)
{
    RowWords of;
    row_clause(row, "version", &of);
    return of.count == 0 || of.word[0][0] - '0' == version;
}

const BindingRow *dnnl_row(const Operands *o, int version, Text *why)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (!row_is_for(&rows[i], o->source->op) || !is_of_version(&rows[i], version))
            continue;
        text_clear(why);
        if (row_holds(&rows[i], conditions, o, why))
            return &rows[i];
    }
    if (why->length == 0)
        text_printf(why, "version %d has no such primitive", version);
    return NULL;
}

const BindingRow *dnnl_row_number(int number)
{
    return number < (int)COUNT_OF(rows) ? &rows[number] : NULL;
}

bool dnnl_has_row(const OpDesc *op, DType dtype)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        RowWords of;
        if (!row_is_for(&rows[i], op))
            continue;
        row_clause(&rows[i], "of", &of);
        return dtype_is_integer(dtype) == (of.count > 0);
    }
    return false;
}

void dnnl_describe(const char *name, const OpDesc *op, Text *text)
{
    (void)name;
    rows_describe(rows, COUNT_OF(rows), op, text);
}
