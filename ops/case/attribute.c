/* Derived attributes, and parameters as attributes. */
#include "attribute.h"
#include "extent.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void append(Attribute *value, int64_t number)
{
    value->list[value->count++] = number;
}

static void append_tuple(Attribute *value, const Shape *tuple)
{
    for (int axis = 0; axis < tuple->rank; axis++)
        append(value, tuple->extent[axis]);
}

static bool is_reduced(const Case *c, int axis)
{
    return case_int(c, "axes") >> (case_shape(c, "shape")->rank - 1 - axis) & 1;
}

static void append_axes(Attribute *value, const Case *c, bool reduced)
{
    for (int axis = 0; axis < case_shape(c, "shape")->rank; axis++)
        if (is_reduced(c, axis) == reduced)
            append(value, axis);
}

static void put_axes(Attribute *value, const Case *c)
{
    append_axes(value, c, true);
}

static void put_reduced_last(Attribute *value, const Case *c)
{
    append_axes(value, c, false);
    append_axes(value, c, true);
}

static void put_flat_shape(Attribute *value, const Case *c)
{
    const Shape *shape = case_shape(c, "shape");
    int64_t reduced = 1;
    for (int axis = 0; axis < shape->rank; axis++)
        if (is_reduced(c, axis))
            reduced *= shape->extent[axis];
        else
            append(value, shape->extent[axis]);
    append(value, reduced);
}

static void put_reduced_shape(Attribute *value, const Case *c)
{
    const Shape *shape = case_shape(c, "shape");
    for (int axis = 0; axis < shape->rank; axis++)
        if (!is_reduced(c, axis))
            append(value, shape->extent[axis]);
        else if (case_int(c, "keepdims"))
            append(value, 1);
}

static void put_order(Attribute *value, const Case *c)
{
    int rank = (int)case_shape(c, "shape")->rank;
    for (int i = 0; i < rank; i++) {
        int axis = (int)((case_int(c, "rotate") + i) % rank);
        append(value, case_int(c, "reverse") ? rank - 1 - axis : axis);
    }
}

static void put_copies(Attribute *value, const Case *c)
{
    for (int axis = 0; axis < case_shape(c, "shape")->rank; axis++)
        append(value, axis == case_int(c, "axis") ? case_int(c, "repeats") : 1);
}

static void put_normalised_shape(Attribute *value, const Case *c)
{
    const Shape *shape = case_shape(c, "shape");
    for (int axis = (int)case_int(c, "axis"); axis < shape->rank; axis++)
        append(value, shape->extent[axis]);
}

/* The labels of an operand: those of its mask in their order, rotated. */
static size_t put_labels(char *text, const Case *c, const char *mask, const char *rotation,
                         int64_t twice)
{
    int rank = (int)case_shape(c, "label_extents")->rank, count = 0;
    char plain[TENSOR_RANK_MAX + 1];
    for (int label = 0; label < rank; label++)
        if (case_int(c, mask) >> label & 1)
            plain[count++] = (char)('a' + label);
    if (twice > 0)
        plain[count++] = (char)('a' + twice - 1);
    for (int i = 0; i < count; i++)
        text[i] = plain[(i + case_int(c, rotation)) % count];
    return (size_t)count;
}

static void put_equation(Attribute *value, const Case *c)
{
    char *at = value->text;
    value->kind = ATTRIBUTE_TEXT;
    at += put_labels(at, c, "labels_a", "rotate_a", case_int(c, "diagonal_label"));
    *at++ = ',';
    at += put_labels(at, c, "labels_b", "rotate_b", 0);
    *at++ = '-';
    *at++ = '>';
    (void)put_labels(at, c, "labels_y", "rotate_y", 0);
}

static void append_pads(Attribute *value, const Case *c, int axis)
{
    append(value, case_shape(c, "pads_begin")->extent[axis]);
    append(value, case_shape(c, "pads_end")->extent[axis]);
}

static void put_pads_inner_first(Attribute *value, const Case *c)
{
    for (int axis = (int)case_shape(c, "pads_begin")->rank - 1; axis >= 0; axis--)
        append_pads(value, c, axis);
}

static void put_pads_interleaved(Attribute *value, const Case *c)
{
    for (int axis = 0; axis < case_shape(c, "pads_begin")->rank; axis++)
        append_pads(value, c, axis);
}

static void put_pads_by_side(Attribute *value, const Case *c)
{
    append_tuple(value, case_shape(c, "pads_begin"));
    append_tuple(value, case_shape(c, "pads_end"));
}

static void put_axis_pads(Attribute *value, const Case *c)
{
    int rank = (int)case_shape(c, "shape")->rank, axis = (int)case_int(c, "axis");
    for (int i = axis + 1; i < rank; i++) {
        append(value, 0);
        append(value, 0);
    }
    append(value, case_int(c, "pads_begin"));
    append(value, case_int(c, "pads_end"));
}

/* Padding of one axis: in front of all axes, then behind all. */
static void put_axis_pads_by_side(Attribute *value, const Case *c)
{
    int rank = (int)case_shape(c, "shape")->rank;
    for (int side = 0; side < 2; side++)
        for (int axis = 0; axis < rank; axis++)
            append(value,
                   axis == case_int(c, "axis") ? case_int(c, side ? "pads_end" : "pads_begin") : 0);
}

static void put_normalised_axes(Attribute *value, const Case *c)
{
    for (int axis = (int)case_int(c, "axis"); axis < case_shape(c, "shape")->rank; axis++)
        append(value, axis);
}

/* 0 along the axis that an illegal case names, which is none. */
static int64_t axis_extent(const Case *c)
{
    const Shape *shape = case_shape(c, "shape");
    int64_t axis = case_int(c, "axis");
    return axis < shape->rank ? shape->extent[axis] : 0;
}

static void put_rank(Attribute *value, const Case *c)
{
    value->kind = ATTRIBUTE_INTEGER;
    value->integer = case_shape(c, "shape")->rank;
}

static void put_real_seed(Attribute *value, const Case *c)
{
    value->kind = ATTRIBUTE_REAL;
    value->real = (double)case_int(c, "seed");
}

static void put_next_seed(Attribute *value, const Case *c)
{
    put_real_seed(value, c);
    value->real++;
}

static void put_axis_extent(Attribute *value, const Case *c)
{
    value->kind = ATTRIBUTE_INTEGER;
    value->integer = axis_extent(c);
}

static void put_split_sizes(Attribute *value, const Case *c)
{
    append(value, case_int(c, "split_size"));
    append(value, axis_extent(c) - case_int(c, "split_size"));
}

static void put_reduced_axis(Attribute *value, const Case *c)
{
    int rank = (int)case_shape(c, "shape")->rank;
    value->kind = ATTRIBUTE_INTEGER;
    while (value->integer + 1 < rank && !is_reduced(c, (int)value->integer))
        value->integer++;
}

static void put_integer(Attribute *value, int64_t integer)
{
    value->kind = ATTRIBUTE_INTEGER;
    value->integer = integer;
}

static void put_reduced_rank(Attribute *value, const Case *c)
{
    Attribute axes = {0};
    append_axes(&axes, c, true);
    put_integer(value, axes.count);
}

static void put_rank_cutoff(Attribute *value, const Case *c)
{
    value->kind = ATTRIBUTE_REAL;
    value->real = ldexp(1, -(int)case_int(c, "cutoff"));
}

static void put_batch_rank(Attribute *value, const Case *c)
{
    put_integer(value, case_shape(c, "batch_shape")->rank);
}

static void put_rotated_shape(Attribute *value, const Case *c)
{
    const Shape *shape = case_shape(c, "shape");
    for (int axis = 0; axis < shape->rank; axis++)
        append(value, shape->extent[(axis + case_int(c, "rotate")) % shape->rank]);
}

static void put_unflattened(Attribute *value, const Case *c)
{
    append(value, case_int(c, "parts"));
    append(value, axis_extent(c) / case_int(c, "parts"));
}

static void put_view_strides(Attribute *value, const Case *c)
{
    for (int axis = 0; axis < case_shape(c, "size")->rank; axis++)
        append(value, case_shape(c, "strides")->extent[axis]);
}

static void put_padding_by_side(Attribute *value, const Case *c)
{
    append_tuple(value, case_shape(c, "padding"));
    append_tuple(value, case_shape(c, "padding"));
}

static void put_arange_end(Attribute *value, const Case *c)
{
    put_integer(value, case_int(c, "start") + case_int(c, "step") * case_int(c, "steps"));
}

static void put_negative_axis(Attribute *value, const Case *c)
{
    put_integer(value, case_int(c, "axis") - case_shape(c, "shape")->rank);
}

static void put_spatial_rank(Attribute *value, const Case *c)
{
    put_integer(value, case_shape(c, "input_size")->rank);
}

static void put_slice_length(Attribute *value, const Case *c)
{
    int64_t extent = case_shape(c, "shape")->extent[case_int(c, "axis")];
    int64_t step = case_int(c, "step");
    put_integer(value, (extent - case_int(c, "start") + step - 1) / step);
}

static void put_all_axes(Attribute *value, const Case *c)
{
    for (int axis = 0; axis < case_shape(c, "shape")->rank; axis++)
        append(value, axis);
}

static void put_divisor(Attribute *value, const Case *c)
{
    const Shape *shape = case_shape(c, "shape");
    int64_t count = 1;
    for (int axis = 0; axis < shape->rank; axis++)
        count *= is_reduced(c, axis) ? shape->extent[axis] : 1;
    value->kind = ATTRIBUTE_REAL;
    value->real = (double)(count - case_int(c, "correction"));
}

/* Parameters of integers are whole (OpDesc.normalise). */
static void put_whole(Attribute *value, const Case *c, const char *name)
{
    value->kind = ATTRIBUTE_INTEGER;
    value->integer = (int64_t)fmin(case_scalar(c, name).re, 0x1.fffffffffffffp62);
}

static void put_whole_value(Attribute *value, const Case *c)
{
    put_whole(value, c, "value");
}

static void put_whole_min(Attribute *value, const Case *c)
{
    put_whole(value, c, "min");
}

static void put_whole_max(Attribute *value, const Case *c)
{
    put_whole(value, c, "max");
}

static void put_inverse_ord(Attribute *value, const Case *c)
{
    value->kind = ATTRIBUTE_REAL;
    value->real = 1 / case_scalar(c, "ord").re;
}

static void put_window(Attribute *value, const Case *c)
{
    const Shape *in = case_shape(c, "input_size"), *out = case_shape(c, "output_size");
    for (int axis = 0; axis < in->rank; axis++)
        append(value, in->extent[axis] / out->extent[axis]);
}

static void put_resized_shape(Attribute *value, const Case *c)
{
    append(value, case_int(c, "batch"));
    append(value, case_int(c, "channels"));
    append_tuple(value, case_shape(c, "output_size"));
}

static void put_grid_size(Attribute *value, const Case *c)
{
    append(value, case_int(c, "batch"));
    append(value, 1);
    append_tuple(value, case_shape(c, "output_size"));
}

static void put_bin_rows(Attribute *value, const Case *c)
{
    put_integer(value, case_shape(c, "output_size")->extent[0]);
}

static void put_bin_columns(Attribute *value, const Case *c)
{
    put_integer(value, case_shape(c, "output_size")->extent[1]);
}

static void put_word(Attribute *value, const char *word)
{
    value->kind = ATTRIBUTE_TEXT;
    (void)snprintf(value->text, sizeof value->text, "%s", word);
}

/* Samples of a grid are called bilinear for volumes, too. */
static void put_interpolation(Attribute *value, const Case *c)
{
    static const char *const linear[] = {"linear", "bilinear", "trilinear"};
    const char *mode = case_choice(c, "mode");
    int64_t rank = case_has(c, "padding_mode") ? 2 : case_shape(c, "output_size")->rank;
    if (!strcmp(mode, "linear"))
        put_word(value, linear[rank - 1]);
    else
        put_word(value, !strcmp(mode, "cubic") ? "bicubic" : mode);
}

static void put_flag(Attribute *value, const Case *c, const char *choice, const char *word)
{
    value->kind = ATTRIBUTE_BOOLEAN;
    value->integer = !strcmp(case_choice(c, choice), word);
}

static void put_right(Attribute *value, const Case *c)
{
    put_flag(value, c, "side", "right");
}

static void put_bidirectional(Attribute *value, const Case *c)
{
    put_flag(value, c, "direction", "bidirectional");
}

static void put_corners_aligned(Attribute *value, const Case *c)
{
    put_flag(value, c, "coordinate_transformation_mode", "align_corners");
}

static void put_reduction_number(Attribute *value, const Case *c)
{
    value->kind = ATTRIBUTE_INTEGER;
    value->integer = !strcmp(case_choice(c, "reduction"), "mean") ? 1 : 2;
}

const AttributeRow attribute_rows[] = {
    {"axes", "axes shape", put_axes, "the reduced axes, the outermost is 0"},
    {"reduced_last", "axes shape", put_reduced_last,
     "the order of axes that brings the reduced ones to the end"},
    {"flat_shape", "axes shape", put_flat_shape, "the extents then, the reduced axes made one"},
    {"reduced_shape", "axes shape keepdims", put_reduced_shape,
     "the extents of a reduction's result"},
    {"order", "rotate reverse shape", put_order, "the axes of a transposition"},
    {"copies", "axis repeats shape", put_copies, "how often tile repeats each axis"},
    {"normalised_shape", "axis shape epsilon", put_normalised_shape,
     "the extents that a norm is taken over: those from axis on"},
    {"equation",
     "labels_a labels_b labels_y rotate_a rotate_b rotate_y diagonal_label label_extents",
     put_equation, "of einsum: 'ab,bc->ac'"},
    {"pads_inner_first", "stride pads_begin pads_end", put_pads_inner_first,
     "padding in front and behind of the last axis, then of the one before it, and so on"},
    {"pads_interleaved", "stride pads_begin pads_end", put_pads_interleaved,
     "padding in front and behind of the first axis, then of the one behind it, and so on"},
    {"pads_by_side", "stride pads_begin pads_end", put_pads_by_side,
     "padding in front of all axes, then behind all"},
    {"axis_pads", "axis pads_begin pads_end shape", put_axis_pads,
     "padding of one axis as pads_inner_first has it"},
    {"axis_pads_by_side", "axis pads_begin pads_end shape", put_axis_pads_by_side,
     "padding of one axis as pads_by_side has it"},
    {"normalised_axes", "axis shape epsilon", put_normalised_axes,
     "the axes that a norm is taken over: those from axis on"},
    {"rank", "shape", put_rank, "the number of axes"},
    {"real_seed", "seed columns", put_real_seed, "the seed as a real number"},
    {"next_seed", "seed columns", put_next_seed, "the next seed, as a real number"},
    {"axis_extent", "axis shape", put_axis_extent, "the extent along the axis"},
    {"split_sizes", "axis split_size shape", put_split_sizes,
     "the extents of the parts of a split"},
    {"reduced_axis", "axes shape", put_reduced_axis, "the first reduced axis"},
    {"reduced_rank", "axes shape", put_reduced_rank, "the number of reduced axes"},
    {"batch_rank", "batch_shape", put_batch_rank, "the number of axes of the batch"},
    {"rank_cutoff", "cutoff", put_rank_cutoff,
     "singular values that count for a rank are above that times the largest"},
    {"rotated_shape", "rotate shape", put_rotated_shape, "the extents, each some places in front"},
    {"unflattened_sizes", "axis parts shape", put_unflattened, "the extents that an axis becomes"},
    {"view_strides", "strides size storage_offset", put_view_strides,
     "the distances of elements of a view"},
    {"padding_by_side", "padding kernel_size", put_padding_by_side,
     "padding in front of all axes, then the same behind all"},
    {"arange_end", "start step steps", put_arange_end, "what lies behind the last of some steps"},
    {"negative_axis", "axis shape", put_negative_axis, "the axis as counted from the end, below 0"},
    {"spatial_rank", "input_size", put_spatial_rank, "the number of axes of an image"},
    {"slice_length", "axis start step shape", put_slice_length, "the elements that a slice takes"},
    {"all_axes", "shape", put_all_axes, "the axes in their order"},
    {"divisor", "axes correction shape", put_divisor,
     "of a variance: the number of elements less the correction"},
    {"inverse_ord", "ord", put_inverse_ord, "of a norm: 1 / ord"},
    {"whole_value", "value", put_whole_value, "the value of a case of integers"},
    {"whole_min", "min", put_whole_min, "the lower end of a case of integers"},
    {"whole_max", "max", put_whole_max, "the upper end of one"},
    {"window", "input_size output_size", put_window, "of adaptive pooling with equal windows"},
    {"resized_shape", "batch channels output_size", put_resized_shape,
     "the extents of a resized image"},
    {"grid_size", "batch output_size align_corners", put_grid_size,
     "the extents of an image of one channel that a grid is made for"},
    {"bin_rows", "output_size num_rois", put_bin_rows, "the bins of a region along its height"},
    {"bin_columns", "output_size num_rois", put_bin_columns, "those along its width"},
    {"interpolation", "mode:cubic output_size", put_interpolation,
     "nearest, bicubic, and linear, bilinear or trilinear by the number of axes; of samples of a "
     "grid bilinear"},
    {"corners_aligned", "coordinate_transformation_mode:align_corners", put_corners_aligned,
     "the centres of the corner elements stay where they are"},
    {"right", "side:right", put_right, "searchsorted gives the place behind equal elements"},
    {"bidirectional", "direction:bidirectional", put_bidirectional,
     "a recurrent layer runs both ways"},
    {"reduction_number", "reduction:mean", put_reduction_number, "of a loss: 1 is mean, 2 sum"},
    {0}};

static const AttributeRow *find_row(const OpDesc *op, const char *name)
{
    for (const AttributeRow *row = attribute_rows; row->name; row++)
        if (!strcmp(row->name, name) && op_has_params(op, row->needs))
            return row;
    return NULL;
}

static bool is_attribute(const Param *param)
{
    return param->kind != PARAM_LIST && param->kind != PARAM_CODE;
}

bool attribute_is_derived(const OpDesc *op, const char *name)
{
    return find_row(op, name) != NULL;
}

bool attribute_exists(const OpDesc *op, const char *name)
{
    const Param *param = op_param(op, name, strlen(name));
    return find_row(op, name) || extent_row(op, name) || (param && is_attribute(param));
}

static bool has_flag_words(const Param *param)
{
    return !strcmp(param->names[0], "no") || !strcmp(param->names[0], "yes");
}

static void put_param(Attribute *value, const Case *c, const Param *param)
{
    const void *at = c->params + param->offset;
    const int64_t *integer = at;
    switch (param->kind) {
    case PARAM_SCALAR:
        value->kind = ATTRIBUTE_REAL;
        value->real = ((const Scalar *)at)->re;
        break;
    case PARAM_SHAPE:
    case PARAM_TUPLE:
        append_tuple(value, at);
        break;
    case PARAM_DTYPE:
        put_word(value, dtype_names[*integer]);
        break;
    case PARAM_CHOICE:
        put_word(value, param->names[*integer]);
        if (has_flag_words(param)) {
            value->kind = ATTRIBUTE_BOOLEAN;
            value->integer = !strcmp(value->text, "yes");
        }
        break;
    default:
        value->kind = ATTRIBUTE_INTEGER;
        value->integer = *integer;
    }
}

static void put_extent(Attribute *value, const Case *c, const ExtentRow *row)
{
    Extents extents = extent_numbers(row, c);
    value->kind = ATTRIBUTE_INTEGER;
    value->integer = extents_product(&extents, c);
}

bool attribute_get(const Case *c, const char *name, Attribute *value)
{
    const AttributeRow *row = find_row(c->op, name);
    const ExtentRow *extent = extent_row(c->op, name);
    const Param *param = op_param(c->op, name, strlen(name));
    *value = (Attribute){.kind = ATTRIBUTE_TUPLE};
    if (row)
        row->put(value, c);
    else if (extent)
        put_extent(value, c, extent);
    else if (param && is_attribute(param))
        put_param(value, c, param);
    return row || extent || (param && is_attribute(param));
}

static void print_real(double value, Text *text)
{
    if (isfinite(value))
        text_printf(text, value == floor(value) && fabs(value) < 1e15 ? "%.1f" : "%.17g", value);
    else
        text_put(text, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

void attribute_print(const Attribute *value, Text *text)
{
    switch (value->kind) {
    case ATTRIBUTE_INTEGER:
        text_put_integer(text, value->integer);
        break;
    case ATTRIBUTE_BOOLEAN:
        text_put(text, value->integer ? "True" : "False");
        break;
    case ATTRIBUTE_REAL:
        print_real(value->real, text);
        break;
    case ATTRIBUTE_TEXT:
        text_printf(text, "'%s'", value->text);
        break;
    case ATTRIBUTE_TUPLE:
        text_put(text, "(");
        for (int i = 0; i < value->count; i++) {
            text_put(text, i ? ", " : "");
            text_put_integer(text, value->list[i]);
        }
        text_put(text, value->count == 1 ? ",)" : ")");
    }
}
