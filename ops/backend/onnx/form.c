/* The nodes of FORM_IDLE are exact: of data moves each element comes out as it went in, and -0 is
 * the addend that leaves every number as it is (IEEE 754-2019, 6.3), which +0 is not. */
#include "form.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "ops/backend/binding/binding.h"
#include "ops/case/large.h"

/* Operator sets in which operators of the same names mean what they mean in the newest one: softmax
 * had another meaning before 13. */
enum { EARLIEST = 13, EARLIER_SETS = 8 };

/* One node in front of a value or behind it; a whole number for each case, so that all are tried.
 */
typedef void Idle(OnnxModel *model, const Tensor *x, const char *from, const char *to);

int64_t onnx_form(const Operands *o)
{
    int64_t form = o->source->exec.form;
    return bindings_have_form(bindings_find("onnx"), form) && !large_is(o->source) ? form
                                                                                   : FORM_PLAIN;
}

bool onnx_has(const Operands *o, int i)
{
    return !operands_is_output(o, i) && !o->shapes.tensor[i].ignored;
}

/* The text gives a scalar no axis, of which libraries take 0 where they do not know the extents. */
static bool has_axis_of_scalar(const Operands *o)
{
    return o->view[0].rank == 0 && (case_has(o->source, "axis") || case_has(o->source, "axes"));
}

bool onnx_is_constant(const Operands *o, int i)
{
    int64_t form = onnx_form(o);
    if (!onnx_has(o, i) || o->block[i].data == NULL || has_axis_of_scalar(o))
        return false;
    int first = 0;
    while (!onnx_has(o, first))
        first++;
    return form == FORM_FOLDED || (form == FORM_CONSTANT && i != first);
}

bool onnx_declares_extents(const Operands *o)
{
    int64_t form = onnx_form(o);
    return !has_axis_of_scalar(o) && (form == FORM_EXTENTS || form == FORM_CONSTANT ||
                                      form == FORM_FOLDED || form == FORM_IDLE);
}

void onnx_value_name(const Operands *o, int i, char name[FORM_NAME_BYTES])
{
    (void)snprintf(name, FORM_NAME_BYTES, "%s%s", o->source->op->tensors[i],
                   onnx_form(o) == FORM_IDLE ? "_idle" : "");
}

/* A number that differs from case to case. */
static int64_t seed_of(const Operands *o)
{
    int64_t seed = o->source->exec.function;
    for (int i = 0; i < o->shapes.count; i++)
        for (int axis = 0; axis < o->view[i].rank; axis++)
            seed = 31 * (seed % 1000003) + o->view[i].extent[axis] + axis;
    return seed;
}

int onnx_form_opset(const Operands *o, int newest)
{
    int earlier = EARLIEST + (int)(seed_of(o) % EARLIER_SETS);
    return onnx_form(o) == FORM_EARLIER && earlier < newest ? earlier : newest;
}

static bool is_all(const Attribute *value, int64_t number)
{
    bool all = value->kind == ATTRIBUTE_TUPLE || value->integer == number;
    for (int i = 0; value->kind == ATTRIBUTE_TUPLE && i < value->count; i++)
        all = all && value->list[i] == number;
    return all;
}

bool onnx_omits(const Operands *o, const char *name, const Attribute *value)
{
    static const struct {
        const char *name;
        int64_t value;
    } defaults[] = {{"dilations", 1}, {"saturate", 1}, {"allowzero", 0}, {"ceil_mode", 0}};
    bool whole = value->kind != ATTRIBUTE_REAL && value->kind != ATTRIBUTE_TEXT, omits = false;
    for (size_t i = 0; i < COUNT_OF(defaults) && whole && onnx_form(o) == FORM_EARLIER; i++)
        omits = omits || (!strcmp(name, defaults[i].name) && is_all(value, defaults[i].value));
    return omits;
}

static void put_order(OnnxModel *model, const Tensor *x, bool reversed)
{
    int64_t order[TENSOR_RANK_MAX];
    for (int axis = 0; axis < x->rank; axis++)
        order[axis] = reversed ? x->rank - 1 - axis : axis;
    onnx_set_ints(model, "perm", order, x->rank);
}

/* A node with the value between two names in another one, behind which ends its name. */
static void put_between(OnnxModel *model, const char *type, const char *from, const char *between,
                        char name[FORM_NAME_BYTES])
{
    (void)snprintf(name, FORM_NAME_BYTES, "%s_%s", from, between);
    onnx_node(model, type, from, name);
}

static void turn_by_nothing(OnnxModel *model, const Tensor *x, const char *from, const char *to)
{
    onnx_node(model, "Transpose", from, to);
    put_order(model, x, false);
}

static void turn_twice(OnnxModel *model, const Tensor *x, const char *from, const char *to)
{
    char turned[FORM_NAME_BYTES];
    put_between(model, "Transpose", from, "turned", turned);
    put_order(model, x, true);
    onnx_node(model, "Transpose", turned, to);
    put_order(model, x, true);
}

/* A node of two inputs, one of which is made for it. */
static void put_pair(OnnxModel *model, const char *type, const char *from, const char *other,
                     const char *to)
{
    Text inputs = {0};
    text_printf(&inputs, "%s %s", from, other);
    onnx_node(model, type, text_string(&inputs), to);
    text_release(&inputs);
}

static void put_axis_and_back(OnnxModel *model, const Tensor *x, const char *from, const char *to)
{
    const int64_t axis = x->rank;
    char place[FORM_NAME_BYTES], longer[FORM_NAME_BYTES];
    (void)snprintf(place, sizeof place, "%s_place", from);
    (void)snprintf(longer, sizeof longer, "%s_longer", from);
    onnx_constant_ints(model, place, &axis, 1);
    put_pair(model, "Unsqueeze", from, place, longer);
    put_pair(model, "Squeeze", longer, place, to);
}

static void reshape_to_itself(OnnxModel *model, const Tensor *x, const char *from, const char *to)
{
    char shape[FORM_NAME_BYTES];
    (void)x;
    put_between(model, "Shape", from, "shape", shape);
    put_pair(model, "Reshape", from, shape, to);
    onnx_set_int(model, "allowzero", 1);
}

static void expand_to_itself(OnnxModel *model, const Tensor *x, const char *from, const char *to)
{
    char shape[FORM_NAME_BYTES];
    (void)x;
    put_between(model, "Shape", from, "shape", shape);
    put_pair(model, "Expand", from, shape, to);
}

static void slice_all(OnnxModel *model, const Tensor *x, const char *from, const char *to)
{
    const int64_t start = 0, end = INT64_MAX, axis = x->rank - 1;
    char names[3][FORM_NAME_BYTES];
    static const char *const parts[] = {"start", "end", "axis"};
    Text inputs = {0};
    text_put(&inputs, from);
    for (int i = 0; i < 3; i++) {
        (void)snprintf(names[i], sizeof names[i], "%s_%s", from, parts[i]);
        onnx_constant_ints(model, names[i], i == 0 ? &start : i == 1 ? &end : &axis, 1);
        text_printf(&inputs, " %s", names[i]);
    }
    onnx_node(model, "Slice", text_string(&inputs), to);
    text_release(&inputs);
}

static void cast_to_itself(OnnxModel *model, const Tensor *x, const char *from, const char *to)
{
    onnx_node(model, "Cast", from, to);
    onnx_set_int(model, "to", onnx_type(x->dtype));
}

static void add_negative_zero(OnnxModel *model, const Tensor *x, const char *from, const char *to)
{
    char zero[FORM_NAME_BYTES], shape[FORM_NAME_BYTES], zeros[FORM_NAME_BYTES];
    (void)snprintf(zero, sizeof zero, "%s_zero", from);
    (void)snprintf(zeros, sizeof zeros, "%s_zeros", from);
    onnx_constant(model, zero, x->dtype, -0.0);
    put_between(model, "Shape", from, "shape", shape);
    put_pair(model, "Expand", zero, shape, zeros);
    put_pair(model, "Add", from, zeros, to);
}

static void join_with_nothing(OnnxModel *model, const Tensor *x, const char *from, const char *to)
{
    onnx_node(model, "Concat", from, to);
    onnx_set_int(model, "axis", x->rank - 1);
}

static void put_itself(OnnxModel *model, const Tensor *x, const char *from, const char *to)
{
    (void)x;
    onnx_node(model, "Identity", from, to);
}

/* Those that need an axis, and those of numbers with a sign of 0. */
static const struct {
    Idle *put;
    bool needs_axis, needs_zero;
} idles[] = {{turn_by_nothing, true, false},    {turn_twice, true, false},
             {put_axis_and_back, false, false}, {reshape_to_itself, false, false},
             {expand_to_itself, false, false},  {slice_all, true, false},
             {cast_to_itself, false, false},    {add_negative_zero, false, true},
             {join_with_nothing, true, false},  {put_itself, false, false}};

static void put_one(OnnxModel *model, const Tensor *x, int64_t number, const char *from,
                    const char *to)
{
    bool has_zero = x->dtype == DT_F32 || x->dtype == DT_F64 || x->dtype == DT_F16;
    size_t kind = (size_t)number % COUNT_OF(idles);
    while ((idles[kind].needs_axis && x->rank == 0) || (idles[kind].needs_zero && !has_zero))
        kind = (kind + 1) % COUNT_OF(idles);
    idles[kind].put(model, x, from, to);
}

void onnx_put_idle(OnnxModel *model, const Operands *o, bool behind)
{
    int64_t seed = seed_of(o);
    if (onnx_form(o) != FORM_IDLE)
        return;
    for (int i = 0; i < o->shapes.count; i++) {
        char name[FORM_NAME_BYTES];
        if (!(behind ? operands_is_output(o, i) : onnx_has(o, i)))
            continue;
        onnx_value_name(o, i, name);
        const char *outside = o->source->op->tensors[i];
        put_one(model, &o->view[i], seed + 3 * i, behind ? name : outside, behind ? outside : name);
    }
}

const Operands *onnx_spoilt(const Operands *o, Illegal *illegal, Operands *altered)
{
    if (!o->source->exec.illegal || !illegal_make(o->source, &o->shapes, illegal))
        return o;
    *altered = *o;
    altered->source = &illegal->altered;
    if (illegal->reshaped >= 0) {
        Tensor *view = &altered->view[illegal->reshaped];
        illegal_reshape(illegal, &view->rank, view->extent, view->stride);
    }
    return altered;
}
