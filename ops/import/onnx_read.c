/* Numbers of fields: onnx.proto of ONNX. */
#include "onnx_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/backend/onnx/model.h"
#include "wanted.h"
#include "wire.h"

enum {
    MODEL_GRAPH = 7,
    GRAPH_NODE = 1,
    GRAPH_INITIALIZER = 5,
    GRAPH_INPUT = 11,
    GRAPH_OUTPUT = 12,
    GRAPH_VALUE = 13,
    NODE_INPUT = 1,
    NODE_OUTPUT = 2,
    NODE_TYPE = 4,
    NODE_ATTRIBUTE = 5,
    NODE_DOMAIN = 7,
    ATTRIBUTE_NAME = 1,
    ATTRIBUTE_F = 2,
    ATTRIBUTE_I = 3,
    ATTRIBUTE_S = 4,
    ATTRIBUTE_T = 5,
    ATTRIBUTE_INTS_FIELD = 8,
    TENSOR_DIMS = 1,
    TENSOR_TYPE = 2,
    TENSOR_FLOATS = 4,
    TENSOR_INT32S = 5,
    TENSOR_INT64S = 7,
    TENSOR_NAME = 8,
    TENSOR_RAW = 9,
    TENSOR_DOUBLES = 10,
    VALUE_NAME = 1,
    VALUE_TYPE = 2,
    TYPE_TENSOR = 1,
    TENSOR_TYPE_ELEMENT = 1,
    TENSOR_TYPE_SHAPE = 2,
    SHAPE_DIM = 1,
    DIM_VALUE = 1,
    DIM_NAME = 2,
    NODES_MAX = 1 << 16,
    VALUES_MAX = 1 << 18
};

typedef struct NamedValue {
    Bytes name;
    int value;
} NamedValue;

typedef struct Reader {
    Asked *asked;
    NamedValue *names; /* by their hashes */
    size_t name_room, name_count;
    uint64_t symbolic;
    Text *error;
} Reader;

static bool read_dtype(int64_t number, DType *dtype)
{
    for (int i = 0; i < DT_COUNT; i++)
        if (number > 0 && onnx_type((DType)i) == number) {
            *dtype = (DType)i;
            return true;
        }
    return false;
}

static bool is_same(const Bytes *a, const Bytes *b)
{
    return a->length == b->length && (a->length == 0 || !memcmp(a->at, b->at, a->length));
}

static size_t find_name(const Reader *r, const Bytes *name)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < name->length; i++)
        hash = (hash ^ name->at[i]) * 0x100000001b3;
    size_t at = (hash ^ hash >> 32) & (r->name_room - 1);
    while (r->names[at].name.at && !is_same(&r->names[at].name, name))
        at = (at + 1) & (r->name_room - 1);
    return at;
}

static void grow_names(Reader *r)
{
    NamedValue *old = r->names;
    size_t room = r->name_room;
    r->name_room = room ? 2 * room : 256;
    r->names = memory_allocate(r->name_room, sizeof *r->names);
    for (size_t i = 0; i < room; i++)
        if (old[i].name.at)
            r->names[find_name(r, &old[i].name)] = old[i];
    free(old);
}

/* The value of this name; one without a name is not present. */
static int value_of(Reader *r, const Bytes *name)
{
    if (2 * r->name_count >= r->name_room)
        grow_names(r);
    if (name->length == 0)
        return asked_value(r->asked);
    size_t at = find_name(r, name);
    if (!r->names[at].name.at) {
        r->names[at] = (NamedValue){*name, asked_value(r->asked)};
        r->asked->values[r->names[at].value].present = true;
        r->name_count++;
    }
    return r->names[at].value;
}

static bool broken(const Reader *r, const char *what)
{
    text_printf(r->error, "the %s ends within a field, or is none", what);
    return false;
}

/* What is done with each field of a message. */
typedef bool TakeField(Reader *r, const WireField *field, void *into);

static bool read_message(Reader *r, Bytes message, const char *what, TakeField *take, void *into)
{
    WireField field;
    WireStep step;
    while ((step = wire_next(&message, &field)) == WIRE_FIELD)
        if (!take(r, &field, into))
            return false;
    return step == WIRE_END || broken(r, what);
}

/* A number of a field that may be packed goes to the tuple; one that has no room is left out, and
 * *all says so. */
static void put_tuple(Attribute *tuple, int64_t number, bool *all)
{
    if (tuple->count == ATTRIBUTE_LIST_MAX)
        *all = false;
    else
        tuple->list[tuple->count++] = number;
}

static bool take_integers(const WireField *field, Attribute *tuple, bool *all)
{
    Bytes packed = field->bytes;
    uint64_t number;
    if (field->kind == WIRE_NUMBER)
        put_tuple(tuple, (int64_t)field->number, all);
    while (field->kind == WIRE_BYTES && packed.length > 0) {
        if (!wire_number(&packed, &number))
            return false;
        put_tuple(tuple, (int64_t)number, all);
    }
    return field->kind == WIRE_NUMBER || field->kind == WIRE_BYTES;
}

static double float_of(uint64_t bits)
{
    uint32_t narrow = (uint32_t)bits;
    float number;
    memcpy(&number, &narrow, sizeof number);
    return number;
}

static double double_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* A tensor of a model: elements are read of small ones, as integers and as real numbers. */
typedef struct TensorRead {
    Bytes name, raw;
    int64_t type;
    Attribute dims, integers;
    double real; /* the first one */
    bool has_real, all;
} TensorRead;

static void take_real(TensorRead *tensor, const WireField *field, size_t width)
{
    Bytes packed = field->bytes;
    uint64_t bits = field->number;
    if (tensor->has_real || (field->kind == WIRE_BYTES && !wire_fixed(&packed, width, &bits)))
        return;
    tensor->real = width == 4 ? float_of(bits) : double_of(bits);
    tensor->has_real = true;
}

static bool take_tensor(Reader *r, const WireField *field, void *into)
{
    TensorRead *tensor = into;
    bool ok = true;
    if (field->field == TENSOR_DIMS)
        ok = take_integers(field, &tensor->dims, &tensor->all);
    else if (field->field == TENSOR_TYPE && field->kind == WIRE_NUMBER)
        tensor->type = (int64_t)field->number;
    else if (field->field == TENSOR_INT32S || field->field == TENSOR_INT64S)
        ok = take_integers(field, &tensor->integers, &tensor->all);
    else if (field->field == TENSOR_FLOATS)
        take_real(tensor, field, 4);
    else if (field->field == TENSOR_DOUBLES)
        take_real(tensor, field, 8);
    else if (field->field == TENSOR_RAW)
        tensor->raw = field->bytes;
    else if (field->field == TENSOR_NAME)
        tensor->name = field->bytes;
    return ok || broken(r, "tensor");
}

/* Elements that stand as bytes, the least significant first. */
static void read_raw(TensorRead *tensor, DType dtype)
{
    size_t width = dtype_size(dtype);
    uint64_t bits;
    Bytes raw = tensor->raw;
    if (dtype == DT_F32 || dtype == DT_F64) {
        tensor->has_real = wire_fixed(&raw, width, &bits);
        tensor->real = !tensor->has_real ? 0 : dtype == DT_F32 ? float_of(bits) : double_of(bits);
        return;
    }
    while (tensor->all && wire_fixed(&raw, width, &bits))
        put_tuple(&tensor->integers, (int64_t)dtype_whole_of(dtype, bits), &tensor->all);
}

static bool put_shape(AskedValue *value, const Attribute *dims)
{
    value->shape = (Shape){.rank = dims->count};
    value->shaped = dims->count <= TENSOR_RANK_MAX;
    for (int i = 0; i < dims->count && value->shaped; i++) {
        value->shape.extent[i] = dims->list[i];
        value->shaped = dims->list[i] >= 0 && dims->list[i] <= WANTED_EXTENT_MAX;
    }
    return value->shaped;
}

/* A single real number, or a number or a vector of integers. */
static void put_constant(AskedValue *value, const TensorRead *tensor)
{
    int64_t count = value->shaped ? shape_count(&value->shape) : 0;
    bool real = tensor->has_real && count == 1;
    bool whole = tensor->all && !tensor->has_real && value->shaped && value->shape.rank <= 1 &&
                 count == tensor->integers.count;
    if (real)
        value->number = (Attribute){.kind = ATTRIBUTE_REAL, .real = tensor->real};
    else if (whole && value->shape.rank == 0)
        value->number = (Attribute){.kind = ATTRIBUTE_INTEGER, .integer = tensor->integers.list[0]};
    else if (whole)
        value->number = tensor->integers;
    value->constant = real || whole;
}

static bool read_tensor(Reader *r, Bytes bytes, TensorRead *tensor)
{
    *tensor = (TensorRead){.all = true};
    tensor->dims.kind = tensor->integers.kind = ATTRIBUTE_TUPLE;
    return read_message(r, bytes, "tensor", take_tensor, tensor);
}

static void put_tensor(AskedValue *value, TensorRead *tensor)
{
    value->typed = read_dtype(tensor->type, &value->dtype);
    bool half = value->typed && (value->dtype == DT_F16 || value->dtype == DT_BF16);
    if (value->typed && tensor->raw.length > 0)
        read_raw(tensor, value->dtype);
    if (put_shape(value, &tensor->dims) && value->typed && !half)
        put_constant(value, tensor);
}

static bool take_dim(Reader *r, const WireField *field, void *into)
{
    int64_t *extent = into;
    if (field->field == DIM_VALUE && field->kind == WIRE_NUMBER)
        *extent = (int64_t)field->number;
    (void)r;
    return true;
}

/* An extent that has a name, or none, is 1. */
static bool take_shape(Reader *r, const WireField *field, void *into)
{
    bool all;
    int64_t extent = -1;
    if (field->field != SHAPE_DIM || field->kind != WIRE_BYTES)
        return true;
    if (!read_message(r, field->bytes, "shape", take_dim, &extent))
        return false;
    r->symbolic += extent < 0;
    put_tuple(into, extent < 0 ? 1 : extent, &all);
    return true;
}

typedef struct ValueRead {
    Bytes name;
    int64_t type;
    Attribute dims;
    bool shaped;
} ValueRead;

static bool take_tensor_type(Reader *r, const WireField *field, void *into)
{
    ValueRead *value = into;
    if (field->field == TENSOR_TYPE_ELEMENT)
        value->type = (int64_t)field->number;
    if (field->field != TENSOR_TYPE_SHAPE || field->kind != WIRE_BYTES)
        return true;
    value->shaped = true;
    value->dims.count = 0;
    return read_message(r, field->bytes, "shape", take_shape, &value->dims);
}

static bool take_type(Reader *r, const WireField *field, void *into)
{
    return field->field != TYPE_TENSOR || field->kind != WIRE_BYTES ||
           read_message(r, field->bytes, "type", take_tensor_type, into);
}

static bool take_value(Reader *r, const WireField *field, void *into)
{
    ValueRead *value = into;
    if (field->kind != WIRE_BYTES)
        return true;
    if (field->field == VALUE_NAME)
        value->name = field->bytes;
    return field->field != VALUE_TYPE || read_message(r, field->bytes, "type", take_type, into);
}

static bool read_value(Reader *r, Bytes bytes)
{
    ValueRead read = {.dims.kind = ATTRIBUTE_TUPLE};
    if (!read_message(r, bytes, "value", take_value, &read))
        return false;
    AskedValue *value = &r->asked->values[value_of(r, &read.name)];
    if (!value->typed)
        value->typed = read_dtype(read.type, &value->dtype);
    if (read.shaped && !value->shaped)
        (void)put_shape(value, &read.dims);
    return true;
}

typedef struct AttributeRead {
    Bytes name;
    Attribute value;
    TensorRead tensor;
    bool known, is_tensor;
    bool all; /* numbers had room */
} AttributeRead;

static bool take_attribute(Reader *r, const WireField *field, void *into)
{
    AttributeRead *read = into;
    Attribute *value = &read->value;
    bool ok = true, known = true;
    if (field->field == ATTRIBUTE_NAME) {
        read->name = field->bytes;
        return true;
    }
    if (field->field == ATTRIBUTE_F && field->kind == WIRE_FLOAT) {
        *value = (Attribute){.kind = ATTRIBUTE_REAL, .real = float_of(field->number)};
    } else if (field->field == ATTRIBUTE_I && field->kind == WIRE_NUMBER) {
        *value = (Attribute){.kind = ATTRIBUTE_INTEGER, .integer = (int64_t)field->number};
    } else if (field->field == ATTRIBUTE_S && field->bytes.length < ATTRIBUTE_TEXT_BYTES) {
        *value = (Attribute){.kind = ATTRIBUTE_TEXT};
        if (field->bytes.length > 0)
            memcpy(value->text, field->bytes.at, field->bytes.length);
    } else if (field->field == ATTRIBUTE_INTS_FIELD) {
        value->kind = ATTRIBUTE_TUPLE;
        ok = take_integers(field, value, &read->all);
    } else if (field->field == ATTRIBUTE_T && field->kind == WIRE_BYTES) {
        ok = read_tensor(r, field->bytes, &read->tensor);
        read->is_tensor = true;
    } else {
        known = false;
    }
    read->known = read->known || known;
    return ok || broken(r, "attribute");
}

static void copy_name(char name[ASKED_NAME_BYTES], const Bytes *bytes)
{
    size_t length = bytes->length < ASKED_NAME_BYTES - 1 ? bytes->length : ASKED_NAME_BYTES - 1;
    if (length > 0)
        memcpy(name, bytes->at, length);
    name[length] = '\0';
}

static bool too_many(Reader *r, const char *what)
{
    text_printf(r->error, "there are too many %s", what);
    return false;
}

/* An attribute is an argument with its name; a constant's value is its output's. */
static bool read_attribute(Reader *r, Bytes bytes, AskedCall *call)
{
    AttributeRead read = {.all = true};
    char name[ASKED_NAME_BYTES];
    if (!read_message(r, bytes, "attribute", take_attribute, &read))
        return false;
    copy_name(name, &read.name);
    int number = asked_value(r->asked);
    AskedValue *value = &r->asked->values[number];
    value->present = true;
    if (read.is_tensor)
        put_tensor(value, &read.tensor);
    else
        value->constant = read.known && read.all;
    if (!read.is_tensor)
        value->number = read.value;
    return asked_argument(call, name, number) || too_many(r, "arguments of a node");
}

typedef struct NodeRead {
    AskedCall call;
    Bytes domain;
} NodeRead;

static bool take_node(Reader *r, const WireField *field, void *into)
{
    NodeRead *node = into;
    if (field->kind != WIRE_BYTES)
        return true;
    if (r->asked->value_count > VALUES_MAX)
        return too_many(r, "values");
    if (field->field == NODE_TYPE)
        copy_name(node->call.name, &field->bytes);
    else if (field->field == NODE_DOMAIN)
        node->domain = field->bytes;
    else if (field->field == NODE_OUTPUT && node->call.output_count < OP_TENSORS_MAX)
        node->call.outputs[node->call.output_count++] = value_of(r, &field->bytes);
    else if (field->field == NODE_INPUT)
        return asked_argument(&node->call, "", value_of(r, &field->bytes)) ||
               too_many(r, "arguments of a node");
    else if (field->field == NODE_ATTRIBUTE)
        return read_attribute(r, field->bytes, &node->call);
    return true;
}

/* Types of other sets than ONNX's own stand behind the name of theirs. */
static void put_type(AskedCall *call, const NodeRead *node)
{
    static const Bytes own = {(const unsigned char *)"ai.onnx", 7};
    char domain[ASKED_NAME_BYTES];
    copy_name(domain, &node->domain);
    if (node->domain.length > 0 && !is_same(&node->domain, &own))
        (void)snprintf(call->name, sizeof call->name, "%.30s:%.30s", domain, node->call.name);
}

static bool read_node(Reader *r, Bytes bytes)
{
    NodeRead node = {.call.argument_count = 0};
    if (r->asked->call_count == NODES_MAX)
        return too_many(r, "nodes");
    if (!read_message(r, bytes, "node", take_node, &node))
        return false;
    AskedCall *call = asked_call(r->asked, "");
    *call = node.call;
    put_type(call, &node);
    for (int i = 0; i < call->output_count; i++)
        r->asked->values[call->outputs[i]].maker = (int)r->asked->call_count - 1;
    return true;
}

static bool take_graph(Reader *r, const WireField *field, void *into)
{
    TensorRead tensor;
    (void)into;
    if (field->kind != WIRE_BYTES)
        return true;
    if (r->asked->value_count > VALUES_MAX)
        return too_many(r, "values");
    switch (field->field) {
    case GRAPH_NODE:
        return read_node(r, field->bytes);
    case GRAPH_INITIALIZER:
        if (!read_tensor(r, field->bytes, &tensor))
            return false;
        put_tensor(&r->asked->values[value_of(r, &tensor.name)], &tensor);
        return true;
    case GRAPH_INPUT:
    case GRAPH_OUTPUT:
    case GRAPH_VALUE:
        return read_value(r, field->bytes);
    default:
        return true;
    }
}

static bool take_model(Reader *r, const WireField *field, void *into)
{
    bool *has_graph = into;
    if (field->field != MODEL_GRAPH || field->kind != WIRE_BYTES)
        return true;
    *has_graph = true;
    return read_message(r, field->bytes, "graph", take_graph, NULL);
}

bool onnx_read(Asked *asked, const char *bytes, size_t length, uint64_t *symbolic, Text *error)
{
    Reader r = {.asked = asked, .error = error};
    bool has_graph = false;
    asked->dtype = read_dtype;
    asked->defaults = onnx_defaults;
    bool ok = read_message(&r, (Bytes){(const unsigned char *)bytes, length}, "model", take_model,
                           &has_graph);
    if (ok && !has_graph)
        text_put(error, "there is no graph in it");
    *symbolic = r.symbolic;
    free(r.names);
    return ok && has_graph;
}
