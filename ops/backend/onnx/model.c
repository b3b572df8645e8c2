/* Fields are appended as key and value; messages are written before what holds them. */
#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char contrib[] = "com.microsoft";
enum { WIRE_NUMBER = 0, WIRE_BYTES = 2, WIRE_FLOAT = 5, IR_VERSION = 8 };
enum { ATTRIBUTE_FLOAT = 1, ATTRIBUTE_INT = 2, ATTRIBUTE_STRING = 3, ATTRIBUTE_INTS = 7 };

static void put_varint(Text *to, uint64_t value)
{
    do {
        char byte = (char)(value & 127);
        value >>= 7;
        byte = (char)(byte | (value ? 128 : 0));
        text_append(to, &byte, 1);
    } while (value);
}

static void put_number(Text *to, int field, int64_t value)
{
    put_varint(to, (uint64_t)field << 3 | WIRE_NUMBER);
    put_varint(to, (uint64_t)value);
}

static void put_bytes(Text *to, int field, const char *bytes, size_t length)
{
    put_varint(to, (uint64_t)field << 3 | WIRE_BYTES);
    put_varint(to, length);
    text_append(to, bytes, length);
}

static void put_string(Text *to, int field, const char *text)
{
    put_bytes(to, field, text, strlen(text));
}

/* Puts a message into a field and releases it. */
static void put_message(Text *to, int field, Text *message)
{
    put_bytes(to, field, text_string(message), message->length);
    text_release(message);
}

static const char *type_word(DType dtype)
{
    static const char *const words[DT_COUNT] = {
        [DT_F32] = "float",         [DT_U8] = "uint8",        [DT_I8] = "int8",
        [DT_I32] = "int32",         [DT_I64] = "int64",       [DT_BOOL] = "bool",
        [DT_F16] = "float16",       [DT_F64] = "double",      [DT_BF16] = "bfloat16",
        [DT_E4M3] = "float8e4m3fn", [DT_E5M2] = "float8e5m2", [DT_I16] = "int16",
        [DT_U16] = "uint16",        [DT_U32] = "uint32",      [DT_U64] = "uint64"};
    return words[dtype];
}

static void source_release(OnnxSource *s)
{
    Text *const parts[] = {&s->inputs,       &s->outputs,   &s->constants,       &s->nodes,
                           &s->node_outputs, &s->node_type, &s->node_attributes, &s->node_inputs};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        text_release(parts[i]);
}

static void put_separator(Text *list)
{
    text_put(list, list->length ? ", " : "");
}

/* Numbers with a point or an exponent, by which the parser tells them from integers. */
static void put_real(Text *to, double value, int digits)
{
    size_t start = to->length;
    text_printf(to, "%.*g", digits, value);
    if (isfinite(value) && !strpbrk(text_string(to) + start, ".e"))
        text_put(to, ".0");
}

static void put_integers(Text *to, const int64_t *values, int count)
{
    for (int i = 0; i < count; i++)
        text_printf(to, "%s%lld", i ? ", " : "", (long long)values[i]);
}

/* The names with commas between; "-" is nothing. */
static void put_name_list(Text *to, const char *names)
{
    while (*names) {
        size_t length = strcspn(names, " ");
        put_separator(to);
        text_append(to, names, *names == '-' ? 0 : length);
        if (*names == '-' && to->length == 0)
            text_put(to, "\"\"");
        names += length + strspn(names + length, " ");
    }
}

/* The type of a value in the syntax, with its extents, or open ones. */
static void put_type(Text *to, const Tensor *t, bool extents)
{
    text_put(to, type_word(t->dtype));
    for (int axis = 0; extents && axis < t->rank; axis++)
        text_printf(to, "%c%lld", axis ? ',' : '[', (long long)t->extent[axis]);
    text_put(to, !extents ? "[]" : t->rank ? "]" : "");
}

static void put_declaration(const OnnxModel *model, Text *list, const char *name, const Tensor *t,
                            bool extents)
{
    if (!model->has_source)
        return;
    put_separator(list);
    put_type(list, t, extents);
    text_printf(list, " %s", name);
}

static void close_source_node(OnnxSource *s)
{
    if (s->node_type.length == 0)
        return;
    text_printf(&s->nodes, "    %s = %s", text_string(&s->node_outputs),
                text_string(&s->node_type));
    if (s->node_attributes.length)
        text_printf(&s->nodes, " <%s>", text_string(&s->node_attributes));
    text_printf(&s->nodes, " (%s)\n", text_string(&s->node_inputs));
    text_clear(&s->node_outputs);
    text_clear(&s->node_type);
    text_clear(&s->node_attributes);
    text_clear(&s->node_inputs);
}

static void begin_constant(OnnxSource *s, const char *name, DType dtype, int count)
{
    put_separator(&s->constants);
    text_put(&s->constants, type_word(dtype));
    if (count >= 0)
        text_printf(&s->constants, "[%d]", count);
    text_printf(&s->constants, " %s = {", name);
}

/* Formats that the syntax has no numbers of are given as their bits. */
static void put_constant_value(OnnxSource *s, DType dtype, double value)
{
    uint16_t bits = 0;
    if (dtype == DT_F32 || dtype == DT_F64)
        put_real(&s->constants, value, dtype == DT_F32 ? 9 : 17);
    else if (dtype_is_integer(dtype))
        text_put_integer(&s->constants, (int64_t)value);
    else {
        REQUIRE(dtype_size(dtype) <= sizeof bits);
        dtype_store(dtype, &bits, 0, value);
        text_put_integer(&s->constants, bits);
    }
}

static void put_constant_source(OnnxSource *s, const char *name, DType dtype, double value)
{
    begin_constant(s, name, dtype, -1);
    put_constant_value(s, dtype, value);
    text_put(&s->constants, "}");
}

static void put_tensor_source(OnnxSource *s, const char *name, const Tensor *tensor)
{
    put_separator(&s->constants);
    put_type(&s->constants, tensor, true);
    text_printf(&s->constants, " %s = {", name);
    for (int64_t i = 0; i < tensor_count(tensor); i++) {
        text_put(&s->constants, i ? ", " : "");
        put_constant_value(s, tensor->dtype, tensor_value(tensor, i));
    }
    text_put(&s->constants, "}");
}

void onnx_release(OnnxModel *model)
{
    text_release(&model->nodes);
    text_release(&model->node);
    text_release(&model->initializers);
    text_release(&model->inputs);
    text_release(&model->outputs);
    text_release(&model->signature);
    source_release(&model->source);
}

int onnx_type(DType dtype)
{
    static const int types[DT_COUNT] = {
        [DT_F32] = 1,   [DT_U8] = 2,   [DT_I8] = 3,   [DT_I32] = 6,   [DT_I64] = 7,
        [DT_BOOL] = 9,  [DT_F16] = 10, [DT_F64] = 11, [DT_BF16] = 16, [DT_E4M3] = 17,
        [DT_E5M2] = 19, [DT_U16] = 4,  [DT_I16] = 5,  [DT_U32] = 12,  [DT_U64] = 13};
    return types[dtype];
}

static void put_extents(Text *tensor, const Tensor *t)
{
    Text shape = {0};
    for (int axis = 0; axis < t->rank; axis++) {
        Text extent = {0};
        put_number(&extent, 1, t->extent[axis]);
        put_message(&shape, 1, &extent);
    }
    put_message(tensor, 2, &shape);
}

static void put_value(Text *to, int field, const char *name, const Tensor *t, bool extents)
{
    Text tensor = {0}, type = {0}, value = {0};
    put_number(&tensor, 1, onnx_type(t->dtype));
    if (extents)
        put_extents(&tensor, t);
    put_message(&type, 1, &tensor);
    put_string(&value, 1, name);
    put_message(&value, 2, &type);
    put_message(to, field, &value);
}

void onnx_input(OnnxModel *model, const char *name, const Tensor *type, bool extents)
{
    put_value(&model->inputs, 11, name, type, extents);
    text_printf(&model->signature, "%s %s\n", name, type_word(type->dtype));
    put_declaration(model, &model->source.inputs, name, type, extents);
}

void onnx_output(OnnxModel *model, const char *name, const Tensor *type, bool extents)
{
    put_value(&model->outputs, 12, name, type, extents);
    text_printf(&model->signature, "%s %s\n", name, type_word(type->dtype));
    put_declaration(model, &model->source.outputs, name, type, extents);
}

static void close_node(OnnxModel *model)
{
    if (model->node.length > 0)
        put_message(&model->nodes, 1, &model->node);
    close_source_node(&model->source);
}

static void put_names(Text *to, int field, const char *names)
{
    while (*names) {
        size_t length = strcspn(names, " ");
        put_bytes(to, field, names, *names == '-' ? 0 : length);
        names += length + strspn(names + length, " ");
    }
}

void onnx_node(OnnxModel *model, const char *type, const char *inputs, const char *outputs)
{
    close_node(model);
    put_names(&model->node, 1, inputs);
    put_names(&model->node, 2, outputs);
    put_string(&model->node, 4, type);
    text_printf(&model->signature, "\n%s = %s %s", outputs, type, inputs);
    if (!model->has_source)
        return;
    text_put(&model->source.node_type, type);
    put_name_list(&model->source.node_inputs, inputs);
    put_name_list(&model->source.node_outputs, outputs);
}

static void put_attribute(OnnxModel *model, Text *attribute, const char *name, int type)
{
    put_string(attribute, 1, name);
    put_number(attribute, 20, type);
    put_message(&model->node, 5, attribute);
    text_printf(&model->signature, " %s", name);
}

/* Appends the name to the attributes of the latest node in the source; false where there is none.
 */
static bool begin_attribute(OnnxModel *model, const char *name)
{
    if (!model->has_source)
        return false;
    put_separator(&model->source.node_attributes);
    text_put(&model->source.node_attributes, name);
    return true;
}

void onnx_set_int(OnnxModel *model, const char *name, int64_t value)
{
    Text attribute = {0};
    put_number(&attribute, 3, value);
    put_attribute(model, &attribute, name, ATTRIBUTE_INT);
    if (begin_attribute(model, name))
        text_printf(&model->source.node_attributes, " = %lld", (long long)value);
}

void onnx_set_float(OnnxModel *model, const char *name, double value)
{
    Text attribute = {0};
    float narrow = (float)value;
    put_varint(&attribute, 2 << 3 | WIRE_FLOAT);
    text_append(&attribute, (const char *)&narrow, sizeof narrow);
    put_attribute(model, &attribute, name, ATTRIBUTE_FLOAT);
    if (!begin_attribute(model, name))
        return;
    text_put(&model->source.node_attributes, " = ");
    put_real(&model->source.node_attributes, (double)narrow, 9);
}

void onnx_set_string(OnnxModel *model, const char *name, const char *value)
{
    Text attribute = {0};
    put_string(&attribute, 4, value);
    put_attribute(model, &attribute, name, ATTRIBUTE_STRING);
    if (begin_attribute(model, name))
        text_printf(&model->source.node_attributes, " = \"%s\"", value);
}

void onnx_set_ints(OnnxModel *model, const char *name, const int64_t *values, int count)
{
    Text attribute = {0};
    for (int i = 0; i < count; i++)
        put_number(&attribute, 8, values[i]);
    put_attribute(model, &attribute, name, ATTRIBUTE_INTS);
    if (!begin_attribute(model, name))
        return;
    text_put(&model->source.node_attributes, count ? " = [" : " : ints = [");
    put_integers(&model->source.node_attributes, values, count);
    text_put(&model->source.node_attributes, "]");
}

static void put_initializer(OnnxModel *model, const char *name, int type, const Text *dims,
                            const char *data, size_t length)
{
    Text tensor = {0};
    text_append(&tensor, text_string(dims), dims->length);
    put_number(&tensor, 2, type);
    put_string(&tensor, 8, name);
    text_printf(&model->signature, "%s %d\n", name, type);
    put_bytes(&tensor, 9, data, length);
    put_message(&model->initializers, 5, &tensor);
}

void onnx_constant_ints(OnnxModel *model, const char *name, const int64_t *values, int count)
{
    Text dims = {0};
    put_number(&dims, 1, count);
    put_initializer(model, name, onnx_type(DT_I64), &dims, (const char *)values,
                    (size_t)count * sizeof *values);
    text_release(&dims);
    if (!model->has_source)
        return;
    begin_constant(&model->source, name, DT_I64, count);
    put_integers(&model->source.constants, values, count);
    text_put(&model->source.constants, "}");
}

void onnx_constant(OnnxModel *model, const char *name, DType dtype, double value)
{
    Text dims = {0};
    char bytes[16];
    dtype_store(dtype, bytes, 0, value);
    put_initializer(model, name, onnx_type(dtype), &dims, bytes, dtype_size(dtype));
    if (model->has_source)
        put_constant_source(&model->source, name, dtype, value);
}

void onnx_constant_tensor(OnnxModel *model, const char *name, const Tensor *tensor)
{
    Text dims = {0};
    size_t bytes = (size_t)tensor_count(tensor) * dtype_size(tensor->dtype);
    char *zeros = tensor->origin ? NULL : memory_allocate(bytes + 1, 1);
    for (int axis = 0; axis < tensor->rank; axis++)
        put_number(&dims, 1, tensor->extent[axis]);
    put_initializer(model, name, onnx_type(tensor->dtype), &dims, zeros ? zeros : tensor->origin,
                    bytes);
    text_release(&dims);
    free(zeros);
    if (model->has_source)
        put_tensor_source(&model->source, name, tensor);
}

void onnx_set_contrib(OnnxModel *model)
{
    Text type = {0};
    put_string(&model->node, 7, contrib);
    text_printf(&model->signature, " %s", contrib);
    model->has_contrib = true;
    if (!model->has_source)
        return;
    text_printf(&type, "%s.%s", contrib, text_string(&model->source.node_type));
    text_release(&model->source.node_type);
    model->source.node_type = type;
}

void onnx_put_source(const OnnxModel *model, int opset, Text *source)
{
    const OnnxSource *s = &model->source;
    text_printf(source, "<ir_version: %d, opset_import: [\"\" : %d", IR_VERSION, opset);
    if (model->has_contrib)
        text_printf(source, ", \"%s\" : 1", contrib);
    text_printf(source, "]>\ncase (%s) => (%s)", text_string(&s->inputs), text_string(&s->outputs));
    if (s->constants.length)
        text_printf(source, "\n    <%s>", text_string(&s->constants));
    text_printf(source, " {\n%s}", text_string(&s->nodes));
}

void onnx_finish(OnnxModel *model, int opset, Text *bytes)
{
    Text graph = {0}, set = {0};
    close_node(model);
    text_append(&graph, text_string(&model->nodes), model->nodes.length);
    put_string(&graph, 2, "case");
    text_append(&graph, text_string(&model->initializers), model->initializers.length);
    text_append(&graph, text_string(&model->inputs), model->inputs.length);
    text_append(&graph, text_string(&model->outputs), model->outputs.length);
    put_number(&set, 2, opset);
    put_number(bytes, 1, IR_VERSION);
    put_message(bytes, 7, &graph);
    put_message(bytes, 8, &set);
    if (!model->has_contrib)
        return;
    put_string(&set, 1, contrib);
    put_number(&set, 2, 1);
    put_message(bytes, 8, &set);
}
