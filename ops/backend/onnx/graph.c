/* Graphs from the calls of onnx.bindings.  Equal parts of a call are one value, computed once. */
#include "graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "form.h"
#include "model.h"
#include "ops/case/attribute.h"

enum { VALUE_NAME_BYTES = 16 };

/* A part of the call, and the name of its value. */
typedef struct Known {
    Text key;
    char name[VALUE_NAME_BYTES];
} Known;

typedef struct Graph {
    OnnxModel model;
    const Operands *o;
    const Expression *e;
    int opset, known_count, made;
    int rank;        /* of what axes count from the end of, -1 where they do not */
    bool is_rounded; /* an attribute is not the number of the case */
    Known known[EXPRESSION_TERMS_MAX];
    char names[OP_TENSORS_MAX][FORM_NAME_BYTES]; /* of the operands, as the call takes them */
} Graph;

static void put_node(Graph *g, int term, const char *outputs);

static const Term *term_at(const Graph *g, int term)
{
    return &g->e->terms[term];
}

static bool is_word(const Graph *g, Slice slice, const char *word)
{
    return (size_t)slice.length == strlen(word) &&
           !strncmp(g->e->text + slice.start, word, (size_t)slice.length);
}

/* The child of a term with this number. */
static int child(const Graph *g, int term, int number)
{
    int at = term_at(g, term)->first;
    while (number-- > 0 && at >= 0)
        at = term_at(g, at)->next;
    if (at < 0)
        BUG("a part is missing in %s", g->e->text);
    return at;
}

/* True for a call of this name. */
static bool calls(const Graph *g, int term, const char *name)
{
    return term_at(g, term)->kind == TERM_CALL &&
           is_word(g, term_at(g, child(g, term, 0))->text, name);
}

/* The place of the operand that a term names, -1 where it names none. */
static int operand_of(const Graph *g, int term)
{
    char name[EXPRESSION_NAME_BYTES];
    expression_copy(g->e, term_at(g, term)->text, name);
    return term_at(g, term)->kind == TERM_NAME ? op_operand(g->o->source->op, name) : -1;
}

static DType type_of_argument(const Graph *g, int term)
{
    int operand = operand_of(g, child(g, term, 1));
    if (operand < 0)
        BUG("no operand in %s", g->e->text);
    return g->o->view[operand].dtype;
}

static void append(Attribute *value, const Attribute *number)
{
    value->list[value->count++] = number->integer;
}

/* Axes counted from the end, where the form is that. */
static void count_from_end(const Graph *g, const char *name, Attribute *value)
{
    static const char *const axes[] = {"axis", "axes", "reduced_axis", "normalised_axes"};
    bool is_axis = false;
    for (size_t i = 0; i < COUNT_OF(axes); i++)
        is_axis = is_axis || !strcmp(name, axes[i]);
    if (!is_axis || g->rank < 0 || onnx_form(g->o) != FORM_NEGATIVE)
        return;
    if (value->kind == ATTRIBUTE_INTEGER)
        value->integer -= g->rank;
    for (int i = 0; value->kind == ATTRIBUTE_TUPLE && i < value->count; i++)
        value->list[i] -= g->rank;
}

/* Names, numbers, texts, lists and -x; false for what is computed. */
static bool evaluate(const Graph *g, int term, Attribute *value)
{
    const Term *t = term_at(g, term);
    char text[EXPRESSION_NAME_BYTES];
    expression_copy(g->e, t->text, text);
    *value = (Attribute){.kind = ATTRIBUTE_INTEGER};
    switch (t->kind) {
    case TERM_NAME:
        if (!attribute_get(g->o->source, text, value))
            return false;
        count_from_end(g, text, value);
        return true;
    case TERM_INTEGER:
        value->integer = strtoll(text, NULL, 10);
        return true;
    case TERM_REAL:
        value->kind = ATTRIBUTE_REAL;
        value->real = strtod(text, NULL);
        return true;
    case TERM_TEXT:
        value->kind = ATTRIBUTE_TEXT;
        memcpy(value->text, text, sizeof text);
        return true;
    case TERM_LIST:
        value->kind = ATTRIBUTE_TUPLE;
        for (int at = t->first; at >= 0; at = term_at(g, at)->next) {
            Attribute number;
            if (!evaluate(g, at, &number))
                return false;
            append(value, &number);
        }
        return true;
    case TERM_OPERATION:
        if (term_at(g, t->first)->next >= 0 || !evaluate(g, t->first, value))
            return false;
        value->integer = -value->integer;
        return true;
    default:
        value->integer = calls(g, term, "type_of") ? onnx_type(type_of_argument(g, term)) : 0;
        return calls(g, term, "type_of");
    }
}

static void put_constant(Graph *g, const char *name, DType dtype, const Attribute *value)
{
    double number = value->kind == ATTRIBUTE_REAL ? value->real : (double)value->integer;
    if (value->kind == ATTRIBUTE_TUPLE)
        onnx_constant_ints(&g->model, name, value->list, value->count);
    else
        onnx_constant(&g->model, name, dtype, number);
}

static DType constant_type(const Graph *g, const Attribute *value)
{
    return value->kind == ATTRIBUTE_REAL      ? g->o->view[0].dtype
           : value->kind == ATTRIBUTE_BOOLEAN ? DT_BOOL
                                              : DT_I64;
}

/* Elements of an operand of 8 bits in the form of MatMulNBits: in lines of `length` along the last
 * axis, which 255 fills behind the last one, and two of 4 bits to a byte; of a length of 0 as rows
 * of a matrix.  A stray call's operand of another rank has none. */
static void put_packed(Graph *g, const char *name, const Tensor *x, int64_t bits, int64_t length)
{
    int64_t rows = x->rank == 2 ? x->extent[0] : 0, columns = x->rank == 2 ? x->extent[1] : 0;
    bool whole = length == 0;
    length = whole ? columns : length;
    length = length > 0 ? length : 1;
    int64_t lines = (columns + length - 1) / length, bytes = (length * bits + 7) / 8;
    uint8_t *data = memory_allocate((size_t)(rows * lines * bytes) + 1, 1);
    Tensor packed = whole ? tensor_matrix(DT_U8, rows, bytes, bytes, 1, data)
                          : (Tensor){.dtype = DT_U8,
                                     .rank = 3,
                                     .extent = {rows, lines, bytes},
                                     .stride = {lines * bytes, bytes, 1},
                                     .origin = data};
    for (int64_t i = 0; i < rows * lines * length; i++) {
        int64_t row = i / (lines * length), column = i % (lines * length);
        unsigned value = column >= columns ? 255
                         : x->origin       ? (unsigned)tensor_value(x, row * columns + column)
                                           : 0;
        int64_t bit = i % length * bits;
        unsigned mask = (1u << bits) - 1;
        data[i / length * bytes + bit / 8] |= (uint8_t)((value & mask) << bit % 8);
    }
    onnx_constant_tensor(&g->model, name, &packed);
    free(data);
}

/* The data of an operand as a constant, which libraries may prepare: as they are, or packed. */
static bool put_if_data(Graph *g, int term, const char *name)
{
    bool packed = calls(g, term, "packed");
    if (!packed && !calls(g, term, "constant"))
        return false;
    int operand = operand_of(g, child(g, term, 1));
    if (operand < 0)
        BUG("no operand in %s", g->e->text);
    const Tensor *view = &g->o->view[operand];
    Attribute bits, length;
    if (!packed)
        onnx_constant_tensor(&g->model, name, view);
    else if (evaluate(g, child(g, term, 2), &bits) && evaluate(g, child(g, term, 3), &length))
        put_packed(g, name, view, bits.integer, length.integer);
    else
        BUG("no numbers in %s", g->e->text);
    return true;
}

/* A constant, where the term is one. */
static bool put_if_constant(Graph *g, int term, const char *name)
{
    if (put_if_data(g, term, name))
        return true;
    Attribute value;
    bool narrow = calls(g, term, "f32"), like = calls(g, term, "like");
    if (!evaluate(g, narrow ? child(g, term, 1) : like ? child(g, term, 2) : term, &value))
        return false;
    put_constant(g, name,
                 narrow ? DT_F32
                 : like ? type_of_argument(g, term)
                        : constant_type(g, &value),
                 &value);
    return true;
}

/* The whole of a term, keywords included, so that equal texts are equal values. */
static void put_key(const Graph *g, int term, Text *key)
{
    const Term *t = term_at(g, term);
    char text[EXPRESSION_NAME_BYTES];
    expression_copy(g->e, t->keyword, text);
    text_printf(key, "%d%s=", t->kind, text);
    expression_copy(g->e, t->text, text);
    text_printf(key, "%s(", text);
    for (int at = t->first; at >= 0; at = term_at(g, at)->next)
        put_key(g, at, key);
    text_put(key, ")");
}

/* The name of a value that a node takes: an operand, - for what the case leaves out, a constant, or
 * what another node gives. */
static const char *value_name(Graph *g, int term)
{
    int operand = operand_of(g, term);
    if (operand >= 0)
        return onnx_has(g->o, operand) ? g->names[operand] : "-";
    if (term_at(g, term)->kind == TERM_NONE)
        return "-";
    Text key = {0};
    put_key(g, term, &key);
    for (int i = 0; i < g->known_count; i++)
        if (!strcmp(text_string(&g->known[i].key), text_string(&key))) {
            text_release(&key);
            return g->known[i].name;
        }
    char name[VALUE_NAME_BYTES];
    (void)snprintf(name, sizeof name, "v%d", g->made++);
    if (!put_if_constant(g, term, name))
        put_node(g, term, name);
    Known *known = &g->known[g->known_count++];
    known->key = key;
    memcpy(known->name, name, sizeof name);
    return known->name;
}

/* Attributes are of binary32, also of operators of other types. */
static void put_real(Graph *g, const char *name, double value)
{
    onnx_set_float(&g->model, name, value);
    g->is_rounded = g->is_rounded || (isfinite(value) && (float)value != value);
}

static void put_attribute(Graph *g, int term)
{
    Attribute value;
    char name[EXPRESSION_NAME_BYTES];
    expression_copy(g->e, term_at(g, term)->keyword, name);
    if (!evaluate(g, term, &value))
        BUG("%s is no attribute in %s", name, g->e->text);
    if (!strcmp(name, "opset"))
        g->opset = (int)value.integer;
    else if (!strcmp(name, "domain"))
        onnx_set_contrib(&g->model);
    else if (onnx_omits(g->o, name, &value))
        return;
    else if (value.kind == ATTRIBUTE_TUPLE)
        onnx_set_ints(&g->model, name, value.list, value.count);
    else if (value.kind == ATTRIBUTE_REAL)
        put_real(g, name, value.real);
    else if (value.kind == ATTRIBUTE_TEXT)
        onnx_set_string(&g->model, name, value.text);
    else
        onnx_set_int(&g->model, name, value.integer);
}

/* The function that follows a product, in a node of its own which the library may fuse. */
static void put_activated(Graph *g, int term, const char *outputs)
{
    Attribute activation;
    Text inputs = {0};
    if (!evaluate(g, child(g, term, 2), &activation))
        BUG("no activation in %s", g->e->text);
    if (!strcmp(activation.text, "none")) {
        put_node(g, child(g, term, 1), outputs);
        return;
    }
    text_put(&inputs, value_name(g, child(g, term, 1)));
    bool ends = strcmp(activation.text, "relu") != 0;
    if (ends) {
        onnx_constant(&g->model, "low", g->o->view[0].dtype, 0);
        onnx_constant(&g->model, "high", g->o->view[0].dtype, 6);
        text_put(&inputs, " low high");
    }
    onnx_node(&g->model, ends ? "Clip" : "Relu", text_string(&inputs), outputs);
    text_release(&inputs);
}

static void put_loss(Graph *g, int term, const char *outputs)
{
    Attribute reduction;
    const char *terms = value_name(g, child(g, term, 1));
    if (!evaluate(g, child(g, term, 2), &reduction))
        BUG("no reduction in %s", g->e->text);
    onnx_node(&g->model, strcmp(reduction.text, "mean") ? "ReduceSum" : "ReduceMean", terms,
              outputs);
    onnx_set_int(&g->model, "keepdims", 0);
}

/* The elements that Unique finds, and zeros up to the length of x. */
static void put_unique(Graph *g, const char *outputs)
{
    const Operands *o = g->o;
    const char *places = strchr(outputs, ' ');
    char values[VALUE_NAME_BYTES];
    const int64_t none = 0;
    Text found = {0};
    (void)snprintf(values, sizeof values, "%.*s", (int)(places - outputs), outputs);
    text_printf(&found, "found -%s", places);
    onnx_node(&g->model, "Unique", "x", text_string(&found));
    onnx_set_int(&g->model, "sorted", 1);
    onnx_constant(&g->model, "zero", o->view[0].dtype, 0);
    onnx_constant_ints(&g->model, "start", &none, 1);
    onnx_constant_ints(&g->model, "length", o->view[0].extent, 1);
    onnx_node(&g->model, "Expand", "zero length", "zeros");
    onnx_node(&g->model, "Concat", "found zeros", "long");
    onnx_set_int(&g->model, "axis", 0);
    onnx_node(&g->model, "Slice", "long start length", values);
    text_release(&found);
}

/* Several calls, each of which gives one of the outputs. */
static void put_each(Graph *g, int term, const char *outputs)
{
    for (int at = term_at(g, term)->first; at >= 0; at = term_at(g, at)->next) {
        char name[EXPRESSION_NAME_BYTES];
        size_t length = strcspn(outputs, " ");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, outputs);
        put_node(g, at, name);
        outputs += length + (outputs[length] == ' ');
    }
}

/* The axes of the operand that is the first input of a node, -1 where that is none. */
static int rank_of(const Graph *g, int first)
{
    int operand = first >= 0 ? operand_of(g, first) : -1;
    return operand >= 0 ? g->o->view[operand].rank : -1;
}

/* A call whose results get these names. */
static void put_node(Graph *g, int term, const char *outputs)
{
    if (term_at(g, term)->kind == TERM_LIST) {
        put_each(g, term, outputs);
        return;
    }
    if (calls(g, term, "activated")) {
        put_activated(g, term, outputs);
        return;
    }
    if (calls(g, term, "loss")) {
        put_loss(g, term, outputs);
        return;
    }
    if (calls(g, term, "unique")) {
        put_unique(g, outputs);
        return;
    }
    char type[EXPRESSION_NAME_BYTES];
    Text inputs = {0};
    expression_copy(g->e, term_at(g, child(g, term, 0))->text, type);
    int first = term_at(g, child(g, term, 0))->next, rank = rank_of(g, first);
    for (int at = first; at >= 0; at = term_at(g, at)->next) {
        g->rank = rank;
        if (term_at(g, at)->keyword.length == 0)
            text_printf(&inputs, "%s ", value_name(g, at));
    }
    onnx_node(&g->model, type, text_string(&inputs), outputs);
    g->rank = rank;
    for (int at = first; at >= 0; at = term_at(g, at)->next)
        if (term_at(g, at)->keyword.length > 0)
            put_attribute(g, at);
    text_release(&inputs);
}

/* Declares the operands; the names of the outputs, with spaces between, go to *outputs. */
static bool put_operands(Graph *g, Text *outputs)
{
    const Operands *o = g->o;
    bool known = true, declares = onnx_declares_extents(o);
    for (int i = 0; i < o->shapes.count; i++) {
        const char *name = o->source->op->tensors[i];
        const Tensor *view = &o->view[i];
        known = known && onnx_type(view->dtype) != 0;
        onnx_value_name(o, i, g->names[i]);
        if (operands_is_output(o, i)) {
            onnx_output(&g->model, name, view, declares);
            text_printf(outputs, outputs->length ? " %s" : "%s", g->names[i]);
        } else if (onnx_is_constant(o, i) && known) {
            onnx_constant_tensor(&g->model, name, view);
        } else if (onnx_has(o, i)) {
            onnx_input(&g->model, name, view, declares);
        }
    }
    return known;
}

bool onnx_offers(const OpDesc *op, DType dtype)
{
    const BindingCall *call = bindings_calls(bindings_find("onnx"), TARGET_PYTHON, op);
    while (call && !(call->dtypes >> dtype & 1))
        call = call->next;
    return call && onnx_type(dtype) != 0;
}

bool onnx_takes(const Operands *o, int i)
{
    return onnx_has(o, i) && !onnx_is_constant(o, i);
}

/* source, signature: NULL where they are not asked for. */
static bool write_graph(const Operands *o, int opset, Text *bytes, Text *source, Text *signature,
                        Text *why)
{
    const BindingCall *call =
        bindings_choose(bindings_find("onnx"), TARGET_PYTHON, o->source, NULL, why);
    if (!call)
        return false;
    Graph *g = memory_allocate(1, sizeof *g);
    Text outputs = {0};
    g->o = o;
    g->e = &call->expression;
    g->opset = onnx_form_opset(o, opset);
    g->model.has_source = source != NULL;
    bool ok = put_operands(g, &outputs);
    if (ok) {
        onnx_put_idle(&g->model, o, false);
        put_node(g, g->e->root, text_string(&outputs));
        onnx_put_idle(&g->model, o, true);
        onnx_finish(&g->model, g->opset, bytes);
        if (source)
            onnx_put_source(&g->model, g->opset, source);
        if (signature)
            text_printf(signature, "%d %s\n%s", g->opset, g->e->text,
                        text_string(&g->model.signature));
    }
    if (!ok)
        text_put(why, "an element type that ONNX has not");
    else if (g->is_rounded)
        text_put(why, "an attribute is of binary32, which has not this number");
    ok = ok && !g->is_rounded;
    onnx_release(&g->model);
    for (int i = 0; i < g->known_count; i++)
        text_release(&g->known[i].key);
    text_release(&outputs);
    free(g);
    return ok;
}

bool onnx_write(const Operands *o, int opset, Text *bytes, Text *source, Text *why)
{
    return write_graph(o, opset, bytes, source, NULL, why);
}

bool onnx_sketch(const Operands *o, int opset, Text *bytes, Text *signature, Text *why)
{
    return write_graph(o, opset, bytes, NULL, signature, why);
}
