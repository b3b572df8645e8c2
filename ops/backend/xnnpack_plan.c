/* Plans by operator (xnnpack.h of February 2022).  Images have their channels last there. */
#include "xnnpack_plan.h"

#include "ops/nn/nn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct XnnRow {
    const char *op, *name;
    bool (*build)(XnnPlan *plan, const Operands *operands, const struct XnnRow *row);
    uint32_t dtypes; /* 0: binary32 alone */
    double low, high;
} XnnRow;

static XnnArgument *add(XnnCall *call, XnnArgumentKind kind)
{
    XnnArgument *argument = &call->arguments[call->count++];
    *argument = (XnnArgument){.kind = kind};
    return argument;
}

static void add_integer(XnnCall *call, XnnArgumentKind kind, int64_t value)
{
    add(call, kind)->integer = value;
}

static void add_float(XnnCall *call, double value)
{
    add(call, XNN_FLOAT)->number = value;
}

static void add_sizes(XnnCall *call, const int64_t *values, int count)
{
    XnnArgument *argument = add(call, XNN_SIZES);
    argument->integer = count;
    for (int i = 0; i < count; i++)
        argument->sizes[i] = (size_t)values[i];
}

/* Results between the ends of the format: nothing is clamped. */
static void add_no_limits(XnnCall *call)
{
    add_float(call, -INFINITY);
    add_float(call, INFINITY);
}

/* Activations of products and convolutions. */
static void add_limits(XnnCall *call, const Operands *o)
{
    int64_t activation = case_int(o->source, "activation");
    add_float(call, activation == NN_NO_ACTIVATION ? -INFINITY : 0);
    add_float(call, activation == NN_RELU6 ? 6 : INFINITY);
}

static void name_calls(XnnPlan *plan, const char *name)
{
    (void)snprintf(plan->create.function, sizeof plan->create.function, "xnn_create_%s", name);
    (void)snprintf(plan->setup.function, sizeof plan->setup.function, "xnn_setup_%s", name);
    (void)add(&plan->setup, XNN_OPERATOR);
}

/* The flags and the place of the result end every creation; no threads end every setup. */
static bool finish(XnnPlan *plan, uint32_t flags)
{
    add_integer(&plan->create, XNN_NUMBER, flags);
    (void)add(&plan->create, XNN_CREATED);
    add_integer(&plan->setup, XNN_BUFFER, -1);
    return true;
}

/* The operand with its axes in an order; order is NULL for as they are. */
static int buffer_of(XnnPlan *plan, int operand, const int *order)
{
    const Tensor *view = &plan->operands->view[operand];
    XnnBuffer *buffer = &plan->buffers[plan->buffer_count];
    *buffer = (XnnBuffer){
        .operand = operand, .rank = view->rank, .plain = !order && tensor_is_dense(view)};
    for (int axis = 0; axis < view->rank; axis++) {
        int from = order ? order[axis] : axis;
        buffer->extent[axis] = view->extent[from];
        buffer->stride[axis] = view->stride[from];
    }
    return plan->buffer_count++;
}

static const int channels_last[] = {0, 2, 3, 1};

static void add_buffer(XnnCall *call, int buffer)
{
    add_integer(call, XNN_BUFFER, buffer);
}

/* Rows of channels: the last axis, and all others as a batch. */
static void add_rows(XnnPlan *plan, const Tensor *x)
{
    int64_t channels = x->rank > 0 ? x->extent[x->rank - 1] : 1;
    for (int i = 0; i < 3; i++)
        add_integer(&plan->create, XNN_SIZE, channels);
    add_integer(&plan->setup, XNN_SIZE, channels > 0 ? tensor_count(x) / channels : 0);
}

static void begin_rows(XnnPlan *plan, const Operands *o, const char *name)
{
    name_calls(plan, name);
    add_rows(plan, &o->view[0]);
    add_buffer(&plan->setup, buffer_of(plan, 0, NULL));
    add_buffer(&plan->setup, buffer_of(plan, 1, NULL));
}

static bool unary(XnnPlan *plan, const Operands *o, const XnnRow *row)
{
    begin_rows(plan, o, row->name);
    return finish(plan, 0);
}

static bool with_alpha(XnnPlan *plan, const Operands *o, const XnnRow *row)
{
    begin_rows(plan, o, row->name);
    add_float(&plan->create, case_scalar(o->source, "alpha").re);
    return finish(plan, 0);
}

static bool clamp_between(XnnPlan *plan, const Operands *o, double low, double high)
{
    begin_rows(plan, o, "clamp_nc_f32");
    add_float(&plan->create, low);
    add_float(&plan->create, high);
    return low < high && finish(plan, 0);
}

static bool clamp(XnnPlan *plan, const Operands *o, const XnnRow *row)
{
    (void)row;
    return clamp_between(plan, o, case_scalar(o->source, "alpha").re,
                         case_scalar(o->source, "beta").re);
}

static bool limited(XnnPlan *plan, const Operands *o, const XnnRow *row)
{
    return clamp_between(plan, o, row->low, row->high);
}

static bool softmax(XnnPlan *plan, const Operands *o, const XnnRow *row)
{
    begin_rows(plan, o, row->name);
    return case_int(o->source, "axis") == o->view[0].rank - 1 && finish(plan, 0);
}

static bool binary(XnnPlan *plan, const Operands *o, const XnnRow *row)
{
    name_calls(plan, row->name);
    if (row->low < row->high)
        add_no_limits(&plan->create);
    for (int i = 0; i < 2; i++) {
        add_integer(&plan->setup, XNN_SIZE, o->view[i].rank);
        add_sizes(&plan->setup, o->view[i].extent, o->view[i].rank);
    }
    for (int i = 0; i < 3; i++)
        add_buffer(&plan->setup, buffer_of(plan, i, NULL));
    return finish(plan, 0);
}

static bool fully_connected(XnnPlan *plan, const Operands *o, const XnnRow *row)
{
    int64_t in = o->view[1].extent[1], out = o->view[1].extent[0];
    name_calls(plan, row->name);
    for (int i = 0; i < 2; i++) {
        add_integer(&plan->create, XNN_SIZE, in);
        add_integer(&plan->create, XNN_SIZE, out);
    }
    add_integer(&plan->setup, XNN_SIZE, o->view[0].extent[0]);
    add_buffer(&plan->setup, buffer_of(plan, 0, NULL));
    add_buffer(&plan->create, buffer_of(plan, 1, NULL));
    add_buffer(&plan->create, o->shapes.tensor[2].ignored ? -1 : buffer_of(plan, 2, NULL));
    add_buffer(&plan->setup, buffer_of(plan, 3, NULL));
    add_limits(&plan->create, o);
    return finish(plan, 0);
}

static int64_t tuple(const Operands *o, const char *name, int axis)
{
    return case_shape(o->source, name)->extent[axis];
}

/* Top, right, bottom, left. */
static void add_padding(XnnPlan *plan, const Operands *o)
{
    add_integer(&plan->create, XNN_NUMBER, tuple(o, "before", 0));
    add_integer(&plan->create, XNN_NUMBER, tuple(o, "after", 1));
    add_integer(&plan->create, XNN_NUMBER, tuple(o, "after", 0));
    add_integer(&plan->create, XNN_NUMBER, tuple(o, "before", 1));
}

static void add_tuple(XnnPlan *plan, const Operands *o, const char *name)
{
    add_integer(&plan->create, XNN_NUMBER, tuple(o, name, 0));
    add_integer(&plan->create, XNN_NUMBER, tuple(o, name, 1));
}

/* Samples, height and width. */
static void add_image(XnnPlan *plan, const Tensor *x)
{
    add_integer(&plan->setup, XNN_SIZE, x->extent[0]);
    add_integer(&plan->setup, XNN_SIZE, x->extent[2]);
    add_integer(&plan->setup, XNN_SIZE, x->extent[3]);
}

static void add_images(XnnPlan *plan, int result)
{
    add_buffer(&plan->setup, buffer_of(plan, 0, channels_last));
    add_buffer(&plan->setup, buffer_of(plan, result, channels_last));
}

/* Padding, windows, groups and channels, as both kinds of convolution have them. */
static void begin_convolution(XnnPlan *plan, const Operands *o, const XnnRow *row, int result)
{
    int64_t groups = case_int(o->source, "groups");
    int64_t in = o->view[0].extent[1], out = o->view[result].extent[1];
    name_calls(plan, row->name);
    add_padding(plan, o);
    add_tuple(plan, o, "kernel");
    add_tuple(plan, o, "stride");
    add_tuple(plan, o, "dilation");
    add_integer(&plan->create, XNN_NUMBER, groups);
    add_integer(&plan->create, XNN_SIZE, in / groups);
    add_integer(&plan->create, XNN_SIZE, out / groups);
    add_integer(&plan->create, XNN_SIZE, in);
    add_integer(&plan->create, XNN_SIZE, out);
    add_image(plan, &o->view[0]);
}

static bool convolution(XnnPlan *plan, const Operands *o, const XnnRow *row)
{
    begin_convolution(plan, o, row, 3);
    add_buffer(&plan->create, buffer_of(plan, 1, channels_last));
    add_buffer(&plan->create, o->shapes.tensor[2].ignored ? -1 : buffer_of(plan, 2, NULL));
    add_images(plan, 3);
    add_limits(&plan->create, o);
    return finish(plan, 0);
}

/* Weights by groups, with the inputs of each innermost. */
static int transposed_weights(XnnPlan *plan, const Operands *o)
{
    static const int own[] = {0, 1, 2, 3};
    int64_t groups = case_int(o->source, "groups");
    const Tensor *w = &o->view[1];
    int number = buffer_of(plan, 1, own);
    XnnBuffer *buffer = &plan->buffers[number];
    const int64_t inputs = w->extent[0] / groups;
    const int64_t extents[] = {groups, w->extent[1], w->extent[2], w->extent[3], inputs};
    const int64_t strides[] = {inputs * w->stride[0], w->stride[1], w->stride[2], w->stride[3],
                               w->stride[0]};
    buffer->rank = 5;
    memcpy(buffer->extent, extents, sizeof extents);
    memcpy(buffer->stride, strides, sizeof strides);
    return number;
}

/* Extra rows and columns come after the size. */
static bool deconvolution(XnnPlan *plan, const Operands *o, const XnnRow *row)
{
    begin_convolution(plan, o, row, 3);
    for (int axis = 0; axis < 2; axis++)
        add_integer(&plan->setup, XNN_NUMBER, tuple(o, "extra", axis));
    add_buffer(&plan->create, transposed_weights(plan, o));
    add_buffer(&plan->create, o->shapes.tensor[2].ignored ? -1 : buffer_of(plan, 2, NULL));
    add_images(plan, 3);
    add_limits(&plan->create, o);
    return finish(plan, 0);
}

static void add_byte(XnnCall *call, DType dtype, int64_t value)
{
    add_integer(call, dtype == DT_I8 ? XNN_SIGNED_BYTE : XNN_BYTE, value);
}

static void add_byte_limits(XnnCall *call, DType dtype)
{
    add_byte(call, dtype, (int64_t)dtype_lowest(dtype));
    add_byte(call, dtype, (int64_t)dtype_format(dtype)->largest);
}

/* Signed factors have no zero point of the second. */
static bool add_quantisation(XnnPlan *plan, const Operands *o, const int *weights_order)
{
    DType dtype = o->view[0].dtype;
    int64_t zero_b = case_int(o->source, "zero_b");
    add_byte(&plan->create, dtype, case_int(o->source, "zero_a"));
    add_float(&plan->create, case_scalar(o->source, "alpha").re);
    if (dtype == DT_U8)
        add_byte(&plan->create, dtype, zero_b);
    add_float(&plan->create, case_scalar(o->source, "beta").re);
    add_buffer(&plan->create, buffer_of(plan, 1, weights_order));
    add_buffer(&plan->create, -1);
    add_byte(&plan->create, dtype, case_int(o->source, "zero_y"));
    add_float(&plan->create, case_scalar(o->source, "epsilon").re);
    add_byte_limits(&plan->create, dtype);
    return o->view[1].dtype == dtype && (dtype == DT_U8 || zero_b == 0);
}

static const char *quantised_name(const Operands *o, const char *name, char buffer[64])
{
    (void)snprintf(buffer, 64, "%s_%s", name, o->view[0].dtype == DT_I8 ? "qs8" : "qu8");
    return buffer;
}

static bool quantised_product(XnnPlan *plan, const Operands *o, const XnnRow *row)
{
    static const int transposed[] = {1, 0};
    char name[64];
    int64_t in = o->view[1].extent[0], out = o->view[1].extent[1];
    name_calls(plan, quantised_name(o, row->name, name));
    for (int i = 0; i < 2; i++) {
        add_integer(&plan->create, XNN_SIZE, in);
        add_integer(&plan->create, XNN_SIZE, out);
    }
    add_integer(&plan->setup, XNN_SIZE, o->view[0].extent[0]);
    add_buffer(&plan->setup, buffer_of(plan, 0, NULL));
    bool known = add_quantisation(plan, o, transposed);
    add_buffer(&plan->setup, buffer_of(plan, 2, NULL));
    return known && finish(plan, 0);
}

static bool quantised_convolution(XnnPlan *plan, const Operands *o, const XnnRow *row)
{
    char name[64];
    XnnRow named = *row;
    named.name = quantised_name(o, row->name, name);
    begin_convolution(plan, o, &named, 2);
    bool known = add_quantisation(plan, o, channels_last);
    add_images(plan, 2);
    return known && finish(plan, 0);
}

/* Windows that lie inside, but for the padding. */
static bool pool(XnnPlan *plan, const Operands *o, const XnnRow *row)
{
    bool greatest = !strncmp(row->name, "max", 3), dilated = false;
    int64_t channels = o->view[0].extent[1];
    name_calls(plan, row->name);
    add_padding(plan, o);
    add_tuple(plan, o, "kernel");
    add_tuple(plan, o, "stride");
    for (int axis = 0; axis < 2; axis++)
        dilated = dilated || tuple(o, "dilation", axis) != 1;
    if (greatest)
        add_tuple(plan, o, "dilation");
    for (int i = 0; i < 3; i++)
        add_integer(&plan->create, XNN_SIZE, channels);
    add_image(plan, &o->view[0]);
    add_images(plan, 1);
    add_no_limits(&plan->create);
    bool counts = !greatest && case_int(o->source, "count_pads");
    /* Windows of one element are refused by design. */
    bool several = tuple(o, "kernel", 0) * tuple(o, "kernel", 1) > 1;
    return several && !case_int(o->source, "ceil_mode") && !counts && (greatest || !dilated) &&
           finish(plan, 0);
}

static bool global_mean(XnnPlan *plan, const Operands *o, const XnnRow *row)
{
    const Tensor *x = &o->view[0];
    name_calls(plan, row->name);
    for (int i = 0; i < 3; i++)
        add_integer(&plan->create, XNN_SIZE, x->extent[1]);
    add_integer(&plan->setup, XNN_SIZE, x->extent[0]);
    add_integer(&plan->setup, XNN_SIZE, x->extent[2] * x->extent[3]);
    add_images(plan, 1);
    add_no_limits(&plan->create);
    return tensor_count(&o->view[1]) == x->extent[0] * x->extent[1] && finish(plan, 0);
}

/* Aligned corners and the asymmetric coordinates of old TensorFlow are flags. */
static bool resize(XnnPlan *plan, const Operands *o, const XnnRow *row)
{
    enum { ALIGN_CORNERS = 8, ASYMMETRIC = 4 };
    const char *transformation = case_choice(o->source, "transformation");
    const Tensor *x = &o->view[0], *y = &o->view[1];
    uint32_t flags = !strcmp(transformation, "align_corners") ? ALIGN_CORNERS
                     : !strcmp(transformation, "asymmetric")  ? ASYMMETRIC
                                                              : 0;
    name_calls(plan, row->name);
    for (int i = 0; i < 3; i++)
        add_integer(&plan->create, XNN_SIZE, x->extent[1]);
    add_image(plan, x);
    add_integer(&plan->setup, XNN_SIZE, y->extent[2]);
    add_integer(&plan->setup, XNN_SIZE, y->extent[3]);
    add_images(plan, 1);
    return !strcmp(case_choice(o->source, "mode"), "linear") && finish(plan, flags);
}

static bool cast(XnnPlan *plan, const Operands *o, const XnnRow *row)
{
    DType from = o->view[0].dtype, to = o->view[1].dtype;
    (void)row;
    begin_rows(plan, o, from == DT_F32 ? "convert_nc_f32_f16" : "convert_nc_f16_f32");
    return ((from == DT_F32 && to == DT_F16) || (from == DT_F16 && to == DT_F32)) &&
           finish(plan, 0);
}

static bool quantize(XnnPlan *plan, const Operands *o, const XnnRow *row)
{
    DType to = o->view[1].dtype;
    (void)row;
    begin_rows(plan, o, to == DT_I8 ? "convert_nc_f32_qs8" : "convert_nc_f32_qu8");
    add_float(&plan->create, case_scalar(o->source, "alpha").re);
    add_byte(&plan->create, to, case_int(o->source, "start"));
    add_byte_limits(&plan->create, to);
    return (to == DT_I8 || to == DT_U8) && finish(plan, 0);
}

static bool dequantize(XnnPlan *plan, const Operands *o, const XnnRow *row)
{
    DType from = o->view[0].dtype;
    (void)row;
    begin_rows(plan, o, from == DT_I8 ? "convert_nc_qs8_f32" : "convert_nc_qu8_f32");
    add_float(&plan->create, case_scalar(o->source, "alpha").re);
    add_byte(&plan->create, from, case_int(o->source, "start"));
    return finish(plan, 0);
}

enum { BYTES = 1u << DT_I8 | 1u << DT_U8 };

static const XnnRow rows[] = {
    {"abs", "abs_nc_f32", unary, 0, 0, 0},
    {"round", "bankers_rounding_nc_f32", unary, 0, 0, 0},
    {"ceil", "ceiling_nc_f32", unary, 0, 0, 0},
    {"floor", "floor_nc_f32", unary, 0, 0, 0},
    {"trunc", "truncation_nc_f32", unary, 0, 0, 0},
    {"neg", "negate_nc_f32", unary, 0, 0, 0},
    {"square", "square_nc_f32", unary, 0, 0, 0},
    {"sqrt", "square_root_nc_f32", unary, 0, 0, 0},
    {"sigmoid", "sigmoid_nc_f32", unary, 0, 0, 0},
    {"hardswish", "hardswish_nc_f32", unary, 0, 0, 0},
    {"elu", "elu_nc_f32", with_alpha, 0, 0, 0},
    {"leaky_relu", "leaky_relu_nc_f32", with_alpha, 0, 0, 0},
    {"relu", NULL, limited, 0, 0, INFINITY},
    {"relu6", NULL, limited, 0, 0, 6},
    {"hardtanh", NULL, limited, 0, -1, 1},
    {"clamp", NULL, clamp, 0, 0, 0},
    {"softmax", "softmax_nc_f32", softmax, 0, 0, 0},
    /* Those with limits have a range. */
    {"add", "add_nd_f32", binary, 0, 0, 1},
    {"sub", "subtract_nd_f32", binary, 0, 0, 1},
    {"mul", "multiply_nd_f32", binary, 0, 0, 1},
    {"div", "divide_nd_f32", binary, 0, 0, 1},
    {"maximum", "maximum_nd_f32", binary, 0, 0, 0},
    {"minimum", "minimum_nd_f32", binary, 0, 0, 0},
    {"linear", "fully_connected_nc_f32", fully_connected, 0, 0, 0},
    {"conv2d", "convolution2d_nhwc_f32", convolution, 0, 0, 0},
    {"conv_transpose2d", "deconvolution2d_nhwc_f32", deconvolution, 0, 0, 0},
    {"matmul_quantized", "fully_connected_nc", quantised_product, BYTES, 0, 0},
    {"conv2d_quantized", "convolution2d_nhwc", quantised_convolution, BYTES, 0, 0},
    {"max_pool2d", "max_pooling2d_nhwc_f32", pool, 0, 0, 0},
    {"avg_pool2d", "average_pooling2d_nhwc_f32", pool, 0, 0, 0},
    {"adaptive_avg_pool2d", "global_average_pooling_nwc_f32", global_mean, 0, 0, 0},
    {"interpolate2d", "resize_bilinear2d_nhwc_f32", resize, 0, 0, 0},
    {"cast", NULL, cast, 1u << DT_F32 | 1u << DT_F16, 0, 0},
    {"quantize", NULL, quantize, 0, 0, 0},
    {"dequantize", NULL, dequantize, BYTES, 0, 0},
};

static const XnnRow *row_of(const OpDesc *op)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (!strcmp(rows[i].op, op->name))
            return &rows[i];
    return NULL;
}

bool xnnpack_knows(const OpDesc *op, DType dtype)
{
    const XnnRow *row = row_of(op);
    return row && ((row->dtypes ? row->dtypes : 1u << DT_F32) >> dtype & 1);
}

bool xnnpack_plan(XnnPlan *plan, const Operands *o)
{
    const XnnRow *row = row_of(o->source->op);
    *plan = (XnnPlan){.operands = o};
    /* Operators without elements are refused. */
    for (int i = 0; i < o->shapes.count; i++)
        if (tensor_count(&o->view[i]) == 0)
            return false;
    return row->build(plan, o, row);
}
