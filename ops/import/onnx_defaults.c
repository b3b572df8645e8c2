/* Source: "ONNX Operators" of the ONNX documentation.  all and reversed are the axes of the first
 * input; None follows from shapes. */
#include "onnx_read.h"

#include <string.h>

/* Types with spaces between, and the arguments. */
static const struct {
    const char *types, *call;
} rows[] = {
    {"ArgMax ArgMin", "A(axis=0, keepdims=1, select_last_index=0)"},
    {"Attention", "A(is_causal=0, softcap=0.0, qk_matmul_output_mode=0)"},
    {"AveragePool", "A(auto_pad='NOTSET', ceil_mode=0, count_include_pad=0, dilations=1, pads=0, "
                    "strides=1)"},
    {"BatchNormalization", "A(epsilon=1e-5, momentum=0.9, momentum=None, training_mode=0)"},
    {"Cast", "A(saturate=1, round_mode='up')"},
    {"Celu Elu", "A(alpha=1.0)"},
    {"Clip", "A(min=-inf, max=inf)"},
    {"Conv ConvInteger QLinearConv",
     "A(auto_pad='NOTSET', dilations=1, group=1, kernel_shape=None, "
     "pads=0, strides=1)"},
    {"ConvTranspose", "A(auto_pad='NOTSET', dilations=1, group=1, kernel_shape=None, "
                      "output_padding=0, pads=0, strides=1)"},
    {"CumSum", "A(exclusive=0, reverse=0)"},
    {"DepthToSpace", "A(mode='DCR')"},
    {"DequantizeLinear QuantizeLinear", "A(axis=1, block_size=0, output_dtype=0, precision=0, "
                                        "saturate=1)"},
    {"GRU", "A(direction='forward', hidden_size=None, layout=0, linear_before_reset=0)"},
    {"Gather GatherElements", "A(axis=0)"},
    {"Gelu", "A(approximate='none')"},
    {"Gemm", "A(alpha=1.0, beta=1.0, transA=0, transB=0)"},
    {"GridSample", "A(align_corners=0, mode='linear', padding_mode='zeros')"},
    {"GroupNormalization", "A(epsilon=1e-5, stash_type=1)"},
    {"HardSigmoid", "A(alpha=0.2, beta=0.5)"},
    {"InstanceNormalization", "A(epsilon=1e-5)"},
    {"IsInf", "A(detect_negative=1, detect_positive=1)"},
    {"LRN", "A(alpha=0.0001, beta=0.75, bias=1.0)"},
    {"LayerNormalization RMSNormalization", "A(axis=-1, epsilon=1e-5, stash_type=1)"},
    {"LeakyRelu", "A(alpha=0.01)"},
    {"LogSoftmax Softmax", "A(axis=-1)"},
    {"LpPool", "A(auto_pad='NOTSET', ceil_mode=0, dilations=1, p=2, pads=0, strides=1)"},
    {"LSTM RNN", "A(direction='forward', hidden_size=None, input_forget=0, layout=0)"},
    {"MaxPool", "A(auto_pad='NOTSET', ceil_mode=0, dilations=1, pads=0, storage_order=0, "
                "strides=1)"},
    {"Mod", "A(fmod=0)"},
    {"NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss", "A(reduction='mean')"},
    {"Pad", "A(mode='constant')"},
    {"ReduceL1 ReduceL2 ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum "
     "ReduceSumSquare",
     "A(axes=all, keepdims=1, noop_with_empty_axes=0)"},
    {"Resize", "A(antialias=0, coordinate_transformation_mode='half_pixel', cubic_coeff_a=-0.75, "
               "exclude_outside=0, extrapolation_value=0.0, "
               "keep_aspect_ratio_policy='stretch', mode='nearest', "
               "nearest_mode='round_prefer_floor')"},
    {"ScatterElements", "A(axis=0, reduction='none')"},
    {"ScatterND", "A(reduction='none')"},
    {"Selu", "A(alpha=1.67326319217681884765625, gamma=1.05070102214813232421875)"},
    {"Shrink", "A(bias=0.0, lambd=0.5)"},
    {"Swish", "A(alpha=1.0)"},
    {"ThresholdedRelu", "A(alpha=1.0)"},
    {"TopK", "A(axis=-1, largest=1, sorted=1)"},
    {"Transpose", "A(perm=reversed)"},
    {"Trilu", "A(diagonal=0, upper=1)"},
};

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return length > 0;
    return false;
}

const char *onnx_defaults(const char *type)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (has_word(rows[i].types, type))
            return rows[i].call;
    return NULL;
}
