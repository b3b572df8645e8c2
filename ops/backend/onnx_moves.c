/* Operators that move elements, and those that follow indices. */
#include <string.h>

#include "onnx_rows.h"

static bool transpose(OnnxModel *model, const Operands *o)
{
    int64_t order[TENSOR_RANK_MAX];
    int rank = o->view[0].rank;
    for (int i = 0; i < rank; i++) {
        int64_t at = (i + case_int(o->source, "axis")) % rank;
        order[i] = case_int(o->source, "backwards") ? rank - 1 - at : at;
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
    int64_t step = case_int(o->source, "step"), axis = case_int(o->source, "axis");
    bool backwards = case_int(o->source, "backwards");
    put_slice(model, axis, case_int(o->source, "start"),
              backwards ? INT64_MIN : o->view[0].extent[axis], backwards ? -step : step);
    return true;
}

static bool flip(OnnxModel *model, const Operands *o)
{
    put_slice(model, case_int(o->source, "axis"), -1, INT64_MIN, -1);
    return true;
}

static bool tile(OnnxModel *model, const Operands *o)
{
    int64_t copies[TENSOR_RANK_MAX];
    for (int axis = 0; axis < o->view[0].rank; axis++)
        copies[axis] = axis == case_int(o->source, "axis") ? case_int(o->source, "step") : 1;
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
    int64_t pads[2 * TENSOR_RANK_MAX] = {0}, axis = case_int(o->source, "axis");
    pads[axis] = case_int(o->source, "start");
    pads[axis + o->view[0].rank] = case_int(o->source, "step");
    onnx_constant_ints(model, "pads", pads, 2 * o->view[0].rank);
    onnx_node(model, "Pad", "x pads", "y");
    onnx_set_string(model, "mode", case_choice(o->source, "mode"));
    return true;
}

static bool triangle(OnnxModel *model, const Operands *o, int upper)
{
    onnx_constant(model, "diagonal", DT_I64, (double)case_int(o->source, "diagonal"));
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
    onnx_set_int(model, "blocksize", case_int(o->source, "step"));
    return true;
}

static bool pixel_shuffle(OnnxModel *model, const Operands *o)
{
    onnx_set_string(model, "mode", "CRD");
    return space_to_depth(model, o);
}

static void put_order(OnnxModel *model, const Operands *o, int64_t count)
{
    onnx_constant_ints(model, "count", &count, 1);
    onnx_node(model, "TopK", "x count", "values places");
    onnx_set_int(model, "axis", case_int(o->source, "axis"));
    onnx_set_int(model, "largest", case_int(o->source, "mode") == 0);
}

static bool topk(OnnxModel *model, const Operands *o)
{
    put_order(model, o, case_int(o->source, "k"));
    return true;
}

static bool sort(OnnxModel *model, const Operands *o)
{
    int64_t count = o->view[1].extent[case_int(o->source, "axis")];
    put_order(model, o, count);
    return true;
}

/* The name of the operator ends with the reduction. */
static bool scatter(OnnxModel *model, const Operands *o)
{
    onnx_set_string(model, "reduction", strrchr(o->source->op->name, '_') + 1);
    return onnx_along_axis(model, o);
}

/* Slices of the first axis only. */
static bool index_add(OnnxModel *model, const Operands *o)
{
    const int64_t last = 1;
    onnx_constant_ints(model, "last", &last, 1);
    onnx_node(model, "Unsqueeze", "indices last", "column");
    onnx_node(model, "ScatterND", "x column updates", "y");
    onnx_set_string(model, "reduction", "add");
    return case_int(o->source, "axis") == 0;
}

static bool take(OnnxModel *model, const Operands *o)
{
    const int64_t whole = -1;
    (void)o;
    onnx_constant_ints(model, "whole", &whole, 1);
    onnx_node(model, "Reshape", "x whole", "line");
    onnx_node(model, "Gather", "line indices", "y");
    return true;
}

static bool split(OnnxModel *model, const Operands *o)
{
    int64_t axis = case_int(o->source, "axis");
    const int64_t parts[2] = {o->view[1].extent[axis], o->view[2].extent[axis]};
    onnx_constant_ints(model, "parts", parts, 2);
    onnx_node(model, "Split", "x parts", "front rest");
    return onnx_along_axis(model, o);
}

/* What is found, and zeros up to the length of x. */
static bool unique(OnnxModel *model, const Operands *o)
{
    const int64_t none = 0;
    onnx_node(model, "Unique", "x", "found - places");
    onnx_set_int(model, "sorted", 1);
    onnx_constant(model, "zero", o->view[0].dtype, 0);
    onnx_constant_ints(model, "start", &none, 1);
    onnx_constant_ints(model, "length", o->view[0].extent, 1);
    onnx_node(model, "Expand", "zero length", "zeros");
    onnx_node(model, "Concat", "found zeros", "long");
    onnx_set_int(model, "axis", 0);
    onnx_node(model, "Slice", "long start length", "values");
    return true;
}

/* Counts those that compare less. */
static bool searchsorted(OnnxModel *model, const Operands *o)
{
    const int64_t last = -1;
    onnx_constant_ints(model, "last", &last, 1);
    onnx_node(model, "Unsqueeze", "x last", "column");
    onnx_node(model, case_int(o->source, "mode") ? "LessOrEqual" : "Less", "sorted column",
              "below");
    onnx_node(model, "Cast", "below", "ones");
    onnx_set_int(model, "to", onnx_type(DT_I64));
    onnx_node(model, "ReduceSum", "ones last", "places");
    onnx_set_int(model, "keepdims", 0);
    return true;
}

const OnnxRow onnx_move_rows[] = {
    {"transpose", "Transpose", transpose, 0},
    {"slice", NULL, slice, 0},
    {"flip", NULL, flip, 0},
    {"tile", NULL, tile, 0},
    {"expand", NULL, expand, 0},
    {"pad", NULL, pad, 0},
    {"tril", NULL, lower_triangle, 0},
    {"triu", NULL, upper_triangle, 0},
    {"pixel_shuffle", "DepthToSpace", pixel_shuffle, 0},
    {"space_to_depth", "SpaceToDepth", space_to_depth, 0},
    {"where", "Where", NULL, 0},
    {"gather", "Gather", onnx_along_axis, 0},
    {"take_along_axis", "GatherElements", onnx_along_axis, 0},
    {"scatter", "ScatterElements", onnx_along_axis, 0},
    {"concat", "Concat", onnx_along_axis, 0},
    {"topk", NULL, topk, 0},
    {"sort", NULL, sort, 0},
    {"scatter_add", "ScatterElements", scatter, 0},
    {"scatter_mul", "ScatterElements", scatter, 0},
    {"scatter_max", "ScatterElements", scatter, 0},
    {"scatter_min", "ScatterElements", scatter, 0},
    {"index_add", NULL, index_add, 0},
    {"index_select", "Gather", onnx_along_axis, 0},
    {"embedding", "Gather", NULL, 0},
    {"take", NULL, take, 0},
    {"split", NULL, split, 0},
    {"unique", NULL, unique, 0},
    {"searchsorted", NULL, searchsorted, 0},
    {NULL, NULL, NULL, 0},
};
