/* Calls from the bindings of a library and the text of a case. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native.h"
#include "ops/case/attribute.h"

/* A call whose values are built, and the request whose operands it takes. */
typedef struct Builder {
    NativeCall *call;
    const Request *request;
    const Expression *expression;
} Builder;

static void put_integer(NativeValue *value, int64_t integer, bool boolean)
{
    value->kind = VALUE_INTEGER;
    value->boolean = boolean;
    value->list[0] = integer;
}

static void put_text(NativeValue *value, const char *text)
{
    value->kind = VALUE_TEXT;
    (void)snprintf(value->text, sizeof value->text, "%s", text);
}

static void put_attribute(NativeValue *value, const Attribute *attribute)
{
    switch (attribute->kind) {
    case ATTRIBUTE_INTEGER:
    case ATTRIBUTE_BOOLEAN:
        put_integer(value, attribute->integer, attribute->kind == ATTRIBUTE_BOOLEAN);
        break;
    case ATTRIBUTE_REAL:
        value->kind = VALUE_REAL;
        value->real = attribute->real;
        break;
    case ATTRIBUTE_TEXT:
        put_text(value, attribute->text);
        break;
    case ATTRIBUTE_TUPLE:
        value->kind = VALUE_INTEGERS;
        value->count = attribute->count;
        memcpy(value->list, attribute->list, sizeof *value->list * (size_t)attribute->count);
    }
}

/* An operand, or an attribute. */
static void put_name(const Builder *b, NativeValue *value, const char *name)
{
    Attribute attribute;
    int operand = op_operand(b->call->c.op, name);
    if (operand >= 0) {
        value->kind = VALUE_TENSOR;
        value->list[value->count++] = operand;
    } else if (attribute_get(&b->call->c, name, &attribute)) {
        put_attribute(value, &attribute);
    } else {
        BUG("%s has no %s", b->call->c.op->name, name);
    }
}

static void put_term(const Builder *b, NativeValue *value, const Term *term);

/* Operands, or whole numbers. */
static void put_list(const Builder *b, NativeValue *value, const Term *term)
{
    value->kind = VALUE_INTEGERS;
    for (int i = term->first; i >= 0; i = b->expression->terms[i].next) {
        NativeValue element = {0};
        put_term(b, &element, &b->expression->terms[i]);
        if (element.kind == VALUE_TENSOR)
            value->kind = VALUE_TENSORS;
        value->list[value->count++] = element.list[0];
    }
}

static void put_term(const Builder *b, NativeValue *value, const Term *term)
{
    char text[EXPRESSION_NAME_BYTES];
    expression_copy(b->expression, term->text, text);
    switch (term->kind) {
    case TERM_NAME:
        put_name(b, value, text);
        break;
    case TERM_INTEGER:
        put_integer(value, strtoll(text, NULL, 10), false);
        break;
    case TERM_BOOLEAN:
        put_integer(value, !strcmp(text, "True"), true);
        break;
    case TERM_REAL:
        value->kind = VALUE_REAL;
        value->real = strtod(text, NULL);
        break;
    case TERM_TEXT:
        put_text(value, text);
        break;
    case TERM_LIST:
        put_list(b, value, term);
        break;
    case TERM_NONE:
        value->kind = VALUE_NONE;
        break;
    default:
        BUG("a call that C cannot make: %s", b->expression->text);
    }
}

static void put_argument(const Builder *b, const Term *term)
{
    NativeCall *call = b->call;
    if (call->count == NATIVE_VALUES_MAX)
        BUG("%s has too many arguments", call->function);
    NativeValue *value = &call->values[call->count++];
    expression_copy(b->expression, term->keyword, value->attribute);
    value->optional = term->optional;
    put_term(b, value, term);
    if (value->kind == VALUE_TENSOR && value->optional &&
        b->request->tensors[value->list[0]].role == REQUEST_IGNORED)
        value->kind = VALUE_NONE;
}

/* FUNCTION(...) or FUNCTION.OVERLOAD(...). */
static void put_call(const Builder *b)
{
    const Term *terms = b->expression->terms, *root = &terms[b->expression->root];
    if (root->kind != TERM_CALL)
        BUG("no call: %s", b->expression->text);
    const Term *callee = &terms[root->first];
    if (callee->kind == TERM_MEMBER) {
        expression_copy(b->expression, callee->text, b->call->overload);
        callee = &terms[callee->first];
    }
    expression_copy(b->expression, callee->text, b->call->function);
    for (int i = terms[root->first].next; i >= 0; i = terms[i].next)
        put_argument(b, &terms[i]);
}

/* Takes the number of an argument that is to be illegal off the text. */
static int take_illegal(char *text)
{
    static const char *const mark = " illegal=";
    char *word = strstr(text, mark), *end;
    long number = word ? strtol(word + strlen(mark), &end, 10) : 0;
    if (!word || number < 1 || number > INT_MAX || (*end && *end != ' '))
        return 0;
    memmove(word, end, strlen(end) + 1);
    return (int)number;
}

uint32_t native_dtypes(const NativeLibrary *library, const OpDesc *op)
{
    const Bindings *bindings = library->bindings ? bindings_find(library->bindings) : NULL;
    if (!bindings)
        return library->dtypes[op_number(op)];
    uint32_t dtypes = 0;
    const BindingCall *call = bindings_calls(bindings, TARGET_NATIVE, op);
    for (; call; call = call->next)
        dtypes |= call->dtypes;
    return dtypes;
}

/* Makes the call of a case; false with the reason in *why where the library is not asked. */
static bool choose_call(const NativeLibrary *library, const Request *request, NativeCall *call,
                        Text *why)
{
    if (!library->bindings) {
        bool takes =
            native_dtypes(library, call->c.op) && (!library->takes || library->takes(&call->c));
        text_put(why, takes ? "" : "not in the table");
        return takes;
    }
    const BindingCall *chosen =
        bindings_choose(bindings_find(library->bindings), TARGET_NATIVE, &call->c, NULL, why);
    if (chosen)
        put_call(&(Builder){call, request, &chosen->expression});
    return chosen != NULL;
}

bool native_call(const NativeLibrary *library, const Request *request, NativeCall *call,
                 Text *error)
{
    char text[REQUEST_TEXT + 1];
    size_t length = strcspn(request->text, "|");
    memset(call, 0, sizeof *call);
    if (request->length > REQUEST_TEXT || length > request->length)
        length = 0;
    memcpy(text, request->text, length);
    text[length] = '\0';
    call->illegal = take_illegal(text);
    if (!case_parse(&call->c, text, error) || !choose_call(library, request, call, error))
        return false;
    while (call->first_output < (int)request->count &&
           request->tensors[call->first_output].role != REQUEST_OUTPUT)
        call->first_output++;
    call->outputs = (int)request->count - call->first_output;
    return true;
}
