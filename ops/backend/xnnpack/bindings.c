/* Source: xnnpack.h of February 2022. */
#include "bindings.h"

#include <string.h>

/* xnn_create_convert_nc_*: "scale must be finite, normalized, and positive"; the quotient of a
 * product's scales must be below 256 as well. */
#define IS_NORMAL     "=0x1p-126..0x1.fffffep127"
#define NORMAL_SCALE  "scale" IS_NORMAL
#define NORMAL_SCALES "scale_a" IS_NORMAL ", scale_b" IS_NORMAL ", scale_y" IS_NORMAL

static const BindingRow rows[] = {
    {"abs", "abs_nc_f32(channels, channels, channels) setup rows, x, y"},
    {"round", "bankers_rounding_nc_f32(channels, channels, channels) setup rows, x, y"},
    {"ceil", "ceiling_nc_f32(channels, channels, channels) setup rows, x, y"},
    {"floor", "floor_nc_f32(channels, channels, channels) setup rows, x, y"},
    {"trunc", "truncation_nc_f32(channels, channels, channels) setup rows, x, y"},
    {"neg", "negate_nc_f32(channels, channels, channels) setup rows, x, y"},
    {"square", "square_nc_f32(channels, channels, channels) setup rows, x, y"},
    {"sqrt", "square_root_nc_f32(channels, channels, channels) setup rows, x, y"},
    {"sigmoid", "sigmoid_nc_f32(channels, channels, channels) setup rows, x, y"},
    {"hardswish", "hardswish_nc_f32(channels, channels, channels) setup rows, x, y"},
    {"elu", "elu_nc_f32(channels, channels, channels, alpha) setup rows, x, y"},
    {"leaky_relu",
     "leaky_relu_nc_f32(channels, channels, channels, negative_slope) setup rows, x, y"},
    {"relu", "clamp_nc_f32(channels, channels, channels, 0, inf) setup rows, x, y"},
    {"relu6", "clamp_nc_f32(channels, channels, channels, 0, 6) setup rows, x, y"},
    {"hardtanh", "clamp_nc_f32(channels, channels, channels, -1, 1) setup rows, x, y"},
    {"clamp",
     "clamp_nc_f32(channels, channels, channels, min, max) setup rows, x, y requires range"},
    {"softmax", "softmax_nc_f32(channels, channels, channels) setup rows, x, y requires last-axis"},

    {"add", "add_nd_f32(-inf, inf) setup shape(a), shape(b), a, b, y"},
    {"sub", "subtract_nd_f32(-inf, inf) setup shape(a), shape(b), a, b, y"},
    {"mul", "multiply_nd_f32(-inf, inf) setup shape(a), shape(b), a, b, y"},
    {"div", "divide_nd_f32(-inf, inf) setup shape(a), shape(b), a, b, y"},
    {"maximum", "maximum_nd_f32() setup shape(a), shape(b), a, b, y"},
    {"minimum", "minimum_nd_f32() setup shape(a), shape(b), a, b, y"},

    {"linear", "fully_connected_nc_f32(inputs, outputs, inputs, outputs, w, bias, limits) "
               "setup rows, x, y"},
    {"matmul_quantized",
     "fully_connected_nc_qs8(inputs, outputs, inputs, outputs, "
     "int8(zero_point_a), scale_a, scale_b, "
     "transposed(b), NULL, int8(zero_point_y), scale_y, int8(-128), int8(127)) "
     "setup rows, a, y of i8 requires dtype_b=i8, zero_point_b=0, " NORMAL_SCALES},
    {"matmul_quantized",
     "fully_connected_nc_qu8(inputs, outputs, inputs, outputs, uint8(zero_point_a), scale_a, "
     "uint8(zero_point_b), scale_b, transposed(b), NULL, uint8(zero_point_y), scale_y, uint8(0), "
     "uint8(255)) setup rows, a, y of u8 requires dtype_b=u8, " NORMAL_SCALES},

    {"conv2d", "convolution2d_nhwc_f32(padding, kernel, stride, dilation, groups, group_inputs, "
               "group_outputs, "
               "inputs, outputs, channels_last(w), bias, limits) "
               "setup batch, image, channels_last(x), channels_last(y)"},
    {"conv2d_quantized",
     "convolution2d_nhwc_qs8(padding, kernel, stride, dilation, groups, group_inputs, "
     "group_outputs, "
     "inputs, outputs, int8(zero_point_a), scale_a, scale_b, channels_last(b), NULL, "
     "int8(zero_point_y), scale_y, int8(-128), int8(127)) "
     "setup batch, image, channels_last(a), channels_last(y) of i8 requires dtype_b=i8, "
     "zero_point_b=0, " NORMAL_SCALES},
    {"conv2d_quantized",
     "convolution2d_nhwc_qu8(padding, kernel, stride, dilation, groups, group_inputs, "
     "group_outputs, "
     "inputs, outputs, uint8(zero_point_a), scale_a, uint8(zero_point_b), scale_b, "
     "channels_last(b), "
     "NULL, uint8(zero_point_y), scale_y, uint8(0), uint8(255)) "
     "setup batch, image, channels_last(a), channels_last(y) of u8 requires "
     "dtype_b=u8, " NORMAL_SCALES},
    {"conv_transpose2d",
     "deconvolution2d_nhwc_f32(padding, kernel, stride, dilation, groups, group_inputs, "
     "group_outputs, inputs, outputs, from_inputs(w), bias, limits) "
     "setup batch, image, output_padding, channels_last(x), channels_last(y)"},

    {"max_pool2d", "max_pooling2d_nhwc_f32(padding, kernel, stride, dilation, channels, channels, "
                   "channels, -inf, "
                   "inf) setup batch, image, channels_last(x), channels_last(y) "
                   "requires several-elements, ceil_mode=no"},
    {"avg_pool2d",
     "average_pooling2d_nhwc_f32(padding, kernel, stride, channels, channels, channels, -inf, inf) "
     "setup batch, image, channels_last(x), channels_last(y) "
     "requires several-elements, ceil_mode=no, count_include_pad=no, no-dilation"},
    {"adaptive_avg_pool2d",
     "global_average_pooling_nwc_f32(channels, channels, channels, -inf, inf) "
     "setup batch, pixels, channels_last(x), channels_last(y) requires one-window"},

    {"interpolate2d", "resize_bilinear2d_nhwc_f32(channels, channels, channels) "
                      "setup batch, image, result_image, channels_last(x), channels_last(y) "
                      "flags 8 requires mode=linear, coordinate_transformation_mode=align_corners"},
    {"interpolate2d", "resize_bilinear2d_nhwc_f32(channels, channels, channels) "
                      "setup batch, image, result_image, channels_last(x), channels_last(y) "
                      "flags 4 requires mode=linear, coordinate_transformation_mode=asymmetric"},
    {"interpolate2d",
     "resize_bilinear2d_nhwc_f32(channels, channels, channels) "
     "setup batch, image, result_image, channels_last(x), channels_last(y) requires mode=linear"},

    {"cast", "convert_nc_f32_f16(channels, channels, channels) setup rows, x, y requires to=f16"},
    {"cast", "convert_nc_f16_f32(channels, channels, channels) setup rows, x, y of f16 "
             "requires to=f32"},
    {"quantize", "convert_nc_f32_qs8(channels, channels, channels, scale, int8(zero_point), "
                 "int8(-128), int8(127)) setup rows, x, y requires to=i8, " NORMAL_SCALE},
    {"quantize", "convert_nc_f32_qu8(channels, channels, channels, scale, uint8(zero_point), "
                 "uint8(0), uint8(255)) setup rows, x, y requires to=u8, " NORMAL_SCALE},
    {"dequantize", "convert_nc_qs8_f32(channels, channels, channels, scale, int8(zero_point)) "
                   "setup rows, x, y of i8 requires " NORMAL_SCALE},
    {"dequantize", "convert_nc_qu8_f32(channels, channels, channels, scale, uint8(zero_point)) "
                   "setup rows, x, y of u8 requires " NORMAL_SCALE},
};

static int64_t tuple(const Operands *o, const char *name, int axis)
{
    return case_shape(o->source, name)->extent[axis];
}

static bool is_range(const Operands *o)
{
    return case_scalar(o->source, "min").re < case_scalar(o->source, "max").re;
}

static bool has_several_elements(const Operands *o)
{
    return tuple(o, "kernel_size", 0) * tuple(o, "kernel_size", 1) > 1;
}

static bool has_no_dilation(const Operands *o)
{
    return tuple(o, "dilation", 0) == 1 && tuple(o, "dilation", 1) == 1;
}

static bool has_one_window(const Operands *o)
{
    return tensor_count(&o->view[1]) == o->view[0].extent[0] * o->view[0].extent[1];
}

static const RowCondition conditions[] = {
    {"range", is_range, "an empty range"},
    {"several-elements", has_several_elements, "windows of one element"},
    {"no-dilation", has_no_dilation, "dilated windows"},
    {"one-window", has_one_window, "several windows in an image"},
    {NULL, NULL, NULL},
};

static bool is_of_type(const BindingRow *row, DType dtype)
{
    RowWords of;
    row_clause(row, "of", &of);
    return !strcmp(of.count > 0 ? of.word[0] : dtype_names[DT_F32], dtype_names[dtype]);
}

bool xnnpack_knows(const OpDesc *op, DType dtype)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (row_is_for(&rows[i], op) && is_of_type(&rows[i], dtype))
            return true;
    return false;
}

const BindingRow *xnnpack_row(const Operands *o, Text *why)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (!row_is_for(&rows[i], o->source->op) || !is_of_type(&rows[i], case_dtype(o->source)))
            continue;
        text_clear(why);
        if (row_holds(&rows[i], conditions, o, why))
            return &rows[i];
    }
    return NULL;
}

void xnnpack_describe(const char *name, const OpDesc *op, Text *text)
{
    (void)name;
    rows_describe(rows, COUNT_OF(rows), op, text);
}
